"""OneR beside a brute force, and beside what has been published of it."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import satsuma
from satsuma import Discretized, GetProbabilities, OneR, Table, cross_validate, load
from satsuma.errors import ReadError

VALUES = st.sampled_from(["p", "q", "r", None])
ROWS = st.lists(st.tuples(VALUES, VALUES, st.sampled_from("ab")), min_size=2, max_size=12)


def counted(rows, at):
    """The classes of rows by their value in a column, counted in plain Python."""
    found = {}
    for row in rows:
        found.setdefault(row[at], Counter())[row[-1]] += 1
    return found


@given(ROWS)
def test_as_a_brute_force(rows):
    table = Table.of(rows, ["x", "z", "y"], kinds={"x": "sym", "z": "sym", "y": "sym"})
    model = OneR(table)
    tried = [counted(rows, at) for at in (0, 1)]
    right = [sum(max(each.values()) for each in rule.values()) for rule in tried]
    assert model.column == right.index(max(right))
    rule = tried[model.column]
    for row, probabilities in zip(rows, model(table, GetProbabilities), strict=True):
        classes = rule[row[model.column]]
        expected = [classes[each] / classes.total() for each in model.classes]
        np.testing.assert_allclose(probabilities, expected)


def test_the_errors_of_each_rule_are_those_of_witten_and_frank():
    # Data Mining, table 4.1: outlook 4/14, temperature 5/14, humidity 4/14, windy 5/14.
    days = load("tennis")
    errors = []
    for name in ("outlook", "temperature", "humidity", "wind"):
        others = {v.name: "meta" for v in days.domain.attributes if v.name != name}
        alone = days.with_roles(others)
        model = OneR(alone)
        truth = [days.cell(at, "play") for at in range(len(days))]
        errors.append(int((model(alone) != truth).sum()))
    assert errors == [4, 5, 4, 5]
    assert OneR(days).variable.name == "outlook"  # the first of the two


@pytest.mark.parametrize(
    ("left_out", "published"), [([], 0.952), (["physician-fee-freeze"], 0.868)]
)
def test_votes_are_foretold_as_well_as_by_holte(left_out, published):
    # Holte 1993, table 3: VO and V1; the mean of 25 random splits.
    votes = load("voting").with_roles(dict.fromkeys(left_out, "meta"))
    found = cross_validate(OneR(), votes, folds=10, seed=1).scores("CA")["OneR"]
    assert found == pytest.approx(published, abs=0.01)


def test_missing_is_a_value_and_what_was_not_seen_is_as_frequent_as_in_all():
    rows = [("p", "a"), ("p", "a"), (None, "b"), (None, "b"), (None, "a")]
    model = OneR(Table.of(rows, ["x", "y"], kinds={"x": "sym"}))
    assert model({"x": None}) == "b"
    assert model({"x": "new"}) == "b"  # as a missing value
    assert str(model) == (
        "y by x, right on 80.0% of the rows:\n"
        "x          y  rows  right\n"
        "p          a     2   100%\n"
        "(missing)  b     3    67%"
    )
    known = OneR(Table.of([("p", "a"), ("p", "a"), ("q", "b")], ["x", "y"]))
    assert known({"x": None}, GetProbabilities) == pytest.approx({"a": 2 / 3, "b": 1 / 3})


def test_without_a_column_it_is_the_majority():
    model = OneR(Table.of([("a",), ("b",), ("b",)], ["y"]))
    assert model({}) == "b"
    assert str(model).splitlines()[0] == "y by -, right on 66.7% of the rows:"


def test_numbers_are_cut_as_by_mdl():
    iris = load("iris")
    model = OneR(iris)
    cut = Discretized(OneR())(iris)
    assert model.variable.name == "Petal.Width"
    np.testing.assert_array_equal(model.cuts, cut.cuts["Petal.Width"])
    np.testing.assert_array_equal(model(iris, GetProbabilities), cut(iris, GetProbabilities))
    assert str(model) == (
        "Species by Petal.Width, right on 96.0% of the rows:\n"
        "Petal.Width  Species     rows  right\n"
        "≤ 0.8        setosa        50   100%\n"
        "(0.8, 1.75]  versicolor    54    91%\n"
        "> 1.75       virginica     46    98%"
    )


NUMBERS = st.sampled_from([1.0, 2.0, 3.0, 4.0, None])
MIXED = st.lists(st.tuples(VALUES, NUMBERS, st.sampled_from("ab")), min_size=2, max_size=40)


@given(MIXED)
def test_the_column_that_is_right_most_often_be_it_of_numbers_or_symbols(rows):
    kinds = {"x": "sym", "z": "num", "y": "sym"}
    table = Table.of(rows, ["x", "z", "y"], kinds=kinds)
    model, cut = OneR(table), Discretized(OneR())(table)
    assert model.variable.name == cut.model.variable.name
    np.testing.assert_allclose(model(table, GetProbabilities), cut(table, GetProbabilities))


def test_a_number_that_is_missing_or_on_a_cut():
    rows = [(x, "b" if x is None or x > 15 else "a") for x in [*range(10), *range(21, 31), None]]
    model = OneR(Table.of(rows, ["x", "y"]))
    assert model.cuts.tolist() == [15.0]
    assert [model({"x": each}) for each in (15.0, 15.1, None)] == ["a", "b", "b"]
    assert str(model).splitlines()[2:] == [
        "≤ 15       a    10   100%",
        "> 15       b    10   100%",
        "(missing)  b     1   100%",
    ]


def test_numbers_that_tell_nothing_are_one_interval():
    model = OneR(
        Table.of([*((x, "b" if x % 3 else "a") for x in range(1, 7)), (None, "a")], ["x", "y"])
    )
    assert str(model).splitlines()[2:] == ["any        b     6    67%", "(missing)  a     1   100%"]
    assert model({"x": 9}) == "b"
    assert satsuma.explain(model, {"x": 9}).path == ("x: it is 9",)


@pytest.mark.parametrize(
    ("width", "told"),
    [
        (0.5, "Petal.Width ≤ 0.8: it is 0.5"),
        (1.0, "0.8 < Petal.Width ≤ 1.75: it is 1"),
        (2.0, "Petal.Width > 1.75: it is 2"),
        (None, "Petal.Width is missing"),
    ],
)
def test_the_interval_of_a_row_is_its_reason(width, told):
    iris = load("iris")
    row = dict.fromkeys((v.name for v in iris.domain.attributes), None) | {"Petal.Width": width}
    model = OneR(iris)
    found = model.explain(row, "virginica")
    assert found.path == (told,)
    assert found["Petal.Width"] == pytest.approx(model.p("virginica", row) - 1 / 3)


def test_weights_that_are_no_whole_numbers_leave_nothing_missing():
    rows = [(float(x), "ab"[x % 3 == 0], 0.1) for x in range(40_000)]
    table = Table.of(rows, ["x", "y", "w"], roles={"w": "weight"}, target="y")
    assert "missing" not in str(OneR(table))


def test_what_is_learned_row_by_row_is_what_is_learned_at_once():
    iris = load("iris")
    X = np.stack([iris.column(v.name) for v in iris.domain.attributes], axis=1)
    y = np.array([iris.cell(at, "Species") for at in range(150)])
    one, classes = OneR(), np.unique(y)
    for rows in np.array_split(np.random.default_rng(0).permutation(150), 9):
        one.partial_fit(X[rows], y[rows], classes=classes)
    np.testing.assert_array_equal(one.predict_proba(X), OneR().fit(X, y).predict_proba(X))


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("tennis", {"column": 4}),  # not there
        ("tennis", {"column": 2}),  # with values of its own
        ("tennis", {"weights": np.zeros((4, 2))}),
        ("tennis", {"cuts": np.array([1.0])}),  # of symbols
        ("iris", {"cuts": np.array([1.75, 0.8])}),
        ("iris", {"cuts": np.array([0.8])}),
    ],
)
def test_a_file_that_does_not_fit_together_is_refused(name, wrong, tmp_path):
    model = OneR(load(name))
    vars(model).update(wrong)
    model.save(tmp_path / "m.satsuma")
    with pytest.raises(ReadError, match="the rule"):
        satsuma.open_model(tmp_path / "m.satsuma")
