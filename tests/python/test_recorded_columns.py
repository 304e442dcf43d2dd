"""This machine's card of the demo fit, and the pinned digests of the C++ tests, against every recorded column."""

import json
from pathlib import Path

import pytest

from samebits.compare import compare_cards, load_card, stages_digest
from samebits.demo import fits, flights
from samebits.demo.columns import Place, traced_run
from samebits.exceptions import SamebitsError

CONFORMANCE = Path(__file__).resolve().parents[2] / "conformance"
COLUMNS = sorted((CONFORMANCE / "columns").glob("*.json"))


@pytest.fixture(scope="module")
def card():
    try:
        table = flights.read_table(flights.find_table())
    except SamebitsError as error:
        pytest.skip(str(error))
    return traced_run(flights.prepare(table), dict(fits.SETTINGS), Place("cpu")).card


def test_the_reference_card_is_reproduced(card):
    outcome = compare_cards(load_card(CONFORMANCE / "cards" / "demo.json"), card)
    assert outcome.status == "same", outcome.text()


def records(entry):
    """The recorded columns that hold that entry, as test parameters."""
    found = [(path, json.loads(path.read_text())) for path in COLUMNS]
    return [pytest.param(record, id=path.stem) for path, record in found if entry in record]


@pytest.mark.parametrize("path", COLUMNS, ids=lambda path: path.stem)
def test_a_record_says_what_ran_and_where(path):
    record = json.loads(path.read_text())
    assert record["format"] == "samebits-column/1" and record["column"] == path.stem
    assert all(record[name] for name in ("commit", "date", "device", "driver", "toolchain", "code_object"))
    assert record.get("cards") or record.get("primitives")


@pytest.mark.parametrize("record", records("cards"))
def test_every_recorded_column_has_the_same_bits(card, record):
    assert record["cards"]["demo"]["stages_sha256"] == stages_digest(card["stages"])


@pytest.mark.parametrize("record", records("primitives"))
def test_every_recorded_column_ran_the_pinned_tests(record):
    tests = json.loads((CONFORMANCE / "vectors" / "primitives.json").read_text())["tests"]
    shared = record["primitives"].keys() & tests.keys()
    assert len(shared) > 30
    assert {name: record["primitives"][name] for name in shared} == {
        n: tests[n]["sha256"][:16] for n in shared
    }


@pytest.mark.parametrize("record", records("sweeps"))
def test_every_recorded_sweep_has_the_pinned_hashes(record):
    for kind in ("f32", "f64"):
        pinned = json.loads((CONFORMANCE / "vectors" / f"elementary_{kind}_exhaustive.json").read_text())[
            "functions"
        ]
        assert record["sweeps"][kind] == {name: entry["hash"] for name, entry in pinned.items()}


def test_the_gpu_columns_are_recorded():
    assert {"cuda-sm_90", "cuda-ptx"} <= {path.stem for path in COLUMNS}
