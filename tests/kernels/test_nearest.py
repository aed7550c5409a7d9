import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.neighbors import NearestNeighbors

from satsuma.kernels import nearest
from satsuma.kernels.nearest import Nearest
from satsuma.kernels.nearest import twin as nearest_twin
from satsuma.kernels.threads import thread_limit


def rows(rng, n, d, s, *, holes=0.0, levels=3, steps=0):
    """Numbers from 0 to 1, in steps if asked for, and codes; some of both missing."""
    number = rng.random((n, d))
    number = np.round(number * steps) / steps if steps else number
    number[rng.random((n, d)) < holes] = np.nan
    symbol = rng.integers(0, levels, (n, s)).astype(np.int32)
    symbol[rng.random((n, s)) < holes] = -1
    return number, symbol


def by_twin(search, queries, k, left_out=None):
    number = np.ascontiguousarray(queries[0][:, search._order])
    left = np.full(len(number), -1) if left_out is None else left_out
    sums, found = np.empty((len(number), k)), np.empty((len(number), k), np.int64)
    nothing = np.zeros((len(number), 0))
    nearest_twin.find(search.packed, number, queries[1], nothing, nothing, left, sums, found)
    return sums, found


def one_sum(a, b, c, d, p):
    """The definition, cell by cell."""
    total = 0.0
    for x, y in zip(a, b, strict=True):
        if np.isnan(x) and np.isnan(y):
            away = 1.0
        elif np.isnan(x) or np.isnan(y):
            known = y if np.isnan(x) else x
            away = max(known, 1 - known)
        else:
            away = abs(x - y)
        total += away**p
    return total + sum(x != y or x < 0 for x, y in zip(c, d, strict=True))


@given(
    st.integers(0, 2**32 - 1),
    st.tuples(st.integers(1, 600), st.integers(0, 11), st.integers(0, 5)),
    st.sampled_from([1, 2]),
    st.sampled_from([0.0, 0.2, 1.0]),
    st.sampled_from([(0, 1.0), (2, 1.0), (0, 0.17), (2, 0.17)]),
)
def test_the_kernel_is_its_twin_to_the_last_bit(seed, shape, p, holes, how):
    steps, apart = how
    rng = np.random.default_rng(seed)
    n, d, s = shape
    search = Nearest(*rows(rng, n, d, s, holes=holes, steps=steps), p, apart)
    queries = rows(rng, 9, d, s, holes=holes, steps=steps)
    left = rng.integers(-1, n, 9)
    k = int(rng.integers(1, 40))
    for mine, twin in zip(
        search.find(*queries, k, left), by_twin(search, queries, k, left), strict=True
    ):
        np.testing.assert_array_equal(mine, twin)


@pytest.mark.parametrize("p", [0.5, 1, 1.5, 2, 3, 7.5])
def test_the_nearest_are_those_of_a_search_cell_by_cell(p):
    rng = np.random.default_rng(3)
    held, asked = (rows(rng, n, 4, 3, holes=0.15) for n in (300, 20))
    sums, found = Nearest(*held, p).find(*asked, 7)
    for at in range(20):
        each = [one_sum(held[0][i], asked[0][at], held[1][i], asked[1][at], p) for i in range(300)]
        order = sorted(range(300), key=lambda i: (round(each[i], 12), i))
        assert found[at].tolist() == order[:7]
        np.testing.assert_allclose(sums[at], np.array(each)[order[:7]], rtol=1e-12)


@pytest.mark.parametrize("holes", [0.0, 0.15])
@pytest.mark.parametrize("p", [1, 2])
def test_rows_in_many_boxes_are_found_as_by_the_twin(p, holes):
    """Clusters, ties and missing cells: what a box leaves out is never among the nearest."""
    rng = np.random.default_rng(5)
    number, symbol = rows(rng, 3_000, 3, 1, holes=holes, steps=50)
    number[:1_000] = number[:1_000] / 8
    search = Nearest(number, symbol, p)
    assert len(search.packed.box) == 23
    asked = rows(rng, 150, 3, 1, holes=holes, steps=50)
    left = rng.integers(-1, 3_000, 150)
    for k in (1, 12, 40, 700):
        for mine, twin in zip(
            search.find(*asked, k, left), by_twin(search, asked, k, left), strict=True
        ):
            np.testing.assert_array_equal(mine, twin)


