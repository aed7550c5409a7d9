"""Ridge against scikit-learn, and on tables as they come."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression
from sklearn.linear_model import Ridge as TheirRidge

import satsuma
from satsuma import Mean, Ridge, Table, cross_validate
from satsuma.checks.batches import Batches
from satsuma.errors import DomainError, ParameterError
from satsuma.learners.model_files.saved_model import open_model
from tests.learners.linear.matrices import one_hot
from tests.tables import OF_NUMBERS, read_shared


@pytest.mark.parametrize("l2", [0.01, 1.0, 30.0])
@pytest.mark.parametrize("name", ["housing", "auto-mpg"])
def test_shipped_tables_against_scikit_learn(name, l2):
    table = satsuma.load(name)
    x, y = one_hot(table), table.column(table.domain.target.name)
    theirs = TheirRidge(alpha=l2, solver="cholesky").fit(x, y)
    assert np.allclose(Ridge(l2=l2)(table)(table), theirs.predict(x), rtol=1e-7, atol=1e-7)


@given(
    seed=st.integers(0, 10**6),
    width=st.integers(1, 6),
    l2=st.floats(1e-3, 1e3),
    missing=st.sampled_from(["ignore", "informative"]),
)
def test_numbers_with_holes_and_weights_against_scikit_learn(seed, width, l2, missing):
    rng = np.random.default_rng(seed)
    x = rng.normal(rng.normal(0, 50, width), rng.uniform(0.1, 9, width), (60, width))
    y = x @ rng.normal(size=width) + rng.normal(size=60)
    weights = rng.choice([0.5, 1.0, 2.0], 60)
    x[rng.random(x.shape) < 0.1] = np.nan
    names = [f"x{at}" for at in range(width)]
    table = satsuma.read(np.column_stack([x, y, weights]), names=[*names, "y", "w"])
    table = table.with_roles({"w": "weight"}, target="y")
    matrix = one_hot(table, weights=weights, indicators=missing == "informative")
    theirs = TheirRidge(alpha=l2, solver="cholesky").fit(matrix, y, sample_weight=weights)
    model = Ridge(l2=l2, missing=missing)(table)
    assert np.allclose(model.slopes, theirs.coef_, rtol=1e-7, atol=1e-9)
    assert np.allclose(model(table), theirs.predict(matrix), rtol=1e-7, atol=1e-7)
    left = y - theirs.predict(matrix)
    assert model.sd == pytest.approx(np.sqrt(np.average(left**2, weights=weights)), rel=1e-6)


def test_without_a_penalty_it_is_least_squares():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(40, 3))
    y = x @ [1, 2, 3] + rng.normal(size=40)
    twice = np.column_stack([x, x[:, 0]])  # of many solutions, the predictions are the same
    found = Ridge(l2=0).fit(twice, y).predict(twice)
    assert np.allclose(found, LinearRegression().fit(x, y).predict(x), rtol=1e-9, atol=1e-9)


def test_coefficients_are_per_unit():
    rng = np.random.default_rng(0)
    x = rng.normal(40, 7, (90, 2))
    model = Ridge(l2=1e-9).fit(x, 5 + x @ [2.0, -3.0]).model_
    told = list(model.coefficients().values())
    assert told == pytest.approx([5, 2, -3], abs=1e-6)


def test_standard_errors_are_those_of_lm():
    """summary(lm(medv ~ ., MASS::Boston)) of R; degrees of freedom 492, t with 3 digits."""
    model = Ridge(l2=0)(satsuma.load("housing"))
    wanted = {
        "constant": (36.46, 5.103), "CRIM": (-0.1080, 0.03286), "ZN": (0.04642, 0.01373),
        "INDUS": (0.02056, 0.06150), "CHAS": (2.687, 0.8616), "NOX": (-17.77, 3.820),
        "RM": (3.810, 0.4179), "AGE": (0.0006922, 0.01321), "DIS": (-1.476, 0.1995),
        "RAD": (0.3060, 0.06635), "TAX": (-0.01233, 0.003760), "PTRATIO": (-0.9527, 0.1308),
        "B": (0.009312, 0.002686), "LSTAT": (-0.5248, 0.05072),
    }  # fmt: skip
    told, errors = model.coefficients(), model.standard_errors()
    for name, (coefficient, error) in wanted.items():
        assert told[name] == pytest.approx(coefficient, rel=6e-4)
        assert errors[name] == pytest.approx(error, rel=6e-4)
    assert model.degrees == pytest.approx(492)
    assert "LSTAT        -0.52476    0.05072  -10.35  7.8e-23" in str(model)


@pytest.mark.parametrize("l2", [0.5, 40.0])
def test_standard_errors_with_a_penalty_are_those_of_the_formula(l2):
    table = satsuma.load("auto-mpg").with_roles({"car_name": "meta"})
    x, y = one_hot(table), table.column(table.domain.target.name)
    model, n = Ridge(l2=l2)(table), len(table)
    inverse = np.linalg.inv(x.T @ x + l2 * np.eye(x.shape[1]))
    hat = x @ inverse @ x.T
    left = y - y.mean() - hat @ y
    variance = left @ left / (n - 1 - np.trace(hat))
    wanted = np.sqrt(np.diagonal(inverse @ x.T @ x @ inverse) * variance)
    number = [value is None for _, value in model.encoding().features]
    found = np.array([*model.standard_errors().values()])[1:][number]
    assert np.allclose(found, (wanted / model.scale)[number], rtol=1e-7)


def test_errors_of_values_are_those_of_dummies():
    """Of two values the one is the other's mirror: their difference is the slope of a dummy."""
    rng = np.random.default_rng(0)
    s, x = rng.integers(0, 2, 50), rng.normal(size=50)
    y = 3 * s + x + rng.normal(size=50)
    table = Table.of(list(zip(x, np.array(["a", "b"])[s], y, strict=True)), ["x", "s", "y"])
    model = Ridge(l2=0)(table)
    design = np.column_stack([np.ones(50), x, s])
    inverse = np.linalg.inv(design.T @ design)
    left = y - design @ inverse @ design.T @ y
    wanted = np.sqrt(np.diagonal(inverse) * (left @ left) / 47)
    told = model.standard_errors()
    assert told["x"] == pytest.approx(wanted[1], rel=1e-9)
    assert told["s = a"] + told["s = b"] == pytest.approx(wanted[2], rel=1e-9)


