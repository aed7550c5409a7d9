import numpy as np
import pytest
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.naive_bayes import CategoricalNB, GaussianNB

import satsuma
from satsuma import (
    LDA,
    QDA,
    Categorical,
    Generative,
    GetProbabilities,
    Laplace,
    NaiveBayes,
    RelativeFrequency,
    Table,
    open_model,
)
from satsuma.errors import ParameterError

IRIS = satsuma.load("iris")
PRIOR = {"setosa": 0.2, "versicolor": 0.5, "virginica": 0.3}
X, Y = IRIS.to_numpy([v.name for v in IRIS.domain.attributes]), IRIS.column("Species")


def log_odds(probabilities):
    return np.log(probabilities[:, 1]) - np.log(probabilities[:, 2])


@pytest.mark.parametrize(
    ("learner", "peer"),
    [
        (NaiveBayes, GaussianNB),
        (LDA, LinearDiscriminantAnalysis),
        (QDA, QuadraticDiscriminantAnalysis),
    ],
)
def test_priors_move_log_odds_as_those_of_scikit_learn_do(learner, peer):
    ours = [
        learner(prior=each, calibrate=False)(IRIS)(IRIS[50:], GetProbabilities)
        for each in (None, PRIOR)
    ]
    theirs = [
        peer(priors=each).fit(X, Y).predict_proba(X[50:])
        for each in (np.full(3, 1 / 3), list(PRIOR.values()))
    ]
    moved = [log_odds(two[1]) - log_odds(two[0]) for two in (ours, theirs)]
    np.testing.assert_allclose(moved[0], moved[1], atol=1e-6)
    np.testing.assert_allclose(moved[0], np.log(0.5 / 0.3), atol=1e-6)


def test_what_columns_say_stays_that_of_the_rows():
    titanic = satsuma.load("titanic")
    prior = {"no": 0.5, "yes": 0.5}
    for symbol in (RelativeFrequency(), Categorical(prior="class")):
        plain, own = (
            NaiveBayes(symbol=symbol, prior=each, calibrate=False)(titanic)
            for each in (None, prior)
        )
        np.testing.assert_allclose(plain.log_evidence(titanic), own.log_evidence(titanic))
    assert own.distribution == pytest.approx(prior)


def test_a_model_with_a_prior_is_saved_and_forgets(tmp_path):
    learner = Generative(prior=PRIOR, calibrate=False)
    model = learner(IRIS)
    model.save(tmp_path / "own.satsuma")
    opened = open_model(tmp_path / "own.satsuma")
    np.testing.assert_allclose(opened(IRIS, GetProbabilities), model(IRIS, GetProbabilities))
    less = model.forget(IRIS[:10])
    np.testing.assert_allclose(less.prior, list(PRIOR.values()))


def test_a_class_without_rows_stays_impossible():
    model = NaiveBayes(prior=PRIOR, calibrate=False)(IRIS[50:])
    assert model.prior.tolist() == pytest.approx([0, 0.625, 0.375])


@pytest.mark.parametrize(
    ("prior", "told"),
    [
        ({"setosa": 0.5, "versicolor": 0.6, "virginica": 0.3}, "sum to 1"),
        ({"setosa": 0.5, "versicolor": 0.5}, "'virginica'"),
        ({**PRIOR, "viola": 0.0}, "'viola'"),
        ({"setosa": -0.5, "versicolor": 1.0, "virginica": 0.5}, "sum to 1"),
        ({}, "sum to 1"),
    ],
)
def test_priors_that_are_none(prior, told):
    with pytest.raises(ParameterError, match=told):
        NaiveBayes(prior=prior, calibrate=False)(IRIS)


def test_alpha_is_that_of_scikit_learn():
    voting = satsuma.load("voting")
    known = np.all([~voting.missing(v.name) for v in voting.domain.attributes], axis=0)
    rows = voting[np.flatnonzero(known)]
    x = np.column_stack([rows.column(v.name) for v in rows.domain.attributes])
    for alpha in (1, 0.5):
        ours = NaiveBayes(symbol=Categorical(alpha=alpha), calibrate=False)(rows)(
            rows, GetProbabilities
        )
        peer = CategoricalNB(alpha=alpha).fit(x, rows.column(rows.domain.target.name))
        np.testing.assert_allclose(ours, peer.predict_proba(x), rtol=1e-9)


def test_alpha_is_checked():
    days = Table.of([("a", "x"), ("b", "y")], ["s", "t"])
    with pytest.raises(ParameterError, match="'alpha'"):
        NaiveBayes(symbol=Categorical(alpha=-1), calibrate=False)(days)
    assert NaiveBayes(symbol=Laplace(), calibrate=False)(days)
