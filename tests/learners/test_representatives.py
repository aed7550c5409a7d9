import numpy as np
import pytest

import satsuma
from satsuma import RP0, KMeans, NaiveBayes, representatives
from satsuma.errors import ParameterError
from satsuma.measures.distance import Distance


@pytest.mark.parametrize("name", ["iris", "zoo", "heart_disease"])
def test_medoids_and_edges_by_brute_force(name):
    table = satsuma.load(name)
    model = RP0(M=15)(table)
    label, distance = model(table), Distance.of(table)
    for cluster, rows in representatives(model, table, n=3).items():
        mine = np.flatnonzero(label == cluster)
        away = np.array([distance.between(table[at], table[mine]) for at in mine.tolist()])
        assert rows[0] == mine[away.sum(axis=1).argmin()]
        first = np.flatnonzero(mine == rows[0])[0]
        others = np.delete(np.arange(len(mine)), first)
        assert away[first, np.flatnonzero(mine == rows[1])[0]] == away[first, others].max()
        assert len(set(rows)) == 3
        assert np.isin(rows, mine).all()


def test_small_clusters_give_all_and_others_are_refused():
    iris = satsuma.load("iris")
    found = representatives(KMeans(k=3)(iris), iris, n=200)
    assert sorted(row for rows in found.values() for row in rows) == list(range(150))
    with pytest.raises(ParameterError, match="model must be one of clusters"):
        representatives(NaiveBayes()(iris), iris)
    with pytest.raises(ParameterError, match="n must be"):
        representatives(KMeans(k=3)(iris), iris, n=0)
