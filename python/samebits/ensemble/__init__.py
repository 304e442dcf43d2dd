"""Gradient boosting with scikit-learn's interface."""

from samebits.ensemble._gradient_boosting import GradientBoostingClassifier, GradientBoostingRegressor

__all__ = ["GradientBoostingClassifier", "GradientBoostingRegressor"]
