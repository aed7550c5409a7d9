"""Stopping: what is said of recall beside simulated finds, and of accuracy."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import satsuma
from satsuma import Majority, NaiveBayes, Ridge, Table, Text, plot, stop_advice
from satsuma.active.active_learning import Active, hide_labels
from satsuma.active.oracle import Oracle
from satsuma.active.recall import Finds
from satsuma.active.stop_by_accuracy import _beats
from satsuma.active.stop_by_error import _interval
from satsuma.active.stop_by_recall import finds_of, recall_advice, stop_point
from satsuma.errors import ParameterError, SatsumaError
from tests.learners.text.test_text import papers


def falling(rng, rows, relevant, rate):
    """Finds in order, where relevant rows come at a rate that falls exponentially."""
    at = np.unique((rng.exponential(rate, relevant) * 1).astype(int))
    at = at[at < rows]
    found = np.zeros(rows, np.bool_)
    found[at] = True
    return found


def test_the_interval_holds_what_comes_later():
    rng = np.random.default_rng(1)
    inside, total = 0, 200
    for _ in range(total):
        found = falling(rng, 3000, 80, 300)
        rest = Finds(found[:500], 3000).rest(0.9)
        inside += rest.least <= found[500:].sum() <= rest.most
        assert rest.least <= rest.expected + 1 <= rest.most + 2
    assert inside / total > 0.88


def test_it_is_never_asked_for_more_than_twice_the_labels_by_patience_alone():
    rng = np.random.default_rng(2)
    for _ in range(50):
        found = falling(rng, 4000, 120, rng.integers(40, 400))
        needed = Finds(found, 4000).labels_for(0.95)
        stop = stop_point(Finds(found, 4000))
        if needed > 300:  # beneath, a floor holds: so many labels since must have brought little
            assert stop is not None
            assert stop <= 2 * needed


def test_labels_for_a_share_by_counting():
    found = np.array([1, 0, 1, 1, 0, 0, 1], bool)
    assert [Finds(found, 9).labels_for(share) for share in (0.25, 0.5, 0.75, 1.0)] == [1, 3, 4, 7]


def test_early_on_the_advice_is_to_go_on():
    found = np.zeros(100, bool)
    found[[0, 5, 11]] = True
    assert not recall_advice(Finds(found, 5000)).stop
    assert not recall_advice(Finds(np.zeros(100, bool), 5000)).stop
    assert recall_advice(Finds(found, 100)).stop  # nothing is left


def test_a_screening_stops_with_the_relevant_found():
    table = papers(600, shares=[0.93, 0.07], columns=2)
    relevant = np.array([value == "hill" for value in table["topic"]])
    start = [int(np.flatnonzero(relevant)[0]), int(np.flatnonzero(~relevant)[0])]
    how = Active(learner=Text(sought="hill"), acquire="certain", start=start)
    labelling = how.begin(hide_labels(table))
    while not labelling.order or not stop_advice(labelling).stop:
        (row,) = labelling.ask()
        labelling.tell(row, table.cell(row, "topic"))
    advice = stop_advice(labelling)
    assert advice.found >= 0.95 * (relevant.sum() - 1)  # one was given
    assert advice.labels == len(labelling.order) - 2 < 400
    assert str(advice).startswith("Stop: ")
    assert advice.least <= advice.value <= advice.most
    assert finds_of(labelling, "hill").total == advice.found
    ax = plot.recall(labelling, relevant=int(relevant.sum()))
    assert f"first advice to stop after {advice.labels}" in plot.describe(ax)
    assert ax.get_lines()[0].get_ydata()[-1] == advice.found


def stopped(name):
    """A table that is labelled until it is advised to stop, as it is in the end."""
    table = satsuma.load(name)
    labelling, oracle = Active(learner=NaiveBayes()).begin(hide_labels(table)), Oracle(table)
    while len(labelling.order) < 20 or not stop_advice(labelling).stop:
        for row in labelling.ask(4):
            labelling.tell(row, oracle.ask(table[row]))
    return labelling


def test_accuracy_counts_where_nothing_is_sought():
    voting = satsuma.load("voting")
    few = Active(learner=NaiveBayes(), budget=10)(hide_labels(voting), Oracle(voting))
    assert "nothing can be said" in str(stop_advice(few))
    advice = stop_advice(stopped("iris"))
    assert advice.measure == "accuracy"
    assert advice.labels < 120
    assert (advice.least, advice.most) == (0, 1)  # the rows were chosen: no interval is known
    assert "among them, by cross-validation" in str(advice)


def test_the_interval_of_rows_drawn_at_random_holds_the_truth():
    voting, inside = satsuma.load("voting"), 0
    for seed in range(20):
        how = Active(learner=NaiveBayes(), acquire="random", start=0, budget=40, seed=seed)
        done = how(hide_labels(voting), Oracle(voting))
        advice = stop_advice(done)
        assert 0 < advice.least <= advice.value <= advice.most < 1 or advice.value == 1
        inside += advice.least <= (done.model(voting) == voting["party"]).mean() <= advice.most
    assert inside >= 18


@given(st.lists(st.booleans(), max_size=300), st.integers(0, 3000), st.floats(0.05, 0.99))
def test_an_estimate_lies_in_its_interval(found, left, confidence):
    finds = Finds(np.array(found, np.bool_), len(found) + left)
    advice = recall_advice(finds, confidence=confidence)
    assert 0 <= advice.least <= advice.most <= 1
    if not np.isnan(advice.value):
        assert advice.least <= advice.value <= advice.most
    if left and sum(found) < 10:
        assert not advice.stop
        assert np.isnan(advice.value)
        # All that is left may be relevant, or nothing of it: there is no more to know.
        assert (advice.least, advice.most) == (sum(found) / max(sum(found) + left, 1), 1) or (
            not any(found)
        )


def test_what_the_labels_since_the_last_find_do_not_rule_out():
    rng = np.random.default_rng(0)
    for _ in range(100):
        labels, left = int(rng.integers(1, 80)), int(rng.integers(0, 120))
        found = rng.random(labels) < rng.choice([0.0, 0.05, 0.3])
        since = labels - 1 - int(np.flatnonzero(found)[-1]) if found.any() else labels
        missed = stats.hypergeom.pmf(0, left + since, np.arange(left + 1), since)
        most = np.flatnonzero(missed >= 0.05 * (1 - 1e-9)).max()
        finds = Finds(found, labels + left)
        assert finds.most_unfound(0.95) == most
        advice = recall_advice(finds)
        assert advice.most_unfound >= most


def test_rows_that_were_given_are_no_finds():
    rows = [(at % 7, "yes" if at < 15 else "no" if at < 20 else None) for at in range(400)]
    table = Table.of(rows, ["x", "y"], kinds={"x": "sym"})
    how = Active(learner=NaiveBayes(), acquire="certain", sought="yes", start=[20, 21])
    labelling = how.begin(table)
    for row in range(20, 160):
        labelling.tell(row, "yes" if row < 29 else "no")
    advice = stop_advice(labelling, sought="yes")
    assert (advice.found, advice.labels) == (7, 138)
    assert not advice.stop
    assert "before 10" in advice.why


def noise(rows, good, seed=0):
    """Labels that nothing tells, some of them good, all others bad."""
    rng = np.random.default_rng(seed)
    cells = [(*rng.normal(size=3).tolist(), "good" if at < good else "bad") for at in range(rows)]
    return Table.of(cells, ["x", "y", "z", "quality"])


def labelled(table, rows):
    labelling = Active(learner=Majority(), start=0).begin(hide_labels(table))
    for row in rows:
        labelling.tell(row, table.cell(row, "quality"))
    return labelling


def test_a_model_no_better_than_the_most_frequent_class_is_no_reason_to_stop():
    table = noise(60, 46)
    rows = [*range(26), *range(46, 54)]  # 26 good, 8 bad, as somebody has labelled them
    advice = stop_advice(labelled(table, rows))  # a model that never changes
    assert advice.labels == 34
    assert not advice.stop
    assert "not significantly more than always to say 'good' (76%)" in advice.why
    assert "(kappa 1.000)" not in str(advice)


@pytest.mark.parametrize("seed", range(5))
def test_nor_is_one_that_learns_noise(seed):
    table = noise(300, 230, seed)
    done = Active(learner=NaiveBayes(), budget=120, seed=seed)(hide_labels(table), Oracle(table))
    assert not stop_advice(done).stop


def test_people_who_do_not_agree_do_not_stop():
    done = stopped("iris")
    assert stop_advice(done, kappa=0.4).stop
    advice = stop_advice(done, kappa=-0.5)
    assert not advice.stop
    assert "do not agree on the same rows (kappa -0.50" in str(advice)


def test_the_test_of_accuracy_by_counting():
    rng = np.random.default_rng(0)
    for _ in range(40):
        right, other = rng.random(60) < 0.8, rng.random(60) < 0.65
        mine, theirs = int((right & ~other).sum()), int((other & ~right).sum())
        coins = mine + theirs  # each of the rows on which they differ, as a coin falls
        by_chance = sum(math.comb(coins, heads) for heads in range(mine, coins + 1)) / 2**coins
        assert _beats(right, other) == (by_chance <= 0.05)


@pytest.mark.parametrize("wrong", [{"recall": 1.0}, {"confidence": 0.0}, {"patience": 1.0}])
def test_impossible_parameters_are_refused(wrong):
    table = papers()
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        stop_advice(Active(learner=Text()).begin(table), **wrong)


def test_nothing_labelled_is_nothing_to_go_by():
    labelling = Active(learner=Text(), start=0).begin(hide_labels(papers()))
    with pytest.raises(SatsumaError, match="labelled"):
        stop_advice(labelling)
    with pytest.raises(ParameterError, match="sought"):
        plot.recall(labelling)


def test_a_class_is_sought_only_where_somebody_said_so():
    table = papers(200)
    for learner, acquire, measure in [
        (Text(), "uncertain", "accuracy"),
        (Text(sought="hill"), "uncertain", "recall"),
        (Text(), "certain", "recall"),
    ]:
        how = Active(learner=learner, acquire=acquire, budget=30)
        assert stop_advice(how(hide_labels(table), Oracle(table))).measure == measure


def line(rows=200, noise=0.1, seed=0):
    """Numbers that follow a line, or nothing where the noise is large."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1, 1, rows)
    return Table.of(list(zip(x, x + noise * rng.normal(size=rows), strict=True)), ["x", "y"])


