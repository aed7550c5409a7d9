"""Lasso and the elastic net against scikit-learn, and the strength that folds choose."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import ElasticNet, lars_path
from sklearn.linear_model import Lasso as TheirLasso

import satsuma
from satsuma import Lasso, Ridge, Table, cross_validate, plot
from satsuma.checks.batches import Batches
from satsuma.errors import DomainError, ParameterError
from satsuma.learners.linear.folded_scatter import FOLDS, FoldedScatter
from satsuma.tallies.content_hashes import hashes_of
from tests.learners.linear.matrices import one_hot


@pytest.fixture(scope="module")
def housing():
    return satsuma.load("housing")


@pytest.mark.parametrize(("l1", "l2"), [(1500.0, 0.0), (30.0, 0.0), (60.0, 200.0)])
@pytest.mark.parametrize("name", ["housing", "auto-mpg"])
def test_shipped_tables_against_scikit_learn(name, l1, l2):
    table = satsuma.load(name)
    if "car_name" in table.domain:
        table = table.with_roles({"car_name": "meta"})
    x, y, n = one_hot(table), table.column(table.domain.target.name), len(table)
    both = ElasticNet(alpha=(l1 + l2) / n, l1_ratio=l1 / (l1 + l2), tol=1e-10, max_iter=10**6)
    theirs = both.fit(x, y)
    model = Lasso(l1=l1, l2=l2)(table)
    assert np.allclose(model(table), theirs.predict(x), rtol=1e-6, atol=1e-5)
    if l2 or name == "housing":  # else values of symbols can make up for each other
        assert np.allclose(model.slopes, theirs.coef_, rtol=1e-5, atol=1e-6)


@given(seed=st.integers(0, 10**6), l1=st.floats(0.01, 100))
def test_holes_and_weights_against_scikit_learn(seed, l1):
    rng = np.random.default_rng(seed)
    x = rng.normal(rng.normal(0, 50, 4), rng.uniform(0.1, 9, 4), (40, 4))
    y = x @ rng.normal(size=4) + rng.normal(size=40)
    weights = rng.choice([0.5, 1.0, 2.0], 40)
    x[rng.random(x.shape) < 0.1] = np.nan
    table = satsuma.read(np.column_stack([x, y, weights]), names=[*"abcd", "y", "w"])
    table = table.with_roles({"w": "weight"}, target="y")
    matrix = one_hot(table, weights=weights)
    theirs = TheirLasso(alpha=l1 / weights.sum(), tol=1e-12, max_iter=10**5)
    theirs.fit(matrix, y, sample_weight=weights)
    assert np.allclose(Lasso(l1=l1)(table)(table), theirs.predict(matrix), rtol=1e-6, atol=1e-6)


def test_the_path_is_that_of_least_angles(housing):
    x, y = one_hot(housing), housing["MEDV"]
    alphas, _, slopes = lars_path(x, y - y.mean(), method="lasso")
    path = Lasso(l1=1)(housing).path
    n = len(y)
    for strength, found in zip(path.strengths[::9], path.slopes[::9], strict=True):
        wanted = [np.interp(strength / n, alphas[::-1], each[::-1]) for each in slopes]
        assert np.allclose(found, wanted, atol=2e-3)
    assert path.names == tuple(v.name for v in housing.domain.attributes)
    assert (path.slopes[0] == 0).all()
    assert path.errors is None


def test_the_chosen_strength_is_that_of_cross_validation_done_by_hand(housing):
    """With holes, which in rows that are held out are the means of the others."""
    rng = np.random.default_rng(0)
    table = housing[:120].select(["RM", "LSTAT", "CRIM", "MEDV"])
    columns = [np.where(rng.random(120) < 0.1, np.nan, each) for each in table.columns[:3]]
    table = Table(table.domain, [*columns, table.columns[3]])
    model = Lasso(table)
    folds = (hashes_of(table, list(table.domain)) >> np.uint64(32)) % np.uint64(FOLDS)
    total = np.zeros(len(model.strengths))
    for fold in range(FOLDS):
        train, test = (table[np.flatnonzero(each)] for each in (folds != fold, folds == fold))
        for at in range(0, len(total), 11):
            share = len(train) / len(table)
            one = Lasso(l1=float(model.strengths[at] * share))(train)
            total[at] += ((one(test) - test["MEDV"]) ** 2).sum()
    found = model.path.errors
    assert np.allclose(found[::11], total[::11] / len(table), rtol=1e-4)
    assert model.l1 == model.strengths[found.argmin()]


def test_folds_are_even_and_do_not_depend_on_batches(housing):
    whole = FoldedScatter.of(housing)
    sizes = [part.held.class_weight[0] for part in whole.parts]
    assert sum(sizes) == 506
    assert min(sizes) > 25
    assert (FoldedScatter.of(housing[:200]) + FoldedScatter.of(housing[200:])).close_to(whole)
    again = FoldedScatter.from_state(whole.state())
    assert again.close_to(whole)
    outer = np.arange(506) % 3
    for fold, tally in enumerate(FoldedScatter.by_fold(housing, outer, 3)):
        assert tally.close_to(FoldedScatter.of(housing[np.flatnonzero(outer == fold)]))
    one, other = Lasso()(housing), Lasso()(Batches(housing, size=50))
    assert np.allclose(one.slopes, other.slopes, atol=1e-6)


def test_cross_validation_in_one_pass_is_that_of_learning_anew(housing):
    folds = np.arange(506) % 4
    train, test = (housing[np.flatnonzero(each)] for each in (folds != 1, folds == 1))
    first, _, third, fourth = Lasso().tally_kind.by_fold(housing, folds, 4)
    merged = Lasso().concluded(first + third + fourth)
    assert np.allclose(merged(test), Lasso()(train)(test), atol=1e-6)
    scores = cross_validate([Lasso(), Ridge()], housing, folds=4, seed=1).scores("R2")
    assert scores["Lasso"] > scores["Ridge"] - 0.01


def test_coefficients_add_up_and_zeros_stay_zero():
    cars = satsuma.load("auto-mpg").with_roles({"car_name": "meta"})
    model = Lasso(l1=150)(cars)
    told = model.coefficients()
    assert [name for name, number in told.items() if number == 0]
    row = cars[0]
    total = told["constant"] + sum(
        told[v.name] * row[v.name] if v.kind == "num" else told[f"{v.name} = {row[v.name]}"]
        for v in cars.domain.attributes
    )
    assert model(row) == pytest.approx(total)
    assert "that are 0, at l1 = 150" in str(model)


def test_without_a_penalty_it_is_least_squares(housing):
    found = Lasso(l1=0)(housing)(housing)
    assert np.allclose(found, Ridge(l2=0)(housing)(housing), atol=1e-4)


@pytest.mark.parametrize("learner", [Lasso(), Lasso(l1=3)], ids=repr)
def test_little_to_learn_from(learner):
    one = Table.of([(1.0, "a", 2.0)], ["x", "s", "y"])
    assert learner(one)(one).tolist() == [2.0]
    same = Table.of([(1.0, 2.0), (1.0, 4.0)], ["x", "y"])
    assert learner(same)(same).tolist() == [3.0, 3.0]
    with pytest.raises(DomainError, match="No column varies"):
        plot.path(learner(same))


def test_what_is_refused(housing):
    for wrong in ({"l1": -1}, {"l1": "least"}, {"l2": -1}):
        with pytest.raises(ParameterError, match=f"'{next(iter(wrong))}' parameter of Lasso"):
            Lasso(**wrong)(housing)
    with pytest.raises(DomainError, match="models of Lasso"):
        plot.path(Ridge(housing))


def test_a_plot_has_a_line_for_each_feature(housing, tmp_path):
    model = Lasso(housing)
    ax = plot.path(model)
    path = model.path
    drawn = {tuple(np.round(line.get_ydata(), 9)) for line in ax.lines}
    assert {tuple(np.round(each, 9)) for each in path.slopes.T} <= drawn
    assert "first LSTAT, RM" in plot.describe(ax)
    model.save(tmp_path / "m.satsuma")
    opened = satsuma.open_model(tmp_path / "m.satsuma")
    assert np.array_equal(opened.path.slopes, path.slopes)
    assert str(opened) == str(model)
