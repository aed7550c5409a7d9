"""learner(table, weights=…) and cross_validate(…, weights=…): as a column of weights would do."""

import numpy as np
import polars as pl
import pytest

from satsuma import (
    KNN,
    RP0,
    GetProbabilities,
    Majority,
    MiniBatchKMeans,
    NaiveBayes,
    cross_validate,
    load,
    scan,
)
from satsuma.errors import DomainError, NoSuchColumn, ParameterError

IRIS = load("iris")
WEIGHTS = np.arange(150) % 4 + 0.5
WEIGHED = IRIS.with_column("weight", WEIGHTS).with_roles({"weight": "weight"})


def test_every_way_of_saying_weights():
    expected = NaiveBayes()(WEIGHED)(IRIS[60], GetProbabilities)
    plain = IRIS.with_column("n", WEIGHTS).with_roles({"n": "meta"})
    for data, weights in [
        (IRIS, WEIGHTS),
        (IRIS, WEIGHTS.tolist()),
        (IRIS, pl.Series(WEIGHTS)),
        (plain, "n"),
        (WEIGHED, "weight"),
    ]:
        assert NaiveBayes()(data, weights=weights)(IRIS[60], GetProbabilities) == expected
    assert IRIS.domain.weight is None


def test_the_parameter_of_a_learner_is_another_thing():
    near = KNN(k=5, weights="distance")
    assert repr(near(IRIS, weights=WEIGHTS).learner) == repr(near)
    with pytest.raises(ParameterError, match=r"NaiveBayes\(\)\(table, weights=…\)"):
        NaiveBayes(IRIS, weights=WEIGHTS)


def test_a_name_that_the_table_has():
    tagged = IRIS.rename({"Sepal.Width": "weight"})
    assert "weight_2" in NaiveBayes()(tagged, weights=WEIGHTS).domain


def test_cross_validation_learns_and_scores_by_weights():
    expected = cross_validate([NaiveBayes(), KNN(k=3)], WEIGHED, folds=3, seed=1)
    found = cross_validate([NaiveBayes(), KNN(k=3)], IRIS, folds=3, seed=1, weights=WEIGHTS)
    assert found.scores("CA") == expected.scores("CA")
    assert found.scores("CA") != cross_validate(
        [NaiveBayes(), KNN(k=3)], IRIS, folds=3, seed=1
    ).scores("CA")


@pytest.mark.parametrize(
    "learn", [NaiveBayes(), lambda t, weights: cross_validate(Majority(), t, weights=weights)]
)
def test_what_cannot_weigh_is_refused(learn):
    for wrong in ([1, 2], np.ones((150, 1)), 3, {"a": 1}, ["a"] * 150, True):
        with pytest.raises(ParameterError, match="weights= must be the name of a column, or a num"):
            learn(IRIS, weights=wrong)
    for wrong in (-1.0, np.nan, np.inf):
        with pytest.raises(DomainError, match="weights= says that row 149 weighs"):
            learn(IRIS, weights=[*np.ones(149), wrong])
    with pytest.raises(NoSuchColumn, match="Did you mean 'Sepal"):
        learn(IRIS, weights="Sepal.width")
    with pytest.raises(DomainError, match="'Species' has the role 'weight', so it must hold num"):
        learn(IRIS, weights="Species")
    with pytest.raises(DomainError, match="Column 'weight' weighs the rows already"):
        learn(WEIGHED, weights=WEIGHTS)


def test_learners_without_weights_say_so():
    with pytest.raises(DomainError, match=r"RP0 does not take weights\. Leave weights= out"):
        RP0()(IRIS, weights=WEIGHTS)


def test_a_source_has_its_own(tmp_path):
    IRIS.write(tmp_path / "iris.csv")
    source = scan(tmp_path / "iris.csv", target="Species")
    for learn in (NaiveBayes(), MiniBatchKMeans()):
        with pytest.raises(DomainError, match="weights= goes with a table"):
            learn(source, weights=WEIGHTS)
    with pytest.raises(ParameterError, match="weights= goes with a table"):
        cross_validate(NaiveBayes(), source, weights=WEIGHTS)
