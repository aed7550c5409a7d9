"""Weights of rows: whole numbers count rows, and fractions compare them."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import AdaBoostClassifier

import satsuma
from satsuma import KNN, LDA, Forest, NaiveBayes, Ridge, Tree
from satsuma.data.weights import relative_weights
from satsuma.errors import DomainError
from tests.every import LEARNERS

WEIGHED = [
    one
    for one in [*LEARNERS, NaiveBayes(number="mdl"), Tree(max_depth=1)]
    if one.takes.weights and "num" in one.takes.kinds
]
X, Y = load_iris(return_X_y=True)
X, Y = X[::3], Y[::3]


def fitted(learner, weights=None):
    target = X[:, 0] + Y if learner.takes.target == "number" else Y
    return type(learner)(**learner.get_params(deep=False)).fit(X, target, sample_weight=weights)


def test_adaboost_of_scikit_learn_over_a_tree():
    rows, classes = load_iris(return_X_y=True)
    boosted = AdaBoostClassifier(Tree(max_depth=1), n_estimators=5).fit(rows, classes)
    assert boosted.score(rows, classes) > 0.9


@pytest.mark.parametrize("learner", WEIGHED, ids=repr)
def test_weights_that_are_equal_are_none(learner):
    plain = fitted(learner).predict(X)
    for each in (1 / len(Y), 0.001, 1000.5, 5e-324):
        np.testing.assert_allclose(fitted(learner, np.full(len(Y), each)).predict(X), plain)


@pytest.mark.parametrize("learner", WEIGHED, ids=repr)
def test_fractions_have_no_scale(learner):
    weights = np.random.default_rng(0).integers(1, 32, len(Y)) / 32 + 1 / 64
    plain = fitted(learner, weights).predict(X)
    for scale in (2.0**-10, 2.0**-1000, 2.0**5):  # powers of 2 round nothing
        np.testing.assert_allclose(fitted(learner, weights * scale).predict(X), plain)


def test_relative_weights_are_one_on_average():
    found = relative_weights(np.array([0.25, 0.0, 0.5, 1e-320]))
    assert found.tolist() == [1.0, 0.0, 2.0, 0.0]
    whole = np.array([3.0, 0.0, 1.0])
    assert relative_weights(whole) is whole


@pytest.mark.parametrize("learner", WEIGHED, ids=repr)
def test_weights_beyond_reason_are_refused(learner):
    for wrong in (1e308, -2.0, np.nan, np.inf):
        weights = np.ones(len(Y))
        weights[1] = wrong
        with pytest.raises(DomainError, match=r"^sample_weight says that row 1 weighs"):
            fitted(learner, weights)


@pytest.mark.parametrize("wrong", [1e308, 5e-324, -2.0])
def test_one_wording_for_one_fault(wrong):
    cells = [(x, "ab"[x % 2], 1.0) for x in range(8)]
    cells[3] = (3, "b", wrong)
    table = satsuma.Table.of(cells, ["x", "y", "w"], target="y").with_roles({"w": "weight"})
    said = r"^Column 'w' says that row 3 weighs .*\. A weight must be 0, which leaves the row out"
    for learn in (
        lambda: Tree()(table),
        lambda: satsuma.cross_validate(NaiveBayes(), table, folds=2),
    ):
        with pytest.raises(DomainError, match=said):
            learn()
    with pytest.raises(DomainError, match=r"^sample_weight says that row 3 weighs"):
        NaiveBayes().partial_fit(
            [[x] for x, *_ in cells], [y for _, y, _ in cells], None, [w for *_, w in cells]
        )


@pytest.mark.parametrize(
    "learner", [Tree(), Forest(trees=2), KNN(), NaiveBayes(number="mdl")], ids=repr
)
def test_a_table_whose_weights_sum_to_one_is_refused(learner):
    weight = satsuma.Variable("w", "num", role="weight")
    iris = satsuma.load("iris")
    columns = [*iris.columns, np.full(150, 1 / 150)]
    table = satsuma.Table(satsuma.Domain([*iris.domain, weight]), columns)
    with pytest.raises(DomainError, match=r"150 rows sum to 1, .* Multiply them by 150,"):
        learner(table)


def test_batches_take_weights_as_they_are():
    weights = np.linspace(0.1, 0.9, len(Y))
    for learner in (NaiveBayes(), LDA(), Ridge()):
        chained = type(learner)()
        for some in (slice(0, 20), slice(20, None)):
            chained.partial_fit(X[some], Y[some], [0, 1, 2], weights[some])
        at_once = type(learner)().partial_fit(X, Y, [0, 1, 2], weights)
        ask = "predict" if isinstance(learner, Ridge) else "predict_proba"
        np.testing.assert_allclose(getattr(chained, ask)(X), getattr(at_once, ask)(X), rtol=1e-7)
