import numpy as np
import pytest

import satsuma
from satsuma import BisectingKMeans


@pytest.mark.parametrize("name", ["iris", "voting", "titanic", "heart_disease"])
def test_groups_are_small_unless_rows_are_alike(name):
    table = satsuma.load(name)
    model = BisectingKMeans(table)
    clusters = model(table)
    assert np.bincount(clusters, minlength=model.k).tolist() == model.weight.tolist()
    cells = model.space.cells(table)
    for cluster in np.flatnonzero(model.weight > np.sqrt(len(table))):
        rows = np.flatnonzero(clusters == cluster)
        number = cells.number[rows]
        assert (np.isnan(number) | (np.nanmax(number, axis=0, initial=0) == number)).all()
        assert all(len(set(column[column >= 0])) <= 1 for column in cells.symbol[rows].T)


def test_it_can_be_walked():
    iris = satsuma.load("iris")
    model = BisectingKMeans(iris, leaf=30)
    nodes = list(model.root)
    ends = [node for node in nodes if node.cluster is not None]
    assert [node.cluster for node in ends] == list(range(model.k))
    assert len(nodes) == 2 * model.k - 1
    for node in nodes:
        assert bool(node.parts) == (node.cluster is None)
        if node.parts:
            assert sum(part.n for part in node.parts) == node.n
            assert all(part.depth == node.depth + 1 for part in node.parts)
    for cluster, end in zip(range(model.k), ends, strict=True):
        mine = iris[np.flatnonzero(model(iris) == cluster)]
        for name in ("Sepal.Length", "Petal.Width"):
            assert end.centre[name] == pytest.approx(mine.column(name).mean(), rel=1e-9)


def test_a_row_goes_to_the_nearer_centre_all_the_way_down():
    iris = satsuma.load("iris")
    model = BisectingKMeans(iris, leaf=20, scale=None)
    names = [v.name for v in iris.domain.attributes]
    for row in list(iris)[::10]:
        node = model.root
        while node.parts:
            away = [sum((part.centre[n] - row[n]) ** 2 for n in names) for part in node.parts]
            node = node.parts[int(np.argmin(away))]
        assert node.cluster == model(row)
