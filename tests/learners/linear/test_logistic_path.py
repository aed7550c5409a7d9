"""The path of Logistic against scikit-learn, and the strength that folds choose."""

import warnings

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import satsuma
from satsuma import Logistic, Table, plot
from satsuma.checks.batches import Batches
from satsuma.errors import DomainError, ParameterError
from satsuma.learners.linear import logistic
from satsuma.learners.linear.folded_scatter import FOLDS, folds_of
from tests.learners.linear.matrices import drawn


def peer(x, y, l1, l2, weights=None):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        solver = LogisticRegression(
            l1_ratio=l1 / (l1 + l2), C=1 / (l1 + l2), solver="saga", tol=1e-8, max_iter=5000
        )
        return solver.fit(x, y, sample_weight=weights)


def overlapping(classes, n=150):
    """Numbers of which two say something, and a symbol with missing cells."""
    x, y = drawn(11, n=n, classes=classes)
    rng = np.random.default_rng(0)
    symbol = np.where(rng.random(n) < 0.7, y, rng.integers(0, classes, n))
    rows = [
        (*map(float, numbers), None if rng.random() < 0.05 else f"v{value}", f"c{code}")
        for numbers, value, code in zip(x, symbol, y, strict=True)
    ]
    return Table.of(rows, [*"abcd", "s", "class"])


@pytest.fixture(scope="module", params=[2, 3])
def learned(request):
    table = overlapping(request.param)
    return table, Logistic(l1="auto", l2=0.5)(table)


def test_every_strength_against_scikit_learn(learned):
    table, model = learned
    x, y = model.matrix(table), table.column("class")
    path = model.path
    assert (path.slopes[0] == 0).all()
    assert path.slopes.shape == (50, len(path.names))
    for at in range(4, 50, 9):
        found = peer(x, y, float(path.strengths[at]), 0.5)
        assert np.allclose(path.slopes[at], found.coef_.ravel(), atol=2e-5)


def test_the_chosen_strength_is_that_of_cross_validation_done_by_hand(learned):
    table, model = learned
    x, y, folds = model.matrix(table), table.column("class"), folds_of(table)
    path, total = model.path, np.zeros(50)
    places = range(9, 50, 20)
    for fold in range(FOLDS):
        train, test = folds != fold, folds == fold
        share = train.mean()
        for at in places:
            found = peer(x[train], y[train], float(path.strengths[at]) * share, 0.5 * share)
            total[at] -= found.predict_log_proba(x[test])[np.arange(test.sum()), y[test]].sum()
    for at in places:
        assert path.errors[at] == pytest.approx(total[at] / len(table), rel=1e-4)
    assert model.l1 == path.strengths[path.errors.argmin()]
    assert 0 < path.errors.argmin() < 49


def test_the_model_is_that_of_the_chosen_strength(learned, tmp_path):
    table, model = learned
    assert model.converged
    given = Logistic(l1=model.l1, l2=0.5)(table)
    assert np.allclose(model.found, given.found, atol=1e-7)
    model.save(tmp_path / "m.satsuma")
    opened = satsuma.open_model(tmp_path / "m.satsuma")
    assert np.array_equal(opened.path.slopes, model.path.slopes)
    assert str(opened) == str(model)


def test_rows_in_batches():
    table = overlapping(3, n=60)
    whole, parts = (Logistic(l1="auto")(each) for each in (table, Batches(table, size=35)))
    assert parts.l1 == pytest.approx(whole.l1)
    assert np.allclose(parts.found, whole.found, atol=1e-7)
    assert np.allclose(parts.path.slopes, whole.path.slopes, atol=1e-6)


def test_a_weight_of_two_is_the_row_twice():
    table = overlapping(2, n=60)
    twice = table[np.repeat(np.arange(60), 2)]
    one, other = Logistic(l1="auto")(table, weights=np.full(60, 2.0)), Logistic(l1="auto")(twice)
    assert np.allclose(one.path.slopes, other.path.slopes, atol=1e-9)
    assert np.allclose(one.path.errors, other.path.errors, atol=1e-9)


def test_columns_that_say_nothing_are_left_out():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(200, 12))
    y = (x[:, 0] - x[:, 1] + rng.normal(size=200) > 0).astype(int)
    model = Logistic(l1="auto", l2=0).fit(x, y).model_
    slopes = np.abs(model.slopes)
    assert (slopes[:2] > 0.3).all()
    assert (slopes[2:] < slopes[:2].min() / 3).all()


def test_many_values_of_which_few_are_needed(monkeypatch):
    """More coefficients than are looked at in pairs, of which few are not 0."""
    monkeypatch.setattr(logistic, "_MOST_PROXIMAL", 40)
    rng = np.random.default_rng(0)
    value = np.where(rng.random(1500) < 0.5, rng.integers(0, 4, 1500), rng.integers(0, 400, 1500))
    says = np.where(rng.random(1500) < 0.9, value % 2, 1 - value % 2)
    table = Table.of([(f"v{v}", "ab"[s]) for v, s in zip(value, says, strict=True)], ["key", "y"])
    model = Logistic(l1=10, l2=0)(table)
    assert model.converged
    assert 0 < np.count_nonzero(model.slopes) < 20
    x, y = model.matrix(table), table.column("y")
    assert np.allclose(model.slopes, peer(x, y, 10, 0).coef_.ravel(), atol=1e-5)
    with pytest.raises(DomainError, match=r"up to 40, and here are \d{2,3}\."):
        Logistic(l1=0.1, l2=0)(table)


@pytest.mark.parametrize("learner", [Logistic(l1="auto"), Logistic(l1=3)], ids=repr)
def test_little_to_learn_from(learner):
    same = Table.of([(1.0, "a"), (1.0, "b"), (1.0, "b")], ["x", "y"])
    assert learner(same).probabilities(same)[0] == pytest.approx([1 / 3, 2 / 3])
    one = Table.of([(1.0, "a"), (2.0, "b")], ["x", "y"])[:1]
    assert learner(one)(one).tolist() == ["a"]
    rare = Table.of([(float(x), "c" if x == 2 else "ab"[x % 2]) for x in range(40)], ["x", "y"])
    model = learner(rare)
    assert model.converged
    assert np.isfinite(model.probabilities(rare)).all()


def test_what_is_refused():
    table = overlapping(2, n=30)
    with pytest.raises(ParameterError, match="'l1' parameter of Logistic"):
        Logistic(l1="least")(table)
    with pytest.raises(DomainError, match="l1='auto'"):
        plot.path(Logistic(l1=3)(table))


def test_a_plot_has_a_line_for_each_class_and_feature(learned):
    _, model = learned
    ax = plot.path(model)
    lines = {tuple(np.round(line.get_ydata(), 9)) for line in ax.lines}
    assert {tuple(np.round(each, 9)) for each in model.path.slopes.T} <= lines
    assert "least error by cross-validation" in ax.get_figure().get_suptitle() + str(
        [each.get_text() for each in ax.texts] + [ax.get_title(loc="left")]
    )
