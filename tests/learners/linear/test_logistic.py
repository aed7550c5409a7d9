"""Logistic against scikit-learn, and its standard errors against formulas written out."""

import warnings
from math import erfc, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

import satsuma
from satsuma import GetProbabilities, Logistic, Table, cross_validate
from satsuma.checks.batches import Batches
from satsuma.errors import ParameterError
from satsuma.learners.model_files.saved_model import open_model
from tests.learners.linear.matrices import drawn, one_hot


def theirs(x, y, l2, weights=None):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it comes as near as floats can, and complains
        solver = LogisticRegression(C=1 / l2, tol=1e-13, max_iter=10_000, solver="newton-cg")
        return solver.fit(x, y, sample_weight=weights)


@settings(max_examples=25)
@given(
    seed=st.integers(0, 10**6),
    classes=st.integers(2, 4),
    l2=st.sampled_from([0.03, 1.0, 20.0]),
    weighted=st.booleans(),
)
def test_numbers_against_scikit_learn(seed, classes, l2, weighted):
    x, y = drawn(seed, classes=classes)
    weights = np.random.default_rng(seed).choice([0.5, 1.0, 3.0], len(y)) if weighted else None
    ours = Logistic(l2=l2).fit(x, y, sample_weight=weights)
    mean = np.average(x, axis=0, weights=weights)
    z = (x - mean) / np.sqrt(np.average((x - mean) ** 2, axis=0, weights=weights))
    # Fractions are relative weights: 1 on average.
    want = theirs(z, y, l2, weights / weights.mean() if weighted else None)
    assert np.allclose(ours.predict_proba(x), want.predict_proba(z), rtol=1e-7, atol=1e-7)
    assert ours.model_.converged


