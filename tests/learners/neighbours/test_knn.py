import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

import satsuma
from satsuma import KNN, GetProbabilities, Mean, Table, cross_validate
from satsuma.errors import DomainError, ParameterError
from satsuma.learners.neighbours.leave_one_out import SMOOTHINGS
from satsuma.learners.neighbours.neighbourhoods import WAYS
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
    ours = KNN(k=7, weights=weights, p=p, scale="range", m=0).fit(X, y)
    theirs = KNeighborsClassifier(7, weights=weights, p=p, algorithm="brute").fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(asked), theirs.predict_proba(asked), atol=1e-6)
    assert (ours.predict(X) == theirs.predict(X)).all()


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_numbers_as_scikit_learn_predicts_them(weights):
    X, rng = scaled()
    y, asked = rng.normal(size=400), rng.random((100, 5))
    ours = KNN(k=5, weights=weights, scale="range").fit(X, y)
    theirs = KNeighborsRegressor(5, weights=weights, algorithm="brute").fit(X, y)
    np.testing.assert_allclose(ours.predict(asked), theirs.predict(asked), atol=1e-5)
    assert not hasattr(ours, "predict_proba")
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), abs=1e-5)


def shares_by_hand(table, row, k, weights):
    """Row by row: the distance to each, the nearest that weigh k, those alike in shares."""
    target = table.domain.target.name
    away = Distance.of(table).between(row, table)
    weigh = np.ones(len(table)) if table.weights is None else table.weights
    left, share, weighed = float(k), {}, np.zeros(len(table))
    for radius in np.unique(away.round(9)):
        alike = away.round(9) == radius
        weighed[alike] = weigh[alike] * min(1.0, left / weigh[alike].sum())
        left -= weighed[alike].sum()
    for j in np.flatnonzero(weighed):
        counts = weighed[j]
        if weights == "distance":
            counts *= float(away[j] == 0) if (away == 0).any() else 1 / away[j]
        share[table[target][j]] = share.get(table[target][j], 0.0) + counts
    total = sum(share.values())
    return {value: part / total for value, part in share.items()}


@pytest.mark.parametrize("weights", ["uniform", "distance"])
def test_mixed_rows_with_holes_by_hand(weights):
    table = satsuma.load("heart_disease")[::3]
    model = KNN(k=6, weights=weights, scale="range", m=0)(table)
    for at in range(0, len(table), 5):
        found = model(table[at], GetProbabilities)
        expected = shares_by_hand(table, table[at], 6, weights)
        assert dict(found) == pytest.approx({v: expected.get(v, 0.0) for v in found}, abs=1e-9)


def test_neighbours_weigh_k_together():
    rows = [(0, "a", 0.5), (1, "b", 0.25), (2, "c", 3.0), (9, "a", 1.0)]
    table = Table.of(rows, ["x", "y", "w"], target="y", roles={"w": "weight"})
    plain = {"weights": "uniform", "m": 0}
    found = KNN(k=2, **plain)(table)({"x": 0}, GetProbabilities)
    assert dict(found) == pytest.approx({"a": 0.25, "b": 0.125, "c": 0.625})
    everything = KNN(k=99, **plain)(table)({"x": 0}, GetProbabilities)
    assert dict(everything) == pytest.approx({"a": 1.5 / 4.75, "b": 0.25 / 4.75, "c": 3 / 4.75})


def test_many_light_rows_are_looked_for_until_they_weigh_enough():
    rng = np.random.default_rng(0)
    rows = [(x, "ab"[int(x > 0.5)], 0.01) for x in rng.random(3000).tolist()]
    table = Table.of(rows, ["x", "y", "w"], target="y", roles={"w": "weight"})
    model = KNN(k=10, weights="uniform", m=0)(table)
    _, found, count = model.neighbours(table[:2].select(["x"]))
    assert found.shape[1] >= 1000
    np.testing.assert_allclose(count.sum(axis=1), 10)


def test_rows_at_the_same_distance_share_and_ties_in_class_go_to_the_first():
    table = Table.of([(0, "b"), (2, "a"), (2, "b"), (0, "a"), (9, "a")], ["x", "y"])
    for k in (1, 2, 3):
        model = KNN(k=k, weights="uniform", m=0)(table)
        assert dict(model({"x": 1}, GetProbabilities)) == pytest.approx({"b": 0.5, "a": 0.5})
        assert model({"x": 1}) == "b"  # b is the first class
    assert list(KNN(k=1)(table).classes) == ["b", "a"]


def test_neighbours_can_be_looked_at():
    table = satsuma.load("iris")
    model = KNN(k=3, weights="uniform")(table)
    away, rows, count = model.neighbours(table[:2])
    assert rows[:, 0].tolist() == [0, 1]
    assert (away[:, 0] == 0).all()
    assert (np.diff(away[0, :3]) >= 0).all()
    assert count.tolist() == [[1, 1, 1, 0], [1, 1, 0.5, 0.5]]  # two are as far from the second
    assert rows[0, 3] == -1
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
    assert KNN(k=2, weights="uniform").fit(X, [3.0, 4.0, 5.0]).predict(X[:1]).tolist() == [3.5]
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


