import builtins
import datetime as dt
import io

import numpy as np
import openpyxl
import pandas as pd
import pytest

from satsuma import SatsumaError, Table, read, write
from satsuma.errors import ParameterError, ReadError, WriteError


def book(*rows, title="Sheet", **sheets):
    made = openpyxl.Workbook()
    made.active.title = title
    for row in rows:
        made.active.append(row)
    for name, more in sheets.items():
        page = made.create_sheet(name)
        for row in more:
            page.append(row)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def excel(*rows, **options):
    return read(book(*rows), format="xlsx", **options)


def cells(table):
    return [list(row) for row in table]


def test_cells_of_any_sort():
    table = excel(
        ["n", "s", "b", "day", "at", "time"],
        [1, "x", True, dt.date(2024, 2, 29), dt.datetime(2024, 2, 29, 1, 2, 3), dt.time(1, 2)],  # noqa: DTZ001
        [2.5, None, None, None, None, None],
        [2**60, "=", False, dt.date(2024, 3, 1), dt.datetime(2024, 3, 1), dt.time(3, 4)],  # noqa: DTZ001
    )
    assert [v.kind for v in table.domain] == ["num", "sym", "sym", "time", "time", "time"]
    assert cells(table) == [
        [1.0, "x", "True", "2024-02-29", "2024-02-29 01:02:03", "01:02:00"],
        [2.5, None, None, None, None, None],
        [2.0**60, "=", "False", "2024-03-01", "2024-03-01 00:00:00", "03:04:00"],
    ]
    assert not table.notes


def test_empty_rows_and_columns():
    table = excel([None], ["a", None, "c"], [1, None, 3], [None], [4, 5, 6, 7], [None], [None])
    assert table.domain.names == ("a", "column_2", "c", "column_4")
    assert cells(table) == [[1, None, 3, None], [None] * 4, [4, 5, 6, 7]]
    assert len(table.notes) == 2
    with pytest.raises(ReadError, match="the sheet is empty"):
        excel()


def test_headers():
    with pytest.raises(ReadError, match=r"row 1 looks like data.*2020.*header=True"):
        excel(["a", 2020], [1, 2])
    assert excel(["a", 2020], [1, 2], header=True).domain.names == ("a", "2020")
    assert cells(excel(["a", 1], ["b", 2], header=False)) == [["a", 1], ["b", 2]]
    assert excel(["a", 1], header=False).domain.names == ("column_1", "column_2")
    assert excel(["a", 1], header=["p", "q"]).domain.names == ("p", "q")
    for wrong in ("pq", ["p"]):
        with pytest.raises(ParameterError, match="list of 2 names"):
            excel(["a", 1], header=wrong)


ORANGE = [
    ("name", "size", "ripe", "n"),
    ("string", "continuous", "no yes", "c"),
    ("meta", None, "class", "weight"),
    ("a", 1.5, "yes", 1),
    ("b", "?", "no", 2),
]


def test_orange_has_kinds_and_roles_below_the_names():
    found = excel(*ORANGE)
    assert [(v.kind, v.role) for v in found.domain] == [
        ("text", "meta"),
        ("num", "x"),
        ("sym", "target"),
        ("num", "weight"),
    ]
    assert found.domain["ripe"].values == ("no", "yes")
    assert [str(row) for row in found] == [str(row) for row in read(_tab(ORANGE), format="tab")]
    assert "as Orange writes them. Pass header=True" in found.notes[0]
    assert len(excel(*ORANGE, header=True)) == 4
    assert excel(*ORANGE, kinds={"size": "sym"}).domain["size"].kind == "sym"


def _tab(rows):
    return "".join("\t".join(str(c or "") for c in row) + "\n" for row in rows).encode()


def test_orange_has_kinds_and_roles_in_front_of_names():
    found = excel(("mS#name", "size", "cD#ripe"), ("a", 1.5, 1), ("b", 2, 0))
    assert [(v.name, v.kind, v.role) for v in found.domain] == [
        ("name", "text", "meta"),
        ("size", "num", "x"),
        ("ripe", "sym", "target"),
    ]


