"""From columns of a table to what an estimator takes: features, labels, weights.

A Recipe is learned from the training table and stored in the model file, so that `predict` builds the same features.
"""

import dataclasses

import numpy as np

from samebits.exceptions import InvalidInputError, ModelFormatError

_ORDINAL_HINT = (
    "use --encode ordinal to number the texts in sorted order, or leave the columns out of the file"
)


@dataclasses.dataclass(frozen=True)
class Recipe:
    """``names``: the feature columns in order, None for a matrix without names; ``codes``: texts of each coded column,
    whose position is the code; ``left_out``: columns of the training file that are no features."""

    names: list
    codes: dict
    left_out: list

    @classmethod
    def learn(cls, table, leave_out, encode):
        """All columns but those in ``leave_out``; texts are refused by name unless ``encode`` is "ordinal"."""
        names = [name for name in table.names if name not in leave_out]
        if not names:
            raise InvalidInputError(
                f"[fit] {table.path!r} has no column besides target and weight, need at least one feature"
            )
        if not table.named:
            return cls(None, {}, leave_out)
        texts = {name: _texts(table.column(name, "feature")) for name in names}
        texts = {name: values for name, values in texts.items() if values is not None}
        if texts and encode != "ordinal":
            raise InvalidInputError(
                f"[fit] text in the columns {', '.join(map(repr, texts))} of {table.path!r}; {_ORDINAL_HINT}"
            )
        return cls(names, {name: sorted(set(values.dropna())) for name, values in texts.items()}, leave_out)

    def build(self, table, n_features=None):
        """The features of a table: a DataFrame with the names of the model, or the matrix when there are none."""
        if self.names is None:
            if table.named:
                raise InvalidInputError(
                    f"[read] the model was trained on columns without names, {table.path!r} has named ones; "
                    "need a .npy matrix"
                )
            # A matrix to predict may hold the features alone, or the target and weight of the training file as well.
            left_out = [] if len(table.names) == n_features else self.left_out
            return np.stack([table.column(n, "feature") for n in table.names if n not in left_out], axis=1)
        if not table.named:
            raise InvalidInputError(
                f"[read] the model was trained on named columns, {table.path!r} has none; need CSV or Parquet"
            )
        import pandas

        return pandas.DataFrame({name: self._feature(table, name) for name in self.names})

    def _feature(self, table, name):
        column = table.column(name, "feature")
        if name not in self.codes:
            return numbers(column, name, table.path)
        texts = _texts(column)
        texts = column.astype("string") if texts is None else texts
        rank = {text: float(code) for code, text in enumerate(self.codes[name])}
        return np.array(
            [rank.get(text, np.nan) for text in texts.fillna("").where(texts.notna(), None)], dtype=np.float64
        )

    def to_metadata(self):
        return {"columns": self.names, "ordinal": self.codes, "left_out": self.left_out}

    @classmethod
    def from_metadata(cls, value, path):
        """The recipe of a model file; a file with another text in its place is refused."""
        try:
            recipe = cls(value["columns"], value["ordinal"], value["left_out"])
            texts = [
                *(recipe.names or []),
                *recipe.left_out,
                *(t for values in recipe.codes.values() for t in values),
            ]
            sound = all(isinstance(text, str) for text in texts) and set(recipe.codes) <= set(
                recipe.names or []
            )
        except (AttributeError, KeyError, TypeError):
            sound = False
        if not sound:
            raise ModelFormatError(f"[load] {path!r} has a damaged description of its columns; fit it anew")
        return recipe


def _texts(column):
    """The column as texts, or None when it holds no text."""
    import pandas.api.types as types

    if isinstance(column, np.ndarray):
        return None
    if hasattr(column, "cat"):
        column = column.astype(column.cat.categories.dtype if not column.isna().any() else object)
    if types.infer_dtype(column, skipna=True) == "string":
        return column.astype("string")
    return None


def numbers(column, name, path):
    """A column as float64, missing values as NaN; refuses texts, dates and anything else that is no number."""
    import pandas.api.types as types

    if isinstance(column, np.ndarray):
        return column.astype(np.float64)
    kind = types.infer_dtype(column, skipna=True)
    if hasattr(column, "cat") and _texts(column) is None:
        column = column.astype(object)
    elif kind == "string":
        first = column.dropna().iloc[0]
        raise InvalidInputError(
            f"[read] the column {name!r} of {path!r} holds text ({str(first)[:30]!r}), need numbers"
        )
    elif kind not in ("integer", "floating", "boolean", "mixed-integer-float", "decimal", "empty"):
        raise InvalidInputError(
            f"[read] the column {name!r} of {path!r} holds {kind} values, need numbers (of a date: year, month, ...)"
        )
    try:
        return column.astype("object").where(column.notna(), np.nan).to_numpy().astype(np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidInputError(
            f"[read] the column {name!r} of {path!r} is no column of numbers: {error}"
        ) from error


def labels(column, name, path, task):
    """The target: numbers for regression, any labels for classification; a missing value is refused."""
    if isinstance(column, np.ndarray):
        missing = np.isnan(column).sum() if column.dtype.kind == "f" else 0
        values = column
    else:
        missing = int(column.isna().sum())
        values = column
    if missing:
        raise InvalidInputError(
            f"[read] the target {name!r} of {path!r} is missing in {missing} rows; fill or drop them"
        )
    if task == "regression":
        return numbers(values, name, path)
    if isinstance(values, np.ndarray):
        return values
    texts = _texts(values)
    return values.to_numpy() if texts is None else texts.to_numpy(dtype=object)
