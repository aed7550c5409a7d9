import numpy as np
import pytest
from sklearn.inspection import partial_dependence as peer_dependence
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LinearRegression

from satsuma import (
    KNN,
    Forest,
    KMeans,
    Logistic,
    NaiveBayes,
    Ridge,
    Table,
    Tree,
    importances,
    load,
    plot,
)
from satsuma.errors import DomainError, NoSuchColumn, NoSuchValue, ParameterError
from satsuma.evaluate.partial_dependence import partial_dependence


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(400, 3))
    y = 3 * x[:, 0] + x[:, 1] + 0.1 * rng.normal(size=400)
    return Table.of(
        [(*each, aim) for each, aim in zip(x.tolist(), y.tolist(), strict=True)], [*"abcy"]
    )


def test_permutation_as_scikit_learn(rows):
    X, y = rows.to_numpy(["a", "b", "c"]), rows["y"]
    fitted = LinearRegression().fit(X, y)
    peer = permutation_importance(fitted, X, y, scoring="r2", n_repeats=20, random_state=1)
    found = importances(Ridge(l2=0)(rows), rows, measure="R2", repeats=20)
    assert [found[name] for name in "abc"] == pytest.approx(
        peer.importances_mean, rel=0.05, abs=1e-3
    )
    spread = [found.spread[name] for name in "abc"]
    assert spread == pytest.approx(peer.importances_std, rel=0.6, abs=1e-3)
    assert list(found) == ["a", "b", "c"]


def test_any_measure_says_how_much_worse(rows):
    heart = load("heart_disease")
    model = NaiveBayes()(heart[::2])
    for measure in (None, "CA", "AUC", "Brier", "F1"):
        found = importances(model, heart[1::2], measure=measure, repeats=2)
        assert found["thal"] > 0, measure
        assert found.measure == ("log loss" if measure is None else measure)
    assert importances(Ridge()(rows), rows).measure == "RMSE"
    again = importances(model, heart[1::2], repeats=2)
    assert dict(importances(model, heart[1::2], repeats=2)) == dict(again)


def test_drop_finds_what_others_cannot_say():
    rng = np.random.default_rng(2)
    a = rng.integers(0, 2, 300)
    twin = [(f"v{i}", f"v{i}", f"w{rng.integers(0, 2)}", "ny"[i]) for i in a.tolist()]
    table = Table.of(twin, ["one", "same", "noise", "y"])
    dropped = importances(NaiveBayes()(table), table, by="drop", measure="CA")
    shuffled = importances(NaiveBayes()(table), table, measure="CA")
    assert dropped["one"] == dropped["same"] == 0
    assert shuffled["one"] > 0 or shuffled["same"] > 0
    assert len(dropped.draws["one"]) == 10
    assert "cross-validation of 10 folds" in repr(dropped)


def test_weights_missing_targets_and_unknown_classes():
    cells = [(1.0, "a", 1), (2.0, "b", 2), (8.0, "a", 0), (3.0, None, 1), (9.0, "new", 1)]
    table = Table.of(cells, ["x", "y", "w"], target="y", roles={"w": "weight"})
    train = Table.of([(1.0, "a"), (1.1, "a"), (2.0, "b"), (2.1, "b")], ["x", "y"])
    found = importances(NaiveBayes()(train), table, measure="CA", repeats=3)
    assert found.score == 1.0  # of the first two rows: the others weigh nothing, or are not known
    assert set(found.draws["x"].tolist()) <= {0.0, 1.0}


def test_times_are_shuffled_whole():
    times = [f"2024-0{1 + i % 9}-1{i % 7}" for i in range(60)]
    table = Table.of([(t, float(t[6])) for t in times], ["t", "y"], kinds={"t": "time"})
    assert list(importances(Tree()(table), table, repeats=1)) == ["t"]


def test_what_importances_refuses(rows):
    model = Ridge()(rows)
    with pytest.raises(ParameterError, match="KMeans"):
        importances(KMeans(k=2)(rows), rows)
    with pytest.raises(ParameterError, match="permutation"):
        importances(model, rows, by="magic")
    with pytest.raises(ParameterError, match="RMSE"):
        importances(model, rows, measure="CA")
    with pytest.raises(ParameterError, match="repeats"):
        importances(model, rows, repeats=0)
    with pytest.raises(NoSuchColumn):
        importances(model, rows.select(["a", "b", "c"]))
    with pytest.raises(DomainError, match="no row to test on"):
        importances(model, rows[:0])
    with pytest.raises(NoSuchColumn):
        importances(model, rows)["z"]


def test_importances_shown(rows):
    found = importances(Ridge()(rows), rows, repeats=2)
    assert list(found.to_pandas().columns) == ["column", "worse", "spread"]
    assert "<table>" in found._repr_html_()
    axes = plot.importances(found)
    assert [each.get_text() for each in axes.get_yticklabels()] == ["a", "b", "c"]
    assert "a (" in plot.describe(axes)
    with pytest.raises(DomainError, match=r"satsuma\.importances"):
        plot.importances({"a": 1.0})


def test_partial_dependence_as_scikit_learn(rows):
    X = rows.to_numpy(["a", "b", "c"])
    fitted = LinearRegression().fit(X, rows["y"])
    found = partial_dependence(Ridge(l2=0)(rows), "b", rows, rows=400)
    peer = peer_dependence(fitted, X, [1], custom_values={1: found.grid}, kind="both")
    assert found.mean == pytest.approx(peer["average"][0], rel=1e-6, abs=1e-9)
    assert found.lines == pytest.approx(peer["individual"][0], rel=1e-6, abs=1e-9)


def test_effects_of_numbers_symbols_and_few_rows(rows):
    heart = load("heart_disease")
    model = Forest(trees=5)(heart)
    axes = plot.effect(model, "chest pain", heart)
    assert len(axes.get_xticklabels()) == 4
    assert axes.get_ylabel() == "P(diameter narrowing = 1)"
    assert "Effect of chest pain" in plot.describe(axes)
    assert plot.effect(model, "age", value="0").get_ylabel().endswith("= 0)")
    assert plot.effect(KNN(k=2)(rows), "a", rows[:1]).get_ylabel() == "y"
    with pytest.raises(NoSuchColumn):
        plot.effect(model, "rose")
    with pytest.raises(NoSuchValue):
        plot.effect(model, "age", value="rose")
    with pytest.raises(ParameterError, match="predicts a number"):
        plot.effect(KNN(k=2)(rows), "a", value="rose")
    with pytest.raises(ParameterError, match="KMeans"):
        plot.effect(KMeans(k=2)(rows), "a")
    holes = Table.of([(None, 1.0, "p"), (None, 2.0, "q")], ["x", "z", "y"], kinds={"x": "num"})
    with pytest.raises(DomainError, match="All cells of column 'x' are missing"):
        plot.effect(Logistic()(holes), "x")
