"""Reading CSV, Parquet, .npy and .npz files into features, target and weights.

Numbers are read with correct rounding (the default CSV parser of older pandas is an ulp off at times), so that a file
gives the same values, and therefore the same model, everywhere.
"""

import inspect
import os
import warnings

import numpy as np

from samebits.exceptions import InvalidInputError, SamebitsError

_CSV = (".csv", ".csv.gz", ".csv.bz2", ".csv.xz", ".csv.zip", ".tsv", ".tsv.gz")
_PARQUET = (".parquet", ".pq")
KINDS = "CSV (.csv, .tsv; also .gz .bz2 .xz .zip), Parquet (.parquet, .pq) or NumPy (.npy, .npz)"


class Table:
    """Columns of one file. Columns of a .npy matrix have no names and are asked for by number, from 0."""

    def __init__(self, path, names, columns, dtype=None):
        self.path = path
        self.names = names  # texts, "0", "1", ... for a matrix
        self._columns = columns  # name -> 1-D array or pandas Series
        self.dtype = dtype  # of a matrix; None: a table with named columns

    @property
    def named(self):
        return self.dtype is None

    def __len__(self):
        return len(self._columns[self.names[0]]) if self.names else 0

    def column(self, name, role):
        """The column of that name, or a refusal that lists what is there."""
        if name not in self._columns:
            shown = ", ".join(self.names[:20]) + (", ..." if len(self.names) > 20 else "")
            raise InvalidInputError(
                f"[read] {self.path!r} has no column {name!r} for the {role}; it has: {shown}"
            )
        return self._columns[name]


def check_distinct(verb, inputs, outputs):
    """Refuse an output that is an input or another output: one would silently replace the other. None is no file."""
    seen = [os.path.realpath(path) for path in inputs if path is not None]
    for path in outputs:
        if path is None:
            continue
        real = os.path.realpath(path)
        if real in seen:
            raise InvalidInputError(
                f"[{verb}] {path!r} is named twice; writing it would replace another file of this call, name another"
            )
        seen.append(real)


def read(path, text_columns=()):
    """Read a file; ``text_columns`` are taken as texts whatever they look like (a CSV column of codes, say).

    Raises
    ------
    InvalidInputError
        The file is missing, empty, damaged or of another kind.
    """
    path = os.fspath(path)
    kind = path.lower()
    try:
        if kind.endswith(".npy"):
            return _from_matrix(path, _read_npy(path))
        if kind.endswith(".npz"):
            return _from_arrays(path)
        if kind.endswith(_CSV):
            frame = _read_csv(path, text_columns)
        elif kind.endswith(_PARQUET):
            frame = _pandas(path).read_parquet(path)
        else:
            raise InvalidInputError(f"[read] {path!r} is of no kind that is read here; need {KINDS}")
    except SamebitsError:
        raise
    except MemoryError as error:
        raise SamebitsError(f"[read] {path!r} does not fit into memory") from error
    except FileNotFoundError as error:
        raise InvalidInputError(f"[read] there is no file {path!r}") from error
    except Exception as error:  # readers raise dozens of types for damaged files
        raise InvalidInputError(f"[read] {path!r} cannot be read: {type(error).__name__}: {error}") from error
    return _from_frame(path, frame)


def read_vector(path, role):
    """A .npy file with one value a row."""
    path = os.fspath(path)
    if not path.lower().endswith(".npy"):
        raise InvalidInputError(f"[read] the {role} file {path!r} must be a .npy file with one value a row")
    try:
        array = _read_npy(path)
    except FileNotFoundError as error:
        raise InvalidInputError(f"[read] there is no file {path!r}") from error
    except (OSError, ValueError, EOFError) as error:
        raise InvalidInputError(f"[read] {path!r} cannot be read: {error}") from error
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        raise InvalidInputError(
            f"[read] the {role} file {path!r} has shape {array.shape}, need one value a row"
        )
    return array


def _read_npy(path):
    array = np.load(path, allow_pickle=False)
    if not isinstance(array, np.ndarray):
        raise ValueError("it is an archive of several arrays, need one array")
    return array


def _from_matrix(path, array):
    if array.ndim != 2 or array.dtype.kind not in "fiub":
        raise InvalidInputError(
            f"[read] {path!r} has dtype {array.dtype} and shape {array.shape}, need numbers of shape (rows, columns)"
        )
    if array.dtype not in (np.float32, np.float64):
        array = array.astype(np.float64)
    names = [str(k) for k in range(array.shape[1])]
    return Table(path, names, {name: array[:, k] for k, name in enumerate(names)}, array.dtype)


def _from_arrays(path):
    """Every array of an archive: one value a row is a column of that name, a matrix NAME the columns NAME[0], ..."""
    with np.load(path, allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    columns = {}
    for name, array in arrays.items():
        if array.ndim not in (1, 2):
            raise InvalidInputError(
                f"[read] {path!r} has {name!r} of shape {array.shape}, need 1 or 2 dimensions"
            )
        parts = {name: array} if array.ndim == 1 else {f"{name}[{k}]": c for k, c in enumerate(array.T)}
        columns |= parts
    lengths = {name: array.shape[0] for name, array in arrays.items()}
    if len(set(lengths.values())) != 1:
        raise InvalidInputError(f"[read] {path!r} has arrays of {lengths} rows, need as many in each")
    return _from_frame(path, _pandas(path).DataFrame(columns))


def _from_frame(path, frame):
    names = [str(name) for name in frame.columns]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InvalidInputError(
            f"[read] {path!r} has more than one column named {', '.join(map(repr, twice))}"
        )
    if not len(frame):
        raise InvalidInputError(f"[read] {path!r} has no rows")
    return Table(path, names, {name: frame.iloc[:, k] for k, name in enumerate(names)})


def _read_csv(path, text_columns):
    pandas = _pandas(path)
    options = {}
    if "float_precision" in inspect.signature(pandas.read_csv).parameters:
        options["float_precision"] = "round_trip"
    with warnings.catch_warnings():
        # Newer pandas rounds correctly by default and is about to drop the option.
        warnings.filterwarnings("ignore", message=".*float_precision")
        frame = pandas.read_csv(
            path,
            sep="\t" if ".tsv" in path.lower() else ",",
            dtype=dict.fromkeys(text_columns, "string"),
            low_memory=False,  # the type of a column follows from all its rows
            **options,
        )
    # pandas takes surplus fields for an index, which would shift every name by one.
    if not frame.index.equals(pandas.RangeIndex(len(frame))):
        raise InvalidInputError(f"[read] {path!r} has more fields in a row than names in its first line")
    return frame


def _pandas(path):
    try:
        import pandas
    except ImportError as error:
        raise SamebitsError(
            f'[read] reading {path!r} needs pandas; run `pip install "samebits[io]"`'
        ) from error
    return pandas
