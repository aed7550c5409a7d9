"""Amounts and dates that were read as symbols are told as such, and never advised against."""

import pytest

from satsuma import Table
from satsuma.data.cell_patterns import shape_of
from satsuma.data.identifiers import doubts as key_notes
from satsuma.report.findings import inspect_table
from tests.cli.running import ran_well

#: What is in the cells, what it is, and how it is written on the command line.
AMOUNTS = {
    "dollars": ("${:,.2f}", "amounts of money", "--kind a=num"),
    "negative dollars": ("-${:,.2f}", "amounts of money", "--kind a=num"),
    "euros": ("{:.2f} €", "amounts of money", "--kind a=num"),
    "codes": ("EUR {:.0f}", "amounts of money", "--kind a=num"),
    "percent": ("{:.1f}%", "percentages", "--kind a=num"),
    "percent with a blank": ("{:.0f} %", "percentages", "--kind a=num"),
    "thousands": ("{:,.2f}", "numbers with a comma between thousands", "--kind a=num"),
}


def amounts(pattern):
    return [pattern.format(137.31 * k * k) for k in range(1, 40)]


def german(thousands):
    swapped = str.maketrans(",.", ".,")
    pattern = "{:,.2f}" if thousands else "{:.2f}"
    return [each.translate(swapped) for each in amounts(pattern)]


COLUMNS = {
    **{name: (amounts(pattern), what, how) for name, (pattern, what, how) in AMOUNTS.items()},
    "german": (german(True), "numbers with a decimal comma", "--kind a=num to have numbers"),
    "decimal comma": (german(False), "numbers with a decimal comma", "--kind a=num"),
    "days": ([f"2024-03-{k:02}" for k in range(1, 31)], "dates", "--kind a=time"),
    "times": ([f"2024-03-{k:02}T10:3{k % 6}:00Z" for k in range(1, 31)], "dates", "--kind a=time"),
    "american": ([f"3/{k}/2024" for k in range(1, 31)], "dates", "--kind a=time"),
    "german days": ([f"{k}.3.2024" for k in range(1, 31)], "dates", "--kind a=time"),
}  # fmt: skip


@pytest.mark.parametrize("name", COLUMNS)
def test_amounts_and_dates_are_called_that(name, tmp_path, capfd):
    cells, what, how = COLUMNS[name]
    path = tmp_path / "t.csv"
    path.write_text("a;y\n" + "".join(f"{cell};{'yn'[k % 2]}\n" for k, cell in enumerate(cells)))
    read = ran_well(capfd, "look", path, "--json").json["columns"][0]
    assert read["kind"] == ("time" if what == "dates" else "num")
    said = ran_well(capfd, "look", path, "-t", "y", "--kind", "a=sym").out
    said = " ".join(said.split())
    assert f"'a' holds {what} as symbols" in said
    assert how in said
    table = Table.of(
        [(c, "yn"[k % 2]) for k, c in enumerate(cells)], ["a", "y"], kinds={"a": "sym"}
    )
    advice = " ".join(
        [*key_notes(table), *(f"{d.sentence} {d.remedy}" for d in inspect_table(table))]
    )
    for harmful in ("Leave it out", "leave it out", "tells nothing", "Put values together"):
        assert harmful not in said
        assert harmful not in advice


@pytest.mark.parametrize("name", COLUMNS)
def test_the_remedy_works(name, tmp_path, capfd):
    cells, what, how = COLUMNS[name]
    path = tmp_path / "t.csv"
    path.write_text("a;y\n" + "".join(f"{cell};{'yn'[k % 2]}\n" for k, cell in enumerate(cells)))
    found = ran_well(capfd, "look", path, *how.split()[:2], "--json").json
    assert found["columns"][0]["kind"] == ("time" if what == "dates" else "num")


def test_what_is_open_or_odd_is_named():
    cells = [f"{k},{k}" for k in range(100, 140)]
    assert shape_of(cells).remedy("a") == (
        "Read the file with decimal='.' or decimal=',' to have numbers."
    )
    odd = [*(f"${k}.50" for k in range(30)), "free"]
    assert shape_of(odd).remedy("a") == (
        "Cells such as 'free' are none: mend them, or read the file with missing=['free'] and "
        "kinds={'a': 'num'} to have numbers."
    )


@pytest.mark.parametrize(
    "cells",
    [
        [f"row {k}" for k in range(30)],
        [f"{k:05}" for k in range(30)],
        [f"+1-555-{k:04}" for k in range(30)],
        [f"192.168.0.{k}" for k in range(30)],
        [f"{k}.{k}.{k}" for k in range(100, 130)],
        [f"A-{k}" for k in range(30)],
        [f"10-{k:02}" for k in range(30)],
        ["$1", "$2"],
        [],
    ],
)
def test_other_symbols_are_but_symbols(cells):
    assert shape_of(cells) is None


def test_numbers_among_which_one_is_none():
    values = [f"{n}.5" for n in range(20)] + ["<0.5"]
    shape = shape_of(values)
    assert shape.what == "numbers"
    assert shape.remedy("CRP") == (
        "Cells such as '<0.5' are none: mend them, or read the file with missing=['<0.5'] and "
        "kinds={'CRP': 'num'} to have numbers."
    )
    assert shape_of([f"{n:03}" for n in range(20)] + ["a.b"]) is None
