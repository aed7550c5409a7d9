"""Measures, their intervals, and verdicts: beside scikit-learn, a bootstrap, and simulations."""

import numpy as np
import pytest
from sklearn import metrics

from satsuma import (
    LDA,
    Cost,
    Majority,
    Profit,
    Tree,
    Variable,
    compare,
    cross_validate,
    load,
    threshold,
)
from satsuma.errors import ParameterError
from satsuma.evaluate.paired_tests import difference
from satsuma.evaluate.recommendation import judge
from satsuma.evaluate.results import Results
from satsuma.evaluate.scores import SCORES, find_score, quantile_loss
from satsuma.evaluate.trial import Predictions, Trial
from satsuma.folds import deal
from tests.evaluate.small import Level, Line, straight

CLASSES = Variable("y", "sym", ("no", "yes"), "target")


def drawn(seed=0, n=300, classes=3):
    """Codes that are right more often than not, and weights."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(classes, n, p=[0.6, 0.3, 0.1][:classes] if classes == 3 else None)
    predicted = np.where(rng.random(n) < 0.6, truth, rng.integers(0, classes, n))
    return predicted, truth, rng.choice([0.5, 1.0, 2.0], n)


def matrix_of(predicted, truth, weights):
    found = np.zeros((3, 3))
    np.add.at(found, (truth, predicted), weights)
    return found


def test_balanced_accuracy_and_quantile_loss_as_scikit_learn():
    predicted, truth, weights = drawn()
    want = metrics.balanced_accuracy_score(truth, predicted, sample_weight=weights)
    found = SCORES["balanced accuracy"].of(matrix_of(predicted, truth, weights))
    assert found == pytest.approx(want)
    one = metrics.balanced_accuracy_score(truth == 1, predicted == 1, sample_weight=weights)
    found = SCORES["balanced accuracy"].of(matrix_of(predicted, truth, weights), 1)
    assert found == pytest.approx(one)
    want = metrics.mean_pinball_loss(truth, predicted, alpha=0.8, sample_weight=weights)
    loss = quantile_loss(0.8)
    assert loss.of(predicted.astype(float), truth.astype(float), weights) == pytest.approx(want)


MATRIX = ["F1", "precision", "recall", "MCC", "kappa", "balanced accuracy"]


@pytest.mark.parametrize("name", MATRIX)
def test_what_rows_add_to_a_score_has_its_mean_and_the_spread_of_a_bootstrap(name):
    predicted, truth, weights = drawn()
    score, parts = SCORES[name], np.zeros(300, int)
    each = score.each(predicted, truth, weights, parts)
    want = score.of(matrix_of(predicted, truth, weights))
    assert np.average(each, weights=weights) == pytest.approx(want, abs=1e-5)
    each, rng = score.each(predicted, truth, np.ones(300), parts), np.random.default_rng(1)
    again = [rng.integers(0, 300, 300) for _ in range(400)]
    spread = np.std([score.of(matrix_of(predicted[k], truth[k], np.ones(300))) for k in again])
    assert difference(each, None, np.inf).error == pytest.approx(spread, rel=0.15)


def test_what_rows_add_to_r_squared():
    rng = np.random.default_rng(0)
    truth = rng.normal(size=400)
    predicted = truth + rng.normal(size=400) * 0.7
    score = SCORES["R2"]
    each = score.each(predicted, truth, np.ones(400), None)
    assert each.mean() == pytest.approx(score.of(predicted, truth, np.ones(400)))
    again = [rng.integers(0, 400, 400) for _ in range(400)]
    spread = np.std([score.of(predicted[k], truth[k], np.ones(400)) for k in again])
    assert difference(each, None, np.inf).error == pytest.approx(spread, rel=0.15)


def test_costs_are_those_of_the_cheapest_decisions():
    results = cross_validate(LDA(), load("iris"), folds=5)
    amounts = {
        ("setosa", "virginica"): 3.0,
        ("versicolor", "virginica"): 9,
        ("virginica", "setosa"): 1,
    }
    costs = np.array([[0.0, 0, 3], [0, 0, 9], [1, 0, 0]])
    thought, truth = results.probabilities(), results.trials[0].truth
    best = [min(range(3), key=lambda d, p=p: (p @ costs[:, d], d)) for p in thought]
    want = costs[truth, best].mean()
    assert results.pooled(Cost(amounts))["LDA"] == pytest.approx(want)
    gain = Profit({pair: -amount for pair, amount in amounts.items()})
    assert results.pooled(gain)["LDA"] == pytest.approx(-want)
    assert results.rises(gain)
    assert not results.rises(Cost(amounts))
    nested = {}
    for (true, decided), amount in amounts.items():
        nested.setdefault(true, {})[decided] = amount
    for given in (amounts, nested, costs, costs.tolist(), Cost(nested), Cost(costs)):
        assert results.pooled(given)["LDA"] == pytest.approx(want)
        assert results.score_name(given) == "cost"
    assert results.pooled(Profit(-costs))["LDA"] == pytest.approx(-want)


def test_learners_are_compared_by_bare_costs():
    learners, table = [LDA(), Majority()], load("heart_disease")
    asked = {("1", "0"): 5, ("0", "1"): 1}
    want = compare(table, learners, measure=Cost(asked), folds=3)
    for measure in (asked, {"1": {"0": 5}, "0": {"1": 1}}, np.array([[0, 1], [5, 0]])):
        found = compare(table, learners, measure=measure, folds=3)
        assert found.scores() == want.scores()
        assert found.scores(measure) == want.scores()
        assert (found.advice, found.choice) == (want.advice, want.choice)
    chosen = [threshold(want.results, by=each, learner="LDA") for each in (asked, Cost(asked))]
    assert chosen[0] == chosen[1]


@pytest.mark.parametrize(
    ("amounts", "told"),
    [
        ({}, "amounts by true class and decision"),
        ({"yes": 1}, "amounts by true class and decision"),
        ({("yes", "maybe"): 1}, "maybe"),
        ({("yes", "no"): "much"}, "must be a number"),
        ({"yes": {"no": "much"}}, "must be a number"),
        ({"yes": {"maybe": 1}}, "maybe"),
        (np.zeros((3, 3)), "in the order of the classes: 'no', 'yes'"),
        (np.full((2, 2), np.nan), "all of them numbers"),
        ([[0, 1], [5]], "or as a matrix"),
        ("cost", "or as a matrix"),
    ],
)
def test_costs_that_cannot_be(amounts, told):
    with pytest.raises((ParameterError, KeyError), match=told):
        find_score(Cost(amounts), CLASSES)
    with pytest.raises(ParameterError, match="has numbers"):
        find_score(Cost({("yes", "no"): 1}), Variable("y", role="target"))


def test_every_score_has_an_interval_about_it():
    classes = cross_validate([Majority(), Tree()], load("titanic"), folds=3, repeats=2)
    numbers = cross_validate([Line(), Level()], straight(0), folds=3)
    for results in (classes, numbers):
        kind = "numbers" if results is numbers else ("confusion", "probabilities")
        names = [name for name, each in SCORES.items() if each.needs in kind and each.each]
        assert len(names) >= 4
        for name in names:
            means, found = results.scores(name), results.intervals(name)
            for learner in results.learners:
                low, high = found[learner]
                assert low - 1e-12 <= means[learner] <= high + 1e-12
                assert high - low < 2.0 or name == "R2"
    assert np.isnan(classes.intervals("ECE")["Tree"]).all()


@pytest.mark.parametrize("stratified", [True, False])
def test_the_interval_of_accuracy_covers_the_truth(stratified):
    """Rows of two bells, and the line between the means of those learned from.

    Rows that are not dealt by class are drawn without regard to it, too: where both classes are
    made equally frequent, any fold that has more of one is predicted by rows that have less of it.
    """
    rng, covered = np.random.default_rng(not stratified), 0
    for _ in range(500):
        n, shift = int(rng.choice([50, 120, 300])), rng.choice([0.5, 1.0, 2.0])
        y = rng.permutation(n) % 2 if stratified else rng.integers(0, 2, n)
        x = rng.normal(size=n) + shift * y
        results = simulated([x], y, int(rng.integers(2, 21)), rng, stratified=stratified)
        low, high = results.intervals("CA")["0"]
        covered += low <= _share_right(x, y, shift) <= high
    assert 0.93 <= covered / 500 <= 0.97


def _share_right(x, y, shift):
    """How often the model of all rows is right about rows of two bells."""
    from scipy.stats import norm

    a, b = x[y == 0].mean(), x[y == 1].mean()
    spread = (x[y == 0].var() + x[y == 1].var()) / 2
    cut = (a + b) / 2 - spread * np.log(y.mean() / (1 - y.mean())) / (b - a)
    right = (norm.cdf(cut) + norm.sf(cut - shift)) / 2
    return right if b > a else 1 - right


def simulated(columns, y, folds, rng, *, stratified=True):
    """Results of learners of one column each: the nearer mean, of the rows learned from."""
    truth = y.astype(np.int32)
    dealt = deal(truth if stratified else np.zeros_like(truth), folds, rng)
    trial = Trial(CLASSES, truth, None, dealt, folds, 1 / (folds - 1))
    for at, x in enumerate([*columns, None]):
        thought = np.zeros(len(y))
        for fold in range(folds):
            test, train = dealt == fold, dealt != fold
            thought[test] = y[train].mean() if x is None else _thought(x[train], y[train], x[test])
        both = np.column_stack([1 - thought, thought])
        name = "Majority" if x is None else str(at)
        trial.predictions[name] = Predictions(
            (thought > 0.5).astype(np.int8), 0.0, lambda b=both: b
        )
    return Results(list(trial.predictions), [trial], "simulated")


def _thought(x, y, asked):
    a, b = x[y == 0].mean(), x[y == 1].mean()
    spread = (x[y == 0].var() + x[y == 1].var()) / 2 + 1e-9
    odds = ((asked - a) ** 2 - (asked - b) ** 2) / (2 * spread) + np.log(y.mean() / (1 - y.mean()))
    return 1 / (1 + np.exp(-np.clip(odds, -30, 30)))


NAMED = {"Majority": Majority(), "0": LDA(), "1": LDA(), "2": LDA()}


@pytest.mark.parametrize("stratified", [True, False])
def test_learners_that_are_alike_are_seldom_told_apart(stratified):
    """Three columns that tell as much of the class, from nothing to a lot; 2 to 20 folds."""
    rng, claimed = np.random.default_rng(1), {"CA": 0, "log loss": 0}
    for _ in range(500):
        n, shift = int(rng.choice([40, 100, 300])), rng.choice([0.0, 0.5, 1.5])
        y = rng.permutation(n) % 2 if stratified else rng.integers(0, 2, n)
        x = rng.normal(size=(3, n)) + shift * y
        results = simulated(x, y, int(rng.integers(2, 21)), rng, stratified=stratified)
        alike = Results(["0", "1", "2"], results.trials, "alike")
        for score in claimed:
            claimed[score] += max(alike.rank(score).values()) > 1
    assert max(claimed.values()) <= 0.06 * 500


def test_columns_that_tell_nothing_are_seldom_better_than_the_baseline():
    rng, claimed = np.random.default_rng(2), 0
    for _ in range(500):
        n, share = int(rng.choice([40, 100, 300])), rng.choice([0.5, 0.3, 0.1])
        y = rng.permutation((np.arange(n) < max(3, share * n)).astype(int))
        results = simulated(rng.normal(size=(3, n)), y, int(rng.integers(2, 7)), rng)
        claimed += judge(NAMED, results).beaten
    assert claimed <= 0.06 * 500


@pytest.mark.parametrize("folds", [2, 3, 5, 10, 20])
def test_differences_are_found_whatever_the_folds(folds):
    """As much as of 303 patients a good model knows, and as of 2,000 rows with a rare class."""
    rng, found = np.random.default_rng(folds), 0
    for _ in range(20):
        y = rng.permutation(303) % 2
        results = simulated(rng.normal(size=(2, 303)) + 1.8 * y, y, folds, rng)
        found += len(judge(NAMED, results).better) == 2
        rare = (np.arange(2000) < 390).astype(int)
        tells = rng.random(2000) < np.where(rare, 0.92, 0.4)
        results = simulated([tells + rng.normal(size=2000) * 0.2], rare, folds, rng)
        judged = judge(NAMED, results)
        found += judged.beaten and judged.score == "log loss"
    assert found >= 39
