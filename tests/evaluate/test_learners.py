"""The learners that come with Satsuma, through every sort of validation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import satsuma
import satsuma.folds
from satsuma import Majority, Mean, NaiveBayes, cross_validate, hold_out, leave_one_out, read
from tests.evaluate.small import FOLDED, mixed, straight


@given(**FOLDED, m=st.sampled_from([0.0, 0.5, 2.0]))
def test_merging_equals_learning_anew(*, seed, classes, folds, weighted, block, m):
    table = mixed(seed, 100, classes, weighted=weighted, block=block)
    learners = {"bayes": NaiveBayes(m=m), "majority": Majority()}
    results = cross_validate(learners, table, folds=folds, seed=seed)
    parts = results.trials[0].parts
    for name, learner in learners.items():
        found = results.probabilities(name)
        for fold in range(folds):
            model = learner(table[(parts >= 0) & (parts != fold)])
            rows = parts == fold
            expected = model(table[rows], satsuma.GetProbabilities)
            np.testing.assert_allclose(found[rows], expected, rtol=0, atol=1e-9)
            assert (results.predictions(name)[rows] == model(table[rows])).all()


@given(st.integers(0, 2**32))
def test_means_by_merging(seed):
    table = straight(seed, 40, weighted=True)
    results = cross_validate(Mean(), table, folds=4)
    parts = results.trials[0].parts
    for fold in range(4):
        model = Mean()(table[(parts >= 0) & (parts != fold)])
        assert results.predictions()[parts == fold] == pytest.approx(model(table[:1])[0])


def test_leaving_one_out_of_many(monkeypatch):
    monkeypatch.setattr(satsuma.folds, "AT_ONCE", 16)
    table = mixed(0, 150)
    learner = NaiveBayes(number="kde", calibrate=False)
    results = leave_one_out(learner, table)
    rows = np.flatnonzero(results.trials[0].parts >= 0)
    for row in rows[::20]:
        model = learner(table[np.arange(150) != row])
        expected = model(table[row : row + 1], satsuma.GetProbabilities)[0]
        np.testing.assert_allclose(results.probabilities()[row], expected, atol=1e-9)


def test_voting_as_in_the_tutorial(shared):
    # cases.json, 000-bayes-test-voting: 0.901 in ten folds, 0.012 either way by other folds.
    table = read(shared("orange/voting.tab"))
    for seed in range(3):
        found = cross_validate(NaiveBayes(m=2), table, folds=10, seed=seed).scores("CA")
        assert found["NaiveBayes"] == pytest.approx(0.901, abs=0.012)


def test_iris_as_in_the_reference(shared):
    # cases.json, ref-cv-iris-nb: Gaussian densities 0.96 in ten folds, the majority 0.3333.
    table = read(shared("orange/iris.tab"))
    results = cross_validate([NaiveBayes(), Majority()], table, folds=10)
    assert results.scores("CA")["NaiveBayes"] == pytest.approx(0.96, abs=0.02)
    assert results.scores("CA")["Majority"] == pytest.approx(1 / 3)
    assert results.rank() == {"NaiveBayes": 1, "Majority": 2}


def test_every_name_is_at_hand():
    for name in ("cross_validate", "hold_out", "learning_curve", "leave_one_out", "test_on"):
        assert callable(getattr(satsuma, name))
    table = satsuma.load("iris")
    assert hold_out(NaiveBayes(), table).scores("CA")["NaiveBayes"] > 0.9
    curve = satsuma.learning_curve([NaiveBayes(), Majority()], table, sizes=[12, 1.0])
    assert curve.scores("CA")["NaiveBayes"][-1] > 0.9
    assert satsuma.test_on(NaiveBayes(), table, table).scores("CA")["NaiveBayes"] > 0.9
