"""Forests beside scikit-learn's."""

import numpy as np
import pytest
from sklearn.base import is_classifier, is_regressor
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.metrics import log_loss, r2_score, root_mean_squared_error
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import satsuma
from satsuma import (
    Forest,
    GetProbabilities,
    RegressionForest,
    RegressionTree,
    Table,
    Tree,
    cross_validate,
    load,
)
from satsuma.checks.batches import Batches
from satsuma.errors import DomainError, ParameterError
from satsuma.kernels.tree import GINI, Flat
from satsuma.learners.bootstrap import Bootstrap
from satsuma.learners.tree import gathered_rows
from satsuma.learners.tree.asked_columns import asked_columns
from satsuma.learners.tree.gathered_trees import GatheredTrees
from satsuma.tallies.content_hashes import training_hashes


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
    X, y = data(0, 400)
    table = Table.of(
        [(*row, str(v)) for row, v in zip(X.tolist(), y > 0, strict=True)], [*"abcdefy"]
    )
    model = Forest(trees=40)(table)
    for found in (model.importances(), satsuma.importances(model, table, measure="CA")):
        assert set(sorted(found, key=found.get)[-3:]) == set("abc")
    assert sum(model.importances().values()) == pytest.approx(1)
    assert "40 trees" in str(model)


@pytest.mark.figures
def test_better_than_one_tree():
    found = cross_validate(
        [Forest(trees=30), satsuma.Tree()], satsuma.load("heart_disease"), folds=5, seed=1
    ).scores("CA")
    forest, tree = found.values()
    assert forest > tree


@pytest.mark.figures
def test_random_cuts_are_as_right_as_those_of_scikit_learn():
    X, y = data(0)
    Z, z = data(1)
    ours = Forest(trees=60, cuts="random").fit(X, y > 0).score(Z, z > 0)
    theirs = ExtraTreesClassifier(60, random_state=0).fit(X, y > 0).score(Z, z > 0)
    assert ours == pytest.approx(theirs, abs=0.04)
    ours = RegressionForest(trees=60, cuts="random", tried=6).fit(X, y).score(Z, z)
    theirs = ExtraTreesRegressor(60, random_state=0).fit(X, y).score(Z, z)
    assert ours == pytest.approx(theirs, abs=0.04)


def test_all_rows_have_none_out_of_bag():
    with pytest.raises(ParameterError, match="no out-of-bag rows"):
        Forest(cuts="random", out_of_bag=True)(satsuma.load("iris"))
    with pytest.raises(ParameterError, match="'cuts' parameter"):
        Forest(cuts="worst")(satsuma.load("iris"))
    drawn = Forest(trees=3, cuts="random", bootstrap=True, out_of_bag=True)(satsuma.load("iris"))
    assert drawn.out_of_bag > 0.7
    table = satsuma.load("iris")[:90]
    weights = np.arange(90) % 3 * 1.0
    learner = Forest(trees=3, cuts="random")
    again = table[np.repeat(np.arange(90), weights.astype(int))]
    np.testing.assert_array_equal(learner(table, weights=weights)(table), learner(again)(table))


def test_seeds_draw_other_rows():
    iris = satsuma.load("iris")
    one, again, other = Forest(trees=5)(iris), Forest(trees=5)(iris), Forest(trees=5, seed=1)(iris)
    np.testing.assert_array_equal(one.column, again.column)
    assert one.column.tolist() != other.column.tolist()


def test_no_columns_are_no_forest():
    with pytest.raises(DomainError, match="draws columns"):
        Forest()(satsuma.load("iris").select(["Species"]))


def test_the_tags_are_right_before_fit():
    assert is_classifier(Forest())
    assert not is_regressor(Forest())
    assert is_regressor(RegressionForest())
    assert not is_classifier(RegressionForest())
    X, y = data(0, 120)
    scores = cross_val_score(RegressionForest(trees=5), X, y, cv=2, scoring="r2")
    assert scores.mean() > 0.1
    assert cross_val_score(Forest(trees=5), X, y > 0, cv=2, scoring="roc_auc").min() > 0.6
    fitted = Forest(trees=3).fit(X, y)
    assert is_regressor(fitted)
    assert not hasattr(fitted, "predict_proba")
    np.testing.assert_array_equal(fitted.predict(X), RegressionForest(trees=3).fit(X, y).predict(X))


