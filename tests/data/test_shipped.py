import hashlib
import importlib.util
import re
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from satsuma.data.shipped import load, names
from satsuma.data.table import Table
from satsuma.errors import SatsumaError
from tests.tables import shipped

ROOT = Path(__file__).parents[2]


def documented():
    """The table of docs/data.md: name to rows, columns, target, classes, missing cells."""
    told = {}
    for line in (ROOT / "docs" / "data.md").read_text("utf-8").splitlines():
        if line.startswith("| `"):
            name, rows, columns, target, missing, *_ = line.strip("| ").split(" | ")
            aim, kind = re.fullmatch(r"`(.+)`, (.+)", target).groups()
            classes = 0 if kind == "a number" else int(kind.removesuffix(" classes"))
            told[name.strip("`")] = (int(rows), int(columns), aim, classes, int(missing))
    return told


def test_names_are_those_of_the_files():
    folder = files("satsuma.data").joinpath("sets")
    packed = {entry.name for entry in folder.iterdir()}
    assert packed == {f"{name}.tab.gz" for name in names()}


def test_names_are_those_of_the_documentation():
    assert list(documented()) == list(names())


@pytest.mark.parametrize("name", names())
class TestEverySet:
    def test_is_what_the_documentation_says(self, name):
        table = load(name)
        target = table.domain.target
        missing = sum(int(table.missing(at).sum()) for at in range(len(table.domain)))
        found = (*table.shape, target.name, len(target.values), missing)
        assert found == documented()[name]

    def test_carries_its_name(self, name):
        assert load(name).name == name

    def test_has_nothing_to_note(self, name):
        assert load(name).notes == ()

    def test_is_the_same_every_time(self, name):
        assert load(name).equals(load(name))

    def test_is_what_the_tool_makes(self, name):
        spec = importlib.util.spec_from_file_location("ship", ROOT / "tools" / "ship_data.py")
        tool = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(tool)
        assert hashlib.sha256(shipped(name)).hexdigest() == tool.SUMS[name]

    def test_is_packed_without_time_or_name(self, name):
        packed = files("satsuma.data").joinpath("sets", f"{name}.tab.gz").read_bytes()
        assert packed[3:8] == bytes(5)  # no flags, hence no name; time 0
        assert len(packed) < 20_000


def test_iris_is_that_of_scikit_learn():
    theirs = pytest.importorskip("sklearn.datasets").load_iris()
    ours = load("iris")
    np.testing.assert_array_equal(ours.to_numpy(ours.domain.names[:4]), theirs.data)
    np.testing.assert_array_equal(ours.column("Species"), theirs.target)
    assert ours.domain["Species"].values == tuple(theirs.target_names)


def test_iris_uci_differs_in_two_rows():
    fisher, uci = (load(name).to_numpy() for name in ("iris", "iris-uci"))
    assert (np.flatnonzero((fisher != uci).any(axis=1)) + 1).tolist() == [35, 38]


def test_tennis_is_that_of_the_golden_case(cases):
    case = cases["002-tennis"]
    ours = load("tennis")
    assert list(ours.domain.names) == case["data"]["columns"]
    assert [list(row) for row in ours] == case["data"]["rows"]


def test_titanic_counts_are_those_of_dawson():
    table = load("titanic")
    crew = table["status"] == "crew"
    # Dawson (1995): 885 of the crew, 212 of whom lived; 109 children, 57 of whom lived.
    assert (crew.sum(), (table["survived"][crew] == "yes").sum()) == (885, 212)
    child = table["age"] == "child"
    assert (child.sum(), (table["survived"][child] == "yes").sum()) == (109, 57)


def test_lenses_are_every_combination_once():
    table = load("lenses")
    rows = {tuple(row)[:4] for row in table}
    assert len(rows) == len(table) == np.prod([len(v.values) for v in table.domain.attributes])


def test_options_of_the_reader_are_passed_on():
    table = load("auto-mpg", target="origin", kinds={"cylinders": "num"})
    assert table.domain.target.name == "origin"
    assert table.domain["mpg"].role == "x"
    assert table.domain["cylinders"].kind == "num"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("irish", r"There is no shipped data set 'irish'\. Did you mean 'iris'"),
        ("iris_uci", "'iris_uci'. Did you mean 'iris-uci'"),
        ("?", "There are: 'iris', 'iris-uci', .*'auto-mpg'"),
        ("", "no shipped data set ''"),
        ("../sets/iris", r"no shipped data set '\.\./sets/iris'"),
        (None, "no shipped data set None"),
    ],
)
def test_an_unknown_name(name, message):
    with pytest.raises(SatsumaError, match=message):
        load(name)


def test_a_set_is_a_table():
    assert isinstance(load("tennis"), Table)
