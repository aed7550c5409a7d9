"""Trees of few rows compare all thresholds, beside brute force and scikit-learn."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

from satsuma import RegressionTree, Tree
from satsuma.checks.batches import Batches
from satsuma.data.table import Table
from satsuma.learners.tree import binning, growth
from satsuma.learners.tree.binning import Sample

stump = {"max_depth": 1, "min_leaf": 1, "prune": None}


def gini_gain(column, y, threshold):
    def disorder(part):
        shares = np.bincount(part, minlength=3) / max(len(part), 1)
        return len(part) * (1 - (shares**2).sum())

    left = column <= threshold
    return disorder(y) - disorder(y[left]) - disorder(y[~left])


def squares_gain(column, y, threshold):
    left = column <= threshold
    return sum(len(y[part]) * (y[part].mean() - y.mean()) ** 2 for part in (left, ~left))


def best_gain(X, y):
    """The Gini gain of the best division, from what lies left of every value."""
    best = 0.0
    for column in X.T:
        order = np.argsort(column)
        left = np.eye(3)[y[order]].cumsum(axis=0)[:-1]
        right = left[-1] + np.eye(3)[y[order[-1]]] - left
        n, m = left.sum(axis=1), right.sum(axis=1)
        inside = n - (left**2).sum(axis=1) / n + m - (right**2).sum(axis=1) / m
        differ = np.diff(column[order]) > 0
        whole = len(y) - (np.bincount(y) ** 2).sum() / len(y)
        best = max(best, whole - inside[differ].min())
    return best


@pytest.mark.parametrize("seed", range(40))
def test_the_root_is_the_best_division(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(600, 5))
    y = rng.integers(0, 2 + seed % 2, 600) if seed % 3 else (X[:, 0] + X[:, 1] > 0).astype(int)
    model = Tree(measure="gini", **stump).fit(X, y).model_
    found = gini_gain(X[:, model.column[0]], y, model.threshold[0])
    assert found == pytest.approx(best_gain(X, y), rel=1e-12)


def test_bins_alone_miss_it():
    """What is tested above can fail: bins do not see every threshold."""
    missed = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(600, 5)), rng.integers(0, 2, 600)
        model = Tree(measure="gini", bins=20, **stump).fit(X, y).model_
        found = gini_gain(X[:, model.column[0]], y, model.threshold[0])
        missed += found < best_gain(X, y) - 1e-9
    assert missed > 2


def test_the_root_of_breast_cancer_is_that_of_scikit_learn():
    X, y = load_breast_cancer(return_X_y=True)
    ours = Tree(measure="gini", **stump).fit(X, y).model_
    theirs = DecisionTreeClassifier(max_depth=1, random_state=0).fit(X, y).tree_
    want = gini_gain(X[:, theirs.feature[0]], y, theirs.threshold[0])
    assert gini_gain(X[:, ours.column[0]], y, ours.threshold[0]) == pytest.approx(want)


def test_numbers_too():
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(700, 4)), rng.normal(size=700)
    model = RegressionTree(**stump).fit(X, y).model_
    every = [
        squares_gain(column, y, each)
        for column in X.T
        for each in (np.sort(column)[1:] + np.sort(column)[:-1]) / 2
    ]
    found = squares_gain(X[:, model.column[0]], y, model.threshold[0])
    assert found == pytest.approx(max(every), rel=1e-12)


def table_of(rows, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 3))
    y = np.where(x[:, 0] * x[:, 1] > 0.1, "p", "q")
    made = [[*row, each] for row, each in zip(x.tolist(), y.tolist(), strict=True)]
    return Table.of(made, ["a", "b", "c", "y"])


@pytest.mark.parametrize("learner", [Tree(), Tree(held_out=0.3), Tree(prune=None, min_leaf=1)])
def test_batches_grow_the_same_tree(learner):
    table = table_of(900)
    whole = str(learner(table))
    assert str(learner(Batches(table, size=100, merge="backwards"))) == whole
    assert str(learner(table[np.random.default_rng(1).permutation(900)])) == whole


def test_rows_that_are_there_again_and_again(monkeypatch):
    table = table_of(700)
    again = table[np.tile(np.arange(700), 3)]
    want = Tree(prune=None, min_leaf=3)(again)
    monkeypatch.setattr(growth, "FEW_ROWS", 1000)  # more rows than twice of it: each once, weighed
    found = Tree(prune=None, min_leaf=3)(again)
    assert str(found) == str(want)
    np.testing.assert_array_equal(found.threshold, want.threshold)


def test_many_rows_go_by_bins(monkeypatch):
    monkeypatch.setattr("satsuma.learners.tree.setup.FEW_ROWS", 500)
    table = table_of(900)
    assert str(Tree()(table)) == str(Tree(bins=255)(table))
    few, grown = table[:400], Tree(prune=None)
    assert str(grown(few)) != str(Tree(prune=None, bins=4)(few))
    monkeypatch.setattr("satsuma.learners.tree.setup.BINS", 4)
    assert str(grown(few)) != str(Tree(prune=None, bins=4)(few))  # of few rows, bins do not matter
    assert str(grown(table)) == str(Tree(prune=None, bins=4)(table))


def test_how_many_rows_differ_is_estimated(monkeypatch):
    monkeypatch.setattr(binning, "SAMPLE", 1024)
    hashes = np.random.default_rng(0).integers(0, 2**64, 20_000, np.uint64)
    table = Table.of([(1.0, "a")] * 20_000, ["x", "y"])
    assert Sample.of(table, hashes).distinct == pytest.approx(20_000, rel=0.1)
    assert Sample.of(table[:500], np.repeat(hashes[:100], 5)).distinct == 100
