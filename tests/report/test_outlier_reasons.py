"""What is unusual about a row: by itself, or among the rows most like it."""

import numpy as np
import pytest

from satsuma import Domain, Table, Variable, load
from satsuma.report.outlier_reasons import AMONG, OutlierReasons


def seasons(rows=300, seed=1):
    """Summers are warm; in each season some trees are cut."""
    rng = np.random.default_rng(seed)
    warm = rng.random(rows) < 0.5
    heat = np.where(warm, 30, 0) + rng.normal(size=rows)
    heat[5], warm[5] = 30.2, False
    tree = rng.integers(0, 6, rows).astype(np.int32)
    domain = Domain([
        Variable("heat"), Variable("season", "sym", ("winter", "summer")),
        Variable("tree", "sym", tuple("abcdef")),
    ])  # fmt: skip
    return Table(domain, [heat, warm.astype(np.int32), tree])


def test_a_value_that_rows_most_like_it_do_not_have():
    heat, season = OutlierReasons(seasons())(5, ["heat", "season"])
    assert heat.startswith("heat is 30.2, where the 25 rows most like it have ")
    assert season.startswith("season is winter, where ")
    assert season.endswith(" rows most like it have summer")


def test_one_of_many_values_is_no_surprise():
    """Where rows like it have all values, that none of twenty has this one says nothing."""
    find = OutlierReasons(seasons())
    assert not any(find(at, ["tree"]) for at in range(300))


def test_a_name_of_its_own_is_no_surprise_where_most_rows_have_one():
    names = Table.of([(f"row {at}", at % 9) for at in range(100)], ["name", "n"], target=None)
    names = names.with_kinds({"name": "sym"})
    assert OutlierReasons(names)(7, ["name"]) == []
    some = Table.of([("none" if at else "one",) for at in range(100)], ["mark"], target=None)
    assert OutlierReasons(some)(0, ["mark"]) == ["mark is one, as in no other row"]


def test_a_value_of_a_tenth_of_the_rows_is_no_surprise_among_rows_that_have_others():
    rng = np.random.default_rng(0)
    back, size = (rng.random(400) < 0.1).astype(np.int32), rng.normal(size=400)
    domain = Domain([Variable("size"), Variable("back", "sym", ("no", "yes"))])
    find = OutlierReasons(Table(domain, [size, back]))
    assert not any(find(at, ["back"]) for at in range(400))
    numbers = Table(Domain([Variable("size"), Variable("back")]), [size, back.astype(float)])
    find = OutlierReasons(numbers)
    assert not any(find(at, ["back"]) for at in range(400))


@pytest.mark.parametrize("name", ["heart_disease", "auto-mpg", "iris"])
def test_a_usual_row_has_no_reasons(name):
    """Each cell of most rows is like those of the rows most like it."""
    table = load(name)
    find, names = OutlierReasons(table), [v.name for v in table.domain.attributes]
    names = [each for each in names if table.domain[each].kind != "text"][:5]
    rare = [len(find(at, names)) for at in range(0, len(table), 7)]
    assert np.mean(np.array(rare) > 0) < 0.4


def test_a_number_just_beyond_those_of_rows_like_it_is_no_surprise():
    """Rows like it have all one number: a hundredth of what is usual does not matter."""
    rng = np.random.default_rng(0)
    one = np.repeat([0.0, 10.0], 100)
    other = one + 0.0
    other[3] = 0.05
    table = Table(Domain([Variable("a"), Variable("b")]), [one + rng.normal(size=200), other])
    assert OutlierReasons(table)(3, ["b"]) == []
    other[3] = 8.0
    (why,) = OutlierReasons(table)(3, ["b"])
    assert why == "b is 8, where the 20 rows most like it have 0"


def test_of_many_rows_some_are_looked_at_and_the_row_is_not_compared_with_itself():
    table = seasons(AMONG + 500)
    heat, season = OutlierReasons(table)(5, ["heat", "season"])
    assert "rows most like it have" in heat
    assert season.startswith("season is winter, where ")


def test_a_table_of_one_column_and_huge_numbers():
    column = np.append(np.arange(99.0), 1e308)
    table = Table(Domain([Variable("a")]), [column])
    assert OutlierReasons(table)(99, ["a"]) == ["a is 1.000e+308, the greatest of all"]
    assert OutlierReasons(table)(50, ["a"]) == []
    both = Table(Domain([Variable("a"), Variable("b")]), [column, np.arange(100.0)])
    assert OutlierReasons(both)(50, ["a", "b"]) == []