def test_where_nothing_is_left_over_there_are_no_errors():
    model = Ridge(l2=0)(Table.of([(1.0, 2.0), (2.0, 3.0)], ["x", "y"]))
    assert np.isnan([*model.standard_errors().values()]).all()
    assert "error" not in str(model)


@pytest.mark.parametrize("name", OF_NUMBERS)
def test_it_beats_the_mean(shared, name):
    table = read_shared(shared(name))
    results = cross_validate([Ridge(), Mean()], table, folds=10, seed=1)
    ridge, mean = results.scores("R2").values()
    assert ridge > 0.35
    assert mean < 0.01


def test_cross_validation_by_merging_is_that_of_learning_anew():
    table = satsuma.load("auto-mpg")
    folds = np.arange(len(table)) % 4
    for fold, rows in ((0, folds != 0), (2, folds != 2)):
        parts = [Ridge().tally(table[np.flatnonzero(folds == k)]) for k in range(4) if k != fold]
        merged = Ridge().concluded(parts[0] + parts[1] + parts[2])
        assert np.allclose(
            merged(table), Ridge()(table[np.flatnonzero(rows)])(table), rtol=1e-8, atol=1e-8
        )
    assert np.allclose(
        Ridge()(Batches(table, size=50))(table), Ridge()(table)(table), rtol=1e-8, atol=1e-8
    )


def test_save_and_open(tmp_path):
    table = satsuma.load("auto-mpg")
    model = Ridge()(table)
    model.save(tmp_path / "m.satsuma")
    again = open_model(tmp_path / "m.satsuma")
    assert np.array_equal(again(table), model(table))
    assert str(again) == str(model)


def test_what_is_refused():
    table = Table.of([(1.0, 2.0), (2.0, 3.0)], ["x", "y"])
    with pytest.raises(ParameterError, match="'l2' parameter of Ridge"):
        Ridge(l2=-1)(table)
    endless = Table(table.domain, [np.array([np.inf, 1.0]), table.columns[1]], check=False)
    with pytest.raises(DomainError, match="'x' holds numbers that are infinite"):
        Ridge()(endless)
