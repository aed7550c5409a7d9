"""Curves made of pieces: the kernel against its twin, and both against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma.kernels import curves
from satsuma.kernels.curves import twin as curves_twin

BOTH = [curves_twin, curves] if curves.compiled else [curves_twin]
each_kernel = pytest.mark.parametrize("kernel", BOTH)


def made(rng, columns, classes, *, logs, even=False):
    """Curves of random pieces, and the functions that they are."""
    edges, pieces, functions = [], [], []
    for _ in range(columns * classes):
        n = int(rng.integers(0, 30))
        inner = np.arange(n) * 0.1 if even else np.unique(rng.normal(size=n).round(1))
        coef = rng.normal(size=(len(inner) + 1, 5)) if logs else rng.random((len(inner) + 1, 5))
        if not logs:
            coef[:, 2::2] = 0  # no odd powers, so that nothing is negative
        edges.append(np.append(inner, np.inf))
        pieces.append(coef)

        def function(x, inner=inner, coef=coef):
            at = sum(x > edge for edge in inner)
            t = x - coef[at, 0]
            return np.polynomial.polynomial.polyval(t, coef[at, 1:])

        functions.append(function)
    starts = np.cumsum([0, *map(len, edges)], dtype=np.int64)
    return starts, np.concatenate(edges), np.concatenate(pieces), functions


@each_kernel
@given(seed=st.integers(0, 10**6), logs=st.booleans(), even=st.booleans())
def test_curves_are_what_their_pieces_say(kernel, seed, logs, even):
    rng = np.random.default_rng(seed)
    columns, classes, rows = int(rng.integers(1, 4)), int(rng.integers(1, 4)), 40
    starts, edge, piece, functions = made(rng, columns, classes, logs=logs, even=even)
    origin, unit = rng.normal(size=columns), rng.choice([0.5, 1.0, 4.0], columns)
    packed = curves.pack(origin, unit, starts, edge, piece)
    x = rng.normal(scale=2, size=(rows, columns)).round(1)
    x[rng.random(x.shape) < 0.1] = np.nan
    out = rng.normal(size=(rows, classes))
    want = out.copy()
    assert kernel.add_rows(list(x.T), packed, logs, out) == 0
    for row in range(rows):
        for j in range(columns):
            if not np.isnan(x[row, j]):
                z = (x[row, j] - origin[j]) * unit[j]
                said = [functions[j * classes + c](z) for c in range(classes)]
                want[row] += said if logs else np.log(said)
    assert out == pytest.approx(want, rel=1e-9, abs=1e-9)


@each_kernel
def test_the_impossible_vetoes_unless_it_is_so_for_all(kernel):
    # The first class has only (0, 1], the second only (0, 2].
    edge = np.array([0.0, 1.0, np.inf, 0.0, 2.0, np.inf])
    piece = np.zeros((6, 5))
    piece[[1, 4], 1] = 1.0, 0.5
    packed = curves.pack(np.zeros(1), np.ones(1), np.array([0, 3, 6]), edge, piece)
    out = np.zeros((5, 2))
    kernel.add_rows([np.array([0.0, 1.0, 1.5, 3.0, np.nan])], packed, False, out)
    want = [[0, 0], [0, np.log(0.5)], [-np.inf, np.log(0.5)], [0, 0], [0, 0]]
    assert out.tolist() == want


@each_kernel
def test_many_small_factors_do_not_vanish(kernel):
    n = 40
    edge, piece = np.full(n, np.inf), np.zeros((n, 5))
    piece[:, 1] = 1e-30
    packed = curves.pack(np.zeros(n), np.ones(n), np.arange(n + 1), edge, piece)
    out = np.zeros((3, 1))
    kernel.add_rows([np.zeros(3)] * n, packed, False, out)
    assert out == pytest.approx(n * np.log(1e-30))


@each_kernel
def test_infinite_numbers_are_counted(kernel):
    packed = curves.pack(np.zeros(1), np.ones(1), np.arange(2), np.array([np.inf]), np.ones((1, 5)))
    out = np.zeros((3, 1))
    assert kernel.add_rows([np.array([np.inf, 1.0, -np.inf])], packed, True, out) == 2


@pytest.mark.skipif(not curves.compiled, reason="the kernels are not compiled")
def test_wrong_calls_are_refused():
    one = np.zeros(1)
    good = curves.pack(one, np.ones(1), np.arange(2), np.array([np.inf]), np.ones((1, 5)))
    ended = curves.pack(one, np.ones(1), np.arange(2), np.array([1.0]), np.ones((1, 5)))
    with pytest.raises(ValueError, match="without pieces"):
        curves.add_rows([one], ended, True, np.zeros((1, 1)))
    with pytest.raises(ValueError, match="other columns"):
        curves.add_rows([one, one], good, True, np.zeros((1, 1)))
    with pytest.raises(TypeError, match="float64"):
        curves.add_rows([one.astype(np.float32)], good, True, np.zeros((1, 1)))
    with pytest.raises(TypeError, match="equally long"):
        curves.add_rows([np.zeros(2)], good, True, np.zeros((1, 1)))
