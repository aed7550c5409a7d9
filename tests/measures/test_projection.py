import numpy as np
import pytest

import satsuma
from satsuma import Table
from satsuma.errors import DomainError, ParameterError
from satsuma.measures.distance import Distance
from satsuma.measures.projection import cosine_rule, fastmap


def test_case_004_cosine_rule(cases):
    told = cases["004-cosine-rule"]
    x, y = cosine_rule(told["input"]["a"], told["input"]["b"], told["input"]["c"])
    assert x == pytest.approx(told["expected"]["x"], abs=1e-12, rel=0)
    assert y == pytest.approx(told["expected"]["y"], abs=1e-12, rel=0)


def test_points_of_a_plane_keep_their_distances():
    rng = np.random.default_rng(0)
    points = rng.random((60, 2))
    table = Table.of(points.tolist(), ["x", "y"], target=None)
    distance = Distance.of(table)
    at = fastmap(table).place(table)
    for i, row in enumerate(table):
        np.testing.assert_allclose(
            np.sqrt(np.square(at - at[i]).sum(axis=1)), distance.between(row, table), atol=1e-7
        )


def test_near_rows_of_more_columns_stay_near():
    iris = satsuma.load("iris")
    distance = Distance.of(iris)
    at = fastmap(iris, seed=3).place(iris)
    away = np.array([distance.between(row, iris) for row in iris])
    drawn = np.sqrt(np.square(at[:, None] - at).sum(axis=2))
    assert np.corrcoef(away.ravel(), drawn.ravel())[0, 1] > 0.95


def test_rows_that_are_all_the_same_are_in_one_place():
    table = Table.of([(1, "a")] * 5, ["x", "s"], target=None)
    assert (fastmap(table).place(table) == 0).all()
    holes = Table.of([(None, "a"), (1, None), (2, "b")], ["x", "s"], target=None)
    assert np.isfinite(fastmap(holes).place(holes)).all()


def test_rows_that_were_not_there_have_a_place_too():
    rng = np.random.default_rng(1)
    points = rng.random((80, 3))
    table = Table.of(points.tolist(), ["x", "y", "z"], target=None)
    found = fastmap(table, axes=3)
    assert found.place(table[60:]) == pytest.approx(found.place(table)[60:], abs=1e-12)
    assert found.axes == 3
    assert found.place(found.poles) == pytest.approx(found.at, abs=1e-6)
    away = Distance.of(table)
    at = found.place(table)
    apart = np.sqrt(np.square(at - at[0]).sum(axis=1))
    assert apart == pytest.approx(away.between(table[0], table), abs=1e-6)


def test_what_no_map_is_made_of():
    iris = satsuma.load("iris")
    with pytest.raises(ParameterError, match="axes must be"):
        fastmap(iris, axes=0)
    with pytest.raises(DomainError, match="no rows"):
        fastmap(iris[:0])
