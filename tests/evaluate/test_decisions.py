"""Decisions: curves beside scikit-learn's, thresholds beside brute force, and being unsure."""

import numpy as np
import pytest
from sklearn import metrics

from satsuma import (
    LDA,
    Cost,
    Logistic,
    Mean,
    Profit,
    cross_validate,
    load,
    plot,
    reject,
    threshold,
)
from satsuma.data.weights import with_weights
from satsuma.errors import DomainError, ParameterError
from satsuma.evaluate.decision_curve import Thoughts


@pytest.fixture(scope="module")
def results():
    adult = load("adult_sample")
    weights = np.random.default_rng(0).choice([0.5, 1.0, 2.0], len(adult))
    return cross_validate([Logistic(), LDA()], with_weights(adult, weights), folds=3)


def known(results):
    trial = results.trials[0]
    code = results.target.code(">50K")
    return results.probabilities("Logistic")[:, code], trial.truth == code, trial.weights


def test_curves_as_scikit_learn(results):
    thought, true, weights = known(results)
    curve = Thoughts.of(results, None, "Logistic").curve()
    assert curve.value == ">50K"
    far, tall, at = metrics.roc_curve(true, thought, sample_weight=weights, drop_intermediate=False)
    np.testing.assert_allclose(curve.thresholds, at)
    np.testing.assert_allclose(curve.recall, tall, atol=1e-12)
    np.testing.assert_allclose(curve.false_alarms, far, atol=1e-12)
    want = metrics.roc_auc_score(true, thought, sample_weight=weights)
    assert curve.area == pytest.approx(want)
    want = metrics.average_precision_score(true, thought, sample_weight=weights)
    assert curve.average_precision == pytest.approx(want)


def f1(true, called, weights):
    return metrics.f1_score(true, called, sample_weight=weights)


def best_f1(true, thought, weights):
    return max(f1(true, thought >= each, weights) for each in np.unique(thought)[::7])


def test_the_threshold_of_the_best_f1(results):
    thought, true, weights = known(results)
    found = threshold(results, learner="Logistic")
    every = [
        metrics.f1_score(true, thought >= t, sample_weight=weights) for t in np.unique(thought)
    ]
    assert metrics.f1_score(true, found(thought), sample_weight=weights) == pytest.approx(
        max(every)
    )
    said = metrics.precision_score(true, found(thought), sample_weight=weights)
    assert found.precision == pytest.approx(said)
    assert "the best F1" in repr(found)


@pytest.mark.parametrize("kind", [Cost, Profit])
def test_the_threshold_of_the_least_cost(results, kind):
    thought, true, weights = known(results)
    amounts = {(">50K", "<=50K"): 4.0, ("<=50K", ">50K"): 1.0, (">50K", ">50K"): -0.5}
    amounts = amounts if kind is Cost else {pair: -each for pair, each in amounts.items()}
    found = threshold(results, by=kind(amounts), learner="Logistic")

    def cost(called):
        each = np.where(true, np.where(called, -0.5, 4.0), np.where(called, 1.0, 0.0))
        return np.average(each, weights=weights)

    least = min(cost(thought >= t) for t in [*np.unique(thought), 2.0])
    assert cost(found(thought)) == pytest.approx(least)
    assert abs(found.amount) == pytest.approx(abs(least))
    assert abs(found.otherwise) == pytest.approx(abs(cost(thought >= 0.5)))


def test_as_many_rows_as_can_be_acted_upon():
    results = cross_validate(Logistic(), load("adult_sample"), folds=3)
    thought = results.probabilities()[:, results.target.code(">50K")]
    found = threshold(results, capacity=50)
    assert 45 <= found(thought).sum() <= 50
    assert threshold(results, capacity=50, rows=500).called == pytest.approx(0.1, abs=0.01)
    assert threshold(results, capacity=5000).called == 1.0


def test_other_priors_move_the_threshold_as_weights_would(results):
    thought, true, weights = known(results)
    there = np.average(true, weights=weights)
    priors = {">50K": 0.5, "<=50K": 0.5}
    found = threshold(results, learner="Logistic", priors=priors)
    moved = weights * np.where(true, 0.5 / there, 0.5 / (1 - there))
    assert f1(true, found(thought), moved) >= best_f1(true, thought, moved) - 1e-12


def test_a_model_and_rows_it_has_not_learned_from():
    adult = load("adult_sample")
    model = Logistic()(adult[:600])
    found = threshold(model, adult[600:])
    assert 0 < found.threshold < 1
    with pytest.raises(DomainError, match="without a table"):
        threshold(model)


def test_what_being_unsure_buys(results):
    found = reject(results, learner="Logistic", share=0.1)
    thought, truth = results.probabilities("Logistic"), results.trials[0].truth
    weights = results.trials[0].weights
    unsure, right = found(thought), thought.argmax(axis=1) == truth
    assert found.unsure == pytest.approx(np.average(unsure, weights=weights))
    assert 0.08 < found.unsure <= 0.1
    assert found.accuracy == pytest.approx(np.average(right[~unsure], weights=weights[~unsure]))
    assert found.of_unsure == pytest.approx(np.average(right[unsure], weights=weights[unsure]))
    assert found.interval[0] < found.accuracy < found.interval[1]
    asked = reject(results, learner="Logistic", accuracy=0.95)
    assert asked.accuracy >= 0.95
    assert asked.unsure > found.unsure
    assert repr(found).startswith("Unsure: ")
    iris = cross_validate(LDA(), load("iris"), folds=3)
    assert np.isnan(reject(iris, share=0.0).of_unsure)


def test_what_cannot_be_asked(results):
    iris = cross_validate(LDA(), load("iris"), folds=3)
    numbers = cross_validate(Mean(), load("housing"), folds=3)
    three = Cost({("setosa", "virginica"): 1})
    for call, told in (
        (lambda: threshold(iris), "has 3 classes. Name the one"),
        (lambda: threshold(iris, by=three, value="setosa"), "two classes"),
        (lambda: threshold(results, by="luck", learner="LDA"), "'F1', a Cost or a Profit"),
        (lambda: threshold(results, capacity=0, learner="LDA"), "'capacity' parameter"),
        (lambda: threshold(results, learner="LDA", priors={">50K": 1.0}), "priors= must have"),
        (lambda: threshold(results), "There is no learner None"),
        (lambda: reject(results, learner="LDA"), "one of them"),
        (lambda: reject(results, learner="LDA", share=2), "from 0 to 1"),
    ):
        with pytest.raises(ParameterError, match=told):
            call()
    with pytest.raises(DomainError, match="has numbers"):
        threshold(numbers)
    for draw in (plot.roc, plot.gain, plot.threshold, plot.precision_recall):
        with pytest.raises(DomainError, match="learners of classes"):
            draw(numbers)


def test_pictures_show_the_curves(results):
    curve = Thoughts.of(results, None, "LDA").curve()
    for draw, x, y in (
        (plot.roc, curve.false_alarms, curve.recall),
        (plot.gain, curve.called, curve.recall),
        (plot.precision_recall, curve.recall[1:], curve.precision[1:]),
    ):
        ax = draw(results, learners=["LDA"])
        np.testing.assert_allclose(ax.lines[0].get_xdata(), x)
        np.testing.assert_allclose(ax.lines[0].get_ydata(), y)
        assert "LDA" in plot.describe(ax)
    ax = plot.threshold(results, by=Cost({(">50K", "<=50K"): 4}), learner="LDA")
    assert "Call a row '>50K'" in plot.describe(ax)
    assert len(ax.lines) == 5
