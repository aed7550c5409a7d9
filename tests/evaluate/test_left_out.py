"""Leave-one-out in one pass gives what is learned without each row."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import LeaveOneOut, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

import satsuma.folds
from satsuma import (
    KNN,
    LDA,
    QDA,
    Categorical,
    Gaussian,
    Laplace,
    NaiveBayes,
    Ridge,
    Table,
    cross_validate,
    leave_one_out,
)
from satsuma.learners.left_out import left_out
from satsuma.learners.queries import fitted
from satsuma.measures.standardized_distance import StandardizedDistance
from tests.evaluate.small import mixed, straight

BAYES = [
    NaiveBayes(number="gaussian"),
    NaiveBayes(number="gaussian", m=0, prior=Laplace()),
    NaiveBayes(number=Gaussian(m=2), symbol=Categorical(prior="value", rows="all")),
    NaiveBayes(number="gaussian", symbol=Categorical(prior="class", alpha=0.5), calibrate=False),
    NaiveBayes(number="gaussian", prior={"A": 0.2, "B": 0.5, "C": 0.3}),
]


def counting(table):
    """The rows that are tested."""
    used = ~table.missing(table.domain.target.name)
    if table.weights is not None:
        used &= table.weights > 0
    return table[np.flatnonzero(used)]


def learned_anew(learner, rows, known=None):
    """What each row is predicted to be by a model of all others, as hot as the one of all rows."""
    found = []
    for at in range(len(rows)):
        model = learner(rows[np.arange(len(rows)) != at])
        if known is not None and not known.unsure[at]:
            model.temperature = known.model.temperature
        asked = fitted(rows[at : at + 1], model.domain, model.unseen)
        predict = model.numbers if model.target.kind == "num" else model.probabilities
        found.append(predict(asked)[0])
    return np.array(found)


def table_of(numbers, target):
    rows = [(*row, each) for row, each in zip(numbers.tolist(), target, strict=True)]
    return Table.of(rows, ["a", "b", "c", "z"])


def numbers_alone(table):
    return table.select([name for name in table.domain.names if not name.startswith("s")])


@pytest.mark.parametrize("at", range(len(BAYES)))
@settings(max_examples=4)
@given(seed=st.integers(0, 2**32), weighted=st.booleans())
def test_naive_bayes(at, seed, weighted):
    rows = counting(mixed(seed, 60, weighted=weighted))
    found = left_out(BAYES[at], rows)
    expected = learned_anew(BAYES[at], rows, found)
    np.testing.assert_allclose(found.found, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("learner", [LDA(), QDA(), QDA(prior=Laplace(), calibrate=False)], ids=repr)
@settings(max_examples=4)
@given(seed=st.integers(0, 2**32), weighted=st.booleans())
def test_discriminants(learner, seed, weighted):
    rows = numbers_alone(counting(mixed(seed, 150, weighted=weighted, holes=0.0)))
    found = left_out(learner, rows)
    if found is not None:  # a class may have too few rows for a covariance of its own
        expected = learned_anew(learner, rows, found)
        np.testing.assert_allclose(found.found, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("l2", [0, 0.5, 20])
@settings(max_examples=4)
@given(seed=st.integers(0, 2**32), weighted=st.booleans())
def test_ridge(l2, seed, weighted):
    learner = Ridge(l2=l2, missing="ignore")
    table = mixed(seed, 60, weighted=weighted).with_roles({"n0": "target", "y": "x"})
    rows = counting(table)
    found = left_out(learner, rows)
    if found is not None:  # of a value with a single row nothing is known without it
        expected = learned_anew(learner, rows)
        np.testing.assert_allclose(found.found, expected, rtol=1e-7, atol=1e-9)


def test_intervals_stay_where_all_rows_cut():
    rng = np.random.default_rng(0)
    truth = np.arange(300) % 2
    numbers = rng.normal(size=300) ** 2 * (1 + 8 * truth)
    cells = [(float(x), "ab"[k]) for x, k in zip(numbers, truth, strict=True)]
    table = Table.of(cells, ["x", "y"])
    for number in ("mdl", "auto"):
        found = left_out(NaiveBayes(number=number, calibrate=False), table)
        (evidence,) = found.model.evidence
        cut, parts = np.searchsorted(evidence.cuts[0], table["x"]), len(evidence.cuts[0]) + 1
        assert parts > 1
        for row in range(0, 300, 37):
            rest = np.arange(300) != row
            held = np.array([(rest & (truth == k)).sum() for k in (0, 1)])
            near = rest & (cut == cut[row])
            here = np.array([(near & (truth == k)).sum() for k in (0, 1)])
            joint = held * (here + 2 / parts) / (held + 2)
            np.testing.assert_allclose(found.found[row], joint / joint.sum())


def test_as_scikit_learn():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(80, 3)), rng.integers(0, 3, 80)
    X[:, 0] += y
    alike = (X - X.mean(axis=0)) / X.std(axis=0)
    table = table_of(alike, [f"k{each}" for each in y])
    for learner, peer in (
        (KNN(k=5, weights="uniform", m=0), KNeighborsClassifier(5)),
        (KNN(k=4, weights="distance", m=0), KNeighborsClassifier(4, weights="distance")),
    ):
        found = left_out(learner, table)
        wanted = cross_val_predict(peer, alike, y, cv=LeaveOneOut(), method="predict_proba")
        np.testing.assert_allclose(found.found, wanted, atol=1e-9)
    table = table_of(alike, (X @ [1.0, 2.0, 3.0] + y).tolist())
    for learner, peer in (
        (Ridge(l2=0), LinearRegression()),
        (KNN(k=3, weights="uniform"), KNeighborsRegressor(3)),
    ):
        wanted = cross_val_predict(peer, alike, table["z"], cv=LeaveOneOut())
        np.testing.assert_allclose(left_out(learner, table).found, wanted, atol=1e-9)


def test_gaussians_as_scipy_has_their_densities():
    rng = np.random.default_rng(2)
    truth = np.arange(60) % 3
    numbers = rng.normal(size=(60, 3)) + truth[:, None]
    found = left_out(QDA(calibrate=False), table_of(numbers, ["abc"[each] for each in truth]))
    for at in range(60):
        rest = np.arange(60) != at
        parts = [numbers[rest & (truth == code)] for code in range(3)]
        joint = np.array(
            [
                len(part) * multivariate_normal.pdf(numbers[at], part.mean(axis=0), np.cov(part.T))
                for part in parts
            ]
        )
        np.testing.assert_allclose(found.found[at], joint / joint.sum(), atol=1e-9)


@pytest.mark.parametrize("target", ["y", "n0"])
def test_neighbours_without_the_row_itself(target):
    """Rows that are alike, of any weight; the units of numbers are those of all rows."""
    table = mixed(4, 40).with_roles({target: "target", **({"y": "x"} if target != "y" else {})})
    rows = counting(table[np.r_[0:40, 0:20, 5:10]])
    learner = KNN(k=3, weights="uniform", m=1)
    found = left_out(learner, rows)
    distance = StandardizedDistance.of(rows, 2.0)
    numbers, symbols = distance.cells(rows)
    away = ((numbers[:, None] - numbers) ** 2).sum(axis=2)
    away += distance.apart**2 * (symbols[:, None] != symbols).sum(axis=2)
    weight, truth = rows.weights, rows.column(target)
    for at in range(len(rows)):
        rest = weight * (np.arange(len(rows)) != at)
        order = np.argsort(np.where(rest > 0, away[at], np.inf), kind="stable")
        last = away[at, order[np.argmax(np.cumsum(rest[order]) >= 3 - 1e-9)]]
        inside, end = (away[at] < last - 1e-9) * rest, (abs(away[at] - last) <= 1e-9) * rest
        votes = inside + end * min(1.0, (3 - inside.sum()) / end.sum())
        if target == "n0":
            wanted = (votes * truth).sum() / votes.sum()
        else:
            shares = np.bincount(truth, rest, len(found.model.classes))
            wanted = np.bincount(truth, votes, len(found.model.classes)) + shares / shares.sum()
            wanted = wanted / wanted.sum()
        np.testing.assert_allclose(found.found[at], wanted, atol=1e-9)


def test_rows_without_which_too_few_digits_are_left_are_learned_without():
    rows = [(float(x % 7), "ab"[x % 2]) for x in range(30)] + [(1e9, "a"), (3.0, "c")]
    table, learner = Table.of(rows, ["x", "y"]), NaiveBayes(number="gaussian", calibrate=False)
    asked = learner.left_out(table)
    assert asked.unsure[30]
    found = left_out(learner, table)
    np.testing.assert_allclose(found.found, learned_anew(learner, table), atol=1e-12)


def test_what_has_to_learn_anew():
    holes = numbers_alone(counting(mixed(0, 80)))
    assert left_out(LDA(), holes) is None
    assert left_out(NaiveBayes(number="kde"), holes) is None
    complete = numbers_alone(counting(mixed(0, 80, holes=0.0)))
    assert left_out(LDA(shrinkage=0.5), complete) is None


def test_a_subclass_that_learns_otherwise_is_not_taken_for_its_parent():
    class Turned(Ridge):
        def conclude(self, tally):
            model = super().conclude(tally)
            model.middle += 1
            return model

    rows = counting(straight(0))
    assert left_out(Ridge(), rows) is not None
    assert left_out(Turned(), rows) is None


def test_from_many_rows_on(monkeypatch):
    monkeypatch.setattr(satsuma.folds, "AT_ONCE", 16)
    table = mixed(0, 60, weighted=True)
    learner = NaiveBayes(number="gaussian", calibrate=False)
    rows = counting(table)
    for results in (leave_one_out(learner, table), cross_validate(learner, table, folds=len(rows))):
        there = results.trials[0].parts >= 0
        expected = learned_anew(learner, rows)
        np.testing.assert_allclose(results.probabilities()[there], expected, atol=1e-9)
        wanted = np.array(table.domain.target.values)[expected.argmax(axis=1)]
        assert (results.predictions()[there] == wanted).all()
    line = straight(0, weighted=True)
    found = leave_one_out(Ridge(), line)
    there = found.trials[0].parts >= 0
    expected = learned_anew(Ridge(), counting(line))
    np.testing.assert_allclose(found.predictions()[there], expected, atol=1e-9)
    assert np.isnan(found.predictions()[~there]).all()
