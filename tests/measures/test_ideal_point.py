import numpy as np
import pytest

import satsuma
from satsuma import Table
from satsuma.errors import DomainError, ParameterError

ROLES = {"Mpg+": "+", "Lbs-": "-"}


def test_the_best_is_at_no_distance_and_the_worst_at_1():
    table = Table.of([(10, 300, "a"), (30, 100, "b"), (20, 150, "a")], ["Mpg+", "Lbs-", "x"],
                     target=None, roles=ROLES)  # fmt: skip
    away = satsuma.disty(table)
    np.testing.assert_allclose(away(table), [1, 0, np.sqrt((0.5**2 + 0.25**2) / 2)], atol=1e-6)
    assert away(table[2]) == away(table)[2]
    city = satsuma.disty(table, p=1)
    np.testing.assert_allclose(city(table), [1, 0, 0.375], atol=1e-6)


def test_what_is_missing_is_as_far_as_can_be():
    table = Table.of([(10, 1), (30, None), (None, 0)], ["Mpg+", "Lbs-"], target=None, roles=ROLES)
    away = satsuma.disty(table, p=1)(table)
    np.testing.assert_allclose(away, [1, 0.5, 0.5], atol=1e-6)


def test_goals_of_auto93(shared):
    table = satsuma.read(shared("moot/optimize/auto93.csv"), marks=True)
    found = satsuma.disty(table)(table)
    total = np.zeros(len(table))
    for goal in table.domain.goals:  # by the book
        cells = table.column(goal.name)
        share = (cells - cells.min()) / (cells.max() - cells.min() + 1e-7)
        total += ((1.0 if goal.name.endswith("+") else 0.0) - share) ** 2
    np.testing.assert_allclose(found, np.sqrt(total / 3), rtol=1e-12)
    assert 0 <= found.min() < 0.25
    assert 0.75 < found.max() <= 1


def test_no_goals_no_heaven():
    with pytest.raises(DomainError, match="goals"):
        satsuma.disty(satsuma.load("iris"))
    table = Table.of([(1,)], ["x"], target=None, roles={"x": "+"})
    with pytest.raises(ParameterError, match="above 0"):
        satsuma.disty(table, p=-1)
