"""Noise is as wide as it must be, models are of use all the same, and several become one."""

import numpy as np
import pytest
from scipy import stats

import satsuma
from satsuma import KNN, LDA, NaiveBayes, PrivacyBudget, Table, learn_privately, merge_models
from satsuma.checks.batches import Batches
from satsuma.checks.law_tables import with_column
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, ParameterError
from satsuma.learners.predictions import GetProbabilities
from satsuma.learners.privacy.noisy_tallies import clipped, sensitivity, with_noise
from satsuma.tallies.class_counts import ClassCounts
from satsuma.tallies.moments import Moments

PLAIN = NaiveBayes(number="gaussian", calibrate=False)
BOUNDS = {"age": (20.0, 80.0), "rest SBP": (80.0, 220.0)}


def heart():
    names = ["age", "rest SBP", "gender", "chest pain", "diameter narrowing"]
    return satsuma.load("heart_disease").select(names)


def released(tally, bounds):
    """The numbers that noise is added to: class counts once, counts, and moments in -1 .. 1."""
    counts, moments = tally[ClassCounts], tally[Moments]
    low, high = np.array([bounds[name] for name in moments.names]).T
    mean = (moments.mean - (low + high) / 2) / ((high - low) / 2)
    squares = moments.m2 / ((high - low) / 2) ** 2 + moments.weight * mean**2
    parts = [counts.class_weight, *counts.counts, moments.weight, moments.weight * mean, squares]
    return np.concatenate([np.ravel(each) for each in parts])


def test_no_row_changes_a_tally_by_more_than_the_sensitivity():
    table = heart()
    whole = PLAIN.tally(clipped(table, BOUNDS))
    assert sensitivity(whole) == 1 + 2 + 3 * 2
    for row in range(0, len(table), 7):
        rest = table[np.delete(np.arange(len(table)), row)]
        change = released(whole, BOUNDS) - released(PLAIN.tally(clipped(rest, BOUNDS)), BOUNDS)
        assert np.abs(change).sum() <= sensitivity(whole) + 1e-6


@pytest.mark.parametrize("epsilon", [0.5, 3.0])
def test_noise_has_the_distribution_of_laplace(epsilon):
    table = heart()
    tally, rng = PLAIN.tally(clipped(table, BOUNDS)), np.random.default_rng(0)
    drawn = [with_noise(tally, epsilon, BOUNDS, rng) for _ in range(600)]
    scale = sensitivity(tally) / epsilon
    truth = tally[ClassCounts].class_weight[0]
    found = np.array([each[ClassCounts].class_weight[0] for each in drawn])
    assert stats.kstest(found - truth, stats.laplace(scale=scale).cdf).pvalue > 0.001
    assert (found == [each[Moments].class_weight[0] for each in drawn]).all()
    at = np.unravel_index(tally[ClassCounts]["gender"].argmax(), (2, 2))
    found = np.array([each[ClassCounts]["gender"][at] for each in drawn])
    noise = found - tally[ClassCounts]["gender"][at]
    assert stats.kstest(noise, stats.laplace(scale=scale).cdf).pvalue > 0.001
    sums = np.array([(each[Moments].weight * each[Moments].mean)[0, 0] for each in drawn])
    middle = 50.0 * np.array([each[Moments].weight[0, 0] for each in drawn])
    truth = (tally[Moments].weight * (tally[Moments].mean - 50.0))[0, 0] / 30
    inside = np.abs(sums - middle) / 30 < np.array([each[Moments].weight[0, 0] for each in drawn])
    noise = (sums - middle)[inside] / 30 - truth
    assert inside.mean() > 0.99
    assert stats.kstest(noise, stats.laplace(scale=scale).cdf).pvalue > 0.001


def test_one_row_more_or_less_hardly_shows():
    """The odds of any count are at most exp(epsilon) with one row of its kind less."""
    epsilon, rng = 1.0, np.random.default_rng(1)
    rows = [("a", "yes")] * 40 + [("b", "no")] * 40
    one, other = (Table.of(some, ["x", "y"]) for some in (rows, rows[1:]))
    counts = [
        np.array([
            with_noise(ClassCounts.of(table), epsilon, {}, rng)["x"][0, 0] for _ in range(20_000)
        ])
        for table in (one, other)
    ]  # fmt: skip
    edges = np.linspace(35, 45, 11)
    a, b = (np.histogram(each, edges)[0] / len(each) for each in counts)
    assert (np.abs(np.log(a / b)) < epsilon / 2 + 0.15).all()  # this cell has half of the change