@pytest.mark.parametrize("missing", ["ignore", "informative"])
@pytest.mark.parametrize("name", ["titanic", "voting", "heart_disease", "lenses", "zoo"])
def test_mixed_tables_with_holes_against_scikit_learn(name, missing):
    table = satsuma.load(name)
    x = one_hot(table, indicators=missing == "informative")
    y = table.column(table.domain.target.name)
    want = theirs(x, y, 1.0).predict_proba(x)
    ours = Logistic(missing=missing)(table)
    assert np.allclose(ours(table, GetProbabilities), want, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("classes", [2, 3])
def test_the_best_coefficients_by_another_search(classes):
    """The penalised likelihood as it is written down, by scipy."""
    x, y = drawn(7, classes=classes)
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    n = 1 if classes == 2 else classes

    def loss(flat):
        b = flat.reshape(n, 5)
        scores = b[:, 0] + z @ b[:, 1:].T
        scores = np.column_stack([np.zeros(len(z)), scores]) if n == 1 else scores
        each = np.logaddexp.reduce(scores, axis=1) - scores[np.arange(len(y)), y]
        return each.sum() + 0.7 / 2 * (b[:, 1:] ** 2).sum()

    best = minimize(loss, np.zeros(5 * n), tol=1e-12)
    told = Logistic(l2=0.7).fit(x, y).model_.coefficients()
    found = np.array([each.coefficient for each in told]).reshape(n, 5)
    b = best.x.reshape(n, 5)
    b[:, 0] -= (b[:, 1:] * x.mean(axis=0) / x.std(axis=0)).sum(axis=1)
    b[:, 1:] /= x.std(axis=0)
    if n > 1:
        b[:, 0] -= b[:, 0].mean()  # the penalty leaves the constants free to move together
        found[:, 0] -= found[:, 0].mean()
    assert np.allclose(found, b, rtol=1e-3, atol=1e-4)


def test_standard_errors_of_two_classes_without_a_penalty():
    """The textbook's: the root of the diagonal of the inverse of X'WX."""
    x, y = drawn(3, n=300, classes=2)
    model = Logistic(l2=0).fit(x, y).model_
    told = model.coefficients()
    p = model.probabilities(satsuma.read(x, names=[v.name for v in model.domain.attributes]))[:, 1]
    design = np.column_stack([np.ones(len(x)), x])
    covariance = np.linalg.inv(design.T @ (design * (p * (1 - p))[:, None]))
    assert [each.se for each in told] == pytest.approx(np.sqrt(np.diag(covariance)), rel=1e-6)
    # At the maximum, residuals are at right angles to every column.
    assert np.allclose(design.T @ (y - p), 0, rtol=1e-6, atol=1e-6)
    for each in told:
        assert each.z == pytest.approx(each.coefficient / each.se)
        assert each.p == pytest.approx(erfc(abs(each.z) / sqrt(2)))
        assert each.odds_ratio == pytest.approx(np.exp(each.coefficient))


def test_standard_errors_of_three_classes():
    """The inverse of the curvature of the penalised likelihood, taken by differences."""
    x, y = drawn(5, n=200, classes=3)
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    model = Logistic(l2=2.0).fit(z, y).model_

    def gradient(flat):
        b = flat.reshape(3, 5)
        scores = b[:, 0] + z @ b[:, 1:].T
        p = np.exp(scores - np.logaddexp.reduce(scores, axis=1, keepdims=True))
        away = (p - np.eye(3)[y]).T @ np.column_stack([np.ones(len(z)), z])
        away[:, 1:] += 2.0 * b[:, 1:]
        return away.ravel()

    told = model.coefficients()
    at = np.array([each.coefficient for each in told])
    assert np.allclose(gradient(at), 0, rtol=1e-6, atol=1e-6)
    step = 1e-5 * np.eye(15)
    hessian = np.array([(gradient(at + d) - gradient(at - d)) / 2e-5 for d in step])
    # What all classes have in common makes no difference, and is not counted as doubt.
    between = np.kron(np.eye(3) - 1 / 3, np.eye(5))
    covariance = np.linalg.pinv(between @ hessian @ between, rcond=1e-8)
    assert [each.se for each in told] == pytest.approx(np.sqrt(np.diag(covariance)), rel=1e-5)


def test_a_symbol_of_two_values_has_one_z():
    model = Logistic()(satsuma.load("titanic"))
    told = {each.name: each for each in model.coefficients()}
    assert told["sex = male"].z == pytest.approx(-told["sex = female"].z)
    # What separates the two is as unsure as either of them, whatever the shares.
    gap = told["sex = male"].coefficient - told["sex = female"].coefficient
    assert gap == pytest.approx(2.39, abs=0.02)
    assert abs(told["sex = male"].z) > 15


def test_what_is_printed():
    text = str(Logistic()(satsuma.load("titanic")))
    lines = text.splitlines()
    assert lines[0].endswith("log odds of survived = no against yes:")
    assert lines[1].split() == ["coefficient", "error", "odds", "ratio", "z", "p"]
    assert any(line.startswith("sex = female") for line in lines)
    three = str(Logistic()(satsuma.load("iris")))
    assert three.count("against all classes:") == 3


def test_classes_that_can_be_separated():
    x = np.array([[-3.0], [-2.0], [-1.0], [1.0], [2.0], [3.0]])
    y = np.array([0, 0, 0, 1, 1, 1])
    ours = Logistic(l2=1e-6).fit(x, y)
    assert ours.model_.converged
    assert np.isfinite([each.se for each in ours.model_.coefficients()]).all()
    assert (ours.predict(x) == y).all()
    z = x / x.std()
    assert np.allclose(
        ours.predict_proba(x), theirs(z, y, 1e-6).predict_proba(z), rtol=1e-6, atol=1e-6
    )
    free = Logistic(l2=0).fit(x, y)
    assert np.isfinite(free.predict_proba(x)).all()


def test_few_rounds_are_said_to_be_too_few():
    x, y = drawn(0)
    model = Logistic(rounds=2).fit(x, y).model_
    assert not model.converged
    assert "rounds were not enough" in str(model)
    with pytest.raises(ParameterError, match="'rounds' parameter of Logistic"):
        Logistic(rounds=1).fit(x, y)


def test_a_step_that_goes_too_far_is_halved():
    """Where one row is far from all others, Newton's steps overshoot."""
    halved = 0

    class Watched(Logistic):
        def advance(self, state, tally):
            nonlocal halved
            after = super().advance(state, tally)
            before, now = state.search, after.search
            if before is not None and before.found is not None and now.found is before.found:
                halved += 1
                assert np.array_equal(now.tried, before.found - before.step / 2)
            return after

    x = np.append(np.linspace(0, 2.5, 17), [41.4, 63.5, 4720.0])[:, None]
    y = np.append(np.zeros(18, int), [1, 1])
    ours = Watched(l2=1e-6).fit(x, y)
    assert halved
    assert ours.model_.converged
    z = (x - x.mean()) / x.std()
    by_class = ours.model_.found[0]
    p = ours.predict_proba(x)[:, 1]
    assert (p - y).sum() == pytest.approx(0, abs=1e-9)
    assert (p - y) @ z[:, 0] + 1e-6 * by_class[1] == pytest.approx(0, abs=1e-9)


def test_rows_in_batches():
    table = satsuma.load("heart_disease")
    whole = Logistic()(table)(table, GetProbabilities)
    parts = Logistic()(Batches(table, size=40))(table, GetProbabilities)
    assert np.allclose(whole, parts, rtol=1e-10, atol=1e-10)


def test_many_rows_are_looked_at_in_parts():
    x, y = drawn(0, n=9000)
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    want = theirs(z, y, 1.0).predict_proba(z)
    assert np.allclose(Logistic().fit(x, y).predict_proba(x), want, rtol=1e-7, atol=1e-7)


def test_a_class_that_is_not_there_has_no_chance():
    rows = [(0.0, "a"), (1.0, "b"), (0.2, "a"), (1.3, "b"), (5.0, "c")]
    table = Table.of(rows, ["x", "class"])[:4]
    model = Logistic()(table)
    assert model.classes == ("a", "b", "c")
    assert (model(table, GetProbabilities)[:, 2] == 0).all()
    alone = Logistic()(table[:1])
    assert alone(table, GetProbabilities)[:, 0].tolist() == [1] * 4
    assert str(alone) == "class is always a"


def test_save_and_open(tmp_path):
    table = satsuma.load("heart_disease")
    model = Logistic()(table)
    model.save(tmp_path / "m.satsuma")
    again = open_model(tmp_path / "m.satsuma")
    assert np.array_equal(again(table, GetProbabilities), model(table, GetProbabilities))
    assert str(again) == str(model)


def test_cross_validation():
    results = cross_validate([Logistic()], satsuma.load("voting"), folds=5, seed=1)
    assert next(iter(results.scores("CA").values())) > 0.94


@pytest.mark.parametrize(("l1", "l2"), [(5.0, 0.0), (1, 3)])
@pytest.mark.parametrize("name", ["heart_disease", "iris"])
def test_l1_against_scikit_learn(name, l1, l2):
    table = satsuma.load(name)
    model = Logistic(l1=l1, l2=l2)(table)
    x, y = model.matrix(table), table.column(table.domain.target.name)
    peer = LogisticRegression(
        l1_ratio=l1 / (l1 + l2), C=1 / (l1 + l2), solver="saga", tol=1e-9, max_iter=10**5
    ).fit(x, y)
    assert model.converged
    assert np.allclose(model.probabilities(table), peer.predict_proba(x), atol=1e-6)
    assert model.covariance is None
    if l2 or name == "iris":  # else values of a symbol can make up for each other
        assert np.allclose(model.found[:, 1:], peer.coef_, atol=1e-5)
        told = model.coefficients()
        assert sum(each.coefficient == 0 for each in told) == (peer.coef_ == 0).sum()
        assert "that are 0, at l1" in str(model) or (peer.coef_ != 0).all()


def test_a_great_penalty_leaves_the_shares(tmp_path):
    table = satsuma.load("iris")[20:]
    model = Logistic(l1=1e4)(table)
    shares = np.bincount(table.column("Species")) / len(table)
    assert np.allclose(model.probabilities(table), shares, atol=1e-7)
    model.save(tmp_path / "m.satsuma")
    opened = open_model(tmp_path / "m.satsuma")
    assert np.array_equal(opened.probabilities(table), model.probabilities(table))
    assert str(opened) == str(model)


def test_a_negative_penalty_is_refused():
    with pytest.raises(ParameterError, match="'l1' parameter of Logistic"):
        Logistic(l1=-1)(satsuma.load("iris"))
