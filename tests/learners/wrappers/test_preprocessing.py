import numpy as np
import pytest
from sklearn.base import clone

import satsuma
from satsuma import (
    KNN,
    MDL,
    Discretized,
    EqualFrequency,
    EqualWidth,
    GetProbabilities,
    Mean,
    NaiveBayes,
    Select,
    Table,
    cross_validate,
    score_attributes,
)
from satsuma.checks import Batches
from satsuma.errors import DomainError, ParameterError


def test_case_000_nbdisc_row100(shared, cases):
    case = cases["000-nbdisc-row100"]
    table = satsuma.read(shared("orange/iris.tab"))
    model = Discretized(NaiveBayes(m=0, calibrate=False), method=MDL())(table)
    row = table[case["input"]["row"]]
    assert model(row) == case["expected"]["value"]
    found = model(row, GetProbabilities)
    assert found == pytest.approx(case["expected"]["exact"], abs=1e-9)
    printed = case["expected"]["probabilities_printed"]
    assert found == pytest.approx(printed, abs=case["tolerance"]["abs"])


def test_case_000_nbdisc_cv(shared, cases):
    case = cases["000-nbdisc-cv"]
    table = satsuma.read(shared("orange/iris.tab"))
    learner, seeds = Discretized(NaiveBayes(m=0)), range(6)
    found = [
        cross_validate([learner], table, folds=10, seed=seed).scores("CA")["Discretized"]
        for seed in seeds
    ]
    expected = case["expected"]["mine_30_other_splits"]
    assert np.mean(found) == pytest.approx(expected["mean"], abs=case["tolerance"]["abs"] / 2)
    for accuracy in found:
        assert accuracy == pytest.approx(expected["mean"], abs=case["tolerance"]["abs"])


def test_cuts_and_choices_are_made_inside_the_fold():
    rng = np.random.default_rng(0)
    # Among so many columns of noise some look good on all rows, and are no better than others.
    rows = [(*rng.integers(0, 4, 200).astype(str), str(rng.integers(0, 2))) for _ in range(100)]
    table = Table.of(rows, [*(f"x{j}" for j in range(200)), "y"])
    peeked = table.select([*score_attributes(table).best(5), "y"])
    cheated = cross_validate([NaiveBayes()], peeked, folds=5, seed=0).scores("CA")["NaiveBayes"]
    learner = Select(NaiveBayes(), n=5)
    honest = cross_validate([learner], table, folds=5, seed=0).scores("CA")["Select"]
    assert cheated > honest + 0.1
    assert honest == pytest.approx(0.5, abs=0.15)


def test_the_model_behind_the_cuts_is_that_of_the_table_cut():
    table = satsuma.load("heart_disease")
    cut = MDL()(table)
    model = Discretized(NaiveBayes())(table)
    plain = NaiveBayes()(cut(table))
    np.testing.assert_array_equal(
        model(table, GetProbabilities), plain(cut(table), GetProbabilities)
    )
    assert {name: cuts.tolist() for name, cuts in model.cuts.items()} == {
        name: cuts.tolist() for name, cuts in cut.cuts.items()
    }
    assert str(model).startswith(repr(cut))


def test_a_source_gives_the_model_of_the_table():
    table = satsuma.load("heart_disease")
    for learner in (
        Discretized(NaiveBayes()),
        Discretized(NaiveBayes(), method=EqualFrequency(3)),
        Select(NaiveBayes(), n=4),
        Select(Discretized(NaiveBayes()), measure="mdl", threshold=0.0),
    ):
        whole, parts = learner(table), learner(Batches(table, size=41))
        np.testing.assert_allclose(
            whole(table, GetProbabilities), parts(table, GetProbabilities), atol=1e-9
        )


def test_numbers_can_be_predicted_from_intervals():
    table = satsuma.load("housing")
    learner = Discretized(KNN(k=5), method=EqualWidth(6))
    results = cross_validate([learner, Mean()], table, folds=5, seed=0)
    assert results.scores("R2")["Discretized"] > 0.5
    with pytest.raises(DomainError, match="Discretized predicts symbols"):
        Discretized(KNN())(table)  # MDL has no classes to cut by


def test_selection_keeps_the_best():
    table = satsuma.load("heart_disease")
    scores = score_attributes(table, "gain_ratio")
    model = Select(NaiveBayes(), measure="gain_ratio", n=3)(table)
    assert {v.name for v in model.model.domain.attributes} == set(scores.best(3))
    limit = scores[scores.best(5)[-1]]
    model = Select(NaiveBayes(), measure="gain_ratio", threshold=limit)(table)
    assert {v.name for v in model.model.domain.attributes} == set(scores.best(5))
    none = Select(NaiveBayes(), threshold=99)(table)
    assert len(none.model.domain.attributes) == 1


def test_the_learner_may_stand_first_or_by_name():
    table = satsuma.load("iris")
    for learner in (Select(NaiveBayes(m=1), n=2), Select(learner=NaiveBayes(m=1), n=2)):
        assert learner.learner.m == 1
        assert learner(table)(table[0]) == "setosa"
    assert Select(table, learner=NaiveBayes(), n=2)(table[0]) == "setosa"
    again = clone(Select(NaiveBayes(), n=2)).set_params(learner__m=5)
    assert again.learner.m == 5


def test_what_is_refused():
    table = satsuma.load("iris")
    for learner, words in (
        (Select(NaiveBayes()), "how many attributes"),
        (Select(NaiveBayes(), n=0), "'n' parameter of Select"),
        (Select(NaiveBayes(), n=1, measure="gain"), "'measure' parameter of Select"),
        (Select(NaiveBayes(), threshold=float("nan")), "'threshold' parameter"),
        (Discretized(NaiveBayes(), method="mdl"), "'method' parameter of Discretized"),
        (Discretized(NaiveBayes(), method=EqualWidth(0)), "'n' parameter of EqualWidth"),
        (Discretized(NaiveBayes(m=-1)), "'m' parameter of NaiveBayes"),
        (Discretized(learner="bayes"), "'learner' parameter of Discretized"),
    ):
        with pytest.raises(ParameterError, match=words):
            learner(table)
