"""GaussianProcess against scikit-learn's Gaussian process."""

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern, WhiteKernel

import satsuma
from satsuma import GaussianProcess, Mean, Ridge, Table, cross_validate
from satsuma.errors import DomainError
from satsuma.learners.model_files.saved_model import open_model
from tests.learners.linear.matrices import one_hot


def waves(seed=0, n=60):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-3, 3, (n, 2))
    return x, 7 + np.sin(x[:, 0]) * 3 + x[:, 1] + rng.normal(0, 0.2, n)


def asked(model, x):
    return satsuma.read(x, names=[v.name for v in model.domain.attributes])


@pytest.mark.parametrize("kernel", ["rbf", "matern"])
def test_mean_and_deviation_are_those_of_scikit_learn(kernel):
    x, y = waves()
    model = GaussianProcess(kernel=kernel).fit(x, y).model_
    shape = RBF(model.length) if kernel == "rbf" else Matern(model.length, nu=2.5)
    whole = ConstantKernel(model.signal) * shape + WhiteKernel(model.noise)
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    theirs = GaussianProcessRegressor(whole, optimizer=None, normalize_y=True).fit(z, y)
    fresh, _ = waves(1, 5000)
    mean, sd = theirs.predict((fresh - x.mean(axis=0)) / x.std(axis=0), return_std=True)
    table = asked(model, fresh)
    assert np.allclose(model(table), mean, rtol=1e-9, atol=1e-9)
    assert np.allclose(model.deviations(table), sd, rtol=1e-9, atol=1e-9)
    assert model.deviations(table[0]) == pytest.approx(sd[0], abs=1e-9)


@pytest.mark.parametrize("kernel", ["rbf", "matern"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_the_parameters_make_rows_most_probable(kernel):
    """The likelihood at them is that of the best of scikit-learn's searches, from other starts."""
    x, y = waves()
    model = GaussianProcess(kernel=kernel).fit(x, y).model_
    shape = RBF() if kernel == "rbf" else Matern(nu=2.5)
    whole = ConstantKernel(1.0, (1e-4, 1e5)) * shape + WhiteKernel(1.0, (1e-8, 1e3))
    z = (x - x.mean(axis=0)) / x.std(axis=0)
    solver = GaussianProcessRegressor(
        whole, normalize_y=True, n_restarts_optimizer=3, random_state=0
    ).fit(z, y)
    ours = np.log([model.signal, model.length, model.noise])
    found = solver.log_marginal_likelihood(ours)
    assert found == pytest.approx(solver.log_marginal_likelihood_value_, abs=1e-3)


def test_deviations_tell_how_far_off_numbers_are():
    x, y = waves(0, 200)
    learner = GaussianProcess().fit(x, y)
    fresh, truth = waves(1, 2000)
    away = (truth - learner.predict(fresh)) / learner.model_.deviations(
        asked(learner.model_, fresh)
    )
    assert 0.9 < away.std() < 1.15
    assert learner.model_.noise * y.var() == pytest.approx(0.04, rel=0.4)


def test_mixed_tables_with_holes():
    table = satsuma.load("auto-mpg")
    table = table.select([v.name for v in table.domain if v.name != "car_name"])[::2]
    model = GaussianProcess()(table)
    assert np.array_equal(model.rows, model.matrix(table))
    assert np.allclose(model.rows, one_hot(table), rtol=1e-9, atol=1e-9)
    results = cross_validate([GaussianProcess(), Ridge(), Mean()], table, folds=4, seed=1)
    process, ridge, mean = results.scores("R2").values()
    assert process > ridge > mean


def test_save_and_open(tmp_path):
    x, y = waves()
    model = GaussianProcess().fit(x, y).model_
    model.save(tmp_path / "m.satsuma")
    again, table = open_model(tmp_path / "m.satsuma"), asked(model, x)
    assert np.array_equal(again(table), model(table))
    assert np.array_equal(again.deviations(table), model.deviations(table))
    assert str(again) == str(model)


def test_weights_and_endless_targets_are_refused():
    table = Table.of([(1.0, 2.0, 1.0), (2.0, 3.0, 2.0)], ["x", "y", "w"])
    with pytest.raises(DomainError, match="does not take weights"):
        GaussianProcess()(table.with_roles({"w": "weight"}, target="y"))
    huge = Table.of([(1.0, 1e200), (2.0, -1e200), (3.0, 0.0)], ["x", "y"])
    with pytest.raises(DomainError, match="'y' holds numbers that are infinite, or whose squares"):
        GaussianProcess()(huge)
