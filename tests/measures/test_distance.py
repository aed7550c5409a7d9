import numpy as np
import pytest

import satsuma
from satsuma import Table
from satsuma.errors import DomainError, ParameterError
from satsuma.measures import Distance

ROWS = [(0.0, "red", 5.0), (10.0, "blue", None), (5.0, None, 7.0), (None, "red", None)]


@pytest.fixture
def table():
    return Table.of(ROWS, ["size", "colour", "age"], target=None)


def by_hand(a, b, lo, hi, p):
    """The distance of two rows of Python values, by the book."""
    total = 0.0
    for name, (x, y) in enumerate(zip(a, b, strict=True)):
        if isinstance(x, str) or isinstance(y, str) or name == 1:
            away = float(x is None or y is None or x != y)
        else:
            norms = [
                None
                if v is None
                else min(1.0, max(0.0, (v - lo[name]) / (hi[name] - lo[name] + 1e-7)))
                for v in (x, y)
            ]
            if norms == [None, None]:
                away = 1.0
            elif None in norms:
                known = norms[0] if norms[1] is None else norms[1]
                away = max(known, 1 - known)
            else:
                away = abs(norms[0] - norms[1])
        total += away**p
    return (total / len(a)) ** (1 / p)


@pytest.mark.parametrize("p", [1, 2, 3, 0.5])
def test_the_distance_of_mixed_rows_with_holes(table, p):
    distance = Distance.of(table, p)
    lo, hi = {0: 0, 2: 5}, {0: 10, 2: 7}
    for row, cells in zip(table, ROWS, strict=True):
        found = distance.between(row, table)
        expected = [by_hand(cells, other, lo, hi, p) for other in ROWS]
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_a_row_with_a_hole_is_away_from_itself_and_left_out_by_its_number(table):
    distance = Distance.of(table)
    assert distance.between(table[1], table)[1] > 0
    _, rows = distance.nearest(table, table, 3, left_out=np.arange(4))
    for at, found in enumerate(rows.tolist()):
        assert sorted([at, *found]) == [0, 1, 2, 3]


def test_numbers_beyond_the_range_are_clamped(table):
    distance = Distance.of(table)
    far = Table.of([(1e9, "red", 6.0)], ["size", "colour", "age"], target=None)
    edge = Table.of([(10.0, "red", 6.0)], ["size", "colour", "age"], target=None)
    np.testing.assert_allclose(
        distance.between(far, table), distance.between(edge, table), atol=1e-7
    )


def test_ranges_of_every_size():
    for low, high in ((-1.7e308, 1.7e308), (0.0, 5e-324), (3.0, 3.0)):
        table = Table.of([(low, "a"), (high, "b")], ["x", "y"], target=None)
        found = Distance.of(table).between(table[0], table)
        assert np.isfinite(found).all()
        assert 0 <= found.min() <= found.max() <= 1
    wide = Table.of([(-1.7e308,), (0.0,), (1.7e308,)], ["x"], target=None)
    np.testing.assert_allclose(Distance.of(wide).between(wide[0], wide), [0, 0.5, 1])


def test_nothing_known_and_nothing_at_all():
    empty = Table.of([(None, "a"), (None, "a")], ["x", "y"], target=None, kinds={"x": "num"})
    np.testing.assert_allclose(Distance.of(empty).between(empty[0], empty), np.sqrt(0.5))
    with pytest.raises(DomainError, match="without attributes"):
        Distance.of(satsuma.load("tennis").select(["play"]))


def test_case_004_dist_worked(cases):
    told = cases["004-dist-worked"]
    names = ["Age", "job", "Pay"]
    table = Table.of(told["data"]["rows"], names, target=None)
    away = satsuma.distance(table, p=told["input"]["p"])
    assert len(told["input"]["pairs"]) == len(told["expected"])
    for i, j in told["input"]["pairs"]:
        expected = told["expected"][f"{i}-{j}"]
        assert away(table[i], table[j]) == pytest.approx(expected["d"], abs=1e-6, rel=0)
        diffs = [
            Distance.of(table.select([name]), 1)(table[i], table[j]) if name != "job" else None
            for name in names
        ]
        for diff, its in zip(diffs, expected["diffs"], strict=True):
            assert diff is None or diff == pytest.approx(its, abs=1e-6, rel=0)


@pytest.mark.parametrize("kind", ["num", "sym", "num constant column (lo=hi=5),"])
def test_case_004_dist_hand(cases, kind):
    told = cases["004-dist-hand"]["expected"]
    found = 0
    for words, expected in told.items():
        if not words.startswith(kind) or ("constant" in words) != ("constant" in kind):
            continue
        cells = [None if x == "missing" else x for x in words.removeprefix(kind).split(" vs ")]
        cells = [c if c is None or kind == "sym" else float(c) for c in map(_stripped, cells)]
        ends = ["a", "b"] if kind == "sym" else [5.0, 5.0] if "constant" in kind else [0.0, 100.0]
        kinds = {"x": "sym" if kind == "sym" else "num"}
        table = Table.of([(each,) for each in [*ends, *cells]], ["x"], target=None, kinds=kinds)
        away = satsuma.distance(table)
        assert away(table[2], table[3]) == pytest.approx(expected, abs=1e-6, rel=0), words
        found += 1
    assert found == {"num": 5, "sym": 4}.get(kind, 2)


def _stripped(cell):
    return None if cell is None or cell.strip() == "missing" else cell.strip()


def test_nearest_and_farthest_of_a_row(table):
    away = satsuma.distance(table)
    every = away.between(table[0], table)
    near, at = away.nearest(table[0], table, left_out=[0])
    assert at.tolist() == [[1 + int(every[1:].argmin())]]
    far, rows = away.farthest(table, table, 2)
    for query, row in enumerate(table):
        expected = away.between(row, table)
        assert rows[query].tolist() == np.argsort(-expected, kind="stable")[:2].tolist()
        np.testing.assert_array_equal(far[query], np.sort(expected)[::-1][:2])
    assert near[0, 0] == every[1:].min()


def test_rows_of_tables_that_list_symbols_otherwise():
    one = Table.of([("a", 1), ("b", 2)], ["s", "x"], target=None)
    other = Table.of([("b", 1), ("new", 2)], ["s", "x"], target=None)
    away = satsuma.distance(one, p=1)
    assert away(other[0], one[1]) == pytest.approx(0.5)
    assert away(other[0], one[0]) == pytest.approx(0.5)
    assert away(other[1], one[1]) == pytest.approx(0.5)
    assert away.nearest(other, one, 1)[1].tolist() == [[1], [1]]


def test_wrong_powers_and_no_rows(table):
    with pytest.raises(ParameterError, match="above 0"):
        satsuma.distance(table, p=0)
    with pytest.raises(DomainError, match="no row"):
        satsuma.distance(table)(table[:0], table[1])
