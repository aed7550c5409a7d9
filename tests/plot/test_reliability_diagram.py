import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.calibration import calibration_curve

import satsuma
from satsuma import Calibrated, Mean, NaiveBayes, cross_validate, plot
from satsuma.errors import DomainError


@pytest.fixture(scope="module")
def results():
    both = {"plain": NaiveBayes(), "calibrated": Calibrated(NaiveBayes())}
    return cross_validate(both, satsuma.load("voting"), folds=3)


def test_dots_are_the_curve_of_scikit_learn(results):
    ax = plot.calibration(results, "democrat", learners=["plain"])
    trial = results.trials[0]
    right, predicted = calibration_curve(
        trial.truth == 1, results.probabilities("plain")[:, 1], n_bins=10
    )
    np.testing.assert_allclose(ax.lines[0].get_xdata(), predicted)
    np.testing.assert_allclose(ax.lines[0].get_ydata(), right)
    assert "democrat" in ax.get_xlabel()


def test_learners_are_told_apart_and_described(results):
    ax = Figure().add_subplot()
    assert plot.calibration(results, ax=ax) is ax
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert [name.split(":")[0] for name in names[:2]] == ["plain", "calibrated"]
    error = results.pooled("ECE")["calibrated"]
    assert f"calibrated {error:.3f}" in plot.describe(ax)


def test_repeats_count_a_row_once():
    table = satsuma.load("voting")
    once, thrice = (cross_validate(NaiveBayes(), table, folds=3, repeats=r) for r in (1, 3))
    widths = []
    for each in (once, thrice):
        band = plot.calibration(each).collections[0].get_paths()[0].vertices
        widths.append(np.ptp(band[:, 1]))
    assert widths[1] > 0.8 * widths[0]


def test_numbers_have_no_calibration():
    with pytest.raises(DomainError, match="learners of classes"):
        plot.calibration(cross_validate(Mean(), satsuma.load("housing"), folds=3))