def test_much_privacy_costs_and_little_is_nearly_free():
    table = heart()
    known = (PLAIN(table)(table) == table["diameter narrowing"]).mean()
    right = [
        np.mean([
            (learn_privately(PLAIN, table, epsilon=e, bounds=BOUNDS, seed=seed)(table)
             == table["diameter narrowing"]).mean()
            for seed in range(20)
        ])
        for e in (0.05, 1, 100)
    ]  # fmt: skip
    assert right[0] < right[1] < right[2]
    assert right[2] == pytest.approx(known, abs=0.01)


def test_files_larger_than_memory_and_tables_give_the_same_model():
    table = heart()
    whole, parts = (
        learn_privately(PLAIN, data, epsilon=2, bounds=BOUNDS, seed=3)(table, GetProbabilities)
        for data in (table, Batches(table, size=40))
    )
    assert whole == pytest.approx(parts, rel=1e-9)
    again = learn_privately(PLAIN, table, epsilon=2, bounds=BOUNDS)(table, GetProbabilities)
    assert not np.allclose(whole, again)


def test_the_model_keeps_only_what_is_noisy(tmp_path):
    table = heart()
    model = learn_privately(PLAIN, table, epsilon=1, bounds=BOUNDS, seed=0)
    model.save(tmp_path / "m.satsuma")
    kept = satsuma.open_model(tmp_path / "m.satsuma").tally
    truth = PLAIN.tally(table)
    assert not np.isin(kept[ClassCounts]["gender"], truth[ClassCounts]["gender"]).any()
    assert not np.isin(kept[Moments].mean, truth[Moments].mean).any()


def test_a_budget_is_spent():
    table, budget = heart(), PrivacyBudget(1.0)
    for _ in range(2):
        learn_privately(PLAIN, table, epsilon=0.4, bounds=BOUNDS, budget=budget)
    assert budget.left == pytest.approx(0.2)
    with pytest.raises(ParameterError, match=r"has 0.2 of 1 left, and this would take 0.4"):
        learn_privately(PLAIN, table, epsilon=0.4, bounds=BOUNDS, budget=budget)
    assert repr(budget) == "PrivacyBudget(1, 0.2 left)"


def test_what_is_refused():
    table = heart()
    with pytest.raises(ParameterError, match="bounds must say what 'age' can be"):
        learn_privately(PLAIN, table, epsilon=1)
    with pytest.raises(ParameterError, match="two numbers that rise"):
        learn_privately(PLAIN, table, epsilon=1, bounds={**BOUNDS, "age": (80, 20)})
    with pytest.raises(ParameterError, match="epsilon must be a number above 0"):
        learn_privately(PLAIN, table, epsilon=0, bounds=BOUNDS)
    with pytest.raises(ParameterError, match="does not learn in one round"):
        learn_privately(KNN(), table, epsilon=1, bounds=BOUNDS)
    with pytest.raises(DomainError, match="no way to add noise to RowSample"):
        learn_privately(NaiveBayes(number="gaussian"), table, epsilon=1, bounds=BOUNDS)
    weighed = with_column(table, Variable("w", role="weight"), 2.0)
    with pytest.raises(DomainError, match="Weights are not private"):
        learn_privately(PLAIN, weighed, epsilon=1, bounds=BOUNDS)


@pytest.mark.parametrize("learner", [PLAIN, LDA(calibrate=False), NaiveBayes(calibrate=False, m=1)])
def test_merged_models_are_that_of_all_rows(learner, tmp_path):
    table = satsuma.load("iris")
    order = np.random.default_rng(0).permutation(150)
    parts = [learner(table[np.sort(order[at::3])]) for at in range(3)]
    parts[0].save(tmp_path / "m.satsuma")  # as it comes from another place
    merged = merge_models([satsuma.open_model(tmp_path / "m.satsuma"), *parts[1:]])
    whole = learner(table)(table, GetProbabilities)
    assert merged(table, GetProbabilities) == pytest.approx(whole, rel=1e-9, abs=1e-12)


def test_private_models_are_merged_too():
    table = heart()
    sites = [
        learn_privately(PLAIN, table[at::2], epsilon=3, bounds=BOUNDS, seed=at) for at in (0, 1)
    ]
    merged = merge_models(sites)
    assert merged.tally[ClassCounts].class_weight == pytest.approx(
        sum(site.tally[ClassCounts].class_weight for site in sites)
    )


def test_what_cannot_be_merged():
    iris = satsuma.load("iris")
    with pytest.raises(ParameterError, match="keeps no tally"):
        merge_models([KNN()(iris)])
    with pytest.raises(ParameterError, match="different learners cannot be merged"):
        merge_models([PLAIN(iris), NaiveBayes(m=9, calibrate=False)(iris)])
    with pytest.raises(ParameterError, match="one or more"):
        merge_models([])
