"""The proof: the same fit again on every column of this machine, card against card."""

import contextlib
import dataclasses
import hashlib
import json
import os
import tempfile
import time
from importlib import resources
from pathlib import Path

import samebits
from samebits._evidence import recorded_card
from samebits.compare import compare_cards, stages_digest
from samebits.demo.fits import own_model
from samebits.exceptions import SamebitsError

CARD = "demo"  # the recorded card of this fit, in samebits/data/cards
_HOST_DEVICES = ("cpu", "reference")


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a fit shall run; ``isa`` None leaves the choice of the instruction set to the library."""

    label: str
    device: str = "cpu"
    n_threads: int = None
    isa: str = None


@dataclasses.dataclass(frozen=True)
class Run:
    """What a traced fit left behind: its card, and hashes of the saved model and of the test predictions."""

    card: dict
    digests: dict
    seconds: float


@dataclasses.dataclass(frozen=True)
class Column:
    """One line of the proof. ``same``: True, False, or None when the two cannot be compared."""

    name: str
    same: bool
    first_difference: str = None
    reason: str = ""
    seconds: float = None


def places():
    """Every other column here: threads, instruction sets, GPUs."""
    build = samebits.build_info()
    found = [Place("1 thread", n_threads=1), Place("2 threads", n_threads=2), Place("7 threads", n_threads=7)]
    found += [Place("", isa=isa) for isa in build["cpu_isas"] if isa != build["cpu_isa"]]
    gpus = [device["id"] for device in samebits.devices() if device["id"] not in _HOST_DEVICES]
    return found + [Place("" if len(gpus) == 1 else gpu, device=gpu) for gpu in gpus]


def traced_run(flights, settings, place):
    """Fits at a place with tracing on."""
    with _instruction_set(place.isa):
        start = time.perf_counter()
        with samebits.trace() as log:
            model = own_model(settings, device=place.device, n_threads=place.n_threads)
            model.fit(flights.X_train, flights.y_train)
        seconds = time.perf_counter() - start
        digests = _digests(model, flights)
    return Run(log.card(), digests, seconds)


def untraced_column(own, flights, reference):
    """The line of the headline fit, made without tracing on the default device: same model bytes, same predictions."""
    name = f"{own.model.device_used_}, tracing off"
    return _by_digests(name, _digests(own.model, flights), reference, own.seconds)


def column_at(place, flights, settings, reference):
    """The line of a place: a traced fit there beside the reference run. A refusal is a refusal, not a pass."""
    try:
        run = traced_run(flights, settings, place)
    except SamebitsError as error:
        return Column(place.label or place.isa or place.device, False, None, f"refused: {error}")
    name = f"{run.card['column']} {place.label}".strip()
    outcome = compare_cards(reference.card, run.card)
    if outcome.status != "same":
        return _differing(name, outcome, run.seconds)
    return _by_digests(name, run.digests, reference, run.seconds)


def recorded_columns(reference):
    """The lines of what was recorded elsewhere and ships with the package: the reference card, then every column (a GPU
    that this machine lacks, say), of which only one hash of all stages is kept."""
    card = recorded_card(CARD)
    if card is None:
        return
    line = _recorded_card_line(card, reference)
    yield line
    if line.same is None:  # another table or other settings: nothing recorded can be compared
        return
    digest = stages_digest(reference.card["stages"])
    for record in column_records():
        name = f"recorded {record['column']} ({record['device']})"
        same = record["cards"][CARD]["stages_sha256"] == digest
        yield Column(
            name, same, None if same else "stages", "same bits" if same else "other bits than the record"
        )


def column_records():
    """The column files of samebits/data/columns that hold this fit, by name."""
    folder = resources.files("samebits") / "data" / "columns"
    files = sorted(folder.iterdir(), key=lambda file: file.name) if folder.is_dir() else []
    records = [json.loads(file.read_text()) for file in files if file.name.endswith(".json")]
    return [record for record in records if CARD in record.get("cards", {})]


def _recorded_card_line(card, reference):
    name = f"recorded {card.get('column')} (commit {str(card.get('library', {}).get('commit'))[:9]})"
    try:
        outcome = compare_cards(reference.card, card)
    except SamebitsError as error:
        return Column(name, False, None, str(error))
    return (
        Column(name, True, None, "same bits") if outcome.status == "same" else _differing(name, outcome, None)
    )


def _by_digests(name, digests, reference, seconds):
    for what, digest in digests.items():
        if digest != reference.digests[what]:
            return Column(name, False, what, f"the {what} is the first that differs", seconds)
    return Column(name, True, None, "same bits", seconds)


def _differing(name, outcome, seconds):
    if outcome.status == "not comparable":
        return Column(name, None, None, f"not comparable: {outcome.reason}", seconds)
    return Column(name, False, outcome.first_difference["tag"], outcome.text(), seconds)


def _digests(model, flights):
    """SHA-256 of what a user gets: the saved file and the probabilities for the test months."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.safetensors"
        model.save(path)
        file = path.read_bytes()
    predictions = model.predict_proba(flights.X_test).tobytes()
    return {
        "model file": hashlib.sha256(file).hexdigest(),
        "test predictions": hashlib.sha256(predictions).hexdigest(),
    }


@contextlib.contextmanager
def _instruction_set(isa):
    """SAMEBITS_CPU_ISA for the fits and predictions inside; None changes nothing."""
    if isa is None:
        yield
        return
    before = os.environ.get("SAMEBITS_CPU_ISA")
    os.environ["SAMEBITS_CPU_ISA"] = isa
    try:
        yield
    finally:
        if before is None:
            del os.environ["SAMEBITS_CPU_ISA"]
        else:
            os.environ["SAMEBITS_CPU_ISA"] = before
