"""Do this, not that."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import ttest_ind

from satsuma import Table, advise, distance_to_ideal, load, optimise
from satsuma.errors import DomainError, NoSuchColumn, ParameterError


def cars():
    table = load("auto-mpg")
    goals = {"mpg": "+", "weight": "-", "acceleration": "+"}
    # Without holes, so that each row is in one leaf of a tree.
    return table.with_roles({**goals, "car_name": "ignore", "horsepower": "ignore"})


def changed(row, advice):
    """The row as advised, as a dict without goals."""
    cells = {v.name: row[v.name] for v in row.domain.attributes}
    return cells | {change.column: change.to for change in advice.changes}


def test_a_row_that_is_changed_as_advised_is_where_it_was_promised():
    table = cars()
    away = distance_to_ideal(table)(table)
    advised = 0
    asked = table[::5]
    for row in asked:
        advice = advise(row, table)
        assert advice.now == pytest.approx(advice.tree(row))
        if advice.chosen is not None:
            advised += 1
            assert advice.tree(changed(row, advice)) == pytest.approx(advice.chosen.then)
            assert advice.gain == pytest.approx(advice.now - advice.chosen.then)
            assert advice.gain > 0
            assert all(change.now != change.to for change in advice.changes)
    assert 0 < advised < len(asked)
    best = advise(table[int(away.argmin())], table)
    assert best.gain < advise(table[int(away.argmax())], table).gain


def test_no_smaller_change_does_as_much():
    """Over all sets of columns, setting them to the cells of any row, by brute force."""
    table = cars()
    row = table[0]
    names = [v.name for v in table.domain.attributes]
    advice = advise(row, table, enough=1, support=1)
    tree, now = advice.tree, dict(zip(names, [row[name] for name in names], strict=True))
    least = {}
    for size in (1, 2):
        made = [
            now | {name: other[name] for name in chosen}
            for chosen in combinations(names, size)
            for other in table
        ]
        told = Table.of([[each[name] for name in names] for each in made], names, target=None)
        kinds = {v.name: v.kind for v in table.domain.attributes}
        least[size] = tree(told.with_kinds(kinds)).min()
    for option in advice.options:
        size = len(option.changes)
        if size in least:
            assert option.then == pytest.approx(least[size])
    assert advice.chosen == advice.options[-1]
    assert [len(option.changes) for option in advice.options] == sorted(
        {len(option.changes) for option in advice.options}
    )


def test_what_is_expected_is_what_was_seen():
    table = cars()
    away = distance_to_ideal(table)(table)
    advice = advise(table[0], table)
    cells = [advice.tree(row) for row in table]
    there = np.isclose(cells, advice.chosen.then)
    assert advice.chosen.n == there.sum()
    assert advice.chosen.then == pytest.approx(away[there].mean())
    assert advice.chosen.spread == pytest.approx(away[there].std(ddof=1))


def test_what_is_fixed_is_not_changed():
    table = cars()
    free = advise(table[0], table)
    for column in {change.column for change in free.changes}:
        bound = advise(table[0], table, fixed=[column])
        assert all(change.column != column for o in bound.options for change in o.changes)
        assert bound.gain <= advise(table[0], table, enough=1).gain
    names = [v.name for v in table.domain.attributes]
    nothing = advise(table[0], table, fixed=names)
    assert nothing.changes == ()
    assert nothing.gain == 0
    assert str(nothing).startswith("Leave it")


def test_the_share_of_the_gain_that_is_enough():
    table = cars()
    few, half, most = (advise(table[0], table, enough=share) for share in (0, 0.5, 1))
    assert len(few.changes) <= len(half.changes) <= len(most.changes)
    assert few.gain <= half.gain <= most.gain
    assert half.gain >= 0.5 * most.gain


def test_the_nearest_number_and_the_most_frequent_symbol_are_advised():
    rows = [(n, "red", n) for n in range(10)]
    table = Table.of(rows, ["n", "c", "Cost-"], target=None, roles={"Cost-": "-"})
    (change,) = advise({"n": 9, "c": "red"}, table).changes
    assert (change.column, change.now, change.to) == ("n", 9.0, 4.0)
    assert str(change) == "do n ≤ 4.5, not 9"
    rows = [("a", 1), ("a", 1), ("b", 1), ("b", 1), ("b", 1)] + [("c", 9)] * 5
    table = Table.of(rows, ["s", "Cost-"], target=None, roles={"Cost-": "-"})
    (change,) = advise({"s": "c"}, table).changes
    assert change.to == "b"


def test_a_missing_cell_is_to_be_set():
    rows = [(n, n) for n in range(10)]
    table = Table.of(rows, ["n", "Cost-"], target=None, roles={"Cost-": "-"})
    advice = advise({"n": None}, table)
    assert [change.now for change in advice.changes] == [None]
    assert "unknown" in str(advice)


def test_a_search_advises_by_its_labelled_rows():
    table = cars()
    found = optimise(table, table, budget=40, seed=1)
    asked = table[int(distance_to_ideal(table)(table).argmax())]
    advice = found.advise(asked, fixed=["model_year"])
    assert advice.tree is found.tree
    assert "model_year" not in {change.column for change in advice.changes}
    assert advice.chosen.n <= 40
    assert found.contrast(alpha=1).sizes == (6, 34)


def test_rows_without_goals_are_left_out():
    table = cars()
    goals = [goal.name for goal in table.domain.goals]
    columns = []
    for v in table.domain:
        column = np.array(table.column(v.name))
        if v.name in goals:
            column[::2] = np.nan
        columns.append(column)
    half = Table(table.domain, columns)
    assert str(advise(table[0], half)) == str(advise(table[0], table[1::2]))


def test_what_cannot_be_advised():
    table = cars()
    with pytest.raises(NoSuchColumn, match="Did you mean 'displacement'"):
        advise(table[0], table, fixed=["displacment"])
    with pytest.raises(ParameterError, match="enough"):
        advise(table[0], table, enough=2)
    with pytest.raises(ParameterError, match="support"):
        advise(table[0], table, support=0)
    with pytest.raises(ParameterError, match="Goals say themselves"):
        advise(table[0], table, wanted="+")
    with pytest.raises(DomainError, match="without goals"):
        advise(table[0], table.with_roles({"mpg": "x", "weight": "x", "acceleration": "x"}))
    nothing = [
        np.full(len(table), np.nan) if v.role == "goal" else table.column(v.name)
        for v in table.domain
    ]
    with pytest.raises(DomainError, match="label some"):
        advise(table[0], Table(table.domain, nothing))


def test_advice_rests_on_enough_rows():
    """Cars of five cylinders are three: they do not lead, however good they are."""
    table = cars()
    for row in table[::25]:
        assert all(option.n >= 10 for option in advise(row, table).options)
    assert min(o.n for row in table[::25] for o in advise(row, table, support=1).options) < 10


def test_the_interval_is_that_of_welch():
    table = cars()
    away = distance_to_ideal(table)(table)
    advice = advise(table[0], table)
    leaf = advice.tree.numbers(table)
    now = away[np.isclose(leaf, advice.now)]
    then = away[np.isclose(leaf, advice.chosen.then)]
    expected = ttest_ind(now, then, equal_var=False).confidence_interval(0.95)
    assert advice.interval == pytest.approx((expected.low, expected.high))
    assert advice.interval[0] < advice.gain < advice.interval[1]
    assert "95 % interval" in str(advice)


def test_towards_a_class():
    table = load("voting")
    holes = np.any([table.missing(name) for name in table.domain.names], axis=0)
    table = table[~holes]  # each row is in one leaf of a tree
    row = next(row for row in table if row["party"] == "republican")
    advice = advise(row, table)
    assert advice.aim.wanted == "democrat"
    assert advice.gain > 0.5
    changes = {change.column: change.to for change in advice.changes}
    cells = {v.name: row[v.name] for v in table.domain.attributes}
    assert advice.tree(cells | changes) == pytest.approx(advice.chosen.then)
    leaf = advice.tree.numbers(table)
    there = np.isclose(leaf, advice.chosen.then)
    assert advice.chosen.then == pytest.approx((table["party"][there] == "democrat").mean())
    assert "are democrat" in str(advice)
    assert str(advise(row, table, wanted="democrat")) == str(advice)
    with pytest.raises(ParameterError, match="Did you mean 'democrat'"):
        advise(row, table, wanted="democrt")
    with pytest.raises(ParameterError, match="Say which class"):
        advise(cells, table)


def test_towards_one_of_three_classes():
    iris = load("iris")
    advice = advise(iris[0], iris, wanted="virginica")
    assert advice.chosen.then > 0.9
    with pytest.raises(ParameterError, match="Say which class"):
        advise(iris[0], iris)


def test_towards_large_and_small_numbers():
    table = load("housing")
    middle = table[int(np.argsort(table["MEDV"])[len(table) // 2])]
    more, less = (advise(middle, table, wanted=way) for way in "+-")
    assert more.chosen.then > more.now == less.now > less.chosen.then
    assert more.gain > 0
    assert less.gain > 0
    with pytest.raises(ParameterError, match="large or small"):
        advise(middle, table)
