"""Stop when a validation set no longer improves; the number of trees is the same on every machine."""

from sklearn.datasets import make_friedman1
from sklearn.metrics import r2_score
from sklearn.model_selection import train_test_split

from samebits.ensemble import GradientBoostingRegressor

X, y = make_friedman1(n_samples=4000, noise=1.0, random_state=0)
X_fit, X_test, y_fit, y_test = train_test_split(X, y, random_state=0)
X_train, X_valid, y_train, y_valid = train_test_split(X_fit, y_fit, random_state=0)

model = GradientBoostingRegressor(n_estimators=2000, learning_rate=0.1, early_stopping_rounds=20)
model.fit(X_train, y_train, eval_set=[(X_valid, y_valid)])

losses = model.evals_result_["validation_0"]["squared_error"]
print(f"grew {model.n_iter_} of 2000 trees, predicts with the best {model.best_iteration_}")
print(f"validation loss: {losses[0]:.3f} after the first tree, {min(losses):.3f} at the best")
print(f"R^2 on unseen rows: {r2_score(y_test, model.predict(X_test)):.3f}")

assert model.n_iter_ == model.best_iteration_ + 20
assert losses[model.best_iteration_ - 1] == min(losses)
