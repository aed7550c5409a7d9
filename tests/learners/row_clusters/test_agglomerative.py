import numpy as np
import pytest
from scipy.cluster import hierarchy
from scipy.spatial.distance import squareform
from sklearn import cluster
from sklearn.metrics import adjusted_rand_score

import satsuma
from satsuma import Agglomerative, Table, open_model
from satsuma.errors import DomainError, ParameterError
from satsuma.learners.row_clusters import pair_distances
from satsuma.measures.distance import Distance


def mixed(n=60, seed=0, holes=0.0):
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 3, n)
    number = 5 * group + rng.normal(size=n)
    rows = [
        (None if rng.random() < holes else x, None if rng.random() < holes else "abc"[g], y)
        for x, g, y in zip(
            number.tolist(), group.tolist(), rng.normal(size=n).tolist(), strict=True
        )
    ]
    return Table.of(rows, ["x", "s", "y"], target=None), group


def all_pairs(table):
    distance = Distance.of(table)
    return np.array([distance.between(row, table) for row in table])


@pytest.mark.parametrize("holes", [0.0, 0.2])
def test_pairs_are_as_far_apart_as_rows_by_themselves(holes):
    table, _ = mixed(holes=holes)
    away = all_pairs(table)
    np.fill_diagonal(away, 0.0)
    distance = Distance.of(table)
    found = pair_distances.pair_distances(distance, distance.cells(table))
    assert found == pytest.approx(squareform(away, checks=False), rel=1e-12)
    one, other = pair_distances.near_pairs(distance, distance.cells(table), 0.3)
    expected = np.argwhere(np.triu(away <= 0.3, 1))
    assert np.array_equal(np.column_stack([one, other]), expected)


@pytest.mark.parametrize("linkage", ["average", "complete", "single", "ward"])
@pytest.mark.parametrize("k", [2, 3, 7])
def test_the_clusters_of_scikit_learn(linkage, k):
    table, _ = mixed(seed=k)
    label = Agglomerative(k=k, linkage=linkage)(table)(table)
    away = all_pairs(table)
    if linkage == "ward":
        peer = hierarchy.fcluster(hierarchy.linkage(squareform(away), "ward"), k, "maxclust")
    else:
        kind = cluster.AgglomerativeClustering(k, metric="precomputed", linkage=linkage)
        peer = kind.fit_predict(away)
    assert adjusted_rand_score(label, peer) == 1


def test_the_groups_that_there_are_and_neither_order_nor_number_matters():
    table, group = mixed(200, seed=1)
    model = Agglomerative()(table)
    assert model.k == 3
    assert adjusted_rand_score(model(table), group) == 1
    sizes = np.bincount(model(table))
    assert (np.diff(sizes) <= 0).all()
    shuffled = np.random.default_rng(0).permutation(200)
    again = Agglomerative()(table[shuffled])
    assert (again(table) == model(table)).all()
    assert again.heights == pytest.approx(model.heights, rel=1e-12)


def test_a_cut_is_what_learning_with_so_many_clusters_gives(tmp_path):
    iris = satsuma.load("iris")
    model = Agglomerative()(iris)
    for k in (1, 3, 8, 150):
        assert (model.cut(k)(iris) == Agglomerative(k=k)(iris)(iris)).all()
    model.cut(4).save(tmp_path / "m.satsuma")
    assert (open_model(tmp_path / "m.satsuma")(iris) == model.cut(4)(iris)).all()
    with pytest.raises(ParameterError, match="k must be from 1 to 150"):
        model.cut(0)


def test_one_row_and_none():
    one = Table.of([(1, "a")], ["x", "s"], target=None)
    assert (Agglomerative()(one).k, Agglomerative()(one)(one).tolist()) == (1, [0])
    with pytest.raises(DomainError, match="no rows"):
        Agglomerative()(one[:0])


def test_too_many_rows_are_refused_with_a_way_out(monkeypatch):
    monkeypatch.setattr(pair_distances, "MOST_ROWS", 100)
    with pytest.raises(DomainError, match=r"There are 150: .*as in table\[::2\]"):
        Agglomerative()(satsuma.load("iris"))
