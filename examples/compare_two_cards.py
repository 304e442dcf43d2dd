"""Two identity cards: equal when they should be, and the first stage that differs when they are not."""

import numpy as np
from sklearn.datasets import load_diabetes

import samebits
from samebits.compare import compare_cards
from samebits.ensemble import GradientBoostingRegressor


def card_of(X, y, **placement):
    with samebits.trace() as log:
        GradientBoostingRegressor(n_estimators=10, **placement).fit(X, y)
    return log.card()


X, y = load_diabetes(return_X_y=True)
card = card_of(X, y)
print(
    f"{len(card['stages'])} stages recorded, from {card['stages'][0]['tag']!r} to {card['stages'][-1]['tag']!r}"
)

outcome = compare_cards(card, card_of(X, y, n_threads=1))
print(outcome.text())
assert outcome.status == "same"

# Data that differs in the last bit of one value is other data, and the card says so before anyone hunts for a bug.
nudged = X.copy()
nudged[7, 2] = np.nextafter(nudged[7, 2], np.inf)
outcome = compare_cards(card, card_of(nudged, y))
print(outcome.text())
assert outcome.status == "not comparable"

# What a machine that computes one stage differently would look like.
other = card_of(X, y)
stage = next(stage for stage in other["stages"] if stage["tag"].endswith("leaf_values"))
stage["sha256"] = "0" * 64
outcome = compare_cards(card, other)
print(outcome.text())
assert outcome.status == "divergent" and outcome.first_difference["tag"] == stage["tag"]
