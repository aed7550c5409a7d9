import copy
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from sklearn.ensemble import BaggingClassifier
from sklearn.naive_bayes import GaussianNB

import satsuma
from satsuma import (
    KNN,
    LDA,
    Bagging,
    GetProbabilities,
    GetValue,
    Majority,
    Mean,
    NaiveBayes,
    RegressionTree,
    Table,
    Tree,
    cross_validate,
    open_model,
)
from satsuma.checks.law_tables import with_column
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, ParameterError, SatsumaError
from satsuma.kernels.threads import thread_limit
from satsuma.learners.takes import Takes

WEIGHT = Variable("weight", "num", role="weight")


@dataclass(kw_only=True, eq=False)
class Unweighted(KNN):
    """A learner that does not take weights."""

    takes: ClassVar[Takes] = Takes(target="either", weights=False)


def drawn_rows(learner, table, sample):
    return np.repeat(np.arange(len(table)), learner.counts(table, sample))


@pytest.mark.parametrize("inner", [NaiveBayes(), LDA(), KNN(k=5), Unweighted()])
def test_votes_by_brute_force(inner):
    table = satsuma.load("iris")
    learner = Bagging(inner, t=7, vote="votes", seed=3)
    model = learner(table)
    votes = np.zeros((150, 3))
    for sample in range(7):
        one = inner(table[drawn_rows(learner, table, sample)])
        for at, value in enumerate(one(table)):
            votes[at, one.classes.index(value)] += 1
    np.testing.assert_array_equal(model(table, GetProbabilities), votes / 7)
    assert list(model(table)) == [model.classes[code] for code in votes.argmax(axis=1)]


def test_the_mean_of_probabilities_by_brute_force():
    table = satsuma.load("voting")
    learner = Bagging(NaiveBayes(), t=4)
    means = np.mean(
        [
            NaiveBayes()(table[drawn_rows(learner, table, at)])(table, GetProbabilities)
            for at in range(4)
        ],
        axis=0,
    )
    np.testing.assert_allclose(learner(table)(table, GetProbabilities), means, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "tree"),
    [("iris", Tree(prune=None)), ("housing", RegressionTree(min_leaf=1, prune=None))],
)
def test_trees_that_are_grown_out_are_bagged_unless_a_learner_is_given(name, tree):
    table = satsuma.load(name)
    got = GetProbabilities if name == "iris" else GetValue
    model = Bagging(t=3)(table)
    np.testing.assert_array_equal(model(table, got), Bagging(tree, t=3)(table)(table, got))
    assert f"3 models of {tree!r}" in str(model)


def test_numbers_are_averaged():
    table = satsuma.load("housing")
    learner = Bagging(KNN(k=3), t=4)
    means = np.mean(
        [KNN(k=3)(table[drawn_rows(learner, table, at)])(table) for at in range(4)], axis=0
    )
    np.testing.assert_allclose(learner(table)(table), means)


def test_samples_are_as_large_as_the_table_and_drawn_with_replacement():
    table = satsuma.load("iris")[np.arange(3000) % 150]
    learner = Bagging(NaiveBayes())
    counts = np.array([learner.counts(table, at) for at in range(50)])
    assert (counts.sum(axis=1) == 3000).all()
    # Each row is drawn 0, 1, 2, … times as Poisson would have it, for so many rows.
    for times, share in enumerate([0.3679, 0.3679, 0.1839, 0.0613]):
        assert (counts == times).mean() == pytest.approx(share, abs=0.004)
    assert (counts[0] != counts[1]).any()
    assert (Bagging(NaiveBayes(), seed=1).counts(table, 0) != counts[0]).any()


def test_a_row_that_weighs_is_drawn_as_so_many_rows_would_be():
    table = satsuma.load("iris")
    weights = np.arange(150) % 4.0
    weighted = with_column(table, WEIGHT, weights)
    repeated = table[np.repeat(np.arange(150), weights.astype(int))]
    for learner in (Bagging(NaiveBayes(), t=5), Bagging(KNN(k=3), t=5, vote="probabilities")):
        first, second = learner(weighted), learner(repeated)
        np.testing.assert_allclose(
            first(table, GetProbabilities), second(table, GetProbabilities), atol=1e-9
        )
    halves = with_column(table, WEIGHT, 0.5)
    assert learner.counts(halves, 0).sum() == 75
    huge = with_column(table, WEIGHT, 1e12)
    counts = learner.counts(huge, 0)
    assert counts.sum() == pytest.approx(1 << 20, rel=0.01)
    assert counts.min() > 0


