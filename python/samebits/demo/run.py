"""The demo from table to report."""

import json
import os
import time
from importlib import metadata
from pathlib import Path

import samebits
from samebits._io import canonical_json, write_atomic
from samebits.demo import columns, fits, flights, pictures, report
from samebits.exceptions import InvalidInputError

QUICK_ROWS = 20_000
QUICK_TREES = 20


def run(out, *, json_file=None, with_report=True, quick=False, say=print):
    """The whole demo.

    Parameters
    ----------
    out : path of a folder, made when missing
        model.safetensors, card.json, demo.json and report.html are written there.
    json_file : path or None
        Another place for the content of demo.json.
    quick : bool
        A tenth of the work: some training rows and a few trees, no comparison with the recorded card.

    Returns
    -------
    dict
        Every printed figure; ``figures["columns"]`` has one entry per column.

    Raises
    ------
    SamebitsError
        The flights table or matplotlib is missing, or ``out`` cannot be written.
    """
    start = time.perf_counter()
    if json_file is not None:
        _writable(Path(json_file).absolute().parent, "--json")
    out = _folder(out)
    if with_report:
        pictures.need_matplotlib()
    path = flights.find_table()
    say(f"flights: {path}")
    task = flights.prepare(flights.read_table(path))
    settings = dict(fits.SETTINGS)
    if quick:
        task = task.thinned(QUICK_ROWS)
        settings["max_iter"] = QUICK_TREES
    figures = main_job(task, settings, out, with_report=with_report, recorded=not quick, say=say)
    figures["seconds"] = time.perf_counter() - start
    text = json.dumps(figures, indent=2, allow_nan=False) + "\n"
    for file in [out / "demo.json", *([Path(json_file)] if json_file else [])]:
        write_atomic(file, text.encode())
    say(f"written: {', '.join(str(file) for file in sorted(out.iterdir()) if file.name in _FILES)}")
    say(f"whole demo: {figures['seconds']:.1f} s")
    return figures


_FILES = ("model.safetensors", "card.json", "demo.json", "report.html")


def failed(figures):
    """Whether a column differs or was refused."""
    return any(column["same"] is False for column in figures["columns"])


def main_job(task, settings, out, *, with_report=True, recorded=True, say=print):
    """Both fits, the proof, and the files, for a task that is already in memory; returns the figures."""
    figures = _describe(task, settings)
    _say_task(figures, say)
    own = fits.fit_own(task, settings)
    peer = fits.fit_sklearn(task, settings)
    figures.update(_scores(own, peer))
    _say_scores(figures, say)
    own.model.save(out / "model.safetensors")
    reference, lines = _prove(task, settings, own, recorded, say)
    figures["stages"] = len(reference.card["stages"])
    figures["columns"] = lines
    write_atomic(out / "card.json", (canonical_json(reference.card) + "\n").encode("ascii"))
    if with_report:
        page = report.page(figures, pictures.draw(task, own, peer))
        write_atomic(out / "report.html", page.encode())
    return figures


def _describe(task, settings):
    build = samebits.build_info()
    return {
        "rows": task.rows,
        "rows_in_table": task.rows_in_table,
        "rows_cancelled": task.rows_cancelled,
        "rows_train": len(task.y_train),
        "rows_test": len(task.y_test),
        "features": len(task.names),
        "feature_names": task.names,
        "settings": settings,
        "library": {key: build[key] for key in ("version", "commit", "dirty", "profile")},
        "omp_wait_policy": os.environ.get("OMP_WAIT_POLICY"),
        "versions": {name: metadata.version(name) for name in ("scikit-learn", "numpy")},
    }


def _say_task(f, say):
    say(
        f"rows: {f['rows']:,} flights that arrived ({f['rows_cancelled']:,} that did not are left out), "
        f"{f['rows_train']:,} of January to October to train, {f['rows_test']:,} of November and December to test"
    )
    say(f"features: {f['features']}, known when a flight is planned: {', '.join(f['feature_names'])}")
    say("")


def _scores(own, peer):
    return {
        "auc": own.auc,
        "auc_sklearn": peer.auc,
        "logloss": own.logloss,
        "logloss_sklearn": peer.logloss,
        "fit_seconds": own.seconds,
        "fit_seconds_sklearn": peer.seconds,
        "best_trees": own.curve.index(min(own.curve)) + 1,
        "device": own.model.device_used_,
    }


def _say_scores(f, say):
    say(f"{'':12}  {'fit, s':>8}  {'ROC AUC':>8}  {'log-loss':>8}")
    say(f"{'samebits':12}  {f['fit_seconds']:8.2f}  {f['auc']:8.4f}  {f['logloss']:8.4f}   on {f['device']}")
    say(
        f"{'scikit-learn':12}  {f['fit_seconds_sklearn']:8.2f}  {f['auc_sklearn']:8.4f}  {f['logloss_sklearn']:8.4f}"
    )
    say("")


def _prove(task, settings, own, recorded, say):
    """The reference run and the lines of all other columns, each said as soon as it is known."""
    reference = columns.traced_run(task, settings, columns.Place(""))
    card = reference.card
    say(
        f"reference run: {card['column']}, {len(card['stages']):,} stages, {reference.seconds:.2f} s with tracing"
    )
    lines = []

    def tell(column):
        seconds = "" if column.seconds is None else f"  ({column.seconds:.2f} s)"
        say(f"  {column.name:44} {column.reason}{seconds}")
        lines.append(vars(column))

    tell(columns.untraced_column(own, task, reference))
    for place in columns.places():
        tell(columns.column_at(place, task, settings, reference))
    if recorded:
        for column in columns.recorded_columns(reference):
            tell(column)
    say("")
    return reference, lines


def _folder(out):
    out = Path(out)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInputError(
            f"[demo] cannot make the folder {str(out)!r}: {error.strerror or error}; name another with --out"
        ) from error
    _writable(out, "--out")
    return out


def _writable(folder, option):
    """Asked before the work, not after it."""
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise InvalidInputError(
            f"[demo] {option}: the folder {str(folder)!r} does not exist or is not writable; name another"
        )