@pytest.mark.parametrize(
    "rows", [[("mS#a", "b"), ("x", "y")], [("a", "b"), ("string", "c"), ("meta", "i")]]
)
def test_what_would_be_taken_for_such_a_header_is_not_written(rows, tmp_path):
    table = Table.of(rows[1:], list(rows[0]), kinds=dict.fromkeys(rows[0], "sym"))
    with pytest.raises(WriteError, match="Orange"):
        write(table, tmp_path / "a.xlsx")
    write(table, tmp_path / "a.csv")
    assert cells(read(tmp_path / "a.csv")) == cells(table)


def test_sheets():
    data = book(["a"], [1], title="One", Two=[["b"], [2]])
    assert read(data, format="xlsx").domain.names == ("a",)
    assert read(data, format="xlsx", sheet="Two").domain.names == ("b",)
    assert read(data, format="xlsx", sheet=-1).domain.names == ("b",)
    with pytest.raises(ReadError, match=r"no sheet 'Tow'. Did you mean 'Two'"):
        read(data, format="xlsx", sheet="Tow")
    with pytest.raises(ReadError, match="no sheet 2"):
        read(data, format="xlsx", sheet=2)


def test_errors_in_cells_are_refused_unless_they_are_missing():
    with pytest.raises(ReadError, match=r"cell A3 holds the error #DIV/0!.*missing="):
        excel(["a"], [1], ["#DIV/0!"])
    table = excel(["a", "b"], [1, "-"], ["#DIV/0!", "x"], missing=["#DIV/0!", "-"])
    assert cells(table) == [[1, None], [None, "x"]]


def test_formulas_without_a_stored_value_are_refused():
    with pytest.raises(ReadError, match="cell B2 holds a formula whose value is not stored"):
        excel(["a", "b"], [1, "=A2+1"])


def with_stored(value):
    """A workbook in which the formula of B2 was computed."""
    import zipfile

    source, out = io.BytesIO(book(["a", "b"], [1, "=A2+1"])), io.BytesIO()
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name.endswith("sheet1.xml"):
                assert b"<v />" in content or b"<v/>" in content or b"<v></v>" in content
                for empty in (b"<v />", b"<v/>", b"<v></v>"):
                    content = content.replace(empty, value)
                if b"text" in value or value == b"<v></v>":
                    content = content.replace(b'<c r="B2">', b'<c r="B2" t="str">')
            new.writestr(name, content)
    return out.getvalue()


@pytest.mark.parametrize(
    ("stored", "value"), [(b"<v>2</v>", 2.0), (b"<v>text</v>", "text"), (b"<v></v>", None)]
)
def test_formulas_with_a_stored_value(stored, value):
    assert cells(read(with_stored(stored), format="xlsx")) == [[1.0, value]]


@pytest.mark.parametrize("content", [b"", b"no workbook", b"PK\x03\x04 broken"])
def test_what_is_no_workbook(content):
    with pytest.raises(ReadError, match="not an Excel workbook"):
        read(content, format="xlsx")


def test_a_zip_that_is_no_workbook():
    import zipfile

    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("a.txt", "a")
    with pytest.raises(ReadError, match="not an Excel workbook"):
        read(out.getvalue(), format="xlsx")


def test_what_is_written_reads_the_same_in_pandas(tmp_path):
    table = Table.of([(0.1 + 0.2, "=1+1"), (None, "#N/A"), (1e300, " x ")], ["n", "s"])
    write(table, tmp_path / "t.xlsx", sheet="Data")
    frame = pd.read_excel(
        tmp_path / "t.xlsx", sheet_name="Data", na_filter=False, engine="openpyxl"
    )
    assert frame["s"].tolist() == ["=1+1", "#N/A", " x "]
    numbers = pd.read_excel(tmp_path / "t.xlsx", engine="openpyxl")["n"].to_numpy()
    assert np.array_equal(numbers, table.column("n"), equal_nan=True)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("", "a missing one"),
        ("\r", "come back changed"),
        ("\x01", "come back changed"),
        ("_x000D_", "come back changed"),
        ("\uffff", "come back changed"),
        ("a" * 32_768, "room for 32767"),
        ("🍊" * 20_000, "room for 32767"),
        ("\ud800", "not valid Unicode"),
    ],
)
def test_what_excel_cannot_hold(tmp_path, value, told):
    for table in (Table.of([(value,)], ["s"]), Table.of([("x",)], [value or "\r"])):
        with pytest.raises(WriteError, match=told if value else "Excel cannot hold"):
            write(table, tmp_path / "t.xlsx")
    assert not list(tmp_path.iterdir())


