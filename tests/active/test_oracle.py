"""Oracles."""

import pytest

from satsuma import Table
from satsuma.active.oracle import Answer, Oracle
from satsuma.errors import DomainError, ParameterError


def cars():
    rows = [("a", 30, 2000), ("b", None, None), ("c", 10, None)]
    return Table.of(rows, ["make", "Mpg+", "Lbs-"], target=None, roles={"Mpg+": "+", "Lbs-": "-"})


def test_goals_are_told_by_name():
    table = cars()
    oracle = Oracle(table)
    assert oracle.ask(table[0]).value == {"Mpg+": 30.0, "Lbs-": 2000.0}
    assert not oracle.ask(table[1]).known
    assert oracle.ask(table[2]).value == {"Mpg+": 10.0, "Lbs-": None}
    assert oracle.asked == [0, 1, 2]
    assert oracle.spent == 3


def test_questions_may_cost_more_or_less():
    table = cars()
    oracle = Oracle(lambda row: row["make"], cost=lambda row: 2.0 if row["make"] == "a" else 0.5)
    assert [oracle.ask(row).value for row in table] == ["a", "b", "c"]
    assert oracle.spent == 3.0


@pytest.mark.parametrize("certainty", [0, -1, 1.5, float("nan")])
def test_a_certainty_is_a_share(certainty):
    with pytest.raises(ParameterError, match="certainty"):
        Answer("yes", certainty)


def test_what_knows_nothing_is_no_oracle():
    with pytest.raises(DomainError, match="target or goals"):
        Oracle(Table.of([(1,)], ["x"], target=None))
    with pytest.raises(ParameterError, match="function of a row"):
        Oracle(7)


def test_a_row_that_the_oracle_does_not_know():
    small, large = cars()[:1], cars()
    with pytest.raises(DomainError, match="asked about row 2"):
        Oracle(small).ask(large[2])