def loss_by_hand(table, k, way, m):
    """The mean loss of each row, by the rows that are nearest to it of all others."""
    target = table.domain.target
    truth, n = table.column(target.name), len(table)
    shares = np.bincount(truth) / n if target.kind == "sym" else None
    total = 0.0
    for at in range(n):
        away = Distance.of(table).between(table[at], table)
        others = np.delete(np.arange(n), at)
        near = others[np.argsort(away[others], kind="stable")]
        ends = away[near[k - 1]]
        inside = near[away[near] < ends - 1e-9]
        shell = near[abs(away[near] - ends) <= 1e-9]
        count = np.r_[np.ones(len(inside)), np.full(len(shell), (k - len(inside)) / len(shell))]
        found = np.r_[inside, shell]
        d = away[found]
        if way == "distance":
            count = count * (d == 0) if (d == 0).any() else count * d.min() / d
        if way == "linear":
            last = d.max() * (1 + 1 / k) or 1.0
            count = count * (last - d) / (last - d.min())
        if shares is None:
            total += (count @ truth[found] / count.sum() - truth[at]) ** 2
        else:
            right = count @ (truth[found] == truth[at])
            total -= np.log((right + m * shares[truth[at]]) / (count.sum() + m))
    return total / n


@pytest.mark.parametrize("name", ["iris", "housing"])
def test_the_least_loss_in_leaving_out_each_row_is_chosen(name):
    table = satsuma.load(name)[::4]
    chosen = KNN(scale="range")(table)
    smoothings = SMOOTHINGS if name == "iris" else [0]
    for i, k in enumerate(chosen.tried.tolist()):
        j = i % 3
        expected = min(loss_by_hand(table, k, WAYS[j], m) for m in smoothings)
        assert chosen.losses[i, j] == pytest.approx(expected, rel=1e-6)
    at, way = np.unravel_index(chosen.losses.argmin(), chosen.losses.shape)
    assert (chosen.k, chosen.way) == (chosen.tried[at], WAYS[way])
    assert "Chosen by leave-one-out over" in str(chosen)
    assert max(chosen.tried) <= len(table) / 2


def test_to_leave_out_a_row_of_weight_2_leaves_one_of_two():
    table = satsuma.load("heart_disease")[::3]
    weights = np.arange(len(table)) % 3 + 1.0
    weighted = KNN()(table, weights=weights)
    repeated = KNN()(table[np.repeat(np.arange(len(table)), weights.astype(int))])
    np.testing.assert_allclose(weighted.losses, repeated.losses, rtol=1e-9)
    assert (weighted.k, weighted.way, weighted.m) == (repeated.k, repeated.way, repeated.m)
    assert (weighted.left_out, repeated.left_out) == (len(table), len(table))


def test_of_many_rows_some_are_left_out_whatever_their_order():
    rng = np.random.default_rng(0)
    table = Table.of(rng.normal(size=(2300, 3)).tolist(), ["a", "b", "y"])
    one, other = KNN()(table), KNN()(table[rng.permutation(2300)])
    np.testing.assert_allclose(one.losses, other.losses, rtol=1e-9)
    assert one.left_out == 2000
    assert "2,000 of 2,300 distinct rows, drawn by content" in str(one)


def test_many_rows_that_are_alike_are_found_at_once():
    table = satsuma.load("titanic")
    model = KNN(k=50, weights="uniform", m=0)(table)
    assert len(model.number) == 24
    crew = (table["status"] == "crew") & (table["sex"] == "male")
    asked = table[np.flatnonzero(crew)[:1]]
    found = model(asked, GetProbabilities)[0]
    assert found.max() == pytest.approx((table["survived"][crew] == "no").mean())


def test_no_class_that_was_seen_is_impossible():
    table = satsuma.load("zoo")
    for learner in (KNN(), KNN(k=1)):
        assert (learner(table)(table, GetProbabilities) > 0).all()
    assert (KNN(k=1, m=0)(table)(table, GetProbabilities) == 0).any()


def test_an_outlier_does_not_hide_a_column():
    rng = np.random.default_rng(0)
    x, noise = rng.normal(size=(2, 300))
    rows = [(a, b, "ab"[int(a > 0)]) for a, b in np.c_[x, noise].tolist()]
    clean, spoilt = rows[:200], [(1e9, 0.0, "a"), *rows[:200]]
    asked = Table.of(rows[200:], ["x", "noise", "y"])
    for learned in (clean, spoilt):
        model = KNN()(Table.of(learned, ["x", "noise", "y"]))
        assert (model(asked) == asked["y"]).mean() > 0.9
