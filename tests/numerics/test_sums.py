"""Sums over few columns are those of NumPy, to the last bit."""

import numpy as np
import pytest

from satsuma.numerics.sums import row_sums


@pytest.mark.parametrize("width", range(12))
def test_rows_are_summed_as_numpy_does(width):
    rng = np.random.default_rng(width)
    cells = rng.normal(size=(50, width)) * 10.0 ** rng.integers(-8, 9, (50, width))
    assert row_sums(cells).tobytes() == cells.sum(axis=-1).tobytes()
    assert row_sums(cells.reshape(5, 10, width)).shape == (5, 10)
    assert row_sums(cells[0]) == cells[0].sum()
