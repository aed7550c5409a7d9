"""What a spreadsheet would compute is written so that it does not."""

import csv

import pytest

from satsuma import Table, read, write
from satsuma.data.formulas import escaped
from satsuma.errors import ParameterError

BAD = ["=1+1", "+A1", "-A1", "@SUM(1)", "=cmd|' /C calc'!A0", "\t=1", "\r=1", "\n=1", "-", "+-1"]
GOOD = ["-3", "+4.5", "-.5e-3", "2.", "a=b", "'=1", "x", " =1", "1=1"]


@pytest.mark.parametrize("text", BAD)
def test_what_begins_like_a_formula_gets_an_apostrophe(text):
    assert escaped(text) == "'" + text


@pytest.mark.parametrize("text", GOOD)
def test_other_text_and_plain_numbers_stay(text):
    assert escaped(text) == text


@pytest.fixture
def table():
    rows = [(text, text, 1.5 * at - 3) for at, text in enumerate(["=1+1", "-3", "@x", "fine"])]
    names = ["=name", "told", "-n"]
    return Table.of(rows, names, target=None, kinds={"=name": "sym", "told": "text"})


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_delimited_files(table, tmp_path, ending):
    path = tmp_path / f"t.{ending}"
    write(table, path, escape_formulas=True)
    with path.open(newline="") as file:
        lines = list(csv.reader(file, delimiter="\t" if ending == "tsv" else ","))
    assert lines[0] == ["'=name", "told", "'-n"]
    assert lines[1] == ["'=1+1", "'=1+1", "-3"]
    assert [line[0] for line in lines[1:]] == ["'=1+1", "-3", "'@x", "fine"]


def test_without_it_cells_are_written_as_they_are(table, tmp_path):
    write(table, tmp_path / "t.csv")
    assert read(tmp_path / "t.csv")["=name"].tolist() == ["=1+1", "-3", "@x", "fine"]


def test_tab_files_list_values_as_they_are_written(tmp_path):
    table = Table.of([("=a",), ("b",)], ["=s"], target=None)
    write(table, tmp_path / "t.tab", escape_formulas=True)
    found = read(tmp_path / "t.tab")
    assert found.domain.names == ("'=s",)
    assert found.domain["'=s"].values == ("'=a", "b")


@pytest.mark.parametrize("values", [["-1", "=a"], ["=a", "'=a"]])
def test_a_list_of_values_that_cannot_be_escaped_is_left_out(tmp_path, values):
    table = Table.of([(each,) for each in values], ["s"], target=None, kinds={"s": "sym"})
    write(table, tmp_path / "t.tab", escape_formulas=True)
    assert (tmp_path / "t.tab").read_text().splitlines()[1] == "d"
    assert read(tmp_path / "t.tab")["s"].tolist() == [escaped(each) for each in values]


def test_excel(table, tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    write(table, tmp_path / "t.xlsx", escape_formulas=True)
    sheet = openpyxl.load_workbook(tmp_path / "t.xlsx").active
    cells = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert cells[0] == ["'=name", "told", "'-n"]
    assert cells[1] == ["'=1+1", "'=1+1", -3]


def test_formats_that_no_spreadsheet_computes_have_no_such_option(table, tmp_path):
    with pytest.raises(ParameterError, match="escape_formulas"):
        write(table, tmp_path / "t.parquet", escape_formulas=True)
