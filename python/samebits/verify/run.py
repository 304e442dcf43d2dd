"""The run of `samebits verify`, from fixtures to outcome."""

import time

import samebits
from samebits._devices import open_device
from samebits.exceptions import InvalidInputError, ModelFormatError
from samebits.verify import document as documents
from samebits.verify import evidence
from samebits.verify.fixtures import FIXTURES, LARGE
from samebits.verify.outcome import Outcome, judge_cell
from samebits.verify.parts import Place, run_parts
from samebits.verify.settings import ESTIMATORS, SETTINGS


def verify(
    device=None, n_threads=None, *, estimators=None, fixtures=None, quick=False, against=None, progress=None
):
    """Compute every cell on a device of this machine and compare it with a verify document.

    Parameters
    ----------
    device : str or None
        'auto', 'cpu', 'cuda', ...; None: the configuration's.
    n_threads : int or None
        Threads of the cpu device.
    estimators, fixtures : list of str or None
        Only these; None: all.
    quick : bool
        Leave out the large fixture.
    against : dict or None
        A verify document; None: the one that ships with the package, made on the reference device.
    progress : callable or None
        Called with (cells done, cells of all, name) after each cell.

    Returns
    -------
    (Outcome, dict)
        The verdicts, and the verify document of what was computed here.

    Raises
    ------
    DeviceUnavailableError
        The device cannot be had.
    ModelFormatError
        The document is damaged or of another profile.
    InvalidInputError
        The inputs do not have the bytes that the document states, or a name is unknown.
    """
    start = time.perf_counter()
    place = Place(device, n_threads)
    info = open_device(device, n_threads).info()
    against = documents.reference() if against is None else against
    check_comparable(against)
    plan = plan_of(estimators, fixtures, quick)
    writer = documents.Writer(info)
    outcome = Outcome([], shown(info), _beside(against), {}, broken_build())
    for (names, setting, weighted), data in _with_data(plan, against, writer, outcome):
        parts = run_parts(names[0], setting, data, place, weighted=weighted)
        writer.add_cell(*names, parts)
        outcome.verdicts.extend(judge_cell(names, parts, against))
        if progress is not None:
            progress(len(outcome.verdicts), names)
    evidence.add(outcome, against, place)
    outcome.seconds = time.perf_counter() - start
    return outcome, writer.document()


def plan_of(estimators=None, fixtures=None, quick=False):
    """[(names of the cell, Setting, weighted)] grouped by fixture; refuses unknown names."""
    chosen = _chosen("estimator", estimators, ESTIMATORS)
    left_out = LARGE if quick and fixtures is None else ()
    plan = []
    for fixture in _chosen("fixture", fixtures, FIXTURES):
        made = FIXTURES[fixture]
        if fixture in left_out:
            continue
        for estimator in chosen:
            if ESTIMATORS[estimator] in made.tasks:
                settings = made.settings or SETTINGS
                plan += [((estimator, s, fixture), SETTINGS[s], made.weighted) for s in settings]
    return plan


def _chosen(kind, names, known):
    unknown = [name for name in names or () if name not in known]
    if unknown:
        raise InvalidInputError(f"[verify] there is no {kind} {unknown[0]!r}; there are {', '.join(known)}")
    return [name for name in known if names is None or name in names]


def _with_data(plan, against, writer, outcome):
    """Cells with their data; a fixture is made and checked once, and forgotten before the next is made."""
    current, data = None, None
    for item in plan:
        fixture = item[0][2]
        if fixture != current:
            current, data = fixture, FIXTURES[fixture].data()
            inputs = data.inputs()
            check_inputs(fixture, inputs, against)
            writer.add_fixture(fixture, inputs)
            outcome.inputs[fixture] = inputs
        yield item, data


def check_inputs(fixture, inputs, document):
    """Refuse a fixture whose bytes are not those of the document: nothing computed from it would mean anything."""
    wanted = document["fixtures"].get(fixture)
    if wanted is None:
        return  # its cells are pending
    for found, stated in zip(inputs, wanted):
        if found != stated:
            raise InvalidInputError(
                f"[verify] the fixture {fixture!r} has other bytes here: {found['name']} is {found['dtype']}"
                f"{found['shape']} sha256 {found['sha256']}, the document states {stated['dtype']}{stated['shape']} "
                f"sha256 {stated['sha256']}; this NumPy or this machine makes other inputs, nothing was compared"
            )
    if len(inputs) != len(wanted):
        raise InvalidInputError(
            f"[verify] the fixture {fixture!r} has {len(inputs)} arrays here and {len(wanted)} in the document"
        )


def check_fixtures(names=None, against=None):
    """Make fixtures and compare their bytes with a document's.

    Parameters
    ----------
    names : list of str or None
        None: all.
    against : dict or None
        A verify document; None: the one that ships with the package.

    Yields
    ------
    dict
        fixture, name, dtype, shape and sha256 of an array, and ``state``: 'identical', 'divergent' or 'pending' (not
        recorded).

    Raises
    ------
    InvalidInputError
        There is no fixture of that name.
    """
    against = documents.reference() if against is None else against
    for fixture in _chosen("fixture", names, FIXTURES):
        wanted = {record["name"]: record for record in against["fixtures"].get(fixture, [])}
        for found in FIXTURES[fixture].data().inputs():
            stated = wanted.get(found["name"])
            state = "pending" if stated is None else "identical" if found == stated else "divergent"
            yield {"fixture": fixture, "state": state, **found}


def check_comparable(document):
    """Refuse a document that this library cannot be compared with: another profile, other settings, a broken build."""
    profile = samebits.build_info()["profile"]
    if document["profile"] != profile:
        raise ModelFormatError(
            f"[verify] the document is of profile {document['profile']!r}, this library computes {profile!r}; "
            "they are not comparable"
        )
    if document["library"].get("broken_rule"):
        raise ModelFormatError(
            f"[verify] the document was made by a build that breaks the rule {document['library']['broken_rule']!r}"
        )
    for name, setting in document["settings"].items():
        if name in SETTINGS and SETTINGS[name].as_dict() != setting:
            raise ModelFormatError(
                f"[verify] the document has other parameters for the setting {name!r}: {setting}, this version has "
                f"{SETTINGS[name].as_dict()}"
            )


def broken_build(build=None):
    """What keeps a run from counting at all, as a list of texts; ``build``: of ``samebits.build_info()``."""
    rule = (build or samebits.build_info())["broken_rule"]
    return [f"this is a separating build that breaks the rule {rule!r}; install a normal one"] if rule else []


def shown(info):
    return {key: info[key] for key in ("id", "name", "column", "code_object", "driver")}


def _beside(document):
    library = document["library"]
    return (
        f"a document of {document['column']} ({document['device']['id']}), samebits {library['version']} commit "
        f"{library['commit'][:10]}, profile {document['profile']}"
    )
