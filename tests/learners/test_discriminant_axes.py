"""The axes of LDA, and the means and covariances of LDA and QDA, by name."""

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

import satsuma
from satsuma import LDA, QDA, Table, plot
from satsuma.errors import DomainError


@pytest.fixture(scope="module")
def iris():
    return satsuma.load("iris")


def matrix(table):
    return np.column_stack([table[v.name] for v in table.domain.attributes])


def aligned(found, wanted):
    """The first with the signs of the second."""
    return found * np.sign((found * wanted).sum(axis=0))


@pytest.mark.parametrize("prior", [None, {"setosa": 0.2, "versicolor": 0.5, "virginica": 0.3}])
def test_axes_are_those_of_scikit_learn(iris, prior):
    """But for the root of n / (n - g): its variance within classes is over n."""
    x, y = matrix(iris), iris["Species"]
    theirs = LinearDiscriminantAnalysis(priors=prior and list(prior.values())).fit(x, y)
    model = LDA(prior=prior)(iris)
    wanted = theirs.transform(x)
    factor = np.sqrt(np.mean([np.var(wanted[y == c], axis=0, ddof=1) for c in model.classes]))
    found = aligned(model.transform(iris), wanted)
    assert np.allclose(found, wanted / factor, rtol=1e-9, atol=1e-9)
    shares = [axis.share for axis in model.axes]
    assert np.allclose(shares, theirs.explained_variance_ratio_, rtol=1e-9)


def test_axes_are_those_of_mass(iris):
    """lda(Species ~ ., iris) of R's MASS, as its manual and many courses print it."""
    first, second = LDA(iris).axes
    wanted = [-0.8293776, -1.5344731, 2.2012117, 2.8104603]
    assert np.allclose(list(first.coefficients.values()), wanted, atol=1e-7)
    wanted = [0.02410215, 2.16452123, -0.93192121, 2.83918785]
    assert np.allclose(list(second.coefficients.values()), wanted, atol=1e-7)
    assert (round(first.share, 4), round(second.share, 4)) == (0.9912, 0.0088)


def test_within_classes_axes_have_the_variance_of_one(iris):
    model, y = LDA(iris), iris["Species"]
    at = model.transform(iris)
    within = sum(np.cov(at[y == c].T) * 49 for c in model.classes) / 147
    assert np.allclose(within, np.eye(2), atol=1e-9)
    spread = {name: np.sqrt(row[name]) for name, row in model.covariances["setosa"].items()}
    axis = model.axes[0]
    assert axis.standardized == pytest.approx(
        {name: each * spread[name] for name, each in axis.coefficients.items()}
    )


def test_symbols_are_zeros_and_ones():
    titanic = satsuma.load("titanic")
    model = LDA(titanic)
    hot = np.column_stack([
        titanic[v.name] == value for v in titanic.domain.attributes for value in v.values
    ]).astype(float)  # fmt: skip
    theirs = LinearDiscriminantAnalysis().fit(hot[:, [0, 1, 2, 4, 6]], titanic["survived"])
    wanted = theirs.transform(hot[:, [0, 1, 2, 4, 6]])
    found = aligned(model.transform(titanic), wanted)
    assert np.allclose(found, wanted * np.sqrt(2199 / 2201), rtol=1e-5, atol=1e-6)
    assert "sex = male" in model.means["yes"]
    share = np.mean(titanic["sex"][titanic["survived"] == "yes"] == "male")
    assert model.means["yes"]["sex = male"] == pytest.approx(share)


@pytest.mark.parametrize("learner", [LDA(), QDA()], ids=repr)
def test_means_and_covariances_by_name(learner, iris):
    model, x, y = learner(iris), matrix(iris), iris["Species"]
    each = [np.cov(x[y == c].T) for c in model.classes]
    wanted = each if isinstance(learner, QDA) else [np.mean(each, axis=0)] * 3
    for c, covariance in zip(model.classes, wanted, strict=True):
        assert list(model.means[c]) == list(model.features) == [*iris.domain.names][:4]
        assert np.allclose(list(model.means[c].values()), x[y == c].mean(axis=0))
        found = [list(row.values()) for row in model.covariances[c].values()]
        assert np.allclose(found, covariance)


def test_scikit_learns_verbs(iris):
    x, y = matrix(iris), iris["Species"]
    learner = LDA()
    assert np.allclose(learner.fit_transform(x, y), LDA(iris).transform(iris))
    assert not hasattr(QDA(), "transform")


def test_missing_cells_add_nothing(iris):
    model = LDA(iris)
    empty = Table.of([(None,) * 4], iris.domain.names[:4], target=None, kinds=dict.fromkeys(
        iris.domain.names[:4], "num"))  # fmt: skip
    assert np.allclose(model.transform(empty), 0)
    row = {"Petal.Length": 5.0}
    found = model.project(model.asked(row))[0]
    gap = 5 - iris["Petal.Length"].mean()
    assert np.allclose(found, [gap * axis.coefficients["Petal.Length"] for axis in model.axes])


def test_a_saved_model_has_the_same_axes(iris, tmp_path):
    model = LDA(iris)
    model.save(tmp_path / "m.satsuma")
    opened = satsuma.open_model(tmp_path / "m.satsuma")
    assert opened.axes == model.axes
    assert np.array_equal(opened.transform(iris), model.transform(iris))


def test_more_columns_than_rows_are_shrunk():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(12, 40)), np.arange(12) % 2
    for learner in (LDA, QDA):
        found, auto = (learner(shrinkage=how).fit(x, y) for how in (None, "auto"))
        assert np.allclose(found.predict_proba(x), auto.predict_proba(x))


def test_without_axes():
    one = Table.of([(1.0, "a"), (2.0, "a")], ["x", "y"])
    model = LDA(one)
    assert model.axes == ()
    assert model.transform(one).shape == (2, 0)
    with pytest.raises(DomainError, match="no discriminant axis"):
        plot.discriminants(model)
    words = satsuma.load("lenses")
    nothing = QDA(words)
    assert (nothing.means, nothing.covariances, nothing.features) == ({}, {}, ())


class TestPlot:
    def test_points_are_the_rows_on_two_axes(self, iris):
        model = LDA(iris)
        ax = plot.discriminants(model, iris)
        drawn = np.vstack([each.get_offsets() for each in ax.collections])
        assert np.allclose(drawn, model.transform(iris)[:, :2])
        centres = np.array([[*line.get_xdata(), *line.get_ydata()] for line in ax.lines])
        wanted = [[model.transform(iris)[iris["Species"] == c, at].mean() for at in (0, 1)]
                  for c in model.classes]  # fmt: skip
        assert np.allclose(centres, wanted)
        assert "99%" in plot.describe(ax)

    def test_one_axis_has_densities(self):
        heart = satsuma.load("heart_disease")
        ax = plot.discriminants(LDA(heart), heart)
        assert ax.get_ylabel() == "density"
        for curve in ax.lines[:4:2]:
            assert np.trapezoid(curve.get_ydata(), curve.get_xdata()) == pytest.approx(1, abs=0.01)

    def test_other_models_are_refused(self, iris):
        with pytest.raises(DomainError, match="models of LDA"):
            plot.discriminants(QDA(iris), iris)
