"""Coordinate descent: the compiled kernel is its twin, and no slope could do better."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma.kernels import descent
from satsuma.kernels.descent import descend, twin


def drawn(seed, width):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(30, width)) * rng.uniform(0.2, 3, width)
    x[:, rng.random(width) < 0.1] = 0  # a column that says nothing
    y = x[:, :2].sum(axis=1) + rng.normal(size=30)
    return x.T @ x, x.T @ y, rng.uniform(0, 20, width), rng.choice([0.0, 2.0], width)


@given(seed=st.integers(0, 10**6), width=st.integers(2, 8))
def test_no_slope_could_do_better(seed, width):
    gram, with_target, l1, l2 = drawn(seed, width)
    slopes = descend(gram, with_target, l1, l2, np.zeros(width), tolerance=1e-10)
    slope = with_target - gram @ slopes - l2 * slopes
    assert np.allclose(slope[slopes != 0], (np.sign(slopes) * l1)[slopes != 0], atol=1e-6)
    assert (np.abs(slope[slopes == 0]) <= l1[slopes == 0] + 1e-6).all()


@pytest.mark.skipif(not descent.compiled, reason="there is no compiled kernel here")
@given(seed=st.integers(0, 10**6), width=st.integers(2, 8))
def test_the_kernel_is_its_twin(seed, width):
    gram, with_target, l1, l2 = drawn(seed, width)
    one, other = np.zeros(width), np.zeros(width)
    took = [
        sweep(gram, l1, l2, slopes, with_target.copy(), 1e-9, 500)
        for sweep, slopes in ((descent.sweep, one), (twin.sweep, other))
    ]
    assert took[0] == took[1]
    assert np.allclose(one, other, rtol=1e-12, atol=1e-12)


@pytest.mark.skipif(not descent.compiled, reason="there is no compiled kernel here")
def test_wrong_shapes_are_refused():
    three, two = np.zeros(3), np.zeros(2)
    with pytest.raises(ValueError, match="columns"):
        descent.sweep(np.eye(2), three, three, three, three, 0.1, 9)
    with pytest.raises(ValueError, match="penalties"):
        descent.sweep(np.eye(3), two, three, three, three, 0.1, 9)