def test_importances_of_a_tree_are_those_of_scikit_learn():
    X, y = data(0, 250)
    ours = Tree(measure="gini", max_depth=4, min_leaf=5, prune=None).fit(X, y > 0)
    theirs = DecisionTreeClassifier(max_depth=4, min_samples_leaf=5, random_state=0).fit(X, y > 0)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, rtol=1e-9)
    ours = RegressionTree(max_depth=4, min_leaf=5, prune=None).fit(X, y)
    theirs = DecisionTreeRegressor(max_depth=4, min_samples_leaf=5, random_state=0).fit(X, y)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, rtol=1e-7)


@pytest.mark.figures
def test_importances_of_a_forest_are_near_those_of_scikit_learn():
    X, y = data(0)
    ours = Forest(trees=60).fit(X, y > 0).feature_importances_
    theirs = RandomForestClassifier(60, random_state=0).fit(X, y > 0).feature_importances_
    np.testing.assert_allclose(ours, theirs, atol=0.03)
    assert not hasattr(satsuma.NaiveBayes().fit(X, y > 0), "feature_importances_")
    assert not hasattr(Forest(), "feature_importances_")


def forests_apart(model):
    """The model with each of its trees alone."""
    for flat, says in model.trees():
        one = object.__new__(type(model))
        vars(one).update(vars(model))
        one.column, one.threshold, one.first, one.branches, one.share = flat
        one.says, one.sizes = says, np.array([[len(flat.column), len(flat.branches)]])
        yield one


@pytest.mark.parametrize("numbers", [False, True])
def test_out_of_bag_by_brute_force(numbers):
    """As scikit-learn has it: the mean over the trees that a row was not drawn for."""
    table = satsuma.load("housing" if numbers else "heart_disease")[:120]
    model = Forest(trees=9, out_of_bag=True, seed=3)(table)
    samples = Bootstrap.of(training_hashes(table), None, 3)
    answers = [
        (one(table) if numbers else one(table, GetProbabilities)) for one in forests_apart(model)
    ]
    absent = np.array([np.bincount(samples.sample(k), minlength=120) == 0 for k in range(9)])
    known = absent.any(axis=0)
    means = np.array(
        [
            np.mean([answers[k][i] for k in range(9) if absent[k, i]], axis=0)
            for i in np.flatnonzero(known)
        ]
    )
    truth = table[table.domain.target.name][known]
    if numbers:
        want = {"R2": r2_score(truth, means), "RMSE": root_mean_squared_error(truth, means)}
    else:
        codes = table.column(table.domain.target.name)[known]
        want = {"CA": np.mean(means.argmax(axis=1) == codes), "log loss": log_loss(codes, means)}
    assert model.out_of_bag_scores == pytest.approx(want)
    assert model.out_of_bag == pytest.approx(next(iter(want.values())))
    assert "out of bag: " in str(model)


@pytest.mark.parametrize("name", ["heart_disease", "housing"])
def test_a_weight_of_two_is_the_row_twice(name):
    table = satsuma.load(name)[:90]
    weights = np.arange(90) % 4 * 1.0
    again = table[np.repeat(np.arange(90), weights.astype(int))]
    learner = Forest(trees=5, out_of_bag=True)
    one, other = learner(table, weights=weights), learner(again)
    np.testing.assert_array_equal(one.column, other.column)
    np.testing.assert_array_equal(one(table), other(table))
    assert one.out_of_bag_scores == pytest.approx(other.out_of_bag_scores, rel=1e-12)


def test_fractions_of_rows_are_drawn_by_what_they_weigh():
    table = satsuma.load("iris")
    weights = np.where(np.arange(150) < 50, 0.001, 1.37)
    model = Forest(trees=9, out_of_bag=True)(table, weights=weights)
    samples = Bootstrap.of(training_hashes(table), weights, 0)
    assert sum((samples.sample(k) < 50).sum() for k in range(9)) <= 3
    assert abs(samples.counts(0).sum() - weights.sum()) <= 0.5
    assert 0.85 < model.out_of_bag <= 1


def test_out_of_bag_is_saved(tmp_path):
    model = Forest(trees=4, out_of_bag=True)(satsuma.load("iris"))
    model.save(tmp_path / "m.satsuma")
    assert satsuma.open_model(tmp_path / "m.satsuma").out_of_bag_scores == model.out_of_bag_scores
    fitted = RegressionForest(trees=9, out_of_bag=True).fit(*data(0, 100))
    assert fitted.oob_score_ == fitted.model_.out_of_bag
    assert not hasattr(RegressionForest(trees=1).fit(*data(0, 50)), "oob_score_")
    assert np.isnan(Forest(trees=2, out_of_bag=True)(satsuma.load("iris")[:1]).out_of_bag)


