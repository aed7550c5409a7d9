"""Columns that a model looks at together."""

import numpy as np
import pytest
from scipy import stats

import satsuma
from satsuma import Generative, SatsumaError, plot
from tests.plot.bells import Bells


@pytest.fixture(scope="module")
def sepals():
    return satsuma.load("iris")[::3].select(["Sepal.Length", "Sepal.Width", "Species"])


@pytest.fixture(autouse=True)
def coarse(monkeypatch):
    """Fewer steps: scipy is asked about each of them."""
    monkeypatch.setattr("satsuma.plot.likelihood_contours._STEPS", 60)
    monkeypatch.setattr("satsuma.plot.class_densities._STEPS", 30)


def test_contours_are_tilted(sepals):
    model = Generative(blocks=[Bells(shared=False)])(sepals)
    ax = plot.likelihoods(model, x="Sepal.Length", y="Sepal.Width")
    contour = next(each for each in ax.collections if hasattr(each, "levels"))
    mine = sepals.to_numpy(["Sepal.Length", "Sepal.Width"])[sepals["Species"] == "setosa"]
    away = contour.get_paths()[1].vertices - mine.mean(axis=0)
    far = np.einsum("ri,ij,rj->r", away, np.linalg.inv(np.cov(mine.T)), away)
    np.testing.assert_allclose(far, stats.chi2.ppf(0.75, 2), rtol=0.25)


def test_density_of_one_column_is_what_is_left_without_the_other(sepals):
    model = Generative(blocks=[Bells()])(sepals)
    curve = plot.density(model, "Sepal.Width").lines[0]
    area = np.trapezoid(curve.get_ydata(), curve.get_xdata())
    mine = sepals["Sepal.Width"][sepals["Species"] == "setosa"]
    assert area == pytest.approx(1, abs=0.02)
    assert curve.get_xdata()[curve.get_ydata().argmax()] == pytest.approx(mine.mean(), abs=0.1)


def test_a_nomogram_of_linear_discriminants(sepals):
    model = Generative(blocks=[Bells()])(sepals)
    ax = plot.nomogram(model, "versicolor", against="virginica")
    means, inverse = model.evidence[0].means, np.linalg.inv(model.evidence[0].spreads[0])
    slope = dict(zip(model.evidence[0].names, inverse @ (means[1] - means[2]), strict=True))
    for row, label in enumerate(ax.get_yticklabels()[:2]):
        dots = [line for line in ax.lines if line.get_linestyle() == "None"][row].get_xdata()
        names = [text for text in ax.texts if abs(text.get_position()[1] - row) < 0.5]
        at = sorted((float(text.get_text()), text.get_position()[0]) for text in names)
        cells, added = np.array(at).T
        np.testing.assert_allclose(np.diff(added) / np.diff(cells), slope[label.get_text()])
        assert set(np.round(added, 9)) <= set(np.round(dots, 9))


def test_a_nomogram_of_quadratic_ones_is_refused(sepals):
    model = Generative(blocks=[Bells(shared=False)])(sepals)
    with pytest.raises(SatsumaError, match="do not add up"):
        plot.nomogram(model, "versicolor", against="virginica")
