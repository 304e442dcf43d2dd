"""The demo on a small invented table: its features, its files, its verdict. `./dev demo` runs the real one."""

import dataclasses
import json
import re

import numpy as np
import pytest

import samebits
from samebits.compare import stages_digest
from samebits.demo import columns, fits, flights, report, run
from samebits.exceptions import InvalidInputError

pd = pytest.importorskip("pandas")
SMALL = {**fits.SETTINGS, "max_iter": 5}


def invented(rows=4000, seed=0):
    """A table with the columns of the real one, text, missing and cancelled flights included."""
    rng = np.random.default_rng(seed)
    tails = np.array([f"N{k}" for k in rng.integers(100, 160, rows)], dtype=object)
    tails[rng.random(rows) < 0.02] = None
    hour = rng.integers(5, 24, rows)
    delay = np.round(rng.normal((hour - 12) * 2.0, 20.0))
    delay[rng.random(rows) < 0.03] = np.nan
    return pd.DataFrame(
        {
            "year": 2013,
            "month": rng.integers(1, 13, rows),
            "day": rng.integers(1, 29, rows),
            "dep_time": rng.integers(1, 2400, rows).astype(float),
            "sched_dep_time": hour * 100 + rng.integers(0, 60, rows),
            "dep_delay": delay - 3,
            "arr_time": rng.integers(1, 2400, rows).astype(float),
            "sched_arr_time": rng.integers(0, 24, rows) * 100 + rng.integers(0, 60, rows),
            "arr_delay": delay,
            "carrier": rng.choice(["UA", "AA", "B6"], rows),
            "flight": rng.integers(1, 8500, rows),
            "tailnum": tails,
            "origin": rng.choice(["EWR", "JFK", "LGA"], rows),
            "dest": rng.choice(["IAH", "MIA", "ORD", "SFO"], rows),
            "air_time": delay + 100,
            "distance": rng.integers(80, 2600, rows),
            "hour": hour,
            "minute": 0,
            "time_hour": "2013-01-01T10:00:00Z",
        }
    )


@pytest.fixture(scope="module")
def task():
    return flights.prepare(invented())


@pytest.fixture(scope="module")
def done(task, tmp_path_factory):
    """(figures, folder, printed lines) of one small run."""
    pytest.importorskip("matplotlib")
    out, lines = tmp_path_factory.mktemp("demo"), []
    return run.main_job(task, SMALL, out, recorded=False, say=lines.append), out, lines


# --------------------------------------------------------------------------------------------------------- features


def test_split_label_and_missing_values(task):
    table = invented()
    flown = table[table.arr_delay.notna()]
    assert task.rows == len(flown) and task.rows_cancelled == len(table) - len(flown) > 0
    assert len(task.y_train) == (flown.month <= 10).sum()
    assert task.y_test.tolist() == (flown[flown.month > 10].arr_delay >= 15).astype(int).tolist()
    assert task.X_train.dtype == np.float32 and task.X_train.shape[1] == len(task.names)
    missing = np.isnan(task.X_train).any(axis=0)
    assert [task.names[k] for k in np.flatnonzero(missing)] == ["tail_frequency"]


def test_no_feature_sees_what_is_known_only_afterwards(task):
    table = invented()
    rng = np.random.default_rng(1)
    for name in ("dep_time", "dep_delay", "arr_time", "air_time", "hour", "minute"):
        table[name] = rng.permutation(table[name].to_numpy())
    on_time = table.arr_delay.where(table.arr_delay.isna(), 0.0)
    other = flights.prepare(table.assign(arr_delay=on_time))
    assert other.X_train.tobytes() == task.X_train.tobytes()
    assert other.X_test.tobytes() == task.X_test.tobytes()


def test_the_test_months_do_not_reach_the_training_features(task):
    table = invented()
    late_in_year = table.month > 10
    table.loc[late_in_year, "tailnum"] = "N100"
    assert flights.prepare(table).X_train.tobytes() == task.X_train.tobytes()


