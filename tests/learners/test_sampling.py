"""Rows drawn from generative models have the moments and the shares of the model."""

import numpy as np
import pytest
from scipy import stats

import satsuma
from satsuma import KDE, LDA, QDA, Binned, Generative, NaiveBayes, SatsumaError, Table
from satsuma.errors import NoSuchValue, ParameterError

N = 20_000


@pytest.fixture(scope="module")
def iris():
    return satsuma.load("iris")


@pytest.fixture(scope="module")
def heart():
    return satsuma.load("heart_disease")


def matrix(table, names):
    return np.column_stack([table[name] for name in names])


def near(found, wanted, sd):
    """Within five standard errors of a mean."""
    return np.all(np.abs(found - wanted) < 5 * np.asarray(sd) / np.sqrt(N))


@pytest.mark.parametrize("learner", [LDA(), QDA()], ids=repr)
def test_numbers_have_the_means_and_covariances_of_the_class(learner, iris):
    model = learner(iris)
    x = matrix(model.sample(N, of="versicolor"), model.features)
    wanted = np.array([[*row.values()] for row in model.covariances["versicolor"].values()])
    sd = np.sqrt(np.diagonal(wanted))
    assert near(x.mean(axis=0), [*model.means["versicolor"].values()], sd)
    assert near(np.cov(x.T), wanted, 2 * np.outer(sd, sd))


@pytest.mark.parametrize("kernel", ["gaussian", "triangular", "triweight"])
def test_numbers_of_kernels_are_those_of_the_density(kernel, iris):
    """The mean is that of the rows, and the variance has the square of the bandwidth in it."""
    table = iris[np.flatnonzero(iris["Species"] != "setosa")]
    model = NaiveBayes(number=KDE(kernel=kernel))(table)
    rows = table["Petal.Length"][table["Species"] == "virginica"]
    drawn = model.sample(N, of="virginica")["Petal.Length"]
    width = model.evidence[0].width[2, 2]
    assert near(drawn.mean(), rows.mean(), drawn.std())
    assert drawn.var() == pytest.approx(rows.var() + width**2, rel=0.05)
    if kernel == "gaussian":
        theirs = stats.norm.cdf(drawn[:, None], rows, width).mean(axis=1)
        assert stats.kstest(theirs, "uniform").pvalue > 1e-3


def test_intervals_have_their_shares_and_end_where_the_rows_do(iris):
    model = NaiveBayes(number=Binned(method="width", n=5, m=0))(iris)
    drawn = model.sample(N, of="setosa")["Sepal.Width"]
    evidence = model.evidence[0]
    edges = [evidence.ends[1, 0], *evidence.cuts[1], evidence.ends[1, 1]]
    assert (edges[0], edges[-1]) == (iris["Sepal.Width"].min(), iris["Sepal.Width"].max())
    shares = np.histogram(drawn, edges)[0] / N
    assert near(shares, evidence.shares[1][:, 0], 0.5)


@pytest.mark.parametrize("learner", [LDA(), QDA(), NaiveBayes()], ids=repr)
def test_symbols_have_their_shares_beside_numbers(learner, heart):
    model = learner(heart)
    rows, drawn = (
        table[np.flatnonzero(table["diameter narrowing"] == "1")]
        for table in (heart, model.sample(2 * N))
    )
    for variable in heart.domain.attributes:
        if variable.kind == "num":
            assert drawn[variable.name].mean() == pytest.approx(
                np.nanmean(rows[variable.name]), rel=0.02
            )
        else:
            for value in variable.values:
                share = np.mean(rows[variable.name] == value)
                assert np.mean(drawn[variable.name] == value) == pytest.approx(share, abs=0.02)


def test_lda_draws_numbers_that_go_with_symbols(heart):
    """The covariance of a number and a value, which naive Bayes would not have."""
    model = LDA(heart)
    drawn = model.sample(N, of="0")
    value = drawn["slope peak exc ST"] == "upsloping"
    found = np.cov(value, drawn["ST by exercise"])[0, 1]
    wanted = model.covariances["0"]["ST by exercise"]["slope peak exc ST = upsloping"]
    assert found == pytest.approx(wanted, abs=0.02)
    assert wanted < -0.1


def test_classes_come_by_their_prior(iris):
    model = LDA(prior={"setosa": 0.5, "versicolor": 0.3, "virginica": 0.2})(iris)
    drawn = model.sample(N)
    assert near([np.mean(drawn["Species"] == c) for c in model.classes], model.prior, 0.5)
    assert drawn.domain == iris.domain


@pytest.mark.parametrize(
    "learner", [NaiveBayes(), NaiveBayes(number="kde"), NaiveBayes(number="auto"), LDA(), QDA()],
    ids=repr,
)  # fmt: skip
def test_the_same_seed_gives_the_same_rows(learner, heart, tmp_path):
    model = learner(heart)
    one = model.sample(50, seed=3)
    assert one.equals(model.sample(50, seed=3))
    assert not one.equals(model.sample(50, seed=4))
    model.save(tmp_path / "m.satsuma")
    assert satsuma.open_model(tmp_path / "m.satsuma").sample(50, seed=3).equals(one)
    learner(one)


def test_what_is_not_known_is_missing():
    rows = [(1.0, 5.0, "k", "a"), (2.0, 5.0, "k", "a"), (None, 5.0, "k", "b")]
    table = Table.of(rows, ["x", "same", "one", "y"], kinds={"x": "num"})
    for learner in (NaiveBayes(), LDA(), QDA(), NaiveBayes(number="kde")):
        drawn = learner(table).sample(9, of="b")
        assert np.isnan(drawn["same"]).all() or learner.__class__ is NaiveBayes
    assert np.isnan(NaiveBayes(table).sample(9, of="b")["x"]).all()


def test_what_is_refused(iris):
    with pytest.raises(SatsumaError, match=r"does not say how probable the values of column 'Sep"):
        NaiveBayes(number="loess")(iris).sample(3)
    with pytest.raises(SatsumaError, match="does not say how probable"):
        Generative(blocks=[satsuma.Laplace()])(satsuma.load("lenses")).sample(3)
    model = NaiveBayes(iris)
    for wrong in (0, -1, 2.5, True):
        with pytest.raises(ParameterError, match="at least one row"):
            model.sample(wrong)
    with pytest.raises(NoSuchValue):
        model.sample(3, of="tulip")


def test_evidence_of_a_user_may_draw_or_is_refused(iris):
    class Silent:
        names = ("Sepal.Length",)

    model = NaiveBayes(iris)
    model.evidence = [Silent()]
    with pytest.raises(SatsumaError, match="Silent has no"):
        model.sample(2)
