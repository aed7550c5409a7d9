import numpy as np
import pytest
from sklearn.metrics import silhouette_score
from sklearn.metrics.pairwise import nan_euclidean_distances

import satsuma
from satsuma import Domain, KMeans, Table, Variable, choose_k
from satsuma.errors import DomainError, ParameterError
from satsuma.learners.kmeans import choose_k as choose
from satsuma.learners.kmeans.space import Cells


def blobs(k, n=300, seed=0, symbols=False):
    rng = np.random.default_rng(seed)
    cluster = rng.integers(0, k, n)
    places = 12 * np.stack([np.cos(np.arange(k) * 6.2832 / k), np.sin(np.arange(k) * 6.2832 / k)])
    X = places.T[cluster] + rng.normal(size=(n, 2))
    variables, columns = [Variable("a"), Variable("b")], list(X.T)
    if symbols:
        variables.append(Variable("s", "sym", tuple(map(str, range(k)))))
        columns.append(cluster.astype(np.int32))
    return Table(Domain(variables), columns), X


@pytest.mark.parametrize("method", ["elbow", "silhouette", "gap"])
@pytest.mark.parametrize("k", [3, 4])
def test_blobs_are_counted(method, k):
    table, _ = blobs(k)
    chosen = choose_k(table, method, ks=range(1 if method != "silhouette" else 2, 9))
    assert chosen.k == k
    assert f"k = {k}" in str(chosen)
    assert chosen.why in str(chosen)


def test_mixed_blobs_are_counted():
    table, _ = blobs(4, symbols=True)
    assert choose_k(table, "silhouette").k == 4
    assert choose_k(table, "gap", ks=range(1, 7)).k == 4


def test_rows_without_clusters_are_one_group_by_the_gap():
    X = np.random.default_rng(1).random((200, 2))
    table = Table(Domain([Variable("a"), Variable("b")]), list(X.T))
    assert choose_k(table, "gap", ks=range(1, 6)).k == 1


def test_silhouettes_are_scikit_learns():
    table, X = blobs(4)
    learner = KMeans(scale=None, starts=3)
    chosen = choose_k(table, "silhouette", ks=[2, 4, 7], learner=learner)
    for k, score in zip(chosen.ks, chosen.scores, strict=True):
        clusters = KMeans(table, k=k, scale=None, starts=3)(table)
        assert score == pytest.approx(silhouette_score(X, clusters), rel=1e-9)


def test_a_large_table_is_sampled():
    table, _ = blobs(3, n=3000)
    assert "2000 of its rows" in choose_k(table, "silhouette", ks=[2, 3, 4]).why


def test_distances_over_known_columns_are_scikit_learns():
    rng = np.random.default_rng(2)
    X = rng.random((30, 5))
    X[rng.random(X.shape) < 0.2] = np.nan
    mine = choose.pairwise(Cells(X, np.zeros((30, 0), np.int32)))
    np.testing.assert_allclose(mine, np.nan_to_num(nan_euclidean_distances(X)), atol=1e-12)


def test_the_gap_by_hand():
    """The definition of Tibshirani, Walther and Hastie, with the tables of chance made here."""
    table, _ = blobs(3, n=80)
    chosen = choose_k(table, "gap", ks=[1, 2, 3, 4], seed=5)
    logs = []
    for at in range(choose.REFERENCES):
        chance = choose.reference_table(table, np.random.default_rng([5, at]))
        logs.append([np.log(KMeans(chance, k=k, starts=5, seed=5).inertia) for k in range(1, 5)])
        for name in ("a", "b"):
            was, now = table.column(name), chance.column(name)
            assert was.min() <= now.min() < now.max() <= was.max()
    mine = [np.log(KMeans(table, k=k, starts=5, seed=5).inertia) for k in range(1, 5)]
    np.testing.assert_allclose(chosen.scores, np.mean(logs, axis=0) - mine, rtol=1e-9)
    np.testing.assert_allclose(chosen.error, np.std(logs, axis=0) * np.sqrt(1.1), rtol=1e-9)


def test_what_cannot_be_chosen_from_is_refused():
    iris = satsuma.load("iris")
    with pytest.raises(ParameterError, match="method"):
        choose_k(iris, "guess")
    with pytest.raises(ParameterError, match="at least 2"):
        choose_k(iris, "silhouette", ks=[1, 2])
    with pytest.raises(ParameterError, match="ks"):
        choose_k(iris, ks=[3])
    with pytest.raises(DomainError, match="3 rows"):
        choose_k(iris[:3], ks=[1, 5])


def test_the_elbow_of_a_cost_of_ones_own():
    table = satsuma.load("iris")
    own = choose_k(table, lambda model, rows: (model.distances(rows) ** 2).sum(), ks=range(1, 8))
    elbow = choose_k(table, "elbow", ks=range(1, 8))
    assert own.k == elbow.k
    assert own.scores == pytest.approx(elbow.scores)
    assert own.method == "<lambda>"


@pytest.mark.parametrize("given", [None, "much", float("nan")])
def test_a_cost_of_ones_own_must_be_a_number(given):
    with pytest.raises(ParameterError, match="method must give a finite number for each model"):
        choose_k(satsuma.load("iris"), lambda *_: given)
