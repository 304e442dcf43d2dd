"""The pinned settings of `samebits verify`: parameters of the estimators, small, and together covering all of them."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Setting:
    """``weighted``: fit with the fixture's weights; ``held_out``: pass the held-out rows as eval_set."""

    params: dict
    weighted: bool = False
    held_out: bool = False

    def as_dict(self):
        return dataclasses.asdict(self)


_SMALL = {"n_estimators": 6, "min_samples_leaf": 3, "random_state": 0}

SETTINGS = {
    "lossguide": Setting({**_SMALL, "grow_policy": "lossguide", "max_leaf_nodes": 15}),
    "depthwise": Setting(
        {**_SMALL, "grow_policy": "depthwise", "max_depth": 4, "l2_regularization": 1.0, "max_bins": 127}
    ),
    "symmetric": Setting({**_SMALL, "grow_policy": "symmetric", "max_depth": 4, "max_bins": 63}),
    "sampled": Setting({**_SMALL, "subsample": 0.7, "colsample_bytree": 0.6, "random_state": 2**40 + 9}),
    "coarse": Setting({**_SMALL, "max_bins": 2, "min_samples_leaf": 1, "learning_rate": 0.3, "max_depth": 3}),
    "early_stopping": Setting(
        {
            **_SMALL,
            "n_estimators": 12,
            "learning_rate": 0.8,
            "min_samples_leaf": 1,
            "early_stopping_rounds": 2,
            "tol": 1e-3,
            "max_bins": 31,
        },
        held_out=True,
    ),
    "weighted": Setting(
        {**_SMALL, "min_child_weight": 0.5, "l2_regularization": 0.25}, weighted=True, held_out=True
    ),
    "weighted_symmetric": Setting(
        {**_SMALL, "grow_policy": "symmetric", "max_depth": 3, "max_bins": 15, "subsample": 0.5},
        weighted=True,
    ),
}

# Class name in samebits.ensemble -> what it predicts.
ESTIMATORS = {"GradientBoostingClassifier": "classification", "GradientBoostingRegressor": "regression"}
