"""Time for all learners together: what was measured, what follows, and who learns from a sample."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma import KNN, Majority, NaiveBayes, Tree, compare, cross_validate, load, test_on
from satsuma.evaluate import candidates as those
from satsuma.evaluate import comparison, time_budget
from satsuma.evaluate.candidates import candidates
from satsuma.evaluate.sample_learner import SampleLearner, drawn
from satsuma.evaluate.time_budget import Parting, Probe, Timing, measured, shared_out
from tests.evaluate.small import mixed

SECONDS = st.floats(0, 1e4)


@given(st.dictionaries(st.sampled_from("abcdefgh"), SECONDS, min_size=1), st.floats(0, 1e3))
def test_time_is_shared_out_evenly(expected, limit):
    found = shared_out(expected, limit)
    assert list(found) == list(expected)
    assert sum(found.values()) <= 0.75 * limit + 1e-6
    assert all(found[name] <= expected[name] for name in expected)
    # Whoever gets less than it would take gets as much as anybody.
    for name, seconds in found.items():
        assert seconds == expected[name] or seconds >= max(found.values()) - 1e-6


@given(
    st.floats(0, 3), st.floats(1e-5, 1e-3), st.floats(0, 1), st.integers(10_000, 10**6)
)  # fmt: skip
def test_what_grows_as_is_known_is_told_exactly(fixed, slope, power, rows):
    def growth(n):
        return n * 1e-6

    probes = [
        Probe(n, fixed + slope * n, 1e-6 * n**power) for n in (500, 2_000)
    ]  # fmt: skip
    timing = Timing(growth, probes)
    share = slope * 2_000 / (fixed + slope * 2_000)
    if share > 0.65:  # less is not believed
        assert timing.learning(rows) == pytest.approx(fixed + slope * rows, rel=1e-6)
    assert timing.predicting(rows) == pytest.approx(1e-6 * rows**power, rel=1e-6)
    parting = Parting(3, rows, rows)
    whole = 3 * timing.learning(rows) + rows * timing.predicting(rows)
    assert timing.seconds(parting) == pytest.approx(whole)
    some = timing.affordable(parting, whole / 4)
    assert some <= rows
    assert some <= 1 or timing.seconds(parting, some) <= whole / 4


def test_probes_end_where_all_is_known(monkeypatch):
    table, parting = load("iris"), Parting(3, 60_000, 90_000)
    for cost, wanted in ((1e-9, [500]), (1e-5, [500, 2_000, 8_000]), (1e-3, [500])):

        def timed(_learner, _table, rows, cost=cost):
            return Probe(rows, cost * rows, 0.0)

        monkeypatch.setattr(time_budget, "_timed", timed)
        found = measured(Tree(), table, lambda n: 1e-4 * n, parting, 60.0)
        assert [each.rows for each in found.probes] == wanted
    assert not measured(Tree(), table, lambda n: 1.0 * n, parting, 60.0).probes


def test_what_is_imported_at_first_is_not_taken_for_learning(monkeypatch):
    """As a tree in a fresh process: a third of a second for 500 rows, and then hardly any time."""
    seconds = [0.3, 1e-3, 4e-3, 16e-3]

    def timed(_learner, _table, rows):
        return Probe(rows, seconds.pop(0), 0.0)

    monkeypatch.setattr(time_budget, "_timed", timed)
    parting = Parting(3, 60_000, 90_000)
    found = measured(Tree(), load("iris"), lambda rows: 2e-6 * rows, parting, 60.0)
    assert found.probes[0] == Probe(500, 1e-3, 0.0)
    assert found.seconds(parting) < 1.0


def test_a_probe_that_takes_as_long_as_expected_is_taken_once(monkeypatch):
    asked = []

    def timed(_learner, _table, rows):
        asked.append(rows)
        return Probe(rows, 1e-3 * rows, 0.0)

    monkeypatch.setattr(time_budget, "_timed", timed)
    measured(Tree(), load("iris"), lambda rows: 5e-4 * rows, Parting(3, 60_000, 90_000), 60.0)
    assert asked == [500]


def test_what_would_take_long_learns_from_a_sample_and_that_is_told(monkeypatch):
    """As if neighbours took 50 seconds for all rows, and a stack for as many as are asked for."""
    table = mixed(1, 300, weighted=False)
    large = table[np.resize(np.arange(300), 60_000)]

    def timed(learner, _table, rows):
        name = type(learner).__name__
        slow = {"KNN": (1e-4, 1e-9 * rows), "Stacking": (5.0, 1.0)}
        return Probe(rows, *slow.get(name, (1e-4, 0.0)))

    monkeypatch.setattr(time_budget, "_timed", timed)
    found = candidates(large, 3, limit=5.0)
    assert set(found.samples) == {"KNN"}
    assert 1_000 <= found.samples["KNN"] < 40_000
    assert "Stacking" not in found.learners
    assert {"Majority", "NaiveBayes", "LDA", "Forest"} <= set(found.learners)
    slow, sampled = found.notes
    assert "Stacking (" in slow
    assert "no more than 5 seconds" in slow
    assert f"KNN (from {found.samples['KNN']:,}; about " in sampled
    asked = found.tested()
    assert asked["KNN"].learner is found.learners["KNN"]
    assert len(drawn(large, found.samples["KNN"])) == found.samples["KNN"]
    assert asked["KNN"](large[:40]).domain == KNN()(large[:40]).domain
    assert not candidates(table, 10).notes


def test_a_sample_is_drawn_from_the_rows_of_each_fold():
    table = mixed(2, 200, weighted=False)
    results = cross_validate(SampleLearner(learner=Tree(), rows=60), table, folds=3)
    parts = results.trials[0].parts
    for fold in range(3):
        model = Tree()(drawn(table[(parts >= 0) & (parts != fold)], 60))
        assert (results.predictions()[parts == fold] == model(table[parts == fold])).all()


def test_of_many_rows_some_are_held_out(monkeypatch):
    monkeypatch.setattr(comparison, "MANY", 200)
    monkeypatch.setattr(those, "TESTED", 50)
    table, learners = load("heart_disease"), [Majority(), NaiveBayes()]
    found = compare(table, learners)
    assert found.results.what == "253 rows learned from, 50 tested"
    tested = found.results.trials[0].parts >= 0
    assert tested.sum() == 50
    peer = test_on(learners, table[~tested], table[tested])
    assert found.scores("CA") == pytest.approx(peer.scores("CA"))
    assert found.scores("log loss") == pytest.approx(peer.scores("log loss"))
    assert found.choice == "NaiveBayes"
    for given_folds in ({"folds": 4}, {"repeats": 2}, {"groups": np.arange(303) // 3}):
        assert "cross-validation" in compare(table, learners, **given_folds).results.what


def test_progress_has_the_timing_in_it(monkeypatch):
    monkeypatch.setattr(those, "_SURELY", 0.0)
    monkeypatch.setattr(time_budget, "_timed", lambda _learner, _table, rows: Probe(rows, 0, 0))
    told = []
    found = compare(load("tennis"), folds=2, progress=lambda *at: told.append(at))
    assert told[0] == (0, 3 * len(found.learners))
    assert told[-1] == (3 * len(found.learners),) * 2
    assert [done for done, _ in told] == sorted({done for done, _ in told})
