"""Tallies by group: the compiled kernels are as their twins, however the columns lie."""

import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma.kernels import tally
from satsuma.kernels.tally import from_sums
from satsuma.kernels.tally import twin as tally_twin
from satsuma.kernels.tally.cross_products import pairs_from_cross, scatter_from_cross
from satsuma.kernels.threads import available, map_tiles, thread_limit

try:
    from satsuma.kernels.tally import _native as compiled
except ImportError:
    compiled = None

needs_compiled = pytest.mark.skipif(
    compiled is None, reason="no compiled kernels are installed: there are only the twins"
)


def layouts(x):
    """The same columns in every way they may lie in memory."""
    n, d = x.shape
    wide = np.zeros((n, 2 * d + 1))
    wide[:, 1::2] = x
    yield list(np.ascontiguousarray(x).T)
    yield list(np.asfortranarray(x).T)
    yield list(wide[:, 1::2].T)
    yield [np.ascontiguousarray(x[::-1, j])[::-1] for j in range(d)]
    order = np.ascontiguousarray(x[:, ::-1])
    yield [order[:, d - 1 - j] for j in range(d)]


def batch_of(seed, n, d, groups, weighted):
    rng = np.random.default_rng(seed)
    x = rng.normal(rng.choice([0, 1e8], d), 1, (n, d))
    x[rng.random((n, d)) < rng.choice([0, 0.2, 1])] = np.nan
    g = rng.integers(-1, groups, n).astype(rng.choice([np.int8, np.int16, np.int32]))
    w = rng.choice([0.0, 1.0, 2.5], n) if weighted else None
    return rng, x, g, w


shapes = given(
    seed=st.integers(0, 10**6),
    n=st.integers(0, 300),
    d=st.integers(0, 20),
    groups=st.sampled_from([1, 3, 120]),
    weighted=st.booleans(),
)


@needs_compiled
@shapes
def test_moments_are_those_of_the_twin(seed, n, d, groups, weighted):
    _, x, g, w = batch_of(seed, n, d, groups, weighted)
    lo, hi = n // 5, n
    twin = tally_twin.Batch(list(x.T), g, groups, w)
    want = from_sums(*tally_twin.moments(twin, lo, hi))[0]
    for columns in layouts(x):
        sums = compiled.moments(compiled.Batch(columns, g, groups, w), lo, hi)
        found, _ = from_sums(*sums)
        for one, two in zip(want, found, strict=True):
            if one is not want.rest:
                assert np.allclose(one, two, rtol=1e-10, atol=1e-12)


@needs_compiled
@given(st.integers(0, 10**6), st.sampled_from([1, 4, 20, 67]), st.sampled_from([2, 700]))
def test_the_layout_changes_no_bit_of_moments(seed, d, groups):
    rng, x, _, w = batch_of(seed, 1500, d, 1, seed % 2 == 0)
    g = rng.integers(-1, groups, 1500).astype(np.int32)
    first, *others = (
        compiled.moments(compiled.Batch(columns, g, groups, w), 3, 1500) for columns in layouts(x)
    )
    for found in others:
        for one, two in zip(first, found, strict=True):
            assert np.array_equal(one, two)


@needs_compiled
@given(st.integers(0, 10**6), st.integers(1, 70), st.sampled_from([1, 3, 8, 9, 700]))
def test_the_width_of_vectors_changes_no_bit_of_moments(seed, d, groups):
    rng, x, _, w = batch_of(seed, 1500, d, 1, seed % 2 == 0)
    g = rng.integers(-1, groups, 1500).astype(np.int32)
    for columns in [x.T, np.asfortranarray(x).T]:
        batch = compiled.Batch(columns, g, groups, w)
        first, *others = (compiled.moments(batch, 3, 1500, level) for level in range(3))
        for found in others:
            for one, two in zip(first, found, strict=True):
                assert np.array_equal(one, two)


