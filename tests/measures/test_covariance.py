"""Covariances against scikit-learn and by their eigenvalues."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.covariance import oas, shrunk_covariance
from sklearn.preprocessing import StandardScaler

from satsuma.measures.covariance import (
    FLOOR,
    make_definite,
    oracle_share,
    over_degrees,
    shrink,
    shrink_by_oracle,
)


@given(seed=st.integers(0, 10**6), n=st.integers(2, 50), width=st.integers(1, 8))
def test_shrinking_is_that_of_scikit_learn(seed, n, width):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, width)) @ rng.normal(size=(width, width)) * 10.0 ** rng.integers(-3, 4)
    covariance = np.cov(x.T, bias=True).reshape(width, width)
    want, share = oas(x)
    if width > 1:
        assert oracle_share(covariance, n) == pytest.approx(share, rel=1e-9)
    assert np.allclose(shrink(covariance, 0.3), shrunk_covariance(covariance, 0.3), rtol=1e-12)
    scaler = StandardScaler().fit(x)
    want = oas(scaler.transform(x))[0] * np.outer(scaler.scale_, scaler.scale_)
    assert np.allclose(shrink_by_oracle(covariance, n), want, rtol=1e-9)


def test_a_constant_column_does_not_keep_the_others_from_being_shrunk():
    covariance = np.array([[4.0, 0.0, 1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 1.0]])
    made = shrink_by_oracle(covariance, 1000)
    assert np.array_equal(made[1], np.zeros(3))
    assert 0 < made[0, 2] < 1
    assert np.array_equal(shrink_by_oracle(np.zeros((2, 2)), 10), np.zeros((2, 2)))


def test_full_rank_is_left_alone_and_the_rest_is_mended():
    rng = np.random.default_rng(0)
    good = np.corrcoef(rng.normal(size=(5, 40)))
    assert make_definite(good) is good
    flat = np.ones((4, 4))
    assert np.linalg.eigvalsh(make_definite(flat))[0] == pytest.approx(FLOOR, rel=1e-4)
    assert np.allclose(make_definite(flat), flat, rtol=1e-8, atol=1e-8)
    # No three columns can be correlated like that.
    odd = np.array([[1.0, 0.9, -0.9], [0.9, 1.0, 0.9], [-0.9, 0.9, 1.0]])
    lowest = np.linalg.eigvalsh(odd)[0]
    assert lowest < -0.5
    assert np.linalg.eigvalsh(make_definite(odd))[0] == pytest.approx(-lowest)


def test_few_rows_and_pairs_that_were_never_seen():
    found = over_degrees(np.array([3.0, 1.0, 0.0]), np.array([4.0, 1.0, 0.0]))
    assert found.tolist() == [1.0, 2.0, 0.0]
    assert over_degrees(np.array([6.0]), np.array([8.0]), 2.0).tolist() == [1.0]