def leaf_of(flat, row):
    """Where a row of numbers ends, question by question."""
    node = 0
    while flat.column[node] >= 0:
        right = row[flat.column[node]] > flat.threshold[node]
        node = flat.branches[flat.first[node] + right]
    return node


def test_proximity_by_brute_force():
    table = satsuma.load("iris")
    model = Forest(trees=12)(table)
    rows = np.stack([table.column(v.name) for v in table.domain.attributes], axis=1)
    leaves = np.array([[leaf_of(flat, row) for row in rows] for flat, _ in model.trees()])
    for at in (0, 77, 149):
        want = (leaves == leaves[:, [at]]).mean(axis=0)
        np.testing.assert_allclose(model.proximity(table[at], table), want, rtol=1e-12)
    near = model.alike(table[77], table, n=4)
    assert [share for _, share in near] == sorted(want_of(leaves, 77), reverse=True)[:4]
    with pytest.raises(ParameterError, match="n=0"):
        model.alike(table[0], table, n=0)


def want_of(leaves, at):
    return (leaves == leaves[:, [at]]).mean(axis=0).tolist()


def test_proximity_of_rows_with_missing_cells_is_symmetric():
    table = satsuma.load("heart_disease")
    model = Forest(trees=8, missing="ignore")(table)
    lost = np.flatnonzero([table.missing(v.name) for v in table.domain.attributes])
    assert len(lost)
    some = table[280:]
    near = np.stack([model.proximity(some[i], some) for i in range(len(some))])
    np.testing.assert_allclose(near, near.T, atol=1e-12)
    assert 0 <= near.min() <= near.max() <= 1 + 1e-12


@pytest.mark.parametrize("name", ["heart_disease", "housing"])
def test_the_same_forest_from_files_cut_in_any_way(tmp_path, name):
    table = satsuma.load(name)[:150]
    learner = Forest(trees=4, out_of_bag=True)
    whole = learner(table)
    for parts in (1, 7):
        folder = tmp_path / str(parts)
        folder.mkdir()
        for k in range(parts):
            rows = table[len(table) * k // parts : len(table) * (k + 1) // parts]
            satsuma.write(rows, folder / f"{k}.parquet")
        source = satsuma.scan(str(folder / "*.parquet"), target=table.domain.target.name)
        model = learner(source)
        np.testing.assert_array_equal(model.column, whole.column)
        np.testing.assert_array_equal(model.threshold, whole.threshold)
        assert model.out_of_bag_scores == whole.out_of_bag_scores
    shuffled = learner(table[np.random.default_rng(0).permutation(len(table))])
    np.testing.assert_array_equal(shuffled.column, whole.column)


def test_rows_without_room_are_refused(monkeypatch):
    monkeypatch.setattr(gathered_rows, "ROOM", 2000)
    with pytest.raises(DomainError, match="RegressionForest gathers the rows"):
        RegressionForest(trees=2)(Batches(satsuma.load("housing"), size=50))


def test_trees_are_put_in_order_in_whatever_order_they_come():
    flats = [
        Flat(*map(np.array, ([0, -1, -1], [float(k), 0.0, 0.0], [0, 2, 2, 2], [1, 2], [1.0] * 3)))
        for k in range(4)
    ]
    stats = [np.array([[3.0, 1.0], [2.0, 0.0], [1.0, 1.0]]) * (k + 1) for k in range(4)]
    asked = asked_columns(load("iris").domain, ())
    closed = []
    for order in ([0, 1, 2, 3], [2, 0, 3, 1]):
        trees = GatheredTrees(lambda each: each / 2, GINI, asked, 4)
        for k in order:
            trees.add(k, flats[k], stats[k])
        flat, says = trees.close()
        assert flat.threshold[::3].tolist() == [0.0, 1.0, 2.0, 3.0]
        assert says[::3, 0].tolist() == [1.5, 3.0, 4.5, 6.0]
        assert trees.sizes == [(3, 2)] * 4
        closed.append([*flat, says, trees.gains])
    for one, other in zip(*closed, strict=True):
        assert one.tobytes() == other.tobytes()
    assert closed[0][-1][0] > 0
