"""Columns that a model looks at together."""

import numpy as np
import pytest
from scipy import stats

import satsuma
from satsuma import Gaussian, Generative, SatsumaError, Table, plot
from satsuma.likelihoods.block import Evidence
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


class Halves(Evidence):
    """A number is below 5.5 with the probability 0.8 in the first class, 0.3 in the others."""

    def __init__(self):
        self.names, self.cuts = ("Sepal.Length",), [np.array([5.5])]

    def log_evidence(self, batch):
        cells = batch.column("Sepal.Length")[:, None]
        said = np.where(cells <= 5.5, np.log([0.8, 0.3, 0.3]), np.log([0.2, 0.7, 0.7]))
        return np.where(np.isnan(cells), 0.0, said)

    def lines(self, variable, classes):
        return [(variable.name, ["?"] * classes)]


class Halved:
    kinds, columns = ("num",), ("Sepal.Length",)

    def learn(self, table):  # noqa: ARG002 - it knows beforehand
        return Halves()


def test_the_probability_of_an_interval_is_spread_over_its_width(sepals):
    model = Generative(blocks=[Halved(), Gaussian()])(sepals)
    ax = plot.density(model, "Sepal.Length")
    for curve, low in zip(ax.lines[:3], (0.8, 0.3, 0.3), strict=True):
        x, y = curve.get_xdata(), curve.get_ydata()
        assert np.trapezoid(y, x) == pytest.approx(1, abs=0.03)
        assert y[0] * (5.5 - x[0]) == pytest.approx(low, abs=0.01)
    plot.likelihoods(model, x="Sepal.Length", y="Sepal.Width")


def test_missing_cells_do_not_stand_in_the_way_of_a_nomogram(sepals):
    model = Generative(blocks=[Bells()])(sepals)
    holes = np.where(np.arange(len(sepals)) % 3, sepals.columns[0], np.nan)
    holed = Table(sepals.domain, [holes, *sepals.columns[1:]])
    whole = plot.nomogram(model, "versicolor", against="virginica")
    other = plot.nomogram(model, "versicolor", against="virginica", table=holed)
    names = [[label.get_text() for label in ax.get_yticklabels()] for ax in (whole, other)]
    assert names[0] == names[1]


class Numbered(Evidence):
    """Symbols taken for numbers, and these for a narrow Gaussian."""

    def __init__(self):
        self.names = ("s",)

    def log_evidence(self, batch):
        return stats.norm.logpdf(batch.column("s")[:, None], [0.0, 1.0], 0.1)

    def lines(self, variable, classes):
        return [(variable.name, ["?"] * classes)]


class Numbering:
    kinds, columns = ("sym",), None

    def learn(self, table):  # noqa: ARG002 - it knows beforehand
        return Numbered()


def test_a_density_of_symbols_is_no_probability():
    table = Table.of([("u", "n"), ("v", "y")], ["s", "c"])
    with pytest.raises(SatsumaError, match="has no likelihood of a value of 's'"):
        plot.density(Generative(blocks=[Numbering()])(table), "s")
