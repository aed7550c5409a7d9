"""Audits: which questions are, and whether what they prove holds."""

import numpy as np
import pytest
from scipy import stats

import satsuma
from satsuma import NaiveBayes, Text, stop_advice
from satsuma.active.active_learning import Active, hide_labels
from satsuma.active.audit import _BETS, NO_AUDIT, Audit, when_slow
from satsuma.active.oracle import Oracle
from satsuma.active.stop_advice import StopAdvice
from satsuma.errors import ParameterError
from tests.learners.text.test_text import papers


def test_what_draws_without_a_find_rule_out_is_hypergeometric():
    rows, draws = 200, 60
    audit = Audit(rows - np.arange(draws), np.zeros(draws, np.intp), np.zeros(draws, np.bool_))
    for total in (1, 3, 10, 80):
        missed = stats.hypergeom.logpmf(0, rows, total, draws)
        assert audit._steps(total).sum(axis=0)[0] == pytest.approx(-missed)


def test_every_bet_is_fair_at_the_odds_of_its_total():
    for total in (0, 1, 7, 40, 50):
        steps = [
            Audit(np.array([50]), np.array([0]), np.array([hit]))._steps(total)[0]
            for hit in (False, True)
        ]
        p = total / 50
        with np.errstate(invalid="ignore"):
            expected = np.where(p < 1, (1 - p) * np.exp(steps[0]), 1 - _BETS) + p * np.exp(steps[1])
        assert expected == pytest.approx(np.ones(len(_BETS)))


def test_the_bound_holds_at_every_look_though_rows_between_draws_are_chosen():
    rng, broken, runs, tight = np.random.default_rng(3), 0, 120, 0
    for _ in range(runs):
        rows, total = 40, int(rng.integers(1, 20))
        relevant = rng.permutation(rows) < total
        free, draws, ever = np.ones(rows, np.bool_), list[tuple[int, int, bool]](), False
        while free.any():
            found = int(relevant[~free].sum())
            if rng.random() < 0.5:
                row = int(rng.choice(np.flatnonzero(free)))
                draws.append((int(free.sum()), found, bool(relevant[row])))
            else:  # whoever chooses knows more than chance does, or less
                worth = relevant * rng.choice([-1, 1]) + rng.normal(size=rows)
                row = int(np.argmax(np.where(free, worth, -np.inf)))
            free[row] = False
            left, before, hits = zip(*draws, strict=True) if draws else ((), (), ())
            audit = Audit(np.array(left, int), np.array(before, int), np.array(hits, bool))
            most = audit.most_relevant(int(relevant[~free].sum()), int(free.sum()), 0.9)
            ever |= most < total
            tight += most < int(relevant[~free].sum()) + int(free.sum())
        broken += ever
    assert broken <= stats.binom.ppf(0.999, runs, 0.1)
    assert tight > 0


def test_draws_needed_are_the_fewest_that_prove_it():
    for found, left in ((38, 300), (100, 400), (1000, 5000)):
        needed = NO_AUDIT.draws_needed(found, left, 0.95, 0.95)
        for draws, proved in ((needed - 1, False), (needed, True)):
            audit = Audit(left - np.arange(draws), np.full(draws, found), np.zeros(draws, np.bool_))
            assert (found / audit.most_relevant(found, left - draws, 0.95) >= 0.95) == proved
            assert (audit.draws_needed(found, left - draws, 0.95, 0.95) == 0) == proved


def test_finds_are_slow_after_ten_and_then_none_in_fifty():
    found = np.zeros(200, np.bool_)
    found[:10] = found[120] = True
    slow = when_slow(found)
    assert len(slow) == 201
    assert np.flatnonzero(slow).tolist() == [*range(60, 121), *range(171, 201)]
    assert not when_slow(np.arange(200) < 9).any()


def screened(table, **how):
    relevant = np.array([value == "hill" for value in table["topic"]])
    start = [int(np.flatnonzero(relevant)[0]), int(np.flatnonzero(~relevant)[0])]
    active = Active(learner=Text(sought="hill"), acquire="certain", start=start, **how)
    return active(hide_labels(table), Oracle(table)), relevant


def test_audits_follow_from_the_order_of_labels_and_are_drawn_whatever_the_cells():
    table = papers(300, shares=[0.93, 0.07], columns=1)
    done, relevant = screened(table, budget=150, audit=0.25)
    drawn = done.audited
    assert len(drawn) > 10
    slow = when_slow(relevant[done.answered])
    assert all(slow[draw.labels] for draw in drawn)
    again = done.how.begin(hide_labels(table))
    for row in done.order:
        again.tell(row, table.cell(row, "topic"))
    assert again.audited == drawn
    queue = [row for row in done.how.audit_order(len(table)).tolist() if row not in done.given]
    for draw in drawn:
        labelled = done.answered[: draw.labels]
        assert draw.row == next(row for row in queue if row not in labelled)
    advice = stop_advice(done)
    assert advice.audits == len(drawn)
    assert 0 < advice.recall_bound <= advice.found / (relevant.sum() - 1)
    assert "recall is at least" in str(advice)


def test_reading_on_at_random_ends_in_a_proof():
    table = papers(300, shares=[0.8, 0.2], columns=1)
    done, relevant = screened(table, budget=100, audit=1.0)
    labelling, advice = done, stop_advice(done)
    while not advice.certified:  # all that is asked about now is drawn at random
        for row in labelling.ask(20):
            labelling.tell(row, table.cell(row, "topic"))
        advice = stop_advice(labelling)
    assert advice.certified
    assert advice.stop
    assert advice.remaining == 0
    assert len(labelling.order) < len(table)
    assert advice.found / (relevant.sum() - 1) >= advice.recall_bound >= 0.95


def test_without_audits_it_is_called_a_guess():
    done, _ = screened(papers(200, shares=[0.9, 0.1], columns=1), budget=60, audit=0)
    advice = stop_advice(done)
    assert advice.audits == 0
    assert not advice.certified
    assert "a guess, not a proof" in str(advice)
    assert advice.remaining is None or advice.minutes(30) == advice.remaining / 2
    assert StopAdvice(True, "", "recall", 1.0, 0.5, 1.0, labels=9).minutes(5) is None


def test_the_interval_of_accuracy_by_audits_holds_the_truth():
    voting, inside, runs = satsuma.load("voting"), 0, 8
    for seed in range(runs):
        how = Active(learner=NaiveBayes(), budget=40, audit=0.3, seed=seed)
        done = how(hide_labels(voting), Oracle(voting))
        advice = stop_advice(done)
        assert advice.audits == len(done.audited) == 12
        right = done.model(voting) == voting["party"]
        left = np.setdiff1d(np.arange(len(voting)), done.labelled_rows)
        inside += advice.least <= right[left].mean() <= advice.most
    assert inside >= 7


def test_a_share_is_between_0_and_1():
    with pytest.raises(ParameterError, match="audit"):
        Active(learner=NaiveBayes(), audit=1.5).begin(hide_labels(satsuma.load("voting")))