@needs_compiled
@shapes
def test_columns_of_one_array_are_as_those_that_lie_apart(seed, n, d, groups, weighted):
    _, x, g, w = batch_of(seed, n, d, groups, weighted)
    one = compiled.moments(compiled.Batch(x.T, g, groups, w), 0, n)
    two = compiled.moments(compiled.Batch(list(x.T), g, groups, w), 0, n)
    for a, b in zip(one, two, strict=True):
        assert np.array_equal(a, b)


@needs_compiled
def test_columns_that_are_not_as_long_as_the_groups_are_refused():
    groups = np.zeros(3, np.int32)
    with pytest.raises(ValueError, match="two dimensions"):
        compiled.Batch(np.zeros((2, 4)), groups, 1)
    with pytest.raises(ValueError, match="two dimensions"):
        compiled.Batch(np.zeros((2, 3), ">f8"), groups, 1)


@needs_compiled
@shapes
def test_scatter_is_that_of_the_twin(seed, n, d, groups, weighted):
    _, x, g, w = batch_of(seed, n, d, groups, weighted)
    twin = tally_twin.Batch(list(x.T), g, groups, w)
    want = scatter_from_cross(*tally_twin.scatter(twin, 0, n))
    for columns in layouts(x):
        mine = compiled.Batch(columns, g, groups, w)
        found = scatter_from_cross(*compiled.scatter(mine, 0, n))
        assert np.allclose(want.weight, found.weight, rtol=1e-12)
        assert np.allclose(want.mean, found.mean, rtol=1e-12, atol=1e-12)
        assert np.allclose(want.cross, found.cross, rtol=1e-9, atol=1e-9)


