"""Train, save, load, and check that nothing moved a bit: not threads, not the file, not the way rows are cut up."""

import tempfile
from pathlib import Path

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from samebits.ensemble import GradientBoostingClassifier

X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)

model = GradientBoostingClassifier(n_estimators=50, n_threads=1).fit(X_train, y_train)
again = GradientBoostingClassifier(n_estimators=50, n_threads=4).fit(X_train, y_train)
print(f"accuracy on unseen rows: {model.score(X_test, y_test):.3f}, trained on {model.device_used_}")

with tempfile.TemporaryDirectory() as folder:
    one, four = Path(folder) / "one.safetensors", Path(folder) / "four.safetensors"
    model.save(one)
    again.save(four)
    assert one.read_bytes() == four.read_bytes()
    print(f"1 and 4 threads: the same {one.stat().st_size:,} bytes of model file")
    loaded = GradientBoostingClassifier.load(one)

together = model.predict_proba(X_test)
assert loaded.predict_proba(X_test).tobytes() == together.tobytes()
print("saved and loaded: the same predictions")

for row in range(len(X_test)):
    assert model.predict_proba(X_test[row : row + 1]).tobytes() == together[row : row + 1].tobytes()
print("row by row: the same predictions")
