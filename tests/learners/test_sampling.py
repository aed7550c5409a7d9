"""Rows drawn from generative models have the moments and the shares of the model."""

import numpy as np
import pytest
from scipy import stats

import satsuma
from satsuma import KDE, LDA, QDA, AnDE, Binned, Generative, NaiveBayes, SatsumaError, Table
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


@pytest.mark.parametrize("learner", [LDA(), QDA(), NaiveBayes(number="gaussian")], ids=repr)
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
    "learner",
    [NaiveBayes(), *(NaiveBayes(number=each) for each in ("gaussian", "kde")), LDA(), QDA()],
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


def tied(n):
    """Columns that depend on each other within a class, some cells missing."""
    rng = np.random.default_rng(2)
    label, first = rng.integers(0, 2, n), rng.integers(0, 3, n)
    second = (first + label + (rng.random(n) < 0.3)) % 3
    third = np.where(rng.random(n) < 0.8, second % 2, 1 - label)
    rows = [
        (f"a{a}" if a or label_ else None, f"b{b}", f"c{c}", f"y{label_}")
        for a, b, c, label_ in zip(first, second, third, label, strict=True)
    ]
    return Table.of(rows, ["a", "b", "c", "y"])


def joint_by_hand(table, parents, weights, value, m):
    """P(row and class), from counts of rows: the definition of Webb et al. (2005), smoothed."""
    names, sizes = ["a", "b", "c"], {"a": 3, "b": 3, "c": 2}
    cells = {name: table[name] for name in [*names, "y"]}

    def count(asked):
        return sum(np.all([cells[k] == v for k, v in asked.items()], axis=0))

    total = 0.0
    for weight, parent in zip(weights, parents, strict=True):
        given = {name: value[name] for name in parent}
        known = sum(all(row[name] is not None for name in parent) for row in table)
        size = 2 * np.prod([sizes[name] for name in parent])
        imagined = m if parent else 0
        share = (count(given | {"y": value["y"]}) + imagined / size) / (known + imagined)
        for name in names:
            if name not in parent:
                both = given | {"y": value["y"]}
                of = sum(count(both | {name: f"{name}{v}"}) for v in range(sizes[name]))
                share *= (count(both | {name: value[name]}) + m / sizes[name]) / (of + m)
        total += weight * share
    return total


@pytest.mark.parametrize("n", [0, 1, 2])
def test_rows_of_averaged_dependence_estimators_come_as_often_as_they_are_probable(n):
    """A chi-square test over all rows there are, by the definition; and each class by its prior."""
    from itertools import combinations, product

    table = tied(300)
    model = AnDE(n=n, number=None, parents="equal", calibrate=False)(table)
    parents = list(combinations("abc", n))
    every = list(product(["a0", "a1", "a2"], ["b0", "b1", "b2"], ["c0", "c1"]))
    drawn = model.sample(N, of="y1", seed=3)
    found = [
        int(np.sum((drawn["a"] == a) & (drawn["b"] == b) & (drawn["c"] == c))) for a, b, c in every
    ]
    wanted = np.array(
        [
            joint_by_hand(
                table, parents, model.weights, dict(zip("abcy", (*row, "y1"), strict=True)), model.m
            )
            for row in every
        ]
    )
    assert sum(found) == N
    assert stats.chisquare(found, N * wanted / wanted.sum()).pvalue > 1e-3
    shares = (model.sample(N, seed=4)["y"] == "y1").mean()
    assert near(shares, model.prior[model.classes.index("y1")], 0.5)


def test_numbers_of_averaged_dependence_estimators_lie_in_their_intervals(iris):
    model = AnDE(iris)
    drawn = model.sample(N, of="virginica", seed=1)
    cuts = model.tally.cuts["Petal.Length"]
    counts = model.tally["Petal.Length"][:, 2]
    found = np.bincount(np.searchsorted(cuts, drawn["Petal.Length"]), minlength=len(cuts) + 1)
    assert near(found / N, counts / counts.sum(), 0.5 + 0.5 * np.sqrt(N) / 50)
    assert not np.isnan(drawn["Petal.Length"]).any()
    assert model.sample(50, seed=9).equals(model.sample(50, seed=9))
    with pytest.raises(NoSuchValue):
        model.sample(5, of="rose")
    with pytest.raises(ParameterError):
        model.sample(0)
