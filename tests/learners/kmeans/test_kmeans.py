import warnings
from itertools import pairwise

import numpy as np
import pytest
from sklearn import cluster
from sklearn.metrics import adjusted_rand_score

import satsuma
from satsuma import Domain, KMeans, Table, Variable, open_model
from satsuma.checks.batches import Batches
from satsuma.errors import DomainError, ParameterError


def numbers(X):
    return Table(Domain([Variable(f"x{j}") for j in range(X.shape[1])]), list(X.T))


def blobs(rng, n=600, k=4, holes=0.0):
    """Well separated clusters in three numbers and two symbols."""
    cluster = rng.integers(0, k, n)
    places = np.array([[0, 0, 0], [6, 0, 3], [0, 6, 6], [6, 6, 0]], float)
    number = places[cluster] + rng.normal(scale=0.6, size=(n, 3))
    symbol = np.stack([cluster, (cluster + 1) % k], axis=1)
    odd = rng.random(symbol.shape) < 0.05
    symbol = np.where(odd, rng.integers(0, k, symbol.shape), symbol).astype(np.int32)
    number[rng.random(number.shape) < holes] = np.nan
    symbol[rng.random(symbol.shape) < holes] = -1
    values = tuple("abcd")
    variables = [Variable(f"x{j}") for j in range(3)]
    variables += [Variable(f"s{j}", "sym", values) for j in range(2)]
    return Table(Domain(variables), [*number.T, *symbol.T]), cluster


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("steps", [1, 5, 300])
def test_it_is_scikit_learn_from_the_same_centres(seed, steps):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(3000, 5)) * [1, 10, 1, 0.1, 1] + [0, 1e4, 0, 0, -5]
    start = X[:9].copy()
    theirs = cluster.KMeans(9, init=start, n_init=1, max_iter=steps, tol=0).fit(X)
    mine = KMeans(k=9, init=start, scale=None, steps=steps, tolerance=0.0).fit(X)
    assert mine.model_.inertia == pytest.approx(theirs.inertia_, rel=1e-9)
    assert (mine.labels_ == theirs.labels_).all()
    np.testing.assert_allclose(mine.model_.at, theirs.cluster_centers_, rtol=1e-9, atol=1e-9)


def test_with_weights_too():
    rng = np.random.default_rng(5)
    X, weight = rng.normal(size=(800, 3)), rng.random(800)
    start = X[:5].copy()
    theirs = cluster.KMeans(5, init=start, n_init=1, max_iter=300, tol=0)
    theirs.fit(X, None, weight / weight.mean())  # fractions are relative weights: 1 on average
    mine = KMeans(k=5, init=start, scale=None, steps=300, tolerance=0.0)
    mine.fit(X, sample_weight=weight)
    assert mine.model_.inertia == pytest.approx(theirs.inertia_, rel=1e-9)


def test_a_scaled_table_is_a_table_of_scaled_numbers():
    rng = np.random.default_rng(1)
    X = rng.random((500, 3)) * [1, 100, 1e-3] + [5, 0, 0]
    scaled = (X - X.min(axis=0)) / (np.ptp(X, axis=0) + 1e-7)
    theirs = cluster.KMeans(6, init=scaled[:6], n_init=1, max_iter=300, tol=0).fit(scaled)
    mine = KMeans(k=6, init=X[:6], steps=300, tolerance=0.0).fit(X)
    assert mine.model_.inertia == pytest.approx(theirs.inertia_, rel=1e-9)


