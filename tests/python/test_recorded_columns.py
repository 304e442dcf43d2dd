"""This machine's card of the demo fit against the reference card and every recorded column, recorded GPUs included."""

import json
from pathlib import Path

import pytest

from samebits.compare import compare_cards, load_card
from samebits.demo import fits, flights
from samebits.demo.columns import Place, stages_digest, traced_run
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


@pytest.mark.parametrize("path", COLUMNS, ids=lambda path: path.stem)
def test_every_recorded_column_has_the_same_bits(card, path):
    record = json.loads(path.read_text())
    assert record["format"] == "samebits-column/1" and record["column"] == path.stem
    assert record["cards"]["demo"]["stages_sha256"] == stages_digest(card)


def test_the_gpu_columns_are_recorded():
    assert {"cuda-sm_90", "cuda-ptx"} <= {path.stem for path in COLUMNS}
