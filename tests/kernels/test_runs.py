"""Sorting numbers by group: the kernel against its twin, and both against NumPy and pandas."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma.kernels import runs
from satsuma.kernels.runs import twin as runs_twin
from tests.tallies.batches import NUMBERS

BOTH = [runs_twin, runs] if runs.compiled else [runs_twin]
each_kernel = pytest.mark.parametrize("kernel", BOTH)


def columns():
    rng = np.random.default_rng(5)
    n = 3000
    yield "normal", rng.normal(size=n)
    yield "whole", rng.integers(-3, 4, n).astype(float)
    yield "constant", np.full(n, 2.5)
    yield "an outlier", np.append(rng.normal(size=n), 1e300)
    yield "the whole range", rng.choice([-1.7e308, 1.7e308, -0.0, 0.0, 5e-324, 1.0], n)
    yield "tiny", rng.integers(0, 90, n) * 5e-324
    yield "powers", 2.0 ** rng.integers(-1000, 1000, n)
    yield "hardly apart", 1e8 + rng.integers(0, 500, n) * 1e-7
    yield "infinite", np.append(rng.normal(size=n), [np.inf, -np.inf])
    yield "missing", np.where(rng.random(n) < 0.3, np.nan, rng.normal(size=n))


@each_kernel
@pytest.mark.parametrize(("name", "x"), list(columns()), ids=[name for name, _ in columns()])
def test_numbers_of_each_group_are_those_of_pandas(kernel, name, x):
    rng = np.random.default_rng(6)
    groups = rng.integers(0, 3, len(x))
    order = np.argsort(groups, kind="stable")
    starts = np.searchsorted(groups[order], np.arange(4))
    for weights in (None, rng.choice([0.0, 1.0, 2.5], len(x))):
        value, weight = np.empty(len(x)), np.empty(len(x))
        found = kernel.runs_of(x, order, starts, weights, value, weight)
        for group, (start, n) in enumerate(zip(starts, found, strict=False)):
            rows = order[starts[group] : starts[group + 1]]
            w = np.ones(len(rows)) if weights is None else weights[starts[group] :][: len(rows)]
            frame = pd.DataFrame({"x": x[rows], "w": w})
            want = frame[frame.w > 0].groupby("x").w.sum()
            assert value[start : start + n].tolist() == want.index.tolist(), name
            assert not np.signbit(value[start : start + n][want.index == 0]).any()
            assert weight[start : start + n] == pytest.approx(want.to_numpy())


@each_kernel
@given(x=st.lists(NUMBERS, max_size=120))
def test_any_numbers_are_sorted(kernel, x):
    x = np.array(x, float)
    strided = np.repeat(x, 3)[::3]
    value, weight = np.empty(len(x)), np.empty(len(x))
    starts = np.array([0, len(x)])
    (n,) = kernel.runs_of(strided, np.arange(len(x)), starts, None, value, weight)
    want, counts = np.unique(x[~np.isnan(x)], return_counts=True)
    assert (value[:n].tolist(), weight[:n].tolist()) == (want.tolist(), counts.tolist())


@each_kernel
@given(one=st.lists(NUMBERS, min_size=1), two=st.lists(NUMBERS, min_size=1))
def test_two_runs_are_added(kernel, one, two):
    parts = [np.unique([x for x in part if not np.isnan(x)]) for part in (one, two)]
    if not len(parts[0]) or not len(parts[1]):
        return
    room = np.empty(sum(map(len, parts))), np.empty(sum(map(len, parts)))
    n = kernel.add(parts[0], np.full(len(parts[0]), 2.0), parts[1], np.ones(len(parts[1])), *room)
    want = np.unique(np.concatenate(parts))
    weights = 2.0 * np.isin(want, parts[0]) + np.isin(want, parts[1])
    assert (room[0][:n].tolist(), room[1][:n].tolist()) == (want.tolist(), weights.tolist())


@each_kernel
@given(each=st.lists(st.lists(NUMBERS), max_size=4))
def test_runs_side_by_side_are_those_of_pandas(kernel, each):
    parts = [np.unique([x for x in part if not np.isnan(x)]) for part in each]
    starts = np.cumsum([0, *map(len, parts)])
    value = np.concatenate([*parts, np.zeros(0)])
    weight = np.arange(1.0, len(value) + 1)
    group = np.repeat(np.arange(len(parts)), np.diff(starts))
    found, table = kernel.side_by_side(value, weight, starts)
    want = pd.DataFrame({"x": value + 0.0, "g": group, "w": weight}).pivot_table(
        "w", "x", "g", aggfunc="sum", fill_value=0.0
    )
    assert found.tolist() == want.index.tolist()
    assert table.shape == (len(found), len(parts))
    assert table[:, want.columns].tolist() == want.to_numpy().tolist()
    assert table.sum() == weight.sum()


@each_kernel
def test_the_lattice_keeps_the_first_moments(kernel):
    rng = np.random.default_rng(2)
    x, w = np.sort(rng.normal(size=200)), rng.random(200)
    cell, start, amount = kernel.on_lattice(x, w, float(x[0]), 5.0)
    assert np.array_equal(cell, np.unique(np.floor((x - x[0]) * 5)))
    assert np.array_equal(np.floor((x[start] - x[0]) * 5), cell)
    points = x[0] + (cell[:, None] + np.arange(-1, 3)) / 5
    for power in range(4):  # a cubic is exact for cubics
        assert (amount * points**power).sum() == pytest.approx((w * x**power).sum())


@pytest.mark.skipif(not runs.compiled, reason="the kernels are not compiled")
def test_wrong_calls_are_refused():
    x, out = np.zeros(3), (np.zeros(2), np.zeros(2))
    with pytest.raises(IndexError):
        runs.runs_of(x, np.array([0, 3]), np.array([0, 2]), None, *out)
    with pytest.raises(ValueError, match="start"):
        runs.runs_of(x, np.array([0, 1]), np.array([0, 3]), None, *out)
    with pytest.raises(ValueError, match="one behind the other"):
        runs.runs_of(x, np.array([0, 1]), np.array([0, 3, 2]), None, *out)
    with pytest.raises(TypeError):
        runs.runs_of(x.astype(np.float32), np.array([0, 1]), np.array([0, 2]), None, *out)
    with pytest.raises(ValueError, match="in order"):
        runs.on_lattice(np.array([3.0, 1.0, 2.0, 0.0]), np.ones(4), 0.0, 0.1 + 0.5)