def test_a_column_without_a_number_and_rows_that_are_all_alike():
    number = np.full((1_000, 2), 0.25)
    number[:, 1] = np.nan
    search = Nearest(number, np.zeros((1_000, 0), np.int32))
    asked = np.array([[0.25, 0.5], [np.nan, np.nan]]), np.zeros((2, 0), np.int32)
    sums, found = search.find(*asked, 5)
    assert found.tolist() == [[0, 1, 2, 3, 4]] * 2
    np.testing.assert_array_equal(sums, by_twin(search, asked, 5)[0])


def test_numbers_as_scikit_learn_finds_them():
    rng = np.random.default_rng(0)
    held, asked = rng.random((5000, 20)), rng.random((200, 20))
    none = np.zeros((5000, 0), np.int32), np.zeros((200, 0), np.int32)
    for p in (1, 2):
        peer = NearestNeighbors(n_neighbors=10, algorithm="brute", p=p).fit(held)
        distances, expected = peer.kneighbors(asked)
        sums, found = Nearest(held, none[0], p).find(asked, none[1], 10)
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_allclose(sums ** (1 / p), distances, rtol=1e-9)


def test_ties_go_by_row():
    number = np.tile([[0.25], [0.75]], (400, 1))
    sums, found = Nearest(number, np.zeros((800, 0), np.int32)).find(
        np.array([[0.25], [0.5]]), np.zeros((2, 0), np.int32), 5
    )
    assert found.tolist() == [[0, 2, 4, 6, 8], [0, 1, 2, 3, 4]]
    assert (sums[0] == 0).all()


def test_numbers_that_floats_cannot_tell_apart_are_ranked_by_doubles():
    away = 1e-9 * np.arange(600, 0, -1)
    none = np.zeros((600, 0), np.int32)
    _, found = Nearest(0.5 + away[:, None], none).find(np.array([[0.5]]), none[:1], 4)
    assert found.tolist() == [[599, 598, 597, 596]]


@pytest.mark.parametrize(("levels", "width"), [(1000, 3), (3, 300)])
def test_many_symbols_and_many_columns_of_them(levels, width):
    rng = np.random.default_rng(1)
    held, asked = (rows(rng, n, 1, width, levels=levels, holes=0.05) for n in (500, 30))
    search = Nearest(*held)
    for mine, twin in zip(search.find(*asked, 6), by_twin(search, asked, 6), strict=True):
        np.testing.assert_array_equal(mine, twin)


def test_fewer_rows_than_neighbours():
    none = np.zeros((2, 0), np.int32)
    sums, found = Nearest(np.array([[0.1], [0.2]]), none).find(
        np.array([[0.0]]), none[:1], 4, np.array([0])
    )
    assert found.tolist() == [[1, -1, -1, -1]]
    assert sums[0, 1:].tolist() == [np.inf] * 3


def test_threads_change_nothing():
    rng = np.random.default_rng(2)
    search, asked = Nearest(*rows(rng, 3000, 5, 2)), rows(rng, 700, 5, 2)
    with thread_limit(1):
        one = search.find(*asked, 5)
    with thread_limit(3):
        three = search.find(*asked, 5)
    np.testing.assert_array_equal(one[1], three[1])
    np.testing.assert_array_equal(one[0], three[0])


@pytest.mark.skipif(not nearest.compiled, reason="there is nothing to check without the kernel")
def test_shapes_that_do_not_fit_are_refused():
    rng = np.random.default_rng(0)
    search = Nearest(*rows(rng, 10, 2, 1))
    number, symbol = rows(rng, 3, 2, 1)
    quick, byte = np.zeros((3, 2), np.float32), np.zeros((3, 1), np.uint8)
    left, sums, found = np.full(3, -1), np.empty((3, 4)), np.empty((3, 4), np.int64)
    for at, wrong in enumerate(
        [number[:, :1].copy(), symbol[:2], quick[:2], byte[:, :0].copy(), left[:1], sums[:2]]
    ):
        given = [number, symbol, quick, byte, left, sums, found]
        given[at] = wrong
        with pytest.raises(ValueError, match=r"queries|columns|what is found"):
            nearest.find(search.packed, *given)