def test_rows_weigh_together_what_they_weighed_before():
    table = with_column(satsuma.load("iris"), WEIGHT, 0.339)  # 50.85 in all, 51 draws
    for model in Bagging(Mean(), t=3)(table.with_roles(target="Petal.Width")).models:
        assert model.weight == pytest.approx(50.85)


@pytest.mark.parametrize("weight", [1, 4])
@pytest.mark.parametrize("vote", ["votes", "probabilities"])
def test_out_of_bag_by_brute_force(vote, weight):
    weights = 1.0 + np.arange(80) % weight
    table = with_column(satsuma.load("voting")[:80], WEIGHT, weights)
    plain = satsuma.load("voting")[:80]
    learner = Bagging(NaiveBayes(), t=6, vote=vote)
    model = learner(table)
    right, counted = [], []
    for at in range(80):
        votes = np.zeros(2)
        for sample in range(6):
            rows = drawn_rows(learner, table, sample)
            if at not in rows:
                chances = NaiveBayes()(plain[rows])(plain[at], GetProbabilities)
                chances = np.array(list(chances.values()))
                votes += chances if vote == "probabilities" else np.eye(2)[chances.argmax()]
        if votes.any():
            right.append(table.column("party")[at] == votes.argmax())
            counted.append(weights[at])
    assert 30 < len(right) < 80
    assert 0 < np.sum(right) < len(right)
    assert model.out_of_bag == pytest.approx(np.average(right, weights=counted), abs=1e-12)


@pytest.mark.figures
def test_nine_tenths_of_the_rows_without_replacement():
    iris = satsuma.load("iris")
    learner = Bagging(NaiveBayes(), t=4, share=0.9, replace=False)
    drawn = np.array([learner.counts(iris, at) for at in range(400)])
    assert set(drawn.ravel()) == {0, 1}
    assert (drawn.sum(axis=1) == 135).all()
    assert np.abs(drawn.mean(axis=0) - 0.9).max() < 5 * np.sqrt(0.9 * 0.1 / 400)
    model = learner(iris)
    parts = [NaiveBayes()(iris[np.flatnonzero(drawn[at])]) for at in range(4)]
    alone = np.mean([part(iris, GetProbabilities) for part in parts], axis=0)
    assert model(iris, GetProbabilities) == pytest.approx(alone, abs=1e-9)
    assert "0.9 of the rows drawn without replacement" in str(model)
    assert 0.9 < model.out_of_bag <= 1


def test_half_as_many_draws_with_replacement():
    iris = satsuma.load("iris")
    assert Bagging(NaiveBayes(), share=0.5).counts(iris, 0).sum() == 75
    weighed = with_column(iris, WEIGHT, np.full(150, 3.0))
    assert Bagging(NaiveBayes(), share=0.5).counts(weighed, 0).sum() == 225


def test_weights_and_parts_of_the_rows():
    iris = satsuma.load("iris")
    learner = Bagging(Majority(), t=1, share=0.5, replace=False)
    whole = with_column(iris, WEIGHT, np.repeat([2.0, 0.0, 4.0], 50))
    counts = learner.counts(whole, 0)
    assert counts.sum() == 150
    assert (counts[50:100] == 0).all()
    assert counts[:50].max() == 2
    assert counts[100:].max() > 2
    parts = with_column(iris, WEIGHT, np.full(150, 0.25))
    drawn = learner.counts(parts, 0)
    assert (drawn.sum(), drawn.max()) == (75, 1)
    model = learner(parts).models[0]
    shares = np.bincount(iris.column("Species")[drawn > 0], minlength=3) / 75
    assert model(iris[:1], GetProbabilities)[0] == pytest.approx(shares)


@pytest.mark.figures
def test_out_of_bag_of_numbers_is_near_the_score_on_new_rows():
    table = satsuma.load("housing")
    found = Bagging(KNN(k=3), t=20)(table).out_of_bag
    crossed = cross_validate(Bagging(KNN(k=3), t=20), table, seed=1).scores("R2")["Bagging"]
    assert found == pytest.approx(crossed, abs=0.05)
    constant = with_column(table, table.domain["MEDV"], 7.0)
    assert Bagging(Mean())(constant).out_of_bag == 1.0


