"""Plain sheets of Excel: read by calamine as by openpyxl; all others are left to openpyxl."""

import datetime as dt
import io
import zipfile

import numpy as np
import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma import SatsumaError, read
from satsuma.data.formats.excel import reader
from satsuma.data.formats.excel.plain_sheet import plain_rows
from satsuma.data.table import Table

DAYS = st.dates(dt.date(1900, 1, 1), dt.date(2199, 12, 31))
MOMENTS = st.datetimes(dt.datetime(1900, 3, 1), dt.datetime(2199, 12, 31))  # noqa: DTZ001
TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8)
CELLS = st.one_of(
    st.none(), st.integers(-(2**60), 2**60), st.floats(-1e300, 1e300), st.booleans(), TEXTS, DAYS,
    MOMENTS.map(lambda each: each.replace(microsecond=0)),
    st.sampled_from(["=1+1", "#N/A", dt.time(3, 4), dt.timedelta(hours=30), " x ", "1", "_x000D_"]),
)  # fmt: skip
FORMATS = st.sampled_from(
    [
        "General",
        "0.00",
        "0%",
        "yyyy-mm-dd",
        "dd/mm/yy hh:mm",
        "h:mm",
        "[h]:mm",
        '0 "days"',
        "mmm",
        "@",
    ]
)


def saved(book: openpyxl.Workbook) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def told(content: bytes) -> tuple[object, ...]:
    """A workbook as it is read, or the sentence that refuses it."""
    try:
        table = read(content, format="xlsx", header=False)
    except SatsumaError as error:
        return (str(error),)
    return table.domain, table.notes, [list(row) for row in table]


@given(
    rows=st.lists(st.lists(st.tuples(CELLS, FORMATS), max_size=4), max_size=6),
    base=st.sampled_from([dt.datetime(1899, 12, 30), dt.datetime(1904, 1, 1)]),  # noqa: DTZ001
)
def test_as_by_openpyxl(rows, base):
    book = openpyxl.Workbook()
    book.epoch = base
    for at, row in enumerate(rows, 1):
        for j, (value, form) in enumerate(row, 1):
            cell = book.active.cell(at, j, value)
            if isinstance(value, int | float) and 60 < value < 70_000:
                cell.number_format = form
    content = saved(book)
    found = told(content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "plain_rows", lambda *_: None)
        assert told(content) == found


@pytest.mark.parametrize("odd", ["=A1", "#DIV/0!", dt.time(1, 2), "_x000D_"])
def test_what_is_not_plain_is_left_alone(odd):
    book = openpyxl.Workbook()
    for row in (["a", "b"], [1, "x"]):
        book.active.append(row)
    assert plain_rows(io.BytesIO(saved(book)), 0) == ([["a", "b"], [1.0, "x"]], [])
    book.active["B2"] = odd
    assert plain_rows(io.BytesIO(saved(book)), 0) is None


def test_cells_far_apart_take_no_memory():
    """Two cells at the corners of a sheet are 17 billion places."""
    book = openpyxl.Workbook()
    book.active["A1"], book.active["XFD1048576"] = "a", 1
    content = saved(book)
    assert plain_rows(io.BytesIO(content), 0) is None
    with zipfile.ZipFile(io.BytesIO(content)) as members:
        text = members.read("xl/worksheets/sheet1.xml").replace(b"XFD1048576", b"B2")
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as made:
            for name in members.namelist():
                made.writestr(name, text if name.endswith("sheet1.xml") else members.read(name))
    # A row that says it is far below, whatever its cells say.
    assert plain_rows(io.BytesIO(out.getvalue()), 0) is None


def test_many_rows():
    draw = np.random.default_rng(1)
    numbers = draw.normal(size=3000).round(9)
    words = draw.choice(["red", "green"], 3000)
    book = openpyxl.Workbook(write_only=True)
    page = book.create_sheet("Data")
    page.append(["n", "s"])
    for row in zip(numbers.tolist(), words.tolist(), strict=True):
        page.append(row)
    table = read(saved(book), format="xlsx", sheet="Data")
    assert isinstance(table, Table)
    np.testing.assert_array_equal(table["n"], numbers)
    assert [row["s"] for row in table] == words.tolist()
