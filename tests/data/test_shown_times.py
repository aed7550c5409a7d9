"""Where columns are shown, times are shown as dates, from the first to the last."""

import datetime as dt

import numpy as np
import pytest

import satsuma
from satsuma import NaiveBayes, Table
from satsuma.app.store.row_hashes import row_hashes
from satsuma.app.store.row_keys import RowKeys
from satsuma.data.identifiers import key_like
from satsuma.report.charts import time_histogram
from satsuma.report.findings import inspect_table

FIRST = dt.date(2023, 1, 2)


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    rows = [
        (
            FIRST + dt.timedelta(days=int(rng.integers(0, 700))),
            dt.datetime(2023, 1, 2, 8, at % 60, tzinfo=dt.UTC) if at % 7 else None,
            dt.time(at % 24, 30),
            dt.datetime(2023, 1, 1) + dt.timedelta(seconds=at),  # noqa: DTZ001
            FIRST,
            float(rng.normal()),
            "ab"[at % 2],
        )
        for at in range(100)
    ]
    return Table.of(rows, ["day", "at", "clock", "stamp", "same", "x", "y"])


def test_a_look_has_a_small_histogram_and_both_ends(table):
    lines = {line.split()[0]: line for line in repr(table).splitlines() if line}
    for name in ("day", "at", "clock", "stamp"):
        assert " to " in lines[name]
        assert any(bar in lines[name] for bar in "▁▂▃▄▅▆▇█")
    assert lines["day"].split()[2].strip(" ▁▂▃▄▅▆▇█") == ""
    assert "2023-01-01 00:00:00 to 2023-01-01 00:01:39" in lines["stamp"]
    assert lines["same"].endswith("always 2023-01-02")
    assert table._repr_html_().count("always 2023-01-02") == 1


def test_a_description_has_the_first_and_the_last(table):
    about = table.describe()
    row = next(row for row in about if row["column"] == "stamp")
    assert (row["first"], row["last"]) == ("2023-01-01 00:00:00", "2023-01-01 00:01:39")
    assert "first" not in table.select(["x", "y"]).describe().domain


def test_times_are_no_keys(table):
    assert key_like(table) == ()


def test_a_constant_time_is_found(table):
    found = {finding.column: finding for finding in inspect_table(table)}
    assert found["same"].kind == "constant"
    assert "always 2023-01-02" in found["same"].sentence


def test_a_target_of_times_is_told(table):
    odd = table.with_roles({"day": "target", "y": "x"})
    kinds = [finding.kind for finding in inspect_table(odd)]
    assert "no target" in kinds


@pytest.mark.figures
def test_a_report_shows_dates(table, tmp_path):
    aside = dict.fromkeys(["day", "at", "clock", "stamp", "same"], "meta")
    satsuma.write_report(table.with_roles(aside), tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "5 columns of times" in page
    assert "2023-01-01 00:00:00 to 2023-01-01 00:01:39" in page
    assert "Histogram of day: " in page


def test_the_words_of_a_histogram_are_true(table):
    known = table.column("day")
    chart = time_histogram(known, table.domain["day"].time_format, "day")
    percent, first, last = (chart.alt.split()[at] for at in (3, -3, -1))
    inside = (known >= np.datetime64(first)) & (known <= np.datetime64(last.rstrip(".")))
    assert percent == f"{100 * inside.mean():.0f}"


def test_rows_are_known_by_what_is_written_in_them(table):
    assert (row_hashes(table) == row_hashes(table.with_kinds({"day": "sym", "at": "sym"}))).all()
    twice = RowKeys(table[[0, 0, 7, 7]])
    assert [rows.tolist() for rows in twice.equal_rows] == [[0, 1], [2, 3]]


def test_a_model_remembers_how_times_are_written(table, tmp_path):
    aside = dict.fromkeys(["day", "at", "clock", "stamp", "same"], "meta")
    model = NaiveBayes()(table.with_roles(aside))
    model.save(tmp_path / "m.satsuma")
    assert satsuma.open_model(tmp_path / "m.satsuma").domain == model.domain


def test_a_scan_counts_times(table, tmp_path):
    table.write(tmp_path / "t.parquet")
    source = satsuma.scan(tmp_path / "t.parquet")
    assert source.domain == table.domain.with_roles({"y": "target"})
    assert "day: time" in repr(source)
    assert source.sample(5).domain["day"].kind == "time"
    source.write(tmp_path / "again.parquet")
    assert satsuma.read(tmp_path / "again.parquet").equals(table)
