import pickle

import numpy as np
import pytest

from satsuma import KNN, LDA, NaiveBayes
from satsuma.errors import SatsumaError


def rows(n=700, d=3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (X[:, 0] + rng.normal(size=n) > 0).astype(int)


def one_by_one(learner, X, y):
    for at in range(len(X)):
        learner.partial_fit(X[at : at + 1], y[at : at + 1])
    return learner


@pytest.mark.parametrize("kind", [NaiveBayes, LDA])
@pytest.mark.parametrize("labels", [np.array([0, 1]), np.array(["no", "yes"])])
def test_rows_that_waited_are_learned_from(kind, labels):
    X, codes = rows()
    y = labels[codes]
    learner = kind().partial_fit(X[:50], y[:50])
    one_by_one(learner, X[50:], y[50:])
    assert 0 < len(vars(learner)["_waiting"]) < 650
    again = kind().fit(X, y)
    assert learner.tally_.close_to(again.tally_)
    np.testing.assert_allclose(learner.predict_proba(X), again.predict_proba(X), rtol=1e-6)


def test_each_prediction_knows_all_rows_before_it():
    X, y = rows(30)
    learner = NaiveBayes().partial_fit(X[:20], y[:20])
    for at in range(20, 30):
        learner.partial_fit(X[at : at + 1], y[at : at + 1])
        again = NaiveBayes().partial_fit(X[: at + 1], y[: at + 1])
        np.testing.assert_allclose(learner.predict_proba(X[:3]), again.predict_proba(X[:3]))


def test_a_row_that_is_changed_later_was_copied():
    X, y = rows(100)
    learner, again = (NaiveBayes().partial_fit(X[:50], y[:50]) for _ in range(2))
    row = np.empty((1, 3))
    for at in range(50, 100):
        row[:] = X[at]
        learner.partial_fit(row, y[at : at + 1])
    assert learner.tally_.close_to(again.partial_fit(X[50:], y[50:]).tally_)


def test_what_is_wrong_with_a_row_is_told_at_once():
    X, y = rows(100)
    learner = NaiveBayes().partial_fit(X, y)
    learner.partial_fit(X[:1], y[:1])
    for bad in (np.array([[np.inf, 0, 0]]), np.zeros((1, 4))):
        with pytest.raises((SatsumaError, ValueError), match=r".+"):
            learner.partial_fit(bad, y[:1])
    learner.m = -1.0
    with pytest.raises(SatsumaError, match="'m' parameter"):
        learner.partial_fit(X[:1], y[:1])


def test_other_rows_are_learned_from_beside_those_that_wait():
    X, y = rows(100)
    learner = NaiveBayes().partial_fit(X, y)
    learner.partial_fit(X[:1], y[:1])
    learner.partial_fit(np.array([[np.nan, 1.0, 2.0]]), y[:1])
    learner.partial_fit(X[1:2], y[1:2], sample_weight=[2.0])
    learner.partial_fit(X[2:3], np.array([7]))
    assert learner.classes_.tolist() == [0, 1, 7]
    assert learner.tally_[type(learner.tally_.parts[0])].class_weight.sum() == 105


def test_rows_that_wait_are_saved_and_forgotten():
    X, y = rows(100)
    learner = NaiveBayes().partial_fit(X[:50], y[:50])
    one_by_one(learner, X[50:], y[50:])
    copied = pickle.loads(pickle.dumps(learner))
    np.testing.assert_array_equal(copied.predict_proba(X), learner.predict_proba(X))
    learner.partial_fit(X[:1], y[:1])
    np.testing.assert_array_equal(
        learner.fit(X, y).predict_proba(X), NaiveBayes().fit(X, y).predict_proba(X)
    )


def test_there_is_no_tally_before_learning():
    assert not hasattr(NaiveBayes(), "tally_")
    X, y = rows(20)
    assert not hasattr(KNN().fit(X, y), "tally_")
