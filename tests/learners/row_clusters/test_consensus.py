import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

import satsuma
from satsuma import RP0, Agglomerative, Consensus, KMeans, NaiveBayes, Table, open_model
from satsuma.errors import ParameterError


def blobs(n=240, seed=0):
    rng = np.random.default_rng(seed)
    group = rng.integers(0, 3, n)
    x, y = np.array([[0, 0], [6, 0], [0, 6]])[group].T + rng.normal(size=(2, n))
    rows = zip(x.tolist(), y.tolist(), strict=True)
    return Table.of(list(rows), ["x", "y"], target=None), group


def test_pairs_by_brute_force():
    table, _ = blobs(40)
    model = Consensus(RP0(M=4), t=7, seed=3)(table)
    labels = [RP0(M=4, seed=seed)(table)(table) for seed in range(3, 10)]
    share = np.mean([label[:, None] == label for label in labels], axis=0)
    assert model.together(table) == pytest.approx(share)


@pytest.mark.parametrize("member", [None, RP0(M=10), KMeans(k=6, init="random")])
def test_many_rough_divisions_agree_on_the_groups(member):
    table, group = blobs()
    model = Consensus(member, t=30, k=3)(table)
    alone = adjusted_rand_score(group, model.models[0](table))
    assert adjusted_rand_score(group, model(table)) > max(0.9, alone)


def test_it_is_saved_with_its_models(tmp_path):
    zoo = satsuma.load("zoo")
    model = Consensus(RP0(M=6), t=5)(zoo)
    model.save(tmp_path / "m.satsuma")
    assert (open_model(tmp_path / "m.satsuma")(zoo) == model(zoo)).all()
    assert f"{model.k} clusters of 101 rows, by how often they are together in 5 models" in str(
        model
    )


@pytest.mark.parametrize("wrong", [NaiveBayes(), Agglomerative(), "kmeans"])
def test_what_is_refused(wrong):
    with pytest.raises(ParameterError, match="'learner' parameter of Consensus"):
        Consensus(learner=wrong)(satsuma.load("iris"))