def numbers_labelled(table, budget, **more):
    how = Active(learner=Ridge(), acquire="diverse", budget=budget, **more)
    return how(hide_labels(table), Oracle(table))


def test_numbers_that_follow_a_line_are_known_after_few_labels():
    advice = stop_advice(numbers_labelled(line(), 40))
    assert advice.stop
    assert advice.measure == "R²"
    assert 0.9 < advice.value < 1
    assert not advice.bounded
    assert "moved predictions by" in advice.why
    assert "by cross-validation" in str(advice)


def test_numbers_that_follow_nothing_never_stop():
    advice = stop_advice(numbers_labelled(line(noise=100.0), 60))
    assert not advice.stop
    assert "not significantly nearer" in advice.why


def test_of_numbers_too_few_say_nothing_and_all_are_enough():
    few = stop_advice(numbers_labelled(line(), 10))
    assert not few.stop
    assert math.isnan(few.value)
    assert "not known yet" in str(few)
    assert stop_advice(numbers_labelled(line(30), 30)).why == "every row has a label."


def test_numbers_drawn_at_random_have_an_interval():
    few = stop_advice(numbers_labelled(line(), 30, audit=0.2))
    assert "too few for an interval" in few.proof
    many = stop_advice(numbers_labelled(line(), 120, audit=0.5))
    assert many.bounded
    assert 0 < many.least < many.value < many.most < 1
    assert f"R² {many.value:.2f} (between {many.least:.2f} and {many.most:.2f})" in str(many)


def test_the_interval_of_numbers_holds_the_truth():
    rng, inside, draws = np.random.default_rng(3), 0, 400
    for _ in range(draws):
        _, least, most = _interval(0.4 * rng.normal(size=30), rng.normal(size=30), 0.95)
        inside += least <= 1 - 0.16 <= most
    assert 0.92 <= inside / draws <= 0.98
