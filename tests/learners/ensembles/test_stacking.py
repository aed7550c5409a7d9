import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.base import clone

import satsuma
from satsuma import (
    KNN,
    LDA,
    GetProbabilities,
    Majority,
    Mean,
    NaiveBayes,
    Stacking,
    Table,
    cross_validate,
    open_model,
)
from satsuma.checks.law_tables import with_column
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, ParameterError
from satsuma.folds import deal_shuffled
from satsuma.kernels.threads import thread_limit
from satsuma.learners.cross_fitting import out_of_fold

WEIGHT = Variable("weight", "num", role="weight")


def test_rows_are_dealt_evenly_and_class_by_class():
    table = satsuma.load("voting")
    fold = deal_shuffled(table, 7, 3)
    party = table.column("party")
    for rows in (np.arange(len(table)), *(np.flatnonzero(party == c) for c in (0, 1))):
        sizes = np.bincount(fold[rows], minlength=7)
        assert sizes.max() - sizes.min() <= 1
    assert (deal_shuffled(table, 7, 4) != fold).any()


@pytest.mark.parametrize("learner", [NaiveBayes(), LDA(), KNN(k=5)])
def test_each_fold_is_answered_by_models_of_the_others(learner):
    table = satsuma.load("iris")
    fold = deal_shuffled(table, 4, 0)
    found = out_of_fold(learner, table, fold, 4)
    for at in range(4):
        model = learner(table[np.flatnonzero(fold != at)])
        mine = np.flatnonzero(fold == at)
        np.testing.assert_allclose(found[mine], model(table[mine], GetProbabilities), atol=1e-9)


def test_the_last_learner_learns_from_their_answers():
    table = satsuma.load("iris")
    inner = [NaiveBayes(), KNN(k=5), NaiveBayes(m=0)]
    model = Stacking(inner, learner=KNN(k=7), folds=4, seed=2)(table)
    fold = deal_shuffled(table, 4, 2)
    answers = [out_of_fold(each, table, fold, 4)[:, 1:] for each in inner]
    names = [v.name for v in model.outer.domain.attributes]
    assert names[:2] == ["NaiveBayes=versicolor", "NaiveBayes=virginica"]
    assert names[4:] == ["NaiveBayes=versicolor_2", "NaiveBayes=virginica_2"]
    rows = [(*cells, cls) for cells, cls in zip(np.hstack(answers), table["Species"], strict=True)]
    outer = KNN(k=7)(Table.of(rows, [*names, "Species"]))
    said = [each(table)(table, GetProbabilities)[:, 1:] for each in inner]
    asked = Table.of(np.hstack(said).tolist(), names, target=None)
    np.testing.assert_array_equal(model(table, GetProbabilities), outer(asked, GetProbabilities))
    assert "NaiveBayes(m=2.0)" in str(model)


@pytest.mark.parametrize("name", ["voting", "iris", "housing"])
@pytest.mark.parametrize("weighted", [False, True])
def test_shares_have_the_least_squared_error(name, weighted):
    table = satsuma.load(name)
    weights = 1.0 + np.arange(len(table)) % 3 if weighted else np.ones(len(table))
    table = with_column(table, WEIGHT, weights)
    inner = [KNN(k=1), KNN(k=20), Mean() if name == "housing" else NaiveBayes()]
    model = Stacking(inner, folds=3)(table)
    fold = deal_shuffled(table, 3, 0)
    answers = np.array([out_of_fold(each, table, fold, 3) for each in inner])
    truth = table.column(table.domain.target.name)
    wanted = truth[:, None] if name == "housing" else np.eye(answers.shape[2])[truth]

    def error(shares):
        gap = np.tensordot(shares, answers, 1) - wanted
        return (weights[:, None] * gap**2).sum() / weights.sum()

    rule = {"type": "eq", "fun": lambda shares: shares.sum() - 1}
    best = minimize(error, np.full(3, 1 / 3), bounds=[(0, 1)] * 3, constraints=[rule], tol=1e-12)
    assert model.shares.sum() == pytest.approx(1)
    assert model.shares.min() >= 0
    assert model.shares == pytest.approx(best.x, abs=1e-3)
    assert error(model.shares) <= best.fun + 1e-9


def test_answers_are_added_up_by_their_shares():
    table = satsuma.load("iris")
    model = Stacking([LDA(), KNN()])(table)
    lda, knn = (each(table)(table, GetProbabilities) for each in (LDA(), KNN()))
    expected = model.shares[0] * lda + model.shares[1] * knn
    np.testing.assert_allclose(model(table, GetProbabilities), expected, atol=1e-12)
    assert str(model).splitlines()[1] == f"  {model.shares[0]:.3f}  LDA(shrinkage=None)"


