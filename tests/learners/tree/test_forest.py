"""Forests beside scikit-learn's."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

import satsuma
from satsuma import Forest, Table, cross_validate
from satsuma.errors import DomainError


def data(seed, rows=600):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, 6))
    return X, X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=rows) * 0.3


@pytest.mark.figures
def test_as_right_as_scikit_learn():
    X, y = data(0)
    Z, z = data(1)
    ours = Forest(trees=60).fit(X, y > 0)
    theirs = RandomForestClassifier(60, random_state=0).fit(X, y > 0)
    assert ours.score(Z, z > 0) == pytest.approx(theirs.score(Z, z > 0), abs=0.04)
    table = Table.of(np.column_stack([X, y]).tolist(), [*"abcdef", "y"])
    asked = Table.of(Z.tolist(), [*"abcdef"], target=None)
    model = Forest(trees=60, min_leaf=2, out_of_bag=True)(table)
    peer = RandomForestRegressor(60, min_samples_leaf=2, max_features=4, random_state=0).fit(X, y)
    error = np.mean((model(asked) - z) ** 2)
    assert error < 1.15 * np.mean((peer.predict(Z) - z) ** 2)
    assert model.out_of_bag == pytest.approx(1 - error / z.var(), abs=0.08)


def test_numbers_by_few_columns_are_predicted_as_by_scikit_learn():
    """A product of two of four columns: a node that looks at one of them alone is at a loss."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (400, 4)).astype(float)
    y = X[:, 0] * X[:, 1]
    ours = Forest(trees=20).fit(X[:200], y[:200])
    theirs = RandomForestRegressor(20, random_state=0).fit(X[:200], y[:200])
    assert ours.score(X[200:], y[200:]) > theirs.score(X[200:], y[200:]) - 0.01


def test_out_of_bag_is_what_to_expect_of_new_rows():
    X, y = data(0)
    Z, z = data(1)
    forest = Forest(trees=60, out_of_bag=True).fit(X, y > 0)
    assert forest.model_.out_of_bag == pytest.approx(forest.score(Z, z > 0), abs=0.05)
    assert Forest(trees=2).fit(X, y > 0).model_.out_of_bag is None


def test_importance_finds_the_columns_that_matter():
    X, y = data(0)
    table = Table.of(
        [(*row, str(v)) for row, v in zip(X.tolist(), y > 0, strict=True)], [*"abcdefy"]
    )
    model = Forest(trees=40)(table)
    for found in (model.importance(), model.permutation_importance(table, seed=1)):
        assert set(sorted(found, key=found.get)[-3:]) == set("abc")
    assert sum(model.importance().values()) == pytest.approx(1)
    assert "40 trees" in str(model)


@pytest.mark.figures
def test_better_than_one_tree():
    found = cross_validate(
        [Forest(trees=30), satsuma.Tree()], satsuma.load("heart_disease"), folds=5, seed=1
    ).scores("CA")
    forest, tree = found.values()
    assert forest > tree


def test_seeds_draw_other_rows():
    iris = satsuma.load("iris")
    one, again, other = Forest(trees=5)(iris), Forest(trees=5)(iris), Forest(trees=5, seed=1)(iris)
    np.testing.assert_array_equal(one.column, again.column)
    assert one.column.tolist() != other.column.tolist()


def test_no_columns_are_no_forest():
    with pytest.raises(DomainError, match="draws columns"):
        Forest()(satsuma.load("iris").select(["Species"]))
