import numpy as np
import pytest
from sklearn import cluster
from sklearn.metrics import adjusted_rand_score

import satsuma
from satsuma import DBSCAN, Table, open_model
from satsuma.measures.distance import Distance


def rings(n=300, seed=0):
    """Two rings around each other, which no centres tell apart, and rows far from both."""
    rng = np.random.default_rng(seed)
    angle, ring = rng.uniform(0, 2 * np.pi, n), rng.integers(0, 2, n)
    radius = np.where(ring, 3.0, 1.0) + rng.normal(scale=0.1, size=n)
    x, y = radius * np.cos(angle), radius * np.sin(angle)
    far = [(8.0, 8.0), (-8.0, 8.0), (8.0, -8.0)]
    rows = [*zip(x.tolist(), y.tolist(), strict=True), *far]
    return Table.of(rows, ["x", "y"], target=None), np.append(ring, [2, 2, 2])


@pytest.mark.parametrize("reach", [0.02, 0.04, 0.06, 0.5])
@pytest.mark.parametrize("least", [1, 3, 5, 12])
def test_the_core_rows_of_scikit_learn(reach, least):
    table, _ = rings(seed=least)
    away = np.array([Distance.of(table).between(row, table) for row in table])
    peer = cluster.DBSCAN(eps=reach, min_samples=least, metric="precomputed").fit(away)
    model = DBSCAN(reach=reach, rows=least)(table)
    found = model(table)
    core = peer.core_sample_indices_
    assert model.k - 1 == peer.labels_.max() + 1
    assert model.noise == (peer.labels_ < 0).sum()
    assert ((found == 0) == (peer.labels_ < 0)).all()
    if len(core):
        assert adjusted_rand_score(found[core], peer.labels_[core]) == 1


def test_rings_are_found_by_a_reach_of_its_own():
    table, ring = rings()
    model = DBSCAN()(table)
    assert adjusted_rand_score(model(table), ring) > 0.95
    assert (model(table)[-3:] == 0).all()
    assert model({"x": 100.0, "y": 100.0}) == 0


def test_symbols_and_missing_values_count(tmp_path):
    zoo = satsuma.load("zoo")
    model = DBSCAN(reach=0.35, rows=3)(zoo)
    assert model.k > 3
    model.save(tmp_path / "m.satsuma")
    assert (open_model(tmp_path / "m.satsuma")(zoo) == model(zoo)).all()
    heart = satsuma.load("heart_disease")
    order = np.random.default_rng(1).permutation(len(heart))
    one, other = DBSCAN()(heart), DBSCAN()(heart[order])
    assert (one(heart) == other(heart)).all()


def test_nothing_is_dense():
    table = Table.of([(0, 0), (1, 0), (0, 1)], ["x", "y"], target=None)
    model = DBSCAN(reach=0.01)(table)
    assert (model.k, model.noise, model(table).tolist()) == (1, 3, [0, 0, 0])
    assert "0 dense clusters" in str(model)
