import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.calibration import calibration_curve

from satsuma.evaluate.reliability import Reliability


def probabilities_of_two(rows=400):
    rng = np.random.default_rng(0)
    second = rng.random(rows)
    truth = (rng.random(rows) < second**2).astype(np.int64)
    return np.column_stack([1 - second, second]), truth


def test_bins_are_those_of_scikit_learn():
    given, truth = probabilities_of_two()
    found = Reliability.of(given, truth, np.ones(len(truth)), target=1)
    right, predicted = calibration_curve(truth, given[:, 1], n_bins=10)
    np.testing.assert_allclose(found.right, right)
    np.testing.assert_allclose(found.predicted, predicted)
    assert found.weight.sum() == len(truth)


def test_intervals_are_those_of_scipy():
    given, truth = probabilities_of_two(90)
    found = Reliability.of(given, truth, np.ones(90), target=1)
    low, high = found.interval()
    for at, (share, size) in enumerate(zip(found.right, found.size, strict=True)):
        wanted = binomtest(round(share * size), round(size)).proportion_ci(method="wilson")
        assert (low[at], high[at]) == pytest.approx(tuple(wanted))


def test_weights_are_repetitions_but_for_the_band():
    given, truth = probabilities_of_two(50)
    once = Reliability.of(given, truth, np.full(50, 2.0))
    twice = Reliability.of(np.repeat(given, 2, axis=0), np.repeat(truth, 2), np.ones(100))
    np.testing.assert_allclose(once.right, twice.right)
    assert once.error == pytest.approx(twice.error)
    np.testing.assert_allclose(2 * once.size, twice.size)


def test_no_rows_have_no_error():
    none = Reliability.of(np.zeros((0, 2)), np.zeros(0, np.int64), np.zeros(0))
    assert np.isnan(none.error)
    assert np.isnan(none.gap)