@needs_compiled
@shapes
def test_counts_and_bins_are_those_of_the_twin(seed, n, d, groups, weighted):
    rng, x, g, w = batch_of(seed, n, d, groups, weighted)
    levels = rng.integers(0, 12, d).tolist()
    codes = []
    for level in levels:
        kind = rng.choice([np.int8, np.uint8, np.int16, np.int32] if level else [np.int8])
        least = 0 if kind is np.uint8 else -1
        codes.append(rng.integers(least, level, 2 * n).astype(kind)[::2])
    edges = [np.sort(rng.normal(size=k)) for k in levels]
    for columns, settings, name in ((codes, levels, "counts"), (list(x.T), edges, "bins")):
        want = getattr(tally_twin, name)(
            tally_twin.Batch(columns, g, groups, w), settings, n // 3, n
        )
        found = getattr(compiled, name)(compiled.Batch(columns, g, groups, w), settings, n // 3, n)
        assert np.allclose(want[0], found[0], rtol=1e-12)
        for one, two in zip(want[1], found[1], strict=True):
            assert one.shape == two.shape
            assert np.allclose(one, two, rtol=1e-12)


@needs_compiled
@given(st.integers(0, 10**6), st.integers(0, 50))
def test_fold_groups_are_those_of_the_twin(seed, n):
    rng = np.random.default_rng(seed)
    codes, folds = rng.integers(-1, 3, n).astype(np.int16), rng.integers(-1, 4, n).astype(np.int8)
    want, found = np.full(n, -9, np.int32), np.full(n, -9, np.int32)
    tally_twin.fold_groups(codes, folds, 3, 4, n // 4, n, want)
    compiled.fold_groups(codes, folds, 3, 4, n // 4, n, found)
    assert np.array_equal(want, found)


KERNELS = [tally_twin, pytest.param(compiled, marks=needs_compiled)]


@pytest.mark.parametrize("kernels", KERNELS, ids=["twin", "compiled"])
def test_what_is_out_of_range_is_refused(kernels):
    x, codes = np.zeros(3), np.array([0, 1, 2], np.int32)
    with pytest.raises(IndexError, match="row 2 "):
        kernels.moments(kernels.Batch([x], codes, 2), 0, 3)
    with pytest.raises(IndexError, match="row 1 "):
        kernels.counts(kernels.Batch([codes], np.zeros(3, np.int8), 1), [1], 0, 3)
    with pytest.raises(IndexError, match="row 2 "):
        kernels.fold_groups(codes, np.zeros(3, np.int8), 2, 1, 0, 3, np.zeros(3, np.int32))
    with pytest.raises(ValueError, match="same length"):
        kernels.Batch([x[:2]], codes, 3)


@needs_compiled
def test_arrays_of_another_kind_are_refused():
    with pytest.raises(ValueError, match="numbers or codes"):
        compiled.Batch([np.zeros(2, np.float32)], np.zeros(2, np.int8), 1)
    with pytest.raises(TypeError, match="numbers"):
        compiled.moments(compiled.Batch([np.zeros(2, np.int32)], np.zeros(2, np.int8), 1), 0, 2)
    with pytest.raises(TypeError, match="numbers"):
        compiled.Batch([], np.zeros(2), 1)
    with pytest.raises(IndexError):
        compiled.moments(compiled.Batch([np.zeros(2)], np.zeros(2, np.int8), 1), 0, 3)


def test_other_types_are_converted():
    x = np.arange(4, dtype=np.float32)
    swapped = np.array([0, 0, 1, -1]).astype(">i8")
    assert tally.moments([x], swapped, 2).mean.tolist() == [[0.5], [2.0]]
    with pytest.raises(IndexError):
        tally.moments([x], np.array([0, 0, 0, 2**40]), 2)


@pytest.mark.parametrize("weighted", [False, True])
def test_scatter_of_many_values_is_that_of_columns_laid_side_by_side(weighted, monkeypatch):
    rng = np.random.default_rng(weighted)
    n = 500
    codes = [rng.integers(-1, level, n).astype(np.int32) for level in (40, 2, 60)]
    number = np.where(rng.random(n) < 0.02, np.nan, rng.normal(1e6, 3, n))
    columns, levels = [codes[0], number, *codes[1:]], [40, None, 2, 60]
    groups = rng.integers(-1, 3, n).astype(np.int32)
    weights = rng.choice([0.0, 0.5, 2.0], n) if weighted else None
    called = []
    real = tally.sparse_scatter
    monkeypatch.setattr(tally, "sparse_scatter", lambda *given: called.append(1) or real(*given))
    monkeypatch.setattr(tally, "SPARSE", 1)
    found, others = tally.scatter(columns, groups, 3, weights, levels)
    assert called
    monkeypatch.setattr(tally, "SPARSE", 10**9)
    wanted, rest = tally.scatter(columns, groups, 3, weights, levels)
    assert len(called) == 1
    for mine, theirs in zip((*found, *others), (*wanted, *rest), strict=True):
        assert np.allclose(mine, theirs, rtol=1e-9, atol=1e-9)


def test_wide_scatter_is_that_of_narrow():
    rng = np.random.default_rng(2)
    x, g = rng.normal(size=(500, 80)), rng.integers(0, 2, 500).astype(np.int8)
    (wide, _), (narrow, _) = tally.scatter(list(x.T), g, 2), tally.scatter(list(x.T)[:10], g, 2)
    assert np.allclose(wide.cross[:, :10, :10], narrow.cross)


def test_tiles_come_back_in_order_from_any_number_of_threads():
    for threads in (1, 2, 3, 8):
        assert map_tiles(lambda a, b: (a, b), 10, 3, threads) == [(0, 3), (3, 6), (6, 9), (9, 10)]
    assert map_tiles(lambda a, b: (a, b), 0) == [(0, 0)]
    with thread_limit(3):
        assert available() == 3


def test_tiles_within_tiles_do_not_wait_for_each_other():
    def inner(_a, _b):
        return sum(map_tiles(lambda a, b: b - a, 100, 10, 4))

    done = []
    thread = threading.Thread(target=lambda: done.append(map_tiles(inner, 40, 1, 4)), daemon=True)
    thread.start()
    thread.join(30)
    assert done == [[100] * 40]


def test_the_first_error_is_raised():
    def fail(a, _b):
        if a >= 20:
            raise ValueError(f"tile {a}")
        return a

    with pytest.raises(ValueError, match="tile 20"):
        map_tiles(fail, 40, 20, 1)
    with pytest.raises(ValueError, match="tile"):
        map_tiles(fail, 100, 10, 3)


@needs_compiled
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(0, 300),
    d=st.integers(0, 9),
    symbols=st.integers(0, 3),
)
def test_keys_of_rows_are_those_of_the_twin(seed, n, d, symbols):
    rng = np.random.default_rng(seed)
    x = rng.choice([0.0, -0.0, 1.0, np.nan, -np.nan, 1e-300, np.inf, rng.normal()], (n, d))
    kinds = [np.int8, np.int16, np.int32]
    codes = [rng.integers(-2, 5, n).astype(kinds[j]) for j in range(symbols)]
    by_column = rng.integers(0, 2**64, d, np.uint64)
    terms = rng.integers(0, 2**64, 4 * symbols, np.uint64), 4 * np.arange(symbols + 1)
    limit = (2**62, 2**64 - 1)[seed % 2]
    lo, hi = n // 5, n
    want = tally_twin.keys(tally_twin.Keyed(list(x.T), by_column, codes, *terms, n), lo, hi, limit)
    for columns in layouts(x):
        keyed = compiled.Keyed(columns, by_column, codes, *terms, n)
        for one, two in zip(want, compiled.keys(keyed, lo, hi, limit), strict=True):
            np.testing.assert_array_equal(one, two)


def test_keys_of_alike_rows_are_spread_evenly():
    """By a chi-square test of the first bits, where numbers are few and small."""
    from scipy.stats import chisquare

    from satsuma import Domain, Variable
    from satsuma.tallies.row_keys import RowKeys

    n = 20_000
    x = np.stack([np.arange(n) % 200, np.arange(n) // 200, np.ones(n)], axis=1).astype(float)
    key, none = RowKeys.of(Domain(map(Variable, "abc"))).by_column, np.zeros(0, np.uint64)
    _, keys = tally.row_keys(
        list(x.T), key, [], (none, np.zeros(1, np.int64)), n=n, limit=2**64 - 1
    )
    assert len(np.unique(keys)) == n
    assert chisquare(np.bincount(keys >> np.uint64(56), minlength=256)).pvalue > 1e-3


@needs_compiled
def test_keys_of_columns_that_do_not_fit_are_refused():
    none, x = np.zeros(0, np.uint64), np.zeros(3)
    with pytest.raises(ValueError, match="a key for each column"):
        compiled.Keyed([x], none, [], none, np.zeros(1, np.int64), 3)
    with pytest.raises(ValueError, match="at least one term"):
        compiled.Keyed([], none, [np.zeros(3, np.int32)], none, np.array([0, 1]), 3)
    with pytest.raises(IndexError):
        compiled.keys(compiled.Keyed([], none, [], none, np.zeros(1, np.int64), 3), 0, 4, 9)


@needs_compiled
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("d", [1, 2, 5, 20])
def test_pairs_are_those_of_the_twin(d, weighted):
    rng = np.random.default_rng(d)
    x, groups = rng.normal(1e3, 2, size=(700, d)), rng.integers(-1, 3, 700).astype(np.int32)
    x[rng.random(x.shape) < 0.2] = np.nan
    x[groups == 2, 0] = 7.25
    weights = rng.integers(0, 3, 700).astype(float) if weighted else None
    want, found = (
        pairs_from_cross(*kind.pairs(kind.Batch(list(x.T), groups, 3, weights), 0, 700))
        for kind in (tally_twin, compiled)
    )
    for one, other in zip(want, found, strict=True):
        assert np.allclose(one, other, rtol=1e-9, atol=1e-9)
    if not weighted:
        assert np.array_equal(want.weight, found.weight)
    assert found.cross[2, 0, 0] == 0  # of one value, which has no spread
