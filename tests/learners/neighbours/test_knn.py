import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

import satsuma
from satsuma import KNN, GetProbabilities, Mean, Table, cross_validate
from satsuma.errors import DomainError, ParameterError
from satsuma.measures import Distance
from tests.tables import OF_NUMBERS, read_shared


def scaled(n=400, seed=0):
    """Numbers that lie in 0..1 with both ends in every column, so that scaling leaves them."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 5))
    X[0], X[1] = 0.0, 1.0
    return X, rng


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("p", [1, 2, 3])
def test_numbers_as_scikit_learn_classifies_them(weights, p):
    X, rng = scaled()
    y, asked = rng.integers(0, 3, 400), rng.random((100, 5))
    ours = KNN(k=7, weights=weights, p=p).fit(X, y)
    theirs = KNeighborsClassifier(7, weights=weights, p=p, algorithm="brute").fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(asked), theirs.predict_proba(asked), atol=1e-6)
    assert (ours.predict(X) == theirs.predict(X)).all()


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_numbers_as_scikit_learn_predicts_them(weights):
    X, rng = scaled()
    y, asked = rng.normal(size=400), rng.random((100, 5))
    ours = KNN(k=5, weights=weights).fit(X, y)
    theirs = KNeighborsRegressor(5, weights=weights, algorithm="brute").fit(X, y)
    np.testing.assert_allclose(ours.predict(asked), theirs.predict(asked), atol=1e-5)
    assert not hasattr(ours, "predict_proba")
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), abs=1e-5)


def shares_by_hand(table, row, k, weights):
    """Row by row: the distance to each, the nearest that weigh k, one over the distance."""
    target = table.domain.target.name
    away = Distance.of(table).between(row, table)
    weigh = np.ones(len(table)) if table.weights is None else table.weights
    left, share = float(k), {}
    for j in np.argsort(away, kind="stable"):
        counts = min(left, weigh[j])
        left -= counts
        if weights == "distance":
            counts *= float(away[j] == 0) if (away == 0).any() else 1 / away[j]
        share[table[target][j]] = share.get(table[target][j], 0.0) + counts
    total = sum(share.values())
    return {value: part / total for value, part in share.items()}


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_mixed_rows_with_holes_by_hand(weights):
    table = satsuma.load("heart_disease")[::3]
    model = KNN(k=6, weights=weights)(table)
    for at in range(0, len(table), 5):
        found = model(table[at], GetProbabilities)
        expected = shares_by_hand(table, table[at], 6, weights)
        assert dict(found) == pytest.approx({v: expected.get(v, 0.0) for v in found}, abs=1e-9)


def test_neighbours_weigh_k_together():
    rows = [(0, "a", 0.5), (1, "b", 0.25), (2, "c", 3.0), (9, "a", 1.0)]
    table = Table.of(rows, ["x", "y", "w"], target="y", roles={"w": "weight"})
    found = KNN(k=2)(table)({"x": 0}, GetProbabilities)
    assert dict(found) == pytest.approx({"a": 0.25, "b": 0.125, "c": 0.625})
    everything = KNN(k=99)(table)({"x": 0}, GetProbabilities)
    assert dict(everything) == pytest.approx({"a": 1.5 / 4.75, "b": 0.25 / 4.75, "c": 3 / 4.75})


def test_many_light_rows_are_looked_for_until_they_weigh_enough():
    rng = np.random.default_rng(0)
    rows = [(x, "ab"[int(x > 0.5)], 0.01) for x in rng.random(3000).tolist()]
    table = Table.of(rows, ["x", "y", "w"], target="y", roles={"w": "weight"})
    model = KNN(k=10)(table)
    _, found, count = model.neighbours(table[:2].select(["x"]))
    assert found.shape[1] >= 1000
    np.testing.assert_allclose(count.sum(axis=1), 10)


def test_ties_in_distance_go_by_row_and_in_class_to_the_first():
    table = Table.of([(0, "b"), (2, "a"), (2, "b"), (0, "a")], ["x", "y"])
    assert KNN(k=1)(table)({"x": 1}) == "b"
    assert KNN(k=2)(table)({"x": 1}) == "b"  # one of each, and b is the first class
    assert list(KNN(k=1)(table).classes) == ["b", "a"]


def test_neighbours_can_be_looked_at():
    table = satsuma.load("iris")
    model = KNN(k=3)(table)
    away, rows, count = model.neighbours(table[:2])
    assert rows[:, 0].tolist() == [0, 1]
    assert (away[:, 0] == 0).all()
    assert (np.diff(away, axis=1) >= 0).all()
    assert (count == 1).all()
    assert "by the 3 nearest of 150 rows" in str(model)


@pytest.mark.parametrize("name", OF_NUMBERS)
def test_regression_beats_the_mean(shared, name):
    table = read_shared(shared(name))
    target = table.domain.target or table.domain.goals[0]
    table = table.with_roles(target=target.name)
    results = cross_validate([KNN(), Mean()], table, folds=10, seed=1)
    scores = results.scores("R2")
    assert scores["KNN"] > 0.3 > scores["Mean"] + 0.2


def test_whole_numbers_are_classes_and_floats_are_numbers_in_fit():
    X = np.array([[0.0], [1.0], [2.0]])
    assert KNN(k=1).fit(X, [3, 4, 5]).predict(X).tolist() == [3, 4, 5]
    assert KNN(k=2).fit(X, [3.0, 4.0, 5.0]).predict(X[:1]).tolist() == [3.5]
    again = KNN(k=1).fit(X, [3.0, 4.0, 5.0]).fit(X, ["a", "b", "c"])
    assert again.predict_proba(X).shape == (3, 3)


def test_what_cannot_be_learned():
    table = satsuma.load("iris")
    for wrong, name in (({"k": 0}, "k"), ({"weights": "nearest"}, "weights"), ({"p": 0}, "p")):
        with pytest.raises(ParameterError, match=f"'{name}' parameter of KNN"):
            KNN(**wrong)(table)
    with pytest.raises(DomainError, match="without attributes"):
        KNN()(table.select(["Species"]))
    with pytest.raises(DomainError, match="symbols or numbers, but the target 'y' is 'text'"):
        KNN()(Table.of([(1, "a")], ["x", "y"], kinds={"y": "text"}))
