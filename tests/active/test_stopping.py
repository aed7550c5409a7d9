"""Stopping: what is said of recall beside simulated finds, and of accuracy."""

import numpy as np
import pytest

import satsuma
from satsuma import NaiveBayes, Text, plot, stop_advice
from satsuma.active.finds import Finds
from satsuma.active.loop import Active, hidden
from satsuma.active.oracle import Oracle
from satsuma.active.stopping import finds_of, recall_advice, stop_point
from satsuma.errors import ParameterError, SatsumaError
from tests.learners.test_text import papers


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
    assert inside / total > 0.85  # 0.95 beyond the one end, and 0.9 to the other


def test_it_is_never_asked_for_more_than_twice_the_labels_by_patience_alone():
    rng = np.random.default_rng(2)
    for _ in range(50):
        found = falling(rng, 4000, 120, rng.integers(40, 300))
        needed = Finds(found, 4000).labels_for(0.95)
        stop = stop_point(Finds(found, 4000))
        if needed > 60:  # beneath, a floor holds: so many labels since must have brought little
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
    labelling = how.begin(hidden(table))
    while not labelling.order or not stop_advice(labelling).stop:
        (row,) = labelling.ask()
        labelling.tell(row, table.cell(row, "topic"))
    advice = stop_advice(labelling)
    assert advice.found >= 0.95 * relevant.sum()
    assert advice.labels < 400
    assert str(advice).startswith("Stop: ")
    assert advice.least <= advice.value <= advice.most
    assert finds_of(labelling, "hill").total == advice.found
    ax = plot.recall(labelling, relevant=int(relevant.sum()))
    assert f"first advice to stop after {advice.labels}" in plot.describe(ax)
    assert ax.get_lines()[0].get_ydata()[-1] == advice.found


def test_accuracy_counts_where_nothing_is_sought():
    voting = satsuma.load("voting")
    few = Active(learner=NaiveBayes(), budget=10)(hidden(voting), Oracle(voting))
    assert "nothing can be said" in str(stop_advice(few))
    done = Active(learner=NaiveBayes(), budget=200)(hidden(voting), Oracle(voting))
    advice = stop_advice(done)
    assert advice.measure == "accuracy"
    truth = (done.model(voting) == voting["party"]).mean()
    assert advice.least - 0.1 < truth
    assert 0 <= advice.least <= advice.value <= advice.most <= 1


@pytest.mark.parametrize("wrong", [{"recall": 1.0}, {"confidence": 0.0}, {"patience": 1.0}])
def test_impossible_parameters_are_refused(wrong):
    table = papers()
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        stop_advice(Active(learner=Text()).begin(table), **wrong)


def test_nothing_labelled_is_nothing_to_go_by():
    labelling = Active(learner=Text(), start=0).begin(hidden(papers()))
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
        assert stop_advice(how(hidden(table), Oracle(table))).measure == measure
