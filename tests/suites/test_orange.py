"""The data files of Orange 2 and 3, against what Orange 3's own reader finds in them.

Orange is no part of the tests: `tools/orange_figures.py` writes down what it finds.
"""

import json
import re
from pathlib import Path

import pytest

from tests.suites.grids import cells_of
from tests.suites.outcomes import Outcomes, check, outcome
from tools.orange_figures import hashed

FIGURES = json.loads(Path(__file__).with_name("orange.json").read_text("utf-8"))

#: The least shares of files that are as Orange has them at once; and with those where it does
#: not say what is in them, or that are no tables.
FLOORS = {("same",): 0.8, ("same", "by options", "rightly refused", "alone"): 0.99}

#: Where Orange 3 does not give what is in the file.
OURS = {
    "orange2/Orange/datasets/emotions.tab": "the role multiclass makes the header a row",
    "orange2/Orange/datasets/multitarget-synthetic.tab": "as in emotions",
    "orange2/Orange/datasets/test-pls.tab": "as in emotions",
    "orange2/Orange/testing/regression/tests_20/undefineds.tab": "* is missing, as in Orange 2",
    "orange3/Orange/tests/datasets/test1.tab": "values that the header does not list are lost",
    "orange3/Orange/tests/xlsx_files/distances.xlsx": "its rows are not found: there are 24",
    "orange3/Orange/tests/xlsx_files/header_1_hash.xlsx": "the column c# loses its name",
}

#: What is no table: rows of words, and columns that hold such rows or code.
NO_TABLE = (".basket", "tab-basket.tab", "pythonvariable.tab")

#: Files without a header that tells kinds, whatever their ending says.
UNDECLARED = (".csv", ".xlsx", "data-csv-types.tab")

#: Files that are read at once, and not as Orange has them, by cause.
DIFFERENT: dict[str, list[str]] = {}


def compare_figures(figures, declared):
    """A comparison with what Orange found: rows, kinds, roles and cells by the names of columns.

    Where the file does not declare kinds, numbers may be symbols, and symbols numbers.
    """

    def compare(table):
        if len(table) != figures["rows"]:
            return f"{len(table)} rows for {figures['rows']}"
        ours = {_own_name(variable.name): variable for variable in table.domain}
        wrong = []
        classes = [name for name, theirs in figures["columns"].items() if theirs[1] == "target"]
        for name, theirs in figures["columns"].items():
            if name.strip() not in ours:
                wrong.append(f"no column {name!r}")
                continue
            found = column_figures(table, ours.pop(name.strip()))
            told = [_wrong(what, *pair) for what, *pair in zip(WHAT, found, theirs, strict=True)]
            if name in classes[1:] and found[1] == "meta":  # a table has one target
                told[1] = ""
            if not declared and {found[0], theirs[0]} == {"num", "sym"}:
                told[0] = ""
            if theirs[0] == "text":  # all of Orange's texts are metas, and symbols may be texts
                told[:2] = ["", ""] if found[0] in ("text", "sym") else told[:2]
            wrong += [f"{name!r} has {each}" for each in told if each]
        apart = ("ignore", "weight")  # which Orange does not list among the columns
        wrong += [f"{name!r} is new" for name, new in ours.items() if new.role not in apart]
        return "; ".join(wrong[:4]) or None

    return compare


def _own_name(name):
    """A name as Orange has it, which calls columns without a name otherwise."""
    return re.sub(r"column_(\d+)", r"Feature \1", name.strip())


WHAT = "the kind", "the role", "the cells"


def _wrong(what, ours, theirs):
    return "" if ours == theirs else f"{what} {ours} for {theirs}"


def column_figures(table, variable):
    """The kind, the role and the hash of a column."""
    cells = cells_of(table, variable.name)
    if variable.kind == "time":
        cells = [None if at is None else at / 1e9 for at in cells]
    return variable.kind, variable.role, hashed(cells)


@pytest.mark.needs("../suites/orange_files.tar.xz")
@pytest.mark.filterwarnings("ignore:Unknown extension")  # of openpyxl
def test_the_files_of_orange(unpacked):
    found = Outcomes()
    for name, path in unpacked("orange_files").items():
        figures = FIGURES.get(name, {"error": "Orange was not asked"})
        compare = None
        if "error" not in figures and name not in OURS:
            compare = compare_figures(figures, not name.endswith(UNDECLARED))
        word, why = outcome(path, compare)
        if name.endswith(NO_TABLE):
            assert word == "refused", name
            word = "rightly refused"
        found.add(name, word, why)
    check(found, DIFFERENT, FLOORS)