def test_a_learner_that_knows_nothing_gets_no_share():
    table = satsuma.load("housing")
    model = Stacking([Mean(), KNN(k=3)])(table)
    assert model.shares[1] > 0.95
    perfect = with_column(table, table.domain["MEDV"], 7.0)  # all are right
    assert Stacking([Mean(), KNN(k=3)])(perfect)(table[0]) == pytest.approx(7.0)


@pytest.mark.figures
def test_it_is_about_as_good_as_the_best():
    voting, housing = satsuma.load("voting"), satsuma.load("housing")
    inner = [NaiveBayes(), KNN(k=10, weights="uniform"), Majority()]
    learners = {"bayes": inner[0], "knn": inner[1], "pooled": Stacking(inner)}
    learners["stacked"] = Stacking(inner, learner=LDA())
    scores = cross_validate(learners, voting, seed=1).scores("CA")
    best = max(scores["bayes"], scores["knn"])
    assert scores["pooled"] > best - 0.02
    assert scores["stacked"] > best - 0.02
    inner = [KNN(k=2), KNN(k=20), Mean()]
    learners = {"few": inner[0], "many": inner[1], "pooled": Stacking(inner)}
    scores = cross_validate(learners, housing, seed=1).scores("R2")
    assert scores["pooled"] > max(scores["few"], scores["many"]) - 0.01


def test_a_threshold_of_the_last_learner_counts():
    table = satsuma.load("voting")
    outer = NaiveBayes(adjust_threshold=True)
    model = Stacking([NaiveBayes(), KNN()], learner=outer)(table)
    chances = model(table, GetProbabilities)
    assert model.outer.threshold != 0.5
    expected = np.array(model.classes)[(chances[:, 1] >= model.outer.threshold).astype(int)]
    assert list(model(table)) == expected.tolist()


def test_threads_change_nothing():
    table = satsuma.load("voting")
    found: list[np.ndarray] = []
    for threads in (1, 3):
        with thread_limit(threads):
            model = Stacking([NaiveBayes(), KNN()], learner=LDA())(table)
            found.append(model(table, GetProbabilities))
    np.testing.assert_array_equal(*found)


def test_it_can_be_kept(tmp_path):
    table = satsuma.load("voting")
    for outer in (None, NaiveBayes()):
        model = Stacking([NaiveBayes(), KNN()], learner=outer)(table)
        model.save(tmp_path / "model")
        opened = open_model(tmp_path / "model")
        np.testing.assert_array_equal(
            opened(table, GetProbabilities), model(table, GetProbabilities)
        )
        assert str(opened) == str(model)


def test_the_list_may_stand_first_or_by_name():
    table = satsuma.load("iris")
    inner = [NaiveBayes(m=1), KNN()]
    for learner in (Stacking(inner), Stacking(learners=inner), clone(Stacking(inner))):
        assert learner.learners[0].m == 1
        assert learner(table)(table[0]) == "setosa"
    assert Stacking(table, learners=inner)(table[0]) == "setosa"
    assert Stacking(learners=tuple(inner))(table)(table[149]) == "virginica"


def test_what_is_refused():
    table = satsuma.load("iris")
    for learner, words in (
        (Stacking([]), "'learners' parameter of Stacking"),
        (Stacking(learners=NaiveBayes()), "'learners' parameter of Stacking"),
        (Stacking([NaiveBayes(), "knn"]), "'learners' parameter of Stacking"),
        (Stacking([NaiveBayes(), Mean()]), "learners of classes, or learners of numbers"),
        (Stacking([NaiveBayes()], learner=Mean()), "learners of classes, or learners of numbers"),
        (Stacking([NaiveBayes()], learner="lda"), "'learner' parameter of Stacking"),
        (Stacking([NaiveBayes()], folds=1), "'folds' parameter of Stacking"),
        (Stacking([NaiveBayes()], seed=0.5), "'seed' parameter of Stacking"),
        (Stacking([NaiveBayes(m=-1)]), "'m' parameter of NaiveBayes"),
    ):
        with pytest.raises(ParameterError, match=words):
            learner(table)
    with pytest.raises(DomainError, match="two rows at least"):
        Stacking([NaiveBayes()])(table[:1])
    with pytest.raises(DomainError, match="Stacking predicts symbols"):
        Stacking([NaiveBayes(), KNN()])(satsuma.load("housing"))
