"""Multivariate Gaussians against scipy, pandas, and every column known or not."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

import satsuma
from satsuma import LDA, Domain, MultivariateGaussian, Table, Variable
from satsuma.errors import ParameterError, SatsumaError
from satsuma.learners.shapley_values import coalitions, exact_shapley
from satsuma.tallies import Scatter

CLASSES = ("a", "b", "c")


def table_of(x, y, symbols=()):
    variables = [Variable(f"x{j}") for j in range(x.shape[1])]
    variables += [Variable(f"s{j}", "sym", ("u", "v", "w")) for j in range(len(symbols))]
    variables.append(Variable("class", "sym", CLASSES, "target"))
    return Table(Domain(variables), [*x.T, *symbols, y.astype(np.int32)])


def drawn(seed, n=60, width=4, far=0.0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 3
    x = rng.normal(size=(n, width)) @ rng.normal(size=(width, width)) + y[:, None] + far
    return rng, x, y


def learned(table, **parameters):
    block = MultivariateGaussian(**parameters)
    block.check()
    return block.conclude(block.tally(table))


def covariances(x, y, *, shared):
    each = [np.cov(x[y == k].T).reshape(x.shape[1], -1) for k in range(3)]
    if not shared:
        return each
    weights = [np.sum(y == k) - 1 for k in range(3)]
    return [np.average(each, axis=0, weights=weights)] * 3


def test_case_density(cases, shared):
    case = cases["003-mvn-density"]
    iris = satsuma.read(shared("r/iris.csv"), target="Species")
    table = iris.select([*case["input"]["features"], "Species"])
    normals = learned(table)
    at = iris.domain.target.values.index("setosa")
    mean = normals.mean[at]
    asked = Table(Domain(table.domain.attributes), [mean[j : j + 1] for j in range(2)])
    density = np.exp(normals.log_evidence(asked)[0, at])
    assert density == pytest.approx(case["expected"]["density"], abs=case["tolerance"]["abs"])


@pytest.mark.parametrize("shared", [True, False])
@given(seed=st.integers(0, 10**6), width=st.integers(1, 6), far=st.sampled_from([0.0, 1e4]))
def test_densities_are_those_of_scipy(shared, seed, width, far):
    _, x, y = drawn(seed, width=width, far=far)
    normals, each = learned(table_of(x, y), shared=shared), covariances(x, y, shared=shared)
    want = [multivariate_normal.logpdf(x, x[y == k].mean(axis=0), each[k]) for k in range(3)]
    found = normals.log_evidence(table_of(x, y))
    assert np.allclose(found, np.transpose(want), rtol=1e-7, atol=1e-7)
    ratios = normals.log_ratios(table_of(x, y))
    parts = normals.by_column(table_of(x, y))
    assert np.allclose(parts.sum(axis=1), ratios, rtol=1e-9, atol=1e-7)
    assert np.allclose(ratios - ratios[:, :1], found - found[:, :1], rtol=1e-7, atol=1e-6)


@pytest.mark.parametrize("times", [1, 9], ids=["few rows alike", "many rows alike"])
@pytest.mark.parametrize("shared", [True, False])
def test_missing_cells_are_marginalised(shared, times):
    """Every pattern of what is known, against the Gaussian of these columns alone."""
    rng, x, y = drawn(3)
    normals, each = learned(table_of(x, y), shared=shared), covariances(x, y, shared=shared)
    asked = rng.normal(size=(16, 4))
    for row, known in zip(asked, itertools.product([True, False], repeat=4), strict=True):
        row[~np.array(known)] = np.nan
    asked = np.repeat(asked, times, axis=0)
    table = table_of(asked, np.zeros(len(asked)))
    found, parts = normals.log_evidence(table), normals.by_column(table)
    ratios = normals.log_ratios(table)
    for row, said in zip(asked, found, strict=True):
        known = np.flatnonzero(~np.isnan(row))
        for k in range(3):
            mean, covariance = x[y == k].mean(axis=0)[known], each[k][np.ix_(known, known)]
            want = multivariate_normal.logpdf(row[known], mean, covariance) if len(known) else 0
            assert said[k] == pytest.approx(want, abs=1e-9)
    told = parts.sum(axis=1)
    assert np.allclose(told - told[:, :1], found - found[:, :1], rtol=1e-9, atol=1e-9)
    assert (parts[np.isnan(asked)] == 0).all()
    assert np.allclose(ratios - ratios[:, :1], found - found[:, :1], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("shared", [True, False])
def test_what_columns_add_are_shapley_values(shared):
    """By brute force over all sets of five columns, with scipy's densities.

    Columns that are not in a set are at the mean of the class; with a shared covariance at the
    mean of all rows, as what differs between classes is then linear.
    """
    _, x, y = drawn(9, width=5)
    normals, each = learned(table_of(x, y), shared=shared), covariances(x, y, shared=shared)
    row, sets = x[4] + 0.3, coalitions(5)
    centres = [x[y == k].mean(axis=0) for k in range(3)]
    asked = [np.where(sets, row, normals.middle if shared else centre) for centre in centres]
    worth = np.transpose(
        [multivariate_normal.logpdf(asked[k], centres[k], each[k]) for k in range(3)]
    )
    worth = worth - worth[:, :1] if shared else worth
    found = normals.by_column(table_of(row[None], np.zeros(1)))[0]
    if shared:
        start = normals.by_column(table_of(normals.middle[None], np.zeros(1)))[0]
        found = (found - start) - (found - start)[:, :1]
    else:
        found = found - worth[0] / 5  # the peak is shared by all columns
    assert np.allclose(found, exact_shapley(worth), rtol=1e-9, atol=1e-9)


def test_a_missing_column_is_found_by_integrating_it_out():
    _, x, y = drawn(5, width=2)
    normals = learned(table_of(x, y), shared=False)
    grid = np.linspace(-60, 60, 20_001)
    whole = table_of(np.column_stack([np.full(len(grid), 0.4), grid]), np.zeros(len(grid)))
    want = np.trapezoid(np.exp(normals.log_evidence(whole)), grid, axis=0)
    part = table_of(np.array([[0.4, np.nan]]), np.zeros(1))
    assert np.exp(normals.log_evidence(part)[0]) == pytest.approx(want, rel=1e-6)


@pytest.mark.parametrize("shared", [True, False])
def test_holes_in_learning_are_those_of_pandas(shared):
    rng, x, y = drawn(7, n=300)
    x[rng.random(x.shape) < 0.2] = np.nan
    normals = learned(table_of(x, y), shared=shared)
    for k in range(3):
        frame = pd.DataFrame(x[y == k])
        assert np.allclose(normals.mean[k], frame.mean(), rtol=1e-12)
        if not shared:
            assert np.allclose(normals.covariance[k], frame.cov(), rtol=1e-9)
    if shared:
        frames = [pd.DataFrame(x[y == k]) for k in range(3)]
        pairs = [f.notna().T.astype(float) @ f.notna().astype(float) for f in frames]
        want = sum(f.cov() * (n - 1) for f, n in zip(frames, pairs, strict=True))
        assert np.allclose(normals.covariance[0], want / (sum(pairs) - 3), rtol=1e-9)


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("shrinkage", [None, 0.0, 0.2, 1.0, "auto"])
def test_any_table_has_finite_densities(shared, shrinkage):
    """Columns twice, constant or unknown; a class of one row, and one of none."""
    rng, x, _ = drawn(11, n=40)
    x[:, 1] = 2 * x[:, 0] + 1
    y = np.r_[np.zeros(39), 1]
    x = np.column_stack([x, np.full(40, 3.0), np.full(40, np.nan), np.where(y == 0, 5.0, np.nan)])
    symbols = [rng.integers(-1, 3, 40).astype(np.int32), np.full(40, -1, np.int32)]
    table = table_of(x, y, symbols)
    normals = learned(table, shared=shared, shrinkage=shrinkage)
    assert np.isfinite(normals.log_evidence(table)).all()
    assert np.isfinite(normals.by_column(table)).all()
    assert 4 not in normals.varies  # constant
    assert 5 not in normals.varies  # never known
    told = normals.lines(table.domain["x4"], 2)
    assert told == [("x4", ["says nothing"] * 2)]
    assert normals.lines(table.domain["s0"], 2)[0] == ("s0", [])


def test_contradictory_pairs_do_not_make_a_direction_narrow():
    """Columns that were never all known together, with correlations that no rows can have."""
    rng = np.random.default_rng(2)
    rows = []
    for i, j, sign in ((0, 1, 1), (1, 2, 1), (0, 2, -1)):
        for value in rng.normal(size=50):
            row = [np.nan] * 3
            row[i], row[j] = value, sign * value + 0.1 * rng.normal()
            rows.append(row)
    x = np.array(rows)
    normals = learned(table_of(x, np.zeros(len(x))), shared=False)
    raw = pd.DataFrame(x).cov().to_numpy()
    assert np.linalg.eigvalsh(raw)[0] < -0.5
    assert np.linalg.eigvalsh(normals.covariance[0])[0] > 0.5


def test_a_value_that_is_not_known_is_missing():
    rng, x, y = drawn(13)
    symbols = [rng.integers(0, 3, len(y)).astype(np.int32)]
    normals = learned(table_of(x, y, symbols))
    unknown = table_of(x, y, [np.full(len(y), -1, np.int32)])
    alone = learned(table_of(x, y))
    assert np.allclose(normals.log_evidence(unknown), alone.log_evidence(table_of(x, y)))


def test_one_hot_is_what_it_is_called():
    """Zeros and ones made by hand give the same ratios."""
    rng, x, y = drawn(17, n=90)
    code = rng.integers(0, 3, 90)
    by_hand = np.column_stack([x, code == 0, code == 1])  # the third follows from the others
    found = learned(table_of(x, y, [code.astype(np.int32)])).log_evidence(
        table_of(x, y, [code.astype(np.int32)])
    )
    want = learned(table_of(by_hand, y)).log_evidence(table_of(by_hand, y))
    assert np.allclose(found - found[:, :1], want - want[:, :1], rtol=1e-5, atol=1e-5)


def test_parameters_are_checked():
    for bad in (-0.1, 1.5, "ledoit", True, np.nan):
        with pytest.raises(ParameterError, match="'shrinkage' parameter of MultivariateGaussian"):
            MultivariateGaussian(shrinkage=bad).check()
    with pytest.raises(ParameterError, match="'shared' parameter"):
        MultivariateGaussian(shared="yes").check()


def test_numbers_too_large_to_be_squared_are_named():
    x = np.array([[1e300, 1.0], [-1e300, 2.0], [2e300, 4.0]])
    with pytest.raises(SatsumaError, match="squares of column 'x0' are beyond"):
        learned(table_of(x, np.zeros(3)))
    x[1, 1] = np.inf
    with pytest.raises(SatsumaError, match="'x1'"):
        LDA()(table_of(x, np.zeros(3)))


def test_forgetting_is_as_if_never_learned():
    rng, x, y = drawn(19)
    x[rng.random(x.shape) < 0.1] = np.nan
    table = table_of(x, y, [rng.integers(-1, 3, len(y)).astype(np.int32)])
    left = Scatter.of(table) - Scatter.of(table[:20])
    assert left.close_to(Scatter.of(table[20:]), 1e-8)
    with pytest.raises(SatsumaError, match="Only rows that were learned"):
        Scatter.of(table[:20]) - Scatter.of(table)
    far = table_of(np.r_[x[:3], [[1e9] * 4]], np.zeros(4))
    with pytest.raises(SatsumaError, match="too few digits"):
        Scatter.of(far) - Scatter.of(far[3:])