def test_weekdays(task):
    from datetime import date

    table = invented()
    flown = table[table.arr_delay.notna() & (table.month <= 10)]
    wanted = [date(2013, m, d).weekday() for m, d in zip(flown.month, flown.day)]
    assert task.X_train[:, task.names.index("weekday")].tolist() == wanted


def test_features_have_at_most_255_values(task):
    assert max(len(np.unique(column)) for column in task.X_train.T if not np.isnan(column).any()) <= 4000
    few = [n for n in task.names if n != "distance"]  # of which the real table has 213
    assert all(len(np.unique(task.X_train[:, task.names.index(n)])) <= 255 for n in few)


# ------------------------------------------------------------------------------------------------------------ table


def test_table_is_found_by_variable(tmp_path, monkeypatch):
    path = tmp_path / "flights.csv.zip"
    invented(50).to_csv(path, index=False)
    monkeypatch.setenv("SAMEBITS_FLIGHTS", str(path))
    assert flights.find_table() == path
    assert len(flights.read_table(path)) == 50


def test_text_and_csv_give_the_same_features(tmp_path):
    invented(300).to_csv(tmp_path / "flights.csv", index=False)
    read = flights.prepare(flights.read_table(tmp_path / "flights.csv"))
    assert read.X_train.tobytes() == flights.prepare(invented(300)).X_train.tobytes()


