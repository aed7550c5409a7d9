"""OneR beside a brute force, and beside what has been published of it."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import satsuma
from satsuma import Discretized, GetProbabilities, OneR, Table, cross_validate, load
from satsuma.errors import DomainError, ReadError

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


def test_numbers_are_cut_first():
    iris = load("iris")
    with pytest.raises(DomainError, match="OneR does not take columns of kind 'num'"):
        OneR(iris)
    model = Discretized(OneR())(iris)
    assert (model(iris) == [iris.cell(at, "Species") for at in range(150)]).mean() > 0.95


def test_a_file_that_does_not_fit_together_is_refused(tmp_path):
    model = OneR(load("tennis"))
    for column in (4, 1):  # not there; with values of its own
        model.column = column
        model.weights = model.weights[:3]
        model.save(tmp_path / "m.satsuma")
        with pytest.raises(ReadError, match="the rule"):
            satsuma.open_model(tmp_path / "m.satsuma")
