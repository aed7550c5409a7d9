import numpy as np
import pytest
from sklearn.metrics import pairwise_distances
from sklearn.preprocessing import StandardScaler

from satsuma import Table
from satsuma.measures.standardized_distance import REACH, StandardizedDistance


def test_numbers_without_outliers_differ_in_standard_deviations():
    x = np.random.default_rng(0).uniform(-3, 5, (60, 3)) * [1, 100, 1e-9]
    table = Table.of(x.tolist(), "abc", target=None)
    want = pairwise_distances(StandardScaler().fit_transform(x)) / np.sqrt(3)
    distance = StandardizedDistance.of(table)
    for at in range(5):
        np.testing.assert_allclose(distance.between(table[at], table), want[at], atol=1e-9)
    cells = distance.cells(table)
    np.testing.assert_allclose(distance.matrix(cells, cells), want, atol=1e-9)


def test_symbols_that_differ_are_as_far_apart_as_two_rows_in_a_number():
    rng = np.random.default_rng(1)
    rows = [(x, "ab"[x > 0]) for x in rng.normal(size=400).tolist()]
    table = Table.of(rows, "xs", target=None)
    number = StandardizedDistance.of(table.select(["x"]))
    cells = number.cells(table)
    mean = (number.matrix(cells, cells) ** 2).mean()
    assert mean == pytest.approx(2, rel=0.02)
    symbol = StandardizedDistance.of(table.select(["s"]))
    assert symbol(table[0], table[int(np.argmax(table["s"] != table["s"][0]))]) ** 2 == (
        pytest.approx(2)
    )


def test_what_is_missing_is_the_mean_or_a_symbol_of_its_own():
    table = Table.of([(0.0, "a"), (2.0, None), (None, "a"), (None, None)], "xs", target=None)
    distance = StandardizedDistance.of(table)
    middle = Table.of([(1.0, "a")], "xs", target=None)
    assert distance(table[2], middle) == pytest.approx(0, abs=1e-12)
    assert distance(table[3], table[3]) == 0
    assert distance(table[2], table[3]) == pytest.approx(1)  # of two columns, one by the root of 2


def test_an_outlier_changes_little():
    x = np.random.default_rng(2).normal(size=200)
    for far in (50.0, 1e6, -1e300):
        table = Table.of([(each,) for each in [*x.tolist(), far]], "x", target=None)
        distance = StandardizedDistance.of(table)
        spread = (distance.hi - distance.lo) / (2 * REACH)
        assert spread == pytest.approx(x.std(), rel=0.1)
        assert distance(table[200], table[0]) <= 2 * REACH


@pytest.mark.parametrize("column", [[5.0] * 20, [1e300] * 20, [0.0] * 96 + [1.0] * 4])
def test_columns_that_hardly_vary_have_a_range(column):
    table = Table.of([(each,) for each in column], "x", target=None)
    distance = StandardizedDistance.of(table)
    assert distance.lo < distance.hi
    assert np.isfinite([distance.lo, distance.hi]).all()
    assert (distance.between(table[0], table) == 0).sum() == column.count(column[0])