def test_missing_table_names_the_command(monkeypatch):
    monkeypatch.delenv("SAMEBITS_FLIGHTS", raising=False)
    monkeypatch.setattr(flights.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(InvalidInputError, match=re.escape(flights.INSTALL)):
        flights.find_table()
    monkeypatch.setenv("SAMEBITS_FLIGHTS", "/nowhere/flights.csv")
    with pytest.raises(InvalidInputError, match="SAMEBITS_FLIGHTS"):
        flights.find_table()


@pytest.mark.parametrize(
    "name, data", [("flights.csv.zip", b"PK\x03\x04 cut off"), ("flights.csv", b"a,b\n1,2\n")]
)
def test_broken_table_is_refused(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InvalidInputError, match="not the flights table"):
        flights.read_table(tmp_path / name)


# --------------------------------------------------------------------------------------------------------- main job


def test_figures(done, task):
    figures, _, lines = done
    wanted = {
        "rows",
        "features",
        "auc",
        "auc_sklearn",
        "logloss",
        "logloss_sklearn",
        "fit_seconds",
        "fit_seconds_sklearn",
    }
    assert wanted <= set(figures)
    assert figures["rows"] == task.rows and figures["features"] == len(task.names)
    assert 0.6 < figures["auc"] <= 1 and abs(figures["auc"] - figures["auc_sklearn"]) < 0.02
    printed = "\n".join(lines)
    for text in (f"{figures['auc']:.4f}", f"{figures['logloss_sklearn']:.4f}", f"{figures['rows']:,}"):
        assert text in printed


def test_columns_cover_threads_and_instruction_sets(done):
    figures, _, lines = done
    build = samebits.build_info()
    names = [column["name"] for column in figures["columns"]]
    assert len(set(names)) == len(names)
    for threads in ("1 thread", "2 threads", "7 threads"):
        assert sum(name.endswith(f" {threads}") for name in names) == 1
    assert len(names) >= 4 + len(build["cpu_isas"]) - 1
    assert all(column["same"] is True and column["first_difference"] is None for column in figures["columns"])
    assert not run.failed(figures)
    assert all(any(name in line and "same bits" in line for line in lines) for name in names)


def test_files(done):
    _, out, _ = done
    assert {"model.safetensors", "card.json", "report.html"} <= {file.name for file in out.iterdir()}
    from samebits.compare import load_card

    assert load_card(out / "card.json")["stages"]
    assert samebits.load_model(out / "model.safetensors").n_iter_ == SMALL["max_iter"]


def test_report_is_one_page_with_everything_inside(done):
    _, out, _ = done
    page = (out / "report.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 4
    assert not re.search(r"""(?:src|href)=["'](?!#)""", page)
    assert "Same bits in all" in page


def test_a_difference_is_told(task, done):
    reference = columns.traced_run(task, SMALL, columns.Place(""))
    other = columns.column_at(columns.Place("", n_threads=1), task, SMALL, _spoiled(reference, stage=20))
    assert other.same is False and other.first_difference == reference.card["stages"][20]["tag"]
    digests = {**reference.digests, "test predictions": "0" * 64}
    later = columns.column_at(
        columns.Place("x"), task, SMALL, dataclasses.replace(reference, digests=digests)
    )
    assert later.same is False and later.first_difference == "test predictions"
    figures = {**done[0], "columns": [vars(other)]}
    assert run.failed(figures)
    assert "Not the same bits" in report.page(figures, {}) and other.first_difference in report.page(
        figures, {}
    )


def test_a_refused_place_is_no_pass(task, done):
    column = columns.column_at(columns.Place("", device="cuda:99"), task, SMALL, None)
    assert column.same is False and "refused" in column.reason and "cuda:99" in column.reason


def test_recorded_card_and_columns(task, monkeypatch):
    reference = columns.traced_run(task, SMALL, columns.Place(""))
    record = {"column": "cuda-sm_00", "device": "a GPU", "cards": {}}
    record["cards"]["demo"] = {"stages_sha256": stages_digest(reference.card["stages"])}
    wrong = {**record, "column": "cuda-ptx", "cards": {"demo": {"stages_sha256": "0" * 64}}}
    monkeypatch.setattr(columns, "column_records", lambda: [record, wrong])
    monkeypatch.setattr(columns, "recorded_card", lambda name: reference.card)
    lines = list(columns.recorded_columns(reference))
    assert [line.same for line in lines] == [True, True, False]
    assert "cuda-sm_00" in lines[1].name and lines[2].first_difference == "stages"
    monkeypatch.setattr(columns, "recorded_card", lambda name: None)
    assert not list(columns.recorded_columns(reference))


def test_a_card_of_other_settings_is_not_compared(task, monkeypatch):
    reference = columns.traced_run(task, SMALL, columns.Place(""))
    card = columns.traced_run(task, {**SMALL, "max_iter": 4}, columns.Place("")).card
    monkeypatch.setattr(columns, "recorded_card", lambda name: card)
    (line,) = columns.recorded_columns(reference)
    assert line.same is None and "n_estimators" in line.reason
    assert not run.failed({"columns": [vars(line)]})


def _spoiled(reference, stage):
    card = json.loads(json.dumps(reference.card))
    card["stages"][stage]["sha256"] = "0" * 64
    return dataclasses.replace(reference, card=card)


# ---------------------------------------------------------------------------------------------------------- command


def test_command(tmp_path, monkeypatch, capsys):
    from samebits.cli import main

    invented(2500).to_csv(tmp_path / "flights.csv", index=False)
    monkeypatch.setenv("SAMEBITS_FLIGHTS", str(tmp_path / "flights.csv"))
    monkeypatch.setenv("OMP_WAIT_POLICY", "PASSIVE")
    out, extra = tmp_path / "out", tmp_path / "figures.json"
    assert main(["demo", "--quick", "--no-report", "--out", str(out), "--json", str(extra)]) == 0
    figures = json.loads(extra.read_text())
    assert extra.read_bytes() == (out / "demo.json").read_bytes()
    assert {"name", "same", "first_difference"} <= set(figures["columns"][0])
    assert not (out / "report.html").exists()
    assert "same bits" in capsys.readouterr().out


def test_command_refuses_before_the_work(tmp_path, capsys):
    from samebits.cli import main

    (tmp_path / "file").write_text("")
    assert main(["demo", "--out", str(tmp_path / "file" / "below")]) == 2
    assert main(["demo", "--out", str(tmp_path), "--json", str(tmp_path / "no" / "x.json")]) == 2
    assert capsys.readouterr().err.count("samebits: [demo]") == 2
