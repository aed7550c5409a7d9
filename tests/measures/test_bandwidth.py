"""Bandwidths and quantiles: against SciPy, NumPy and figures of R."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import gaussian_kde

from satsuma.measures.bandwidth import bandwidth, quantiles, spread

LISTS = st.lists(st.integers(-20, 20).map(float), min_size=2, max_size=30)


@given(x=LISTS, q=st.floats(0, 1))
def test_quantiles_are_those_of_numpy_for_rows_that_are_repeated(x, q):
    value, counts = np.unique(x, return_counts=True)
    found = quantiles(value, counts.astype(float), np.array([q]))
    assert found[0] == pytest.approx(np.quantile(x, q), abs=1e-9)


@given(x=LISTS)
def test_spread_is_that_over_n_minus_1(x):
    value, counts = np.unique(x, return_counts=True)
    assert spread(value, counts.astype(float)) == pytest.approx(np.std(x, ddof=1), abs=1e-9)


@pytest.mark.parametrize("rule", ["scott", "silverman"])
def test_rules_are_those_of_scipy(rule):
    x = np.sort(np.random.default_rng(1).exponential(size=80))
    theirs = gaussian_kde(x, rule)
    want = float(np.sqrt(theirs.covariance[0, 0]))
    assert bandwidth(rule, x, np.ones(80)) == pytest.approx(want)


def test_nrd0_is_that_of_r():
    # By hand, as bw.nrd0 of R does it: 0.9 min(sd, IQR / 1.34) n^(-1/5).
    x = np.array([1.0, 2.0, 3.0, 4.0, 100.0])
    assert bandwidth("nrd0", x, np.ones(5)) == pytest.approx(0.9 * 2 / 1.34 * 5**-0.2)
    # Where the quartiles are equal, it falls back on the sd.
    y = np.array([0.0, 10.0])
    w = np.array([9.0, 1.0])
    assert bandwidth("nrd0", y, w) == pytest.approx(0.9 * np.sqrt(10) * 10**-0.2)
    assert bandwidth("nrd0", y[:1], w[:1]) == 0
