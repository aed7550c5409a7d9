"""The columns that rows must have once a learner has learned from some, in every verb."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.utils.estimator_checks import check_dataframe_column_names_consistency

import satsuma
from satsuma import AnDE, NaiveBayes, Ridge
from satsuma.errors import DomainError
from tests.every import LEARNERS

#: Those whose `partial_fit` takes numbers, as these are.
CHAINED = [one for one in LEARNERS if one.takes.rounds in ("one", "stream")]
TABULAR = [one for one in LEARNERS if {"num"} <= {*one.takes.kinds}]
ORDER = "Feature names must be in the same order as they were in fit"


def rows(learner=None):
    """Two columns of numbers, or of symbols for a learner that takes no numbers."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"p": rng.normal(size=40), "q": 100 + rng.normal(size=40)})
    y = (frame["p"] > 0).to_numpy().astype(int)
    if learner is not None and "num" not in learner.takes.kinds:
        frame = frame.round().astype(str)
    return frame, y


def fresh(learner):
    return type(learner)(**learner.get_params(deep=False))


def test_learners_that_chain_are_found():
    assert {"LDA", "MiniBatchKMeans", "NaiveBayes", "Ridge"} <= {
        type(one).__name__ for one in CHAINED
    }


class ByFit(AnDE):
    """One without `partial_fit`, which refuses numbers, such as scikit-learn has."""

    def learn(self, data):
        return super().learn(data)


@pytest.mark.parametrize("learner", TABULAR, ids=repr)
def test_scikit_learn_finds_names_checked_in_every_verb(learner):
    if isinstance(learner, AnDE) and not learner.in_one_round():
        learner = ByFit(**learner.get_params(deep=False))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Estimator .* does not inherit from")
        check_dataframe_column_names_consistency(type(learner).__name__, learner)


@pytest.mark.parametrize("learner", CHAINED, ids=repr)
@pytest.mark.parametrize(
    "form", [pd.DataFrame, pl.from_pandas, pl.DataFrame.to_arrow, satsuma.read]
)
def test_a_batch_with_columns_in_another_order_is_refused(learner, form):
    frame, y = rows(learner)
    given = [frame, frame[["q", "p"]]]
    if form is pl.DataFrame.to_arrow:
        given = [pl.from_pandas(each) for each in given]
    X, turned = map(form, given)
    chained = fresh(learner).partial_fit(X, y)
    before = chained.predict(X)
    with pytest.raises(DomainError, match=ORDER) as caught:
        chained.partial_fit(turned, y)
    assert "Use X[list(learner.feature_names_in_)]." in str(caught.value)
    assert chained.feature_names_in_.tolist() == ["p", "q"]
    assert chained.predict(X).tolist() == before.tolist()
    with pytest.raises(DomainError, match=ORDER):
        chained.predict(turned)


@pytest.mark.parametrize("learner", CHAINED, ids=repr)
def test_a_batch_with_other_columns_is_refused(learner):
    frame, y = rows(learner)
    chained = fresh(learner).partial_fit(frame, y)
    with pytest.raises(DomainError, match="unseen at fit time:\n- r\n"):
        chained.partial_fit(frame.rename(columns={"q": "r"}), y)
    with pytest.raises(DomainError, match="yet now missing:\n- q\n"):
        chained.partial_fit(frame[["p"]], y)
    with pytest.raises(DomainError, match="X has 1 features"):
        chained.partial_fit(frame[["p"]].to_numpy(), y)


@pytest.mark.parametrize("learner", CHAINED, ids=repr)
@pytest.mark.parametrize("forms", [(pd.DataFrame, np.asarray), (np.asarray, pd.DataFrame)])
def test_columns_without_names_go_by_position(learner, forms):
    frame, y = rows(learner)
    named, mixed = fresh(learner), fresh(learner)
    for form, some in zip(forms, (slice(0, 25), slice(25, 40)), strict=True):
        named.partial_fit(frame[some], y[some])
        mixed.partial_fit(form(frame[some]), y[some])
    np.testing.assert_array_equal(named.predict(frame), mixed.predict(frame))
    assert hasattr(mixed, "feature_names_in_") == (forms[0] is pd.DataFrame)


def test_fit_forgets_the_names_of_earlier_rows():
    frame, y = rows()
    learner = NaiveBayes().partial_fit(frame, y).fit(frame[["q", "p"]], y)
    assert learner.feature_names_in_.tolist() == ["q", "p"]
    again = Ridge().fit(frame, y).fit(frame.to_numpy(), y)
    assert not hasattr(again, "feature_names_in_")
