import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma.kernels import kmeans
from satsuma.kernels.kmeans import Assigning
from satsuma.kernels.kmeans import twin as kmeans_twin
from satsuma.kernels.threads import thread_limit
from satsuma.learners.kmeans.lloyd import Start, centre_drift, move_centres, run_in_memory
from satsuma.learners.kmeans.space import Cells

LEVELS = 4


def begin(centres):
    return Start(0, centres, drawing=False)


def cells(rng, n, d, s, *, holes=0.0, steps=0):
    number = rng.normal(size=(n, d))
    number = np.round(number * steps) if steps else number
    number[rng.random((n, d)) < holes] = np.nan
    symbol = rng.integers(0, LEVELS, (n, s)).astype(np.int32)
    symbol[rng.random((n, s)) < holes] = -1
    return Cells(number, symbol)


def offset(s):
    return np.arange(s + 1) * LEVELS


def brute(rows, centres):
    """The first of the nearest centres, cell by cell."""
    found = []
    for x, code in zip(*rows, strict=True):
        sums = []
        for m, mode in zip(*centres, strict=True):
            total = sum((a - b) ** 2 for a, b in zip(x, m, strict=True) if not np.isnan(a))
            total += sum(a != b for a, b in zip(code, mode, strict=True) if a >= 0)
            sums.append(total)
        found.append(next(c for c, each in enumerate(sums) if each <= min(sums) * (1 + 1e-12)))
    return np.array(found)


@given(
    st.integers(0, 2**32 - 1),
    st.tuples(st.integers(0, 300), st.integers(0, 19), st.integers(0, 4), st.integers(1, 9)),
    st.sampled_from([0.0, 0.3]),
    st.sampled_from([0, 2]),
)
def test_the_kernel_is_its_twin(seed, shape, holes, steps):
    rng = np.random.default_rng(seed)
    n, d, s, k = shape
    rows, centres = cells(rng, n, d, s, holes=holes, steps=steps), cells(rng, k, d, s, steps=steps)
    weight = rng.integers(0, 4, n).astype(float)
    assigning = Assigning(*rows, weight, offset(s))
    found = assigning.step(*centres)
    label = np.zeros(n, np.int32)
    sums = (np.zeros(k), np.zeros((k, d)), np.zeros((k, d)), np.zeros((k, s * LEVELS)), offset(s))
    kmeans_twin.step(*rows, weight, None, *centres, None, label, None, None, sums)
    assert (assigning.label == label).all()
    assert (kmeans.labels(*rows, *centres) == label).all()
    for mine, twin in zip(vars(found).values(), sums, strict=False):
        np.testing.assert_allclose(mine, twin, rtol=1e-12, atol=1e-12)
    twin = np.empty(n)
    kmeans_twin.away(*rows, *centres, label, twin)
    assert (kmeans.distances(*rows, *centres, label) == twin).all()


@pytest.mark.parametrize("holes", [0.0, 0.2])
@pytest.mark.parametrize("steps", [0, 1])
def test_the_nearest_centre_by_brute_force(holes, steps):
    rng = np.random.default_rng(steps)
    rows, centres = cells(rng, 150, 5, 2, holes=holes, steps=steps), cells(rng, 7, 5, 2, steps=1)
    assert (kmeans.labels(*rows, *centres) == brute(rows, centres)).all()


@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 0.2]), st.booleans())
def test_bounds_change_no_label(seed, holes, weighted):
    """Step by step, labels are those of the nearest centre, and sums those of the labels."""
    rng = np.random.default_rng(seed)
    rows, centres = cells(rng, 300, 4, 2, holes=holes), cells(rng, 6, 4, 2)
    weight = rng.choice([0.1, 0.7, 2.0], 300) if weighted else None
    where = centres
    for step in range(1, 8):
        sums = Assigning(*rows, weight, offset(2)).step(*where)
        where = move_centres(where, sums, offset(2))
        found, label = run_in_memory(begin(centres), rows, weight, offset(2), step, -1.0)
        assert (label == kmeans_twin.first_least(kmeans_twin.squares(*rows, *where))).all()
        np.testing.assert_allclose(found.centres.number, where.number, rtol=1e-9, atol=1e-9)
        assert (found.centres.symbol == where.symbol).all()
    assert centre_drift(where, where).max() == 0


def test_rows_far_from_centres_and_from_zero_are_told_apart():
    """Products cannot tell these apart; sums of squares can."""
    base = 1e6
    rows = Cells(base + np.arange(100)[:, None] * 1e-4, np.zeros((100, 0), np.int32))
    at = base + np.array([[0.0], [0.0049], [0.0051]])
    centres = Cells(at, np.zeros((3, 0), np.int32))
    truth = np.abs(rows.number - at.T).argmin(axis=1)
    assert (kmeans.labels(*rows, *centres) == truth).all()


def test_threads_change_nothing():
    rng = np.random.default_rng(0)
    rows, centres = cells(rng, 3 * kmeans.TILE, 5, 1, holes=0.1), cells(rng, 6, 5, 1)
    with thread_limit(1):
        one, label = run_in_memory(begin(centres), rows, None, offset(1), 4, 0.0)
    with thread_limit(3):
        other, other_label = run_in_memory(begin(centres), rows, None, offset(1), 4, 0.0)
    assert (label == other_label).all()
    assert (one.centres.number == other.centres.number).all()
    assert one.costs.total == other.costs.total


@given(
    st.integers(0, 2**32 - 1),
    st.integers(1, 40),
    st.sampled_from([0.0, 0.3]),
    st.booleans(),
    st.booleans(),
)
def test_batches_are_their_twin(seed, batch, holes, ranged, weighted):
    rng = np.random.default_rng(seed)
    rows, start = cells(rng, 90, 3, 2, holes=holes), cells(rng, 4, 3, 2, holes=holes)
    weight = rng.integers(0, 3, 90).astype(float) if weighted else None
    shift = None if ranged else np.full(3, 0.3)
    ends = []
    for step in (kmeans.batches, kmeans_twin.batches):
        at, mode, z = start.number.copy(), start.symbol.copy(), np.ones(4)
        lo, hi = np.full(3, np.inf), np.full(3, -np.inf)
        step(*rows, weight, batch, at, mode, z, lo, hi, shift, 5, 11)
        ends.append((at, mode, z, lo, hi))
    for mine, twin in zip(*ends, strict=True):
        np.testing.assert_allclose(mine, twin, rtol=1e-12, atol=1e-13)


def test_a_symbol_is_replaced_with_probability_one_over_z():
    """A centre of one symbol is given a hundred others: the last of them stands with 1/101."""
    n, z = 4000, 4
    rows = np.zeros((1, 0)), np.ones((1, n), np.int32)
    mode = np.zeros((1, n), np.int32)
    none = np.zeros(0)
    kmeans.batches(
        *rows, None, 1, np.zeros((1, 0)), mode, np.array([z - 1.0]), none, none, None, 3, 0
    )
    assert abs(mode.mean() - 1 / z) < 4 * np.sqrt(1 / z * (1 - 1 / z) / n)
