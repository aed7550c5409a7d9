"""L-BFGS: the same optimum as Newton's method and scikit-learn's, for many coefficients too."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import satsuma
from satsuma import GetProbabilities, Logistic, Table
from satsuma.checks.batches import Batches
from satsuma.kernels.threads import single_blas_thread
from satsuma.learners.linear import encoded_rows, logistic
from satsuma.learners.linear.log_likelihood import LogLikelihood
from satsuma.learners.linear.newton import Newton
from satsuma.learners.linear.quasi_newton import MOST_ERRORS, QuasiNewton
from satsuma.learners.model_files.saved_model import open_model
from tests.learners.linear.matrices import one_hot
from tests.learners.linear.test_logistic import theirs


def many_values(rows=120, columns=24, classes=24, seed=0):
    """Many symbols, classes as many as in audiology, some cells missing, some classes rare."""
    rng = np.random.default_rng(seed)
    share = 1 / np.arange(1, classes + 1)
    y = rng.choice(classes, rows, p=share / share.sum())
    values = rng.integers(2, 5, columns)
    usual = rng.integers(0, values, (classes, columns))
    cells = np.where(
        rng.random((rows, columns)) < 0.7, usual[y], rng.integers(0, values, (rows, columns))
    )
    gone = rng.random((rows, columns)) < 0.03
    names = [f"s{at}" for at in range(columns)]
    made = [
        [*(None if hole else f"v{cell}" for cell, hole in zip(row, holes, strict=True)), f"c{kind}"]
        for row, holes, kind in zip(cells, gone, y, strict=True)
    ]
    return Table.of(made, [*names, "class"])


@pytest.mark.parametrize("name", ["heart_disease", "zoo", "lenses"])
@pytest.mark.parametrize("l2", [0.1, 1.0])
def test_as_newton_and_scikit_learn(name, l2, monkeypatch):
    table = satsuma.load(name)
    newton = Logistic(l2=l2)(table)
    monkeypatch.setattr(logistic, "_MOST_NEWTON", 0)
    found = Logistic(l2=l2)(table)
    assert found.converged
    assert np.allclose(found.found, newton.found, rtol=0, atol=1e-6)
    pairs = zip(found.coefficients(), newton.coefficients(), strict=True)
    assert all(a.se == pytest.approx(b.se, rel=1e-6, abs=1e-9) for a, b in pairs)
    x, y = one_hot(table), table.column(table.domain.target.name)
    want = theirs(x, y, l2).predict_proba(x)
    assert np.allclose(found(table, GetProbabilities), want, rtol=0, atol=1e-6)


def test_more_coefficients_than_have_standard_errors(tmp_path):
    table = many_values()
    model = Logistic()(table)
    assert model.converged
    assert model.found.size > MOST_ERRORS
    x, y = one_hot(table), table.column("class")
    with single_blas_thread():  # its threads would only wait for each other
        want = LogisticRegression(tol=1e-9, max_iter=1000).fit(x, y).predict_proba(x)
    assert np.allclose(model(table, GetProbabilities), want, rtol=0, atol=1e-6)
    told = model.coefficients()
    assert np.isnan([each.se for each in told]).all()
    assert "error" not in str(model)
    parts = Logistic()(Batches(table, size=50))
    assert np.allclose(parts.found, model.found, rtol=0, atol=1e-6)
    model.save(tmp_path / "m.satsuma")
    again = open_model(tmp_path / "m.satsuma")
    assert str(again) == str(model)


def test_a_step_that_goes_too_far_is_shortened():
    """A curvature that is first taken for far too small, of a loss whose least is known."""
    goal = np.array([[1.0, -2.0, 0.5]])

    def looked_at(at):
        loss = float(np.cosh(at - goal).sum())
        return LogLikelihood(loss, np.sinh(at - goal), np.zeros((0, 0)))

    search, shortened = QuasiNewton(np.zeros((1, 3)), 0.0, 1e-8, 200, np.full(3, 0.1)), 0
    while not search.over:
        search = search.advance(looked_at(search.tried))
        shortened += search.share < 1
    assert shortened
    assert search.converged
    assert np.allclose(search.found, goal, atol=1e-8)


def test_too_few_rounds_are_said(monkeypatch):
    monkeypatch.setattr(logistic, "_MOST_NEWTON", 0)
    model = Logistic(rounds=3)(satsuma.load("zoo"))
    assert not model.converged
    assert "rounds were not enough" in str(model)


def test_which_search_is_used():
    def search(table):
        learner = Logistic()
        state = learner.start(table.domain)
        return learner.advance(state, learner.tally(state, table)).search

    assert isinstance(search(satsuma.load("heart_disease")), Newton)
    assert isinstance(search(many_values(60, 20, 8)), QuasiNewton)


@pytest.mark.parametrize("classes", [2, 4])
def test_symbols_of_many_values_are_those_laid_out_as_columns(classes, monkeypatch):
    """Against scikit-learn on one-hot columns, with missing cells, weights, and standard errors."""
    rng = np.random.default_rng(classes)
    cells = rng.integers(0, [30, 3, 20], (300, 3))
    y = (cells.sum(axis=1) + rng.integers(0, 9, 300)) % classes
    rows = [
        (*(None if rng.random() < 0.05 else f"v{cell}" for cell in row), rng.normal(), f"c{code}")
        for row, code in zip(cells, y, strict=True)
    ]
    table = Table.of(rows, ["s", "t", "u", "x", "class"])
    weights = rng.choice([1.0, 2.0], 300)
    learner = Logistic(missing="ignore")
    model = learner(table, weights=weights)
    x, told = one_hot(table, weights=weights), table.column("class")
    want = theirs(x, told, 1.0, weights).predict_proba(x)
    assert np.allclose(model(table, GetProbabilities), want, rtol=0, atol=1e-7)
    monkeypatch.setattr(encoded_rows, "_FEW_VALUES", 100)
    dense = learner(table, weights=weights)
    assert np.allclose(model.found, dense.found, rtol=0, atol=1e-8)
    assert np.allclose(model.covariance, dense.covariance, rtol=0, atol=1e-8)
    sparse = Logistic(l1=2, missing="ignore")
    found = sparse(table, weights=weights).found
    monkeypatch.setattr(encoded_rows, "_FEW_VALUES", 16)
    assert np.allclose(sparse(table, weights=weights).found, found, rtol=0, atol=1e-6)
