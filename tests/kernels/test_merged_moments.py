"""Moments merged: compiled and its twin give the same bits; Chan's formulas by exact fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma.kernels import tally
from satsuma.kernels.tally import twin

needs_compiled = pytest.mark.skipif(not tally.compiled, reason="there is no compiled build")
if tally.compiled:
    from satsuma.kernels.tally import _native as compiled


def held_of(seed, parts=3, groups=2, width=5):
    rng = np.random.default_rng(seed)
    weight = rng.choice([0.0, 0.5, 1.0, 3.0], (parts, groups, width))
    mean = rng.normal(rng.choice([0, 1e8, 1e200]), 1, weight.shape)
    rest = mean * rng.normal(0, 1e-17, weight.shape)
    m2 = np.abs(rng.normal(size=weight.shape))
    lo = np.where(weight > 0, np.minimum(mean, rng.choice([mean, mean - 1])), np.inf)
    hi = np.where(weight > 0, np.maximum(mean, rng.choice([mean, mean + 1])), -np.inf)
    return np.stack([weight, np.where(weight > 0, mean, 0), rest, m2, lo, hi], axis=1)


@needs_compiled
@given(st.integers(0, 10**6), st.integers(1, 9))
def test_merging_gives_the_bits_of_the_twin(seed, parts):
    held = held_of(seed, parts)
    found, want = np.empty(held.shape[1:]), np.empty(held.shape[1:])
    compiled.merge(held, found)
    twin.merge(held, want)
    assert np.array_equal(found, want, equal_nan=True)


@needs_compiled
@given(st.integers(0, 10**6), st.integers(1, 12), st.sampled_from([0.0, 1.5]))
def test_spreads_have_the_bits_of_the_twin(seed, classes, m):
    width = seed % 3
    weight, mean, _, m2, lo, hi = held_of(seed, 1, classes, width)[0]
    held = [np.ascontiguousarray(each) for each in (weight, mean, m2, lo, hi)]
    found, want = np.empty((classes, width)), np.empty((classes, width))
    compiled.spreads(held, m, 1e-9, 0.1, found)
    twin.spreads(held, m, 1e-9, 0.1, want)
    assert np.array_equal(found, want, equal_nan=True)


@needs_compiled
@given(st.integers(0, 10**6))
def test_moments_of_sums_are_those_of_the_twin(seed):
    rng = np.random.default_rng(seed)
    sums = np.ascontiguousarray(held_of(seed, 6).transpose(1, 0, 2, 3)[:, 0].transpose(1, 0, 2))
    sums[rng.random(sums.shape) < 0.05] = rng.choice([np.inf, -np.inf, np.nan])
    found, want = np.empty((6, 2, 5)), np.empty((6, 2, 5))
    assert compiled.from_sums(sums, found) == twin.from_sums(sums, want)
    assert np.array_equal(found, want, equal_nan=True)


@pytest.mark.parametrize("each", [twin, *([compiled] if tally.compiled else [])])
def test_merged_moments_are_those_of_exact_arithmetic(each):
    rng = np.random.default_rng(7)
    batches = [rng.normal(1e8, 1e-3, n) for n in (3, 1, 40)]
    held = np.array(
        [[len(x), x.mean(), 0, ((x - x.mean()) ** 2).sum(), x.min(), x.max()] for x in batches]
    )
    out = np.empty((6, 1, 1))
    each.merge(held[:, :, None, None], out)
    numbers = [Fraction(float(x)) for x in np.concatenate(batches)]
    mean = sum(numbers) / len(numbers)
    spread = float(sum((x - mean) ** 2 for x in numbers))
    assert out[0, 0, 0] == 44
    assert float(out[1, 0, 0]) == pytest.approx(float(mean), rel=1e-16)
    # The means of the batches were rounded to 1.5e-8, a hundred-thousandth of what is between them.
    assert float(out[3, 0, 0]) == pytest.approx(spread, rel=1e-4)


@needs_compiled
def test_arrays_of_other_shapes_are_refused():
    with pytest.raises(ValueError, match="six arrays"):
        compiled.merge(np.zeros((2, 5, 1, 1)), np.zeros((6, 1, 1)))
    with pytest.raises(ValueError, match="six parts"):
        compiled.from_sums(np.zeros((1, 6, 2)), np.zeros((6, 1, 1)))
