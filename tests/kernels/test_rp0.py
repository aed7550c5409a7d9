import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma.kernels import rp0
from satsuma.kernels.rp0 import Rows
from satsuma.kernels.rp0 import twin as rp0_twin
from satsuma.numerics.differences import difference_sums
from satsuma.numerics.splitmix import splitmix64


def some_rows(seed, n, columns, holes=0.0, p=2.0):
    numbers, symbols = columns
    rng = np.random.default_rng(seed)
    number = rng.random((n, numbers))
    number[rng.random((n, numbers)) < 0.2] = 0.5  # ties
    symbol = rng.integers(0, 3, (n, symbols)).astype(np.int32)
    number[rng.random(number.shape) < holes] = np.nan
    symbol[rng.random(symbol.shape) < holes] = -1
    return Rows(number, symbol, np.arange(n, dtype=np.int64), p)


def copied(rows):
    return Rows(rows.number.copy(), rows.symbol.copy(), rows.row.copy(), rows.p)


def same(one, other):
    for each, its in zip(vars(one).values(), vars(other).values(), strict=True):
        np.testing.assert_array_equal(each, its)


@given(
    st.integers(0, 10_000),
    st.integers(1, 300),
    st.sampled_from([(3, 0), (0, 3), (2, 2), (9, 1)]),
    st.sampled_from([0.0, 0.3]),
    st.sampled_from([2.0, 1.0]),
)
def test_the_kernel_grows_the_tree_of_its_twin(seed, n, columns, holes, p):
    mine = some_rows(seed, n, columns, holes, p)
    twins = copied(mine)
    asked = copied(mine)
    one, other = (each.grow(r, 0, n, seed, 4, 7) for each, r in ((rp0, mine), (rp0_twin, twins)))
    same(one, other)
    same(mine, twins)
    again = [each.divide(copied(asked), 0, n, seed, 4) for each in (rp0, rp0_twin)]
    assert again[0] == again[1]
    poles = asked.number[one.poles], asked.symbol[one.poles]
    found = rp0.walk(one.below, *poles, asked)
    np.testing.assert_array_equal(found, rp0_twin.walk(one.below, *poles, asked))
    # The rows of a cluster lie together, and each finds its cluster again.
    sizes = np.diff(one.start)
    np.testing.assert_array_equal(np.sort(mine.row), np.arange(n))
    np.testing.assert_array_equal(found[mine.row], np.repeat(np.arange(len(sizes)), sizes))


def test_other_powers():
    mine = some_rows(1, 500, (5, 2), 0.1, 3.0)
    twins = copied(mine)
    one, other = rp0.grow(mine, 0, 500, 1, 10, 20), rp0_twin.grow(twins, 0, 500, 1, 10, 20)
    np.testing.assert_array_equal(one.below, other.below)
    np.testing.assert_array_equal(mine.row, twins.row)
    np.testing.assert_allclose(one.gap, other.gap, rtol=1e-14)  # powers may differ by a bit


def test_a_division_goes_by_the_nearer_of_the_farthest_pair():
    rows = some_rows(3, 200, (4, 1))
    before = copied(rows)
    middle, (a, b), gap = rp0.divide(rows, 0, 200, 9, 10)
    away = [
        difference_sums(before.number, before.symbol, before.number[i], before.symbol[i], 2)
        for i in (a, b)
    ]
    drawn = rp0_twin.drawn_pairs(9, 200, 10)
    every = [difference_sums(before.number, before.symbol, before.number[j], before.symbol[j], 2)[i]
             for i, j in drawn]  # fmt: skip
    assert gap == max(every) == away[0][b]
    np.testing.assert_array_equal(np.sort(rows.row[:middle]), np.flatnonzero(away[0] <= away[1]))


def test_rows_that_cannot_be_parted_stay_together():
    same_cells = Rows(np.full((100, 2), 0.5), np.zeros((100, 0), np.int32), np.arange(100), 2.0)
    assert rp0.grow(same_cells, 0, 100, 1, 10, 8).start.tolist() == [0, 100]
    # Away from themselves by a hole, and all equally near to any of them.
    hollow = Rows(np.full((100, 2), np.nan), np.zeros((100, 0), np.int32), np.arange(100), 2.0)
    assert rp0.grow(hollow, 0, 100, 1, 10, 8).start.tolist() == [0, 100]


def test_pairs_are_drawn_evenly_and_never_twice_the_same_row():
    drawn = np.concatenate([rp0_twin.drawn_pairs(splitmix64(key), 5, 10) for key in range(2000)])
    assert (drawn[:, 0] != drawn[:, 1]).all()
    counts = np.bincount(drawn[:, 0] * 5 + drawn[:, 1], minlength=25)
    assert counts[[0, 6, 12, 18, 24]].tolist() == [0] * 5
    np.testing.assert_allclose(np.delete(counts, [0, 6, 12, 18, 24]), 1000, rtol=0.15)


def test_what_is_not_there_is_refused():
    rows = some_rows(0, 10, (2, 0))
    if rp0.compiled:
        for lo, hi, pairs in ((-1, 5, 1), (5, 4, 1), (0, 11, 1), (0, 5, 0)):
            with pytest.raises(ValueError, match="rows"):
                rp0.divide(rows, lo, hi, 1, pairs)
        with pytest.raises(ValueError, match="before those below"):
            rp0.walk(np.array([[0, -1]], np.int32), np.zeros((1, 2, 2)),
                     np.zeros((1, 2, 0), np.int32), rows)  # fmt: skip


@given(
    st.integers(0, 10_000),
    st.sampled_from([(3, 0), (0, 3), (2, 2)]),
    st.sampled_from([0.0, 0.3]),
    st.integers(1, 5),
)
def test_the_kernel_finds_the_near_rows_of_its_twin(seed, columns, holes, k):
    rows = some_rows(seed, 40, columns, holes)
    asked = some_rows(seed + 1, 20, columns, holes)
    asked.number[:5], asked.symbol[:5] = rows.number[:5], rows.symbol[:5]
    ends = np.sort(np.random.default_rng(seed).integers(0, 41, (2, 20)), axis=0)
    mine, twins = np.empty((20, k)), np.empty((20, k))
    rp0.near(rows, asked, *ends, mine)
    rp0_twin.near(rows, asked, *ends, twins)
    np.testing.assert_array_equal(mine, twins)
