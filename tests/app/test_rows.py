"""A label stays with its row, whatever happens to the file: it follows, or it is set aside."""

import csv
import io
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import satsuma
from satsuma.app.deed import Deed
from satsuma.app.desk import Desk
from satsuma.app.log import Log
from satsuma.app.task import aimed, task_of
from tests.app.serving import new_id

#: Cells as surveys, ledgers and exports have them; the first three are names of columns too.
CELLS = [
    "Apple", "Pear", "Plum", "", "0700", "700", "2E10", "20000000000", "1_000", "1000", "\uff11\uff12",
    "12", "12345678901234567890", "12345678901234567891", "1.5", "-0", "0", "NaN", "nan", " x",
]  # fmt: skip


def table_of(names, rows):
    file = io.StringIO()
    csv.writer(file, quoting=csv.QUOTE_MINIMAL).writerows([names, *rows])
    return satsuma.read(file.getvalue().encode(), format="csv")


def desk_of(names, rows, log, **more):
    table = aimed(table_of(names, rows), "verdict")
    return Desk(task_of(table, classes=["a", "b"], **more), Log(log))


def label_all(desk, values, rows=None):
    """Label rows in the order in which they are asked about: the nth row of the file, the nth."""
    said = {}
    while len(said) < (len(values) if rows is None else rows):
        question = desk.ask("Ada")
        value = values[question.row]
        desk.take("Ada", Deed(new_id(), question.key, "label", value))
        said[question.row] = value
    desk.log.close()
    return said


def found_in(desk):
    found = dict(desk.state.settled)
    desk.log.close()
    return found


def content(table, row):
    """What is in a row, by Python's own words: numbers as they are spelled, symbols as written."""
    cells = {name: table.cell(row, name) for name in table.domain.names if name != "verdict"}
    return frozenset((name, _written(cell)) for name, cell in cells.items() if cell is not None)


def _written(cell):
    if isinstance(cell, str):
        return cell
    return str(int(cell)) if float(cell).is_integer() and abs(cell) < 2**53 else repr(float(cell))


@pytest.mark.parametrize(
    ("names", "rows"),
    [
        (["Apple", "Pear"], [["Apple", "Pear"], ["Apple", ""], ["", "Pear"], ["Plum", "Plum"]]),
        (["id"], [["12345678901234567890"], ["12345678901234567891"], ["x"]]),
        (["code"], [["0700"], ["700"], ["x"]]),
        (["code"], [["2E10"], ["20000000000"], ["x"]]),
        (["code"], [["1_000"], ["1000"], ["x"]]),
        (["code"], [["\uff11\uff12"], ["12"], ["x"]]),
        (["a", "b"], [["x", "y"], ["y", "x"], ["x", "x"], ["y", "y"]]),
    ],
    ids=["survey", "20 digits", "zeros", "exponent", "underscore", "wide digits", "crossed"],
)
def test_rows_that_differ_never_share_a_label(tmp_path, names, rows):
    values = ["ab"[at % 2] for at in range(len(rows))]
    said = label_all(desk_of(names, rows, tmp_path / "x.sqlite"), values)
    back = found_in(desk_of(names, rows[::-1], tmp_path / "x.sqlite"))
    assert {len(rows) - 1 - row: value for row, value in back.items()} == said
    for gone in range(len(rows)):
        rest = [at for at in range(len(rows)) if at != gone]
        left = found_in(desk_of(names, [rows[at] for at in rest], tmp_path / "x.sqlite"))
        found = {rest[row]: value for row, value in left.items()}
        assert found.items() <= said.items()
        # Without the word, 2E10 and 20000000000 are the same number: nobody can say whose is whose.
        assert len(found) == len(rest) or (rows[0] == ["2E10"] and gone == 2)
