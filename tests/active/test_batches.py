"""Questions that do not repeat themselves, and cost: batches, equal rows, budgets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import satsuma
from satsuma import Active, NaiveBayes, Oracle, Table, stop_advice
from satsuma.active.active_learning import hide_labels
from satsuma.active.batches import diverse_batch, followers
from satsuma.errors import DomainError
from satsuma.learners.text.text import Text


@given(st.lists(st.tuples(st.sampled_from([None, 1, 2]), st.sampled_from([None, "a", "b"])),
                min_size=1, max_size=12))  # fmt: skip
def test_followers_are_those_of_brute_force(rows):
    table = Table.of([(*row, None) for row in rows], ["x", "t", "y"],
                     kinds={"x": "num", "t": "text", "y": "sym"})  # fmt: skip
    first: dict = {}
    for at, row in enumerate(rows):
        if row != (None, None):
            first.setdefault(row, []).append(at)
    expected = {each[0]: each[1:] for each in first.values() if len(each) > 1}
    assert {row: at.tolist() for row, at in followers(table, "y").items()} == expected


def clumps():
    """Three clumps of rows, the first of which is worth most, and a model of them."""
    rng = np.random.default_rng(0)
    rows = [(float(c + rng.normal(0, 0.01)), "ab"[c == 2]) for c in (0, 1, 2) for _ in range(20)]
    table = Table.of(rows, ["x", "y"])
    return NaiveBayes()(table), table, np.repeat([3.0, 2.0, 1.0], 20)


def test_a_batch_is_worth_much_and_unlike_itself():
    model, table, scores = clumps()
    rows = np.arange(60)
    taken = diverse_batch(model, table, rows, scores, 6)
    assert len(set(taken.tolist())) == 6
    assert taken[0] == 0  # the greatest score, the first of those that tie
    assert {int(row) // 20 for row in taken} == {0, 1, 2}
    assert {int(row) // 20 for row in np.argsort(-scores, kind="stable")[:6]} == {0}
    assert diverse_batch(model, table, rows, scores, 1).tolist() == [0]
    assert len(diverse_batch(model, table, rows[:4], scores[:4], 9)) == 4


def test_texts_of_a_batch_differ_by_their_words():
    rows = [(f"{word} and more {word}", "yes" if word == "rain" else "no")
            for word in ("rain", "soil", "crop") for _ in range(10)]  # fmt: skip
    table = Table.of(rows, ["text", "y"], kinds={"text": "text"})
    taken = diverse_batch(Text()(table), table, np.arange(30), np.ones(30), 3)
    assert {int(row) // 10 for row in taken} == {0, 1, 2}


def test_batches_are_asked_within_active():
    voting = satsuma.load("voting")
    asked = {}
    for diverse in (False, True):
        active = Active(learner=NaiveBayes(), batch=10, budget=44, diverse=diverse)
        asked[diverse] = active(hide_labels(voting), Oracle(voting)).order
        assert len(set(asked[diverse])) == 44
    assert asked[True] != asked[False]
    one = [Active(learner=NaiveBayes(), budget=20, diverse=d)(hide_labels(voting), Oracle(voting))
           for d in (False, True)]  # fmt: skip
    assert one[0].order == one[1].order  # a batch of one is the best row


def test_equal_rows_share_one_answer():
    rows = [(x % 7, "ab"[x % 7 > 3]) for x in range(70)]
    table = Table.of(rows, ["x", "y"])
    oracle = Oracle(table)
    done = Active(learner=NaiveBayes(), share=True, budget=50)(hide_labels(table), oracle)
    assert sorted(oracle.asked) == list(range(7))
    assert (done.table["y"] == table["y"]).all()
    whole = NaiveBayes()(table)
    np.testing.assert_allclose(done.model.probabilities(done.model.asked(table)),
                               whole.probabilities(whole.asked(table)))  # fmt: skip
    done.forget(3)
    assert len(done.labelled_rows) == 60
    assert done.ask() == [3]
    done.tell(3, "b")
    assert (done.table["y"][3::7] == "b").all()
    assert stop_advice(done).labels == 70


def test_rows_with_a_label_keep_their_own():
    table = Table.of([(1, "a"), (1, None), (2, None), (2, None)], ["x", "y"])
    labelling = Active(learner=NaiveBayes(), share=True, start=0).begin(table)
    assert labelling.followers == [3]
    labelling.tell(1, "b")
    assert labelling.labels.tolist()[:2] == [0, 1]


def test_cost_steers_the_choice():
    voting = satsuma.load("voting")
    dear = voting["crime"] == "y"

    def cost(row):
        return 100.0 if row["crime"] == "y" else 1.0

    active = Active(learner=NaiveBayes(), start=0, budget=40)
    blind, steered = Oracle(voting), Oracle(voting, cost=cost)
    active(hide_labels(voting), blind)
    done = active(hide_labels(voting), steered)
    assert dear[blind.asked].mean() > 0.3
    assert dear[steered.asked].mean() < 0.15
    assert (done.model(voting) == voting["party"]).mean() > 0.85


def test_a_budget_in_cost_is_never_overspent():
    voting = satsuma.load("voting")
    oracle = Oracle(voting, cost=lambda row: 5.0 if row["crime"] == "y" else 2.0)
    done = Active(learner=NaiveBayes(), spend=51, batch=4)(hide_labels(voting), oracle)
    assert 49 < oracle.spent <= 51
    assert len(done.order) == len(oracle.asked)
    with pytest.raises(DomainError, match="must cost something"):
        Active(learner=NaiveBayes())(
            hide_labels(voting), Oracle(voting, cost=lambda r: r.index % 2)
        )