def test_out_of_bag_is_kept_once_asked_for(tmp_path):
    table = satsuma.load("iris")
    model = Bagging(NaiveBayes(), t=5)(table)
    model.save(tmp_path / "early")
    copied = copy.deepcopy(model)
    for one in (open_model(tmp_path / "early"), copied):
        with pytest.raises(SatsumaError, match="Ask for out_of_bag before saving"):
            _ = one.out_of_bag
    found = model.out_of_bag
    model.save(tmp_path / "late")
    opened = open_model(tmp_path / "late")
    assert opened.out_of_bag == found == copy.deepcopy(model).out_of_bag
    assert str(opened) == str(model)
    np.testing.assert_array_equal(opened(table), model(table))
    assert np.isnan(Bagging(Majority())(table[:1]).out_of_bag)


def test_fit_gives_a_score_too():
    table = satsuma.load("iris")
    X, y = table.to_numpy(list(table.domain.names[:4])), table["Species"].astype(str)
    fitted = Bagging(NaiveBayes(), t=40).fit(X, y)
    assert fitted.model_.out_of_bag == Bagging(NaiveBayes(), t=40)(table).out_of_bag
    theirs = BaggingClassifier(GaussianNB(), 40, oob_score=True, random_state=0).fit(X, y)
    assert fitted.model_.out_of_bag == pytest.approx(theirs.oob_score_, abs=0.02)
    assert fitted.score(X, y) == pytest.approx(theirs.score(X, y), abs=0.02)


def test_threads_and_seeds():
    table = satsuma.load("voting")
    found = []
    for threads in (1, 2, 5):
        with thread_limit(threads):
            model = Bagging(NaiveBayes(), t=9, vote="probabilities", seed=5)(table)
            found.append((model(table, GetProbabilities), model.out_of_bag))
    for chances, score in found[1:]:
        np.testing.assert_array_equal(chances, found[0][0])
        assert score == found[0][1]
    other = Bagging(NaiveBayes(), t=9, vote="probabilities", seed=6)(table)
    assert (other(table, GetProbabilities) != found[0][0]).any()


def test_many_rows_are_asked_about_in_tiles():
    table = satsuma.load("iris")[np.arange(140_000) % 150]
    model = Bagging(NaiveBayes(), t=3)(satsuma.load("iris"))
    np.testing.assert_array_equal(
        model(table, GetProbabilities)[-150:], model(table[-150:], GetProbabilities)
    )
    assert Bagging(NaiveBayes(), t=2)(table).out_of_bag == pytest.approx(0.96, abs=0.01)


def test_ties_go_to_the_first_class():
    table = Table.of([("b", "no"), ("b", "yes")], ["x", "y"])
    for seed in range(20):
        model = Bagging(Majority(), t=2, seed=seed)(table)
        if model(table[0], GetProbabilities)["no"] == 0.5:
            assert model(table[0]) == "no"
            break
    else:
        pytest.fail("no tie in twenty")


def test_what_is_refused():
    table = satsuma.load("iris")
    for learner, words in (
        (Bagging(NaiveBayes(), t=0), "'t' parameter of Bagging"),
        (Bagging(NaiveBayes(), vote="both"), "'vote' parameter of Bagging"),
        (Bagging(NaiveBayes(), seed=-1), "'seed' parameter of Bagging"),
        (Bagging(NaiveBayes(m=-1)), "'m' parameter of NaiveBayes"),
        (Bagging(learner="tree"), "'learner' parameter of Bagging"),
        (Bagging(NaiveBayes(), share=0), "'share' parameter of Bagging"),
        (Bagging(NaiveBayes(), replace=False), "below 1 with replace=False"),
    ):
        with pytest.raises(ParameterError, match=words):
            learner(table)
    with pytest.raises(DomainError, match="Bagging predicts numbers"):
        Bagging(Mean())(table)
    with pytest.raises(DomainError, match="does not take weights"):
        Bagging(Unweighted())(with_column(table, WEIGHT, 2.0))
