"""Anomaly: planted rows are found, and the columns that make them odd."""

import numpy as np
import pytest
from sklearn.ensemble import IsolationForest
from sklearn.metrics import roc_auc_score

import satsuma
from benchmarks.planted_outliers import planted
from satsuma import Anomaly, SatsumaError, Table
from satsuma.errors import ParameterError
from satsuma.kernels.threads import thread_limit
from satsuma.learners.anomaly.model import neighbourhoods
from satsuma.learners.predictions import GetProbabilities
from tests.tables import needing, read_shared


@pytest.mark.figures
@pytest.mark.parametrize(
    ("name", "copies"),
    [
        needing("moot/classify/hypothyroid.csv", 4),
        needing("moot/classify/mushroom.csv", 4),
        ("moot/optimize/auto93.csv", 20),
        needing("moot/regression/auto93.csv", 20),
    ],
)
def test_planted_rows_are_found(shared, name, copies):
    whole = read_shared(shared(name))
    found = []
    for seed in range(copies):  # a small table has a few planted rows, or one: many copies of it
        table, odd = planted(whole, seed)
        scores = Anomaly()(table)(table)
        assert 0 <= scores.min() <= scores.max() <= 1
        found.append(roc_auc_score(odd, scores))
    assert np.mean(found) >= 0.9
    assert len(whole) < 1000 or min(found) >= 0.9


@pytest.mark.figures
@pytest.mark.needs("moot/classify/mushroom.csv")
def test_rows_that_only_combine_oddly(shared):
    table, odd = planted(
        satsuma.read(shared("moot/classify/mushroom.csv"), marks=True), 0, how="mixed"
    )
    assert roc_auc_score(odd, Anomaly()(table)(table)) >= 0.95


@pytest.mark.figures
@pytest.mark.parametrize("name", ["orange/housing.tab", needing("moot/classify/diabetes.csv")])
def test_it_stands_beside_an_isolation_forest(shared, name):
    whole = read_shared(shared(name))
    ours, theirs = [], []
    for seed in range(5):
        table, odd = planted(whole, seed, share=0.02)
        X = table.to_numpy(v.name for v in table.domain.attributes)
        ours.append(roc_auc_score(odd, Anomaly()(table)(table)))
        theirs.append(roc_auc_score(odd, -IsolationForest(random_state=0).fit(X).score_samples(X)))
    assert np.mean(ours) > np.mean(theirs) - 0.02


def test_a_new_row_is_odd_by_its_columns():
    rng = np.random.default_rng(0)
    line = rng.random(400)
    rows = [(x, x + 0.02 * e, "low" if x < 0.5 else "high", f) for x, e, f in
            zip(line, rng.normal(size=400), rng.random(400), strict=True)]  # fmt: skip
    table = Table.of(rows, ["a", "b", "c", "noise"], target=None)
    model = Anomaly()(table)
    usual = {"a": 0.2, "b": 0.2, "c": "low", "noise": 0.4}
    assert model(usual) < model.limit
    assert model(usual | {"c": "high"}) > max(model.limit, model(usual))
    assert model(usual | {"b": 0.9}) > model.limit
    assert next(iter(model.why(usual | {"c": "high"}))) == "c"
    why = model.why(usual | {"noise": 30.0})
    assert list(why.values()) == sorted(why.values(), reverse=True)
    assert sum(why.values()) == pytest.approx(1)
    assert set(why) == {"a", "b", "c", "noise"}


def test_the_score_is_a_half_where_rows_are_as_far_as_is_usual():
    table = Table.of([(float(x),) for x in range(100)], ["x"], target=None)
    scores = Anomaly(M=100)(table)(table)
    # The nearest three of a row are 1, 1 and 2 away, and of the one at the end 1, 2 and 3.
    np.testing.assert_allclose(scores[1:-1], 0.5, rtol=1e-6)
    np.testing.assert_allclose(scores[[0, -1]], 2 / (2 + 4 / 3), rtol=1e-6)


def test_rows_that_are_all_the_same_are_not_odd():
    table = Table.of([(1, "a")] * 50 + [(2, "b")], ["x", "s"], target=None)
    model = Anomaly()(table)
    np.testing.assert_array_equal(model(table)[:50], 0.5)
    assert model(table)[50] == 1
    assert set(model.why(table[0]).values()) == {0.0}
    lonely = Anomaly()(table[:1])
    assert lonely(table[0]) == 0.5
    assert set(lonely.why(table[0]).values()) == {0.0}


def test_a_large_table_is_sampled():
    X = np.random.default_rng(0).normal(size=(5000, 3))
    model = Anomaly(rows=1000, trees=3).fit(X).model_
    assert [len(tree.held["row"]) for tree in model.trees] == [1000] * 3
    assert model.trees[0].held["number"].tolist() != model.trees[1].held["number"].tolist()
    odd = Table.of([(9.0, 9.0, 9.0)], ["x0", "x1", "x2"], target=None)
    assert model(odd)[0] > model.limit


def test_rows_around_a_cluster():
    table = satsuma.load("housing")
    tree = satsuma.RP0(M=4)(table)
    first, last = neighbourhoods(tree, 20)
    for leaf in tree.leaves:
        rows = tree.held["row"][first[leaf.cluster] : last[leaf.cluster]]
        assert set(leaf.rows) <= set(rows.tolist())
        part = leaf
        while part.n < 20:
            part = part.above
        assert set(rows.tolist()) <= set(part.rows.tolist())
        assert len(rows) <= leaf.n + 40


def test_threads_change_nothing():
    table = satsuma.load("housing")
    found = []
    for threads in (1, 2, 3):
        with thread_limit(threads):
            found.append(Anomaly(trees=3, M=16)(table)(table))
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_as_a_detector_of_outliers():
    X = np.random.default_rng(0).normal(size=(500, 2))
    learner = Anomaly(share=0.1).fit(X)
    assert (learner.predict(X) == -1).mean() == pytest.approx(0.1, abs=0.01)
    np.testing.assert_array_equal(learner.predict(X), learner.fit_predict(X))
    np.testing.assert_array_equal(learner.predict(X) < 0, learner.decision_function(X) < 0)


def test_it_is_saved_and_told(tmp_path):
    iris = satsuma.load("iris")
    model = Anomaly(trees=2)(iris)
    model.save(tmp_path / "m")
    opened = satsuma.open_model(tmp_path / "m")
    np.testing.assert_array_equal(opened(iris), model(iris))
    assert opened.why(iris[0]) == model.why(iris[0])
    assert str(opened) == str(model)
    assert "2 trees of 150 rows" in str(model)


def test_what_it_cannot_do():
    iris = satsuma.load("iris")
    for wrong in ({"trees": 0}, {"M": 0}, {"k": 0}, {"rows": 1}, {"share": 2}, {"p": 0}):
        with pytest.raises(ParameterError, match=next(iter(wrong))):
            Anomaly(**wrong)(iris)
    with pytest.raises(SatsumaError, match="anomaly score"):
        Anomaly(trees=1)(iris)(iris, GetProbabilities)