# case 004-kmeans-two-blobs
@pytest.mark.parametrize("scale", ["range", None])
@pytest.mark.parametrize("init", ["k-means++", "random"])
def test_two_blobs(scale, init):
    X = np.array([[0, 0], [0, 1], [1, 0], [10, 10], [10, 11], [11, 10]], float)
    model = KMeans(numbers(X), k=2, scale=scale, init=init, starts=5)
    clusters = model(numbers(X))
    assert (clusters[:3] == clusters[0]).all()
    assert (clusters[3:] == 1 - clusters[0]).all()
    order = np.argsort(model.at[:, 0])
    third = 1 / 3
    np.testing.assert_allclose(model.at[order], [[third] * 2, [10 + third] * 2], atol=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_mixed_blobs_with_holes_are_found(seed):
    table, truth = blobs(np.random.default_rng(seed), holes=0.1)
    model = KMeans(table, k=4, starts=5, seed=seed)
    assert adjusted_rand_score(truth, model(table)) >= 0.95


@pytest.mark.parametrize("holes", [0.0, 0.4])
@pytest.mark.parametrize("scale", ["range", None])
def test_the_cost_never_rises(holes, scale):
    table, _ = blobs(np.random.default_rng(3), holes=holes)
    start = table[:7]
    cost = [
        KMeans(table, k=7, init=start, scale=scale, steps=steps, tolerance=0.0).inertia
        for steps in range(1, 15)
    ]
    assert all(b <= a * (1 + 1e-12) for a, b in pairwise(cost))
    assert cost[-1] < cost[0]


def test_the_inertia_is_what_the_rows_cost():
    table, _ = blobs(np.random.default_rng(3), holes=0.2)
    model = KMeans(table, k=5)
    assert model.inertia == pytest.approx((model.distances(table) ** 2).sum(), rel=1e-12)
    assert model.weight.tolist() == np.bincount(model(table), minlength=5).tolist()


@pytest.mark.parametrize("init", ["k-means++", "random"])
def test_batches_in_any_order_give_the_same_groups(init):
    table, _ = blobs(np.random.default_rng(7), holes=0.1)
    learner = KMeans(k=6, init=init, starts=2, seed=3)
    whole = learner(table)
    shuffled = table[np.random.default_rng(0).permutation(len(table))]
    for source in (Batches(table, size=50, merge="backwards"), Batches(shuffled, size=97)):
        parts = learner(source)
        assert (parts(table) == whole(table)).all()
        assert parts.inertia == pytest.approx(whole.inertia, rel=1e-9)
        np.testing.assert_allclose(parts.at, whole.at, rtol=1e-9)
        assert parts.steps == whole.steps


def test_rows_are_drawn_by_squared_distance_from_all_rows():
    """Of 1 row at 0, 3 at 1 and 1 at 10, from 0: those at 1 with 3/103, that at 10 with 100/103."""
    table = numbers(np.array([[0.0], [1], [1], [1], [10]]))
    first, second = [], []
    for seed in range(3000):
        drawn = _start(table, seed, 2)
        first.append(drawn[0])
        second.append(drawn[1])
    first, second = np.array(first), np.array(second)
    for value, chance in ((0, 1 / 5), (1, 3 / 5), (10, 1 / 5)):
        assert abs((first == value).mean() - chance) < 4 * np.sqrt(chance / 3000)
    from_0 = second[first == 0]
    assert abs((from_0 == 1).mean() - 3 / 103) < 4 * np.sqrt(3 / 103 / len(from_0))


def _start(table, seed, k):
    from satsuma.learners.kmeans.seeding import draw_centres
    from satsuma.learners.kmeans.space import Cells
    from satsuma.tallies.content_hashes import hashes_of

    cells = Cells(table.to_numpy(), np.zeros((len(table), 0), np.int32))
    middle = Cells(np.zeros((1, 1)), np.zeros((1, 0), np.int32))
    hashes = hashes_of(table, table.domain.attributes)
    centres, _ = draw_centres(cells, hashes, None, middle, k, "k-means++", seed)
    return centres.number[:, 0]


def test_a_weight_is_a_row_so_many_times_even_in_drawing():
    table, _ = blobs(np.random.default_rng(2), n=200)
    weight = np.arange(200) % 4.0
    weighted = Table(
        Domain([*table.domain, Variable("w", role="weight")]), [*table.columns, weight]
    )
    repeated = table[np.repeat(np.arange(200), weight.astype(int))]
    for seed in range(5):
        one, other = KMeans(weighted, k=5, seed=seed), KMeans(repeated, k=5, seed=seed)
        assert (one(table) == other(table)).all()
        assert one.inertia == pytest.approx(other.inertia, rel=1e-9)


def test_a_centre_without_rows_stays():
    X = np.array([[0.0], [1], [2]])
    model = KMeans(numbers(X), k=2, init=np.array([[1.0], [50.0]]), scale=None)
    assert model.weight.tolist() == [3, 0]
    assert model.at.tolist() == [[1], [50]]


def test_fewer_different_rows_than_groups():
    model = KMeans(Table.of([(1, "a"), (1, "a"), (2, "b")], ["n", "s"], target=None), k=8)
    assert model.k == 2
    assert model.inertia == 0


def test_only_attributes_count():
    iris = satsuma.load("iris")
    bare = iris.select([v.name for v in iris.domain.attributes])
    assert (KMeans(iris, k=3)(iris) == KMeans(bare, k=3)(bare)).all()


def test_centres_are_a_table_to_start_from(tmp_path):
    table, _ = blobs(np.random.default_rng(4), holes=0.1)
    model = KMeans(table, k=4, starts=3)
    again = KMeans(table, k=4, init=model.centres, steps=5)
    assert (again(table) == model(table)).all()
    again.save(tmp_path / "m")
    opened = open_model(tmp_path / "m")
    assert (opened(table) == model(table)).all()
    assert "clusters" in str(opened)
    dicts = [dict(row.items()) for row in model.centres]
    assert (KMeans(table, k=4, init=dicts)(table) == model(table)).all()


def test_more_starts_cost_no_more():
    X = np.random.default_rng(0).random((400, 4))
    for seed in range(3):
        cost = [KMeans(numbers(X), k=12, starts=n, seed=seed).inertia for n in (1, 5, 20)]
        assert cost[0] >= cost[1] >= cost[2]
    assert cost[0] > cost[2]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"init": np.zeros((3, 2)), "k": 2}, "3 centres, and k is 2"),
        ({"init": np.zeros((2, 5)), "k": 2}, "5 numbers a centre"),
        ({"init": [[1, "a"]], "k": 1}, "init"),
        ({"k": 0}, "k"),
        ({"scale": "variance"}, "scale"),
        ({"init": np.array([[np.inf, 0.0]]), "k": 1}, "finite"),
    ],
)
def test_what_does_not_fit_is_refused(wrong, told):
    with pytest.raises(ParameterError, match=told):
        KMeans(numbers(np.random.default_rng(0).random((9, 2))), **wrong)