def test_an_empty_last_row_and_a_huge_table(tmp_path):
    with pytest.raises(WriteError, match="the last row, row 1"):
        write(Table.of([(1,), (None,)], ["a"]), tmp_path / "t.xlsx")
    with pytest.raises(WriteError, match="16385 columns"):
        write(read(np.zeros((1, 16_385))), tmp_path / "t.xlsx")
    with pytest.raises(WriteError, match="1048576 rows"):
        write(read(np.zeros((1_048_576, 1))), tmp_path / "t.xlsx")


@pytest.mark.parametrize("sheet", ["", "a" * 32, "a/b", "'a'", "a:b", "a\nb"])
def test_bad_names_of_sheets(tmp_path, sheet):
    with pytest.raises(ParameterError, match="'sheet'"):
        write(Table.of([(1,)], ["a"]), tmp_path / "t.xlsx", sheet=sheet)


def test_without_its_packages_the_error_says_how_to_get_them(tmp_path, monkeypatch):
    real = builtins.__import__

    def refuse(name, *rest, **more):
        if name.partition(".")[0] in ("openpyxl", "python_calamine"):
            raise ModuleNotFoundError(name)
        return real(name, *rest, **more)

    content = book(["a"], [1])
    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(SatsumaError, match=r"pip install 'satsuma\[excel\]"):
        read(content, format="xlsx")
    with pytest.raises(SatsumaError, match=r"pip install 'satsuma\[excel\]"):
        write(Table.of([(1,)], ["a"]), tmp_path / "t.xlsx")


def test_other_sheets_are_named():
    data = book(["a"], [1], Two=[["b"], [2]], Three=[["c"], [3]])
    (note,) = read(data, format="xlsx").notes
    assert note == (
        "The workbook has other sheets, which were not read: 'Two', 'Three'. Name one with sheet=."
    )
    assert "'Sheet', 'Three'" in read(data, format="xlsx", sheet="Two").notes[0]
    assert read(book(["a"], [1]), format="xlsx").notes == ()


@pytest.mark.parametrize("member", ["xl/workbook.xml", "xl/worksheets/sheet1.xml"])
@pytest.mark.parametrize("content", [b"<a", b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', b"&b;"])
def test_members_that_are_no_workbook_are_refused(member, content):
    import io
    import zipfile

    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book(["a"], [1]))) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            new.writestr(name, content if name == member else old.read(name))
    with pytest.raises(ReadError, match=r"<bytes>: ") as caught:
        read(made.getvalue(), format="xlsx")
    assert "\n" not in str(caught.value)


def test_times_are_typed_cells_that_excel_shows_as_they_were(tmp_path):
    rows = [("23.4.2024", "2024-04-03 12:30:15.250", "1:05 PM", 1), (None, None, None, 2)]
    table = Table.of(
        rows, ["day", "at", "clock", "n"], kinds=dict.fromkeys(["day", "at", "clock"], "time")
    )
    write(table, tmp_path / "t.xlsx")
    page = openpyxl.load_workbook(tmp_path / "t.xlsx").active
    assert page["A2"].value == dt.datetime(2024, 4, 23)  # noqa: DTZ001
    assert page["A2"].number_format.replace('"', "") == "dd.m.yyyy"
    assert page["B2"].value == dt.datetime(2024, 4, 3, 12, 30, 15, 250_000)  # noqa: DTZ001
    assert page["C2"].value == dt.time(13, 5)
    frame = pd.read_excel(tmp_path / "t.xlsx", engine="openpyxl")
    assert frame["day"].dtype.kind == "M"
    again = read(tmp_path / "t.xlsx")
    for name in table.domain.names:
        assert np.array_equal(again.column(name), table.column(name), equal_nan=True)


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        ("2024-04-03T12:30:00+02:00", "it has no zones"),
        ("1899-12-31", "its days begin with 1900-03-01"),
        ("2024-04-03 12:30:00.000001", "its times go to the millisecond"),
    ],
)
def test_times_that_excel_has_not_are_refused(cell, why, tmp_path):
    table = Table.of([(cell, 1)], ["at", "n"], kinds={"at": "time"})
    with pytest.raises(WriteError, match=f"Excel cannot hold .* in column 'at': {why}"):
        write(table, tmp_path / "t.xlsx")
