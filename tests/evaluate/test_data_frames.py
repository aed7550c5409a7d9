"""Data frames where a table is needed, and learners that were fitted where a model is."""

import numpy as np
import pytest

import satsuma
from satsuma import (
    Logistic,
    Majority,
    NaiveBayes,
    Ridge,
    compare,
    explain,
    hold_out,
    importances,
    learning_curve,
    leave_one_out,
    load,
    plot,
    score_attributes,
)
from satsuma.errors import DomainError, ParameterError

IRIS = load("iris")
FRAME = IRIS.to_pandas()


@pytest.mark.parametrize(
    "call",
    [
        lambda: compare(FRAME),
        lambda: compare(FRAME, [Majority()], measure="CA"),
        lambda: hold_out(Majority(), FRAME),
        lambda: leave_one_out(Majority(), FRAME),
        lambda: learning_curve(Majority(), FRAME),
        lambda: satsuma.test_on(Majority(), FRAME, IRIS),
        lambda: satsuma.test_on(Majority(), IRIS, FRAME),
        lambda: importances(NaiveBayes(IRIS), FRAME),
        lambda: importances(NaiveBayes(IRIS), FRAME, by="drop"),
        lambda: NaiveBayes(IRIS).drift(FRAME),
        lambda: score_attributes(FRAME),
        lambda: satsuma.best_attribute(FRAME),
        lambda: satsuma.with_time_features(FRAME),
        lambda: satsuma.contrast(FRAME, [0, 1], [2, 3]),
        lambda: satsuma.advise(IRIS[0], FRAME),
        lambda: satsuma.choose_k(FRAME),
        lambda: satsuma.suspicious(NaiveBayes(), FRAME),
        lambda: satsuma.reject(NaiveBayes(IRIS), FRAME),
        lambda: satsuma.threshold(NaiveBayes(IRIS), FRAME),
        lambda: satsuma.write_report(FRAME, "never.html"),
        lambda: satsuma.distance(FRAME),
        lambda: satsuma.fastmap(FRAME),
        lambda: satsuma.distance_to_ideal(FRAME),
        lambda: satsuma.weak_labels(FRAME, []),
    ],
)
def test_a_frame_is_refused_with_the_way_to_a_table(call):
    with pytest.raises(DomainError, match=r"not a DataFrame\. Make a table of it: satsuma\.read"):
        call()


def test_a_learner_that_was_fitted_stands_for_its_model():
    X, y = FRAME.drop(columns="Species"), FRAME["Species"]
    fitted = Logistic().fit(X, y)
    row = dict(X.iloc[60])
    assert explain(fitted, row).parts == explain(fitted.model_, row).parts
    rows = satsuma.read(FRAME.rename(columns={"Species": fitted.model_.target.name}))
    assert importances(fitted, rows) == importances(fitted.model_, rows)
    assert importances(fitted, rows, by="drop", folds=3).measure == "log loss"
    drawn = [plot.effect(each, "Petal.Width", rows) for each in (fitted, fitted.model_)]
    lines = [[line.get_ydata() for line in axes.get_lines()] for axes in drawn]
    np.testing.assert_array_equal(lines[0][-2], lines[1][-2])
    assert drawn[0].get_title() == drawn[1].get_title()


def test_so_does_one_that_learned_in_parts():
    X, y = np.arange(12.0).reshape(6, 2), np.arange(6.0)
    fitted = Ridge().partial_fit(X[:3], y[:3]).partial_fit(X[3:], y[3:])
    row = dict(zip(("x0", "x1"), X[2], strict=True))
    assert explain(fitted, row).total == pytest.approx(fitted.predict(X[2:3])[0])


@pytest.mark.parametrize(
    "call",
    [
        lambda: explain(Logistic(), IRIS[0]),
        lambda: importances(Logistic(), IRIS),
        lambda: plot.effect(Logistic(), "Petal.Width", IRIS),
    ],
)
def test_one_that_was_not_does_not(call):
    with pytest.raises(ParameterError, match="Logistic"):
        call()