def test_numbers_that_cannot_be_squared_are_refused():
    with pytest.raises(DomainError, match="x1"):
        KMeans(numbers(np.array([[0, 1e200], [1, 0]])), k=2)


@pytest.mark.parametrize("init", ["random", "k-means++"])
@pytest.mark.parametrize("name", ["iris", "heart_disease", "zoo"])
def test_a_walk_leads_to_the_model_and_never_uphill(name, init):
    table, learner = satsuma.load(name), KMeans(k=4, init=init, seed=2)
    walk, model = list(learner.walk(table)), learner(table)
    assert [each.steps for each in walk] == list(range(model.steps + 1))
    assert walk[-1].near == pytest.approx(model.near, rel=1e-12, abs=1e-15)
    assert walk[-1].cost == pytest.approx(model.cost)
    inertia = np.array([each.inertia for each in walk])
    assert (np.diff(inertia) <= 1e-9 * inertia[0]).all()
    first = walk[0].distances(table)  # each centre is a row as yet, but for its missing cells
    assert (np.sort(first)[: walk[0].k] < 1e-6).all() or name == "heart_disease"


def test_a_walk_by_scikit_learn():
    X = np.random.default_rng(0).normal(size=(200, 3))  # no ties
    walk = KMeans(k=3, init=X[:3], scale=None, tolerance=0).walk(numbers(X))
    for steps, model in enumerate(walk):
        if steps:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                peer = cluster.KMeans(3, init=X[:3], n_init=1, max_iter=steps, tol=0).fit(X)
            assert model.at == pytest.approx(peer.cluster_centers_)
        if steps == 5:
            break
