"""LinearSVM and SVM against scikit-learn's machines."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.svm import SVC, LinearSVC

import satsuma
from satsuma import SVM, GetProbabilities, LinearSVM, Table, cross_validate
from satsuma.errors import ParameterError
from satsuma.learners.distinct_rows import distinct_rows
from satsuma.learners.model_files.saved_model import open_model
from satsuma.tallies.held_out import by_name, held_out
from tests.learners.linear.matrices import drawn, one_hot


def scaled(x):
    return (x - x.mean(axis=0)) / x.std(axis=0)


def asked(model, x):
    return satsuma.read(x, names=[v.name for v in model.domain.attributes])


@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
def test_linear_machine_is_that_of_scikit_learn(classes, C):
    x, y = drawn(1, classes=classes)
    want = LinearSVC(C=C, dual=False, tol=1e-10, max_iter=10**6).fit(scaled(x), y)
    ours = LinearSVM(C=C).fit(x, y)
    found = ours.model_.decisions(asked(ours.model_, x))
    theirs = want.decision_function(scaled(x))
    # Their solver stops seven digits on; ours goes to where the slope of the objective is zero.
    assert np.allclose(found[:, 1] if classes == 2 else found, theirs, rtol=0, atol=1e-6)
    assert (found.argmax(axis=1) == want.predict(scaled(x))).all()
    ones = np.hstack([scaled(x), np.ones((len(x), 1))])
    own = np.c_[ours.model_.slopes, ours.model_.constants]
    for slopes, against in zip(
        own, np.unique(y)[1:] if classes == 2 else np.unique(y), strict=True
    ):
        sides = np.where(y == against, 1.0, -1.0)
        short = np.maximum(0.0, 1 - sides * (ones @ slopes))
        assert np.abs(slopes - 2 * C * ones.T @ (sides * short)).max() < 1e-10 * max(1, C)


KERNELS = [{"kernel": "rbf"}, {"kernel": "linear"}, {"kernel": "poly", "degree": 2}]
KERNELS += [{"kernel": "rbf", "gamma": 2.0}]


@pytest.mark.parametrize("classes", [2, 3, 4])
@pytest.mark.parametrize("how", KERNELS, ids=str)
def test_machine_is_that_of_scikit_learn(classes, how):
    x, y = drawn(2, classes=classes)
    z = scaled(x)
    settings = {"gamma": "scale", **how}
    want = SVC(C=2.0, coef0=1.0, tol=1e-10, break_ties=True, **settings).fit(z, y)
    ours = SVM(C=2.0, **how).fit(x, y)
    found = ours.model_.decisions(asked(ours.model_, x))
    theirs = want.decision_function(z)
    assert np.allclose(found[:, 1] if classes == 2 else found, theirs, rtol=1e-9, atol=1e-9)
    assert (found.argmax(axis=1) == want.predict(z)).all()


def test_weights_are_those_of_scikit_learn():
    x, y = drawn(3)
    weights = np.random.default_rng(0).choice([0.5, 1.0, 2.0], len(y))
    ours = SVM(gamma=0.3).fit(x, y, sample_weight=weights)
    mean = np.average(x, axis=0, weights=weights)
    z = (x - mean) / np.sqrt(np.average((x - mean) ** 2, axis=0, weights=weights))
    relative = weights / weights.mean()  # fractions are 1 on average
    want = SVC(gamma=0.3, tol=1e-10).fit(z, y, sample_weight=relative)
    found = ours.model_.decisions(asked(ours.model_, x))
    assert np.allclose(found, want.decision_function(z), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("learner", [LinearSVM(missing="ignore"), SVM(missing="ignore")], ids=repr)
@pytest.mark.parametrize("name", ["voting", "heart_disease"])
def test_mixed_tables_with_holes(learner, name):
    table = satsuma.load(name)
    z, y = one_hot(table), table.column(table.domain.target.name)
    if isinstance(learner, SVM):
        want = SVC(tol=1e-10).fit(z, y)
    else:
        want = LinearSVC(dual=False, tol=1e-10, max_iter=10**6).fit(z, y)
    model = learner(table)
    assert np.allclose(
        model.decisions(table)[:, 1], want.decision_function(z), rtol=1e-6, atol=1e-6
    )
    results = cross_validate([learner], table, folds=5, seed=1)
    assert next(iter(results.scores("CA").values())) > 0.78


def machine(learner, table):
    """A machine of scikit-learn for rows that are encoded alike."""
    if isinstance(learner, SVM):
        model = SVC(gamma=0.25, tol=1e-10, decision_function_shape="ovo")
    else:
        model = LinearSVC(dual=False, tol=1e-10, max_iter=10**6)
    return model.fit(*table)


def margins_by_hand(learner, fitted, x):
    """(kinds, rows, classes), from the decision function of scikit-learn."""
    found = fitted.decision_function(x)
    if isinstance(learner, LinearSVM):
        return (found if found.ndim > 1 else np.c_[0 * found, found])[None]
    n = len(fitted.classes_)
    pairs = np.full((n, n, len(x)), np.nan)
    above = [(i, j) for i in range(n) for j in range(i + 1, n)]
    values = -found[None] if n == 2 else found.T
    for (i, j), value in zip(above, values, strict=True):
        pairs[i, j], pairs[j, i] = value, -value
    return np.stack([np.nansum(pairs, axis=1).T, np.nanmin(pairs, axis=1).T])


@pytest.mark.parametrize("learner", [LinearSVM(), SVM()], ids=repr)
@pytest.mark.parametrize("classes", [2, 3])
def test_probabilities_are_the_best_for_machines_of_other_folds(learner, classes):
    x, y = drawn(4, classes=classes)
    rows = [(*cells, "abc"[label]) for cells, label in zip(x.tolist(), y, strict=True)]
    table = Table.of(rows, "pqrsy")
    y = table.column("y")
    model, z = learner(table), scaled(x)
    classes_by_name = by_name(y, table.domain.target.values)
    hashes = distinct_rows(table).hashes
    folds = held_out(hashes, classes_by_name, np.ones(len(y))).argmax(axis=1)
    margins = np.zeros((model.kinds, len(y), classes))
    for fold in range(5):
        there = folds != fold
        fitted = machine(learner, (z[there], y[there]))
        margins[:, ~there] = margins_by_hand(learner, fitted, z[~there])

    def loss(at):
        scores = np.tensordot(at[: model.kinds], margins, 1) + at[model.kinds :]
        right = scores[np.arange(len(y)), y] - np.logaddexp.reduce(scores, axis=1)
        away = at - np.eye(1, len(at))[0]
        return -right.sum() + away @ away / 2

    bounds = [(0, None)] * model.kinds + [(None, None)] * classes
    best = minimize(loss, np.eye(1, model.kinds + classes)[0], bounds=bounds, tol=1e-14)
    assert loss(np.r_[model.margin_slopes, model.class_constants]) <= best.fun + 1e-9
    assert model.margin_slopes == pytest.approx(best.x[: model.kinds], abs=1e-3)


@pytest.mark.parametrize("learner", [LinearSVM(), SVM(), SVM(kernel="poly")], ids=repr)
def test_save_and_open(learner, tmp_path):
    table = satsuma.load("heart_disease")
    model = learner(table)
    model.save(tmp_path / "m.satsuma")
    again = open_model(tmp_path / "m.satsuma")
    assert np.array_equal(again(table, GetProbabilities), model(table, GetProbabilities))
    assert str(again) == str(model)


@pytest.mark.parametrize("learner", [LinearSVM(), SVM()], ids=repr)
def test_one_class_alone(learner):
    model = learner(Table.of([(1.0, "a"), (2.0, "a")], ["x", "class"]))
    assert model({"x": 5.0}) == "a"
    assert str(model) == "class is always a"


def test_what_is_printed():
    told = str(SVM()(satsuma.load("iris")))
    assert told.startswith("Species, by ")
    assert told.endswith("kernel rbf")


def test_what_is_refused():
    x, y = drawn(0)
    for wrong, name in (({"C": 0}, "C"), ({"kernel": "odd"}, "kernel"), ({"gamma": -1}, "gamma")):
        with pytest.raises(ParameterError, match=f"'{name}' parameter of SVM"):
            SVM(**wrong).fit(x, y)
