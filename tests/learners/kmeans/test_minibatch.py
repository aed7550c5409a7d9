import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

import satsuma
from satsuma import Domain, MiniBatchKMeans, Table, Variable
from satsuma.checks.batches import Batches
from satsuma.errors import DomainError


def column(values):
    return Table.of([(v,) for v in values], ["x"], target=None, kinds={"x": "num"})


# case 004-minibatch-update
@pytest.mark.parametrize("batch", [1, 2, 100])
@pytest.mark.parametrize("scale", ["range", None])
def test_the_update(batch, scale):
    for n, expected in ((1, 15.0), (2, 20.0), (3, 15.0)):
        learner = MiniBatchKMeans(k=1, init=[{"x": 10}], batch=batch, scale=scale)
        model = learner(column([20, 30, 0][:n]))
        assert model.at[0, 0] == pytest.approx(expected, abs=1e-12)
        assert model.weight.tolist() == [n + 1]


def test_a_founder_is_the_first_item():
    model = MiniBatchKMeans(column([4, 6, 8]), k=1)
    assert model.at[0, 0] == pytest.approx(6, abs=1e-12)
    assert model.weight.tolist() == [3]


def test_a_batch_is_assigned_before_centres_move():
    start = [{"x": 0}, {"x": 10}]
    rows = [4.9, 9.0, 4.9, 4.9]  # each of the first moves the first centre up to the others
    together = MiniBatchKMeans(column(rows), k=2, init=start, scale=None, batch=4)
    assert together.weight.tolist() == [4, 2]
    np.testing.assert_allclose(together.at[:, 0], [3 * 4.9 / 4, 19 / 2])
    rows = [6.0, 6.0, 4.0]
    one = MiniBatchKMeans(column(rows), k=2, init=start, scale=None, batch=1)
    assert one.weight.tolist() == [1, 4]  # 10 → 8 → 7.33; 4 is nearer to that than to 0
    assert MiniBatchKMeans(column(rows), k=2, init=start, scale=None, batch=3).weight.tolist() == [
        2,
        3,
    ]


def test_missing_cells():
    rows = [{"x": 1.0, "s": "a"}]
    table = Table.of([(None, "a"), (4, None)], ["x", "s"], target=None, kinds={"x": "num"})
    model = MiniBatchKMeans(table, k=1, init=rows)
    assert model.at[0, 0] == pytest.approx(1 + 3 / 3)  # the first left it alone, but counted
    empty = MiniBatchKMeans(table[1:], k=1, init=table[:1])
    assert empty.at.tolist() == [[4.0]]
    assert empty.centres["s"].tolist() == ["a"]


def mixed(rng, n=3000):
    cluster = rng.integers(0, 3, n)
    number = np.array([[0, 0], [5, 0], [0, 5]], float)[cluster] + rng.normal(scale=0.5, size=(n, 2))
    number[rng.random((n, 2)) < 0.1] = np.nan
    symbol = np.where(rng.random(n) < 0.1, -1, cluster).astype(np.int32)
    variables = [Variable("a"), Variable("b"), Variable("s", "sym", ("x", "y", "z"))]
    return Table(Domain(variables), [*number.T, symbol]), cluster


def test_mixed_groups_are_found():
    table, truth = mixed(np.random.default_rng(0))
    model = MiniBatchKMeans(table, k=3, batch=100)
    assert adjusted_rand_score(truth, model(table)) > 0.95


def test_cuts_of_a_stream_do_not_matter():
    table, _ = mixed(np.random.default_rng(1), 500)
    learner = MiniBatchKMeans(k=3, batch=60)
    whole = learner(table)
    for size in (1, 7, 60, 499):
        stream = (table[at : at + size] for at in range(0, 500, size))
        for data in (stream, Batches(table, size=size)):
            model = learner(data)
            assert (model.at == whole.at).all()
            assert (model.mode == whole.mode).all()


def test_partial_fit_goes_on():
    table, _ = mixed(np.random.default_rng(1), 500)
    whole = MiniBatchKMeans(table, k=3, batch=50)
    chained = MiniBatchKMeans(k=3, batch=50)
    for at in range(0, 500, 100):
        before = chained.model_.at.copy() if at else None
        held = chained.model_ if at else None
        chained.partial_fit(table[at : at + 100])
        if held is not None:
            assert (held.at == before).all(), "a model that was given away has changed"
    np.testing.assert_allclose(chained.model_.at, whole.at, rtol=1e-12)
    assert chained.model_.seen == 500
    assert len(chained.labels_) == 100


def test_symbols_may_be_new_later():
    first = Table.of([(0, "a"), (9, "b")] * 5, ["n", "s"], target=None)
    later = Table.of([(9, "c"), (0, "a")] * 50, ["n", "s"], target=None)
    model = MiniBatchKMeans(k=2, batch=10)(iter([first, later]))
    assert model.domain["s"].values == ("a", "b", "c")
    clusters = model(later)
    assert clusters[0] != clusters[1]


def test_a_first_batch_with_few_different_rows():
    rows = [1.0] * 5 + [2.0] * 5 + [3.0] * 5
    model = MiniBatchKMeans(column(rows), k=3, batch=5)
    assert sorted(model.at[:, 0]) == [1, 2, 3]
    assert model.weight.tolist() == [5, 5, 5]


def test_weights_are_rows_so_many_times_for_numbers():
    rng = np.random.default_rng(3)
    x, weight = rng.random(40), rng.integers(0, 4, 40).astype(float)
    weighted = Table(Domain([Variable("x"), Variable("w", role="weight")]), [x, weight])
    start = [{"x": 0.2}, {"x": 0.8}]
    one = MiniBatchKMeans(weighted, k=2, init=start)
    other = MiniBatchKMeans(column(np.repeat(x, weight.astype(int))), k=2, init=start)
    np.testing.assert_allclose(one.at, other.at, rtol=1e-12)


def test_what_cannot_be_gone_over_in_order_is_refused():
    iris = satsuma.load("iris")

    class Reduced:
        domain = iris.domain

        def reduce(self, tally):
            return tally(iris)

    with pytest.raises(DomainError, match="batches"):
        MiniBatchKMeans(k=2)(Reduced())
    with pytest.raises(DomainError, match="one of the batches is a int"):
        MiniBatchKMeans(k=2)([1, 2])
    bad = iris.column("Sepal.Length").copy()
    bad[3] = np.inf
    columns = [bad if v.name == "Sepal.Length" else iris.column(v.name) for v in iris.domain]
    infinite = Table(iris.domain, columns, check=False)
    with pytest.raises(DomainError, match=r"Sepal\.Length"):
        MiniBatchKMeans(k=2)(infinite)
