"""RP0: clusters obey their definition on every table there is, and go on growing."""

import copy

import numpy as np
import pytest

import satsuma
from satsuma import KNN, LDA, RP0, Mean, NaiveBayes, SatsumaError, Table
from satsuma.checks.batches import Batches
from satsuma.errors import DomainError, ParameterError
from satsuma.kernels.threads import thread_limit
from satsuma.learners.clusterer import Clusterer
from satsuma.learners.predictions import GetProbabilities
from tests.tables import FILES, without_text


def away_from(model, cells, pole, side):
    """The distance of rows from a pole, by the book."""
    number, symbol = cells
    mine, its = model.pole_number[pole, side], model.pole_symbol[pole, side]
    known = np.abs(number - mine)
    one = np.maximum(np.where(np.isnan(number), mine, number),
                     1 - np.where(np.isnan(number), mine, number))  # fmt: skip
    diff = np.where(np.isnan(known), np.where(np.isnan(one), 1.0, one), known)
    differ = (symbol != its) | (symbol < 0) | (its < 0)
    p = model.learner.p
    return ((diff**p).sum(axis=1) + differ.sum(axis=1)) ** (1 / p)


def check_tree(model, table):
    """Sizes, coverage and poles are as defined; no row is lost."""
    cells = model.distance.cells(table)
    most, clusters = 2 * model.learner.M, model.clusters(table)
    found = []
    for node in model.root:
        rows = node.rows
        if node.cluster is not None:
            found.append(rows)
            assert len(rows) == node.n
            assert (clusters[rows] == node.cluster).all()
            if len(rows) > most:  # the pairs that were drawn are at no distance
                same = np.unique(np.hstack([cells[0][rows], cells[1][rows]]), axis=0)
                assert len(same) < len(rows) / 2
            continue
        assert len(rows) == node.n > most
        assert node.gap > 0
        first, second = (
            away_from(model, (cells[0][rows], cells[1][rows]), node.at, side) for side in (0, 1)
        )
        sides = [below.rows for below in node.below]
        assert np.array_equal(np.sort(np.concatenate(sides)), rows)
        assert all(len(side) for side in sides)
        near = np.isin(rows, sides[0])
        tie = np.abs(first - second) < 1e-12
        np.testing.assert_array_equal(near[~tie], (first < second)[~tie])
        for side in (0, 1):  # a pole is one of the rows
            pole = model.pole_number[node.at, side], model.pole_symbol[node.at, side]
            same = (cells[0][rows] == pole[0]) | (np.isnan(cells[0][rows]) & np.isnan(pole[0]))
            assert (same.all(axis=1) & (cells[1][rows] == pole[1]).all(axis=1)).any()
    assert np.array_equal(np.sort(np.concatenate(found)), np.arange(len(table)))


@pytest.mark.parametrize("name", FILES)
def test_clusters_of_every_table(shared, name):
    table = without_text(shared(name))
    model = RP0(M=32 if len(table) > 128 else 4)(table)
    assert model.k > 1
    check_tree(model, table)


@pytest.mark.figures
@pytest.mark.parametrize("name", FILES)
def test_rows_of_a_cluster_are_closer_than_others(shared, name):
    table = without_text(shared(name))
    model = RP0(M=32 if len(table) > 128 else 4)(table)
    clusters, cells = model.clusters(table), model.distance.cells(table)
    ratios = []
    for row in np.random.default_rng(0).permutation(len(table))[:100]:
        mates = np.flatnonzero(clusters == clusters[row])
        if len(mates) > 1:
            every = model.distance.matrix((cells[0][[row]], cells[1][[row]]), cells)[0]
            every[row] = 0.0
            mean = every.sum() / (len(table) - 1)
            ratios.append(every[mates].sum() / (len(mates) - 1) / mean)
    assert np.median(ratios) < 1


@pytest.mark.parametrize("seed", range(5))
def test_case_004_rp0(shared, seed):
    table = satsuma.read(shared("moot/optimize/auto93.csv"), marks=True)
    model = RP0(M=32, P=10, seed=seed)(table)
    check_tree(model, table)
    assert len(table) == 398
    assert np.bincount(model.clusters(table)).max() <= 64
    for node in model.root:
        if node.cluster is None:
            assert node.poles[0] != node.poles[1]


def test_distances_go_by_attributes_alone(shared):
    table = satsuma.read(shared("moot/optimize/auto93.csv"), marks=True)
    bare = table.select(v.name for v in table.domain.attributes)
    np.testing.assert_array_equal(RP0()(table)(table), RP0()(bare)(bare))


@pytest.mark.parametrize("p", [1.0, 3.0])
def test_other_powers(p):
    heart = satsuma.load("heart_disease")
    check_tree(RP0(M=16, p=p)(heart), heart)


def test_any_number_of_threads_gives_the_same_tree():
    rng = np.random.default_rng(0)
    number = rng.normal(size=(60_000, 4))
    table = Table.of([], ["a", "b", "c", "d"], target=None, kinds=dict.fromkeys("abcd", "num"))
    table = Table(table.domain, number.T)
    models = []
    for threads in (1, 2, 3):
        with thread_limit(threads):
            models.append(RP0(M=32)(table))
    check_tree(models[0], table)
    for model in models[1:]:
        for name in ("below", "pole_number", "gap", "key", "count"):
            np.testing.assert_array_equal(getattr(model, name), getattr(models[0], name))
        np.testing.assert_array_equal(model.clusters(table), models[0].clusters(table))


def test_the_labels_of_fit_are_those_of_predict():
    X = np.random.default_rng(1).random((500, 3))
    learner = RP0(M=10).fit(X)
    np.testing.assert_array_equal(learner.labels_, learner.predict(X))
    assert learner.labels_.max() == learner.model_.k - 1


@pytest.fixture(scope="module")
def zoo():
    return satsuma.load("zoo")


@pytest.fixture(scope="module")
def housing():
    return satsuma.load("housing")


class TestTree:
    def test_a_leaf_is_found_by_its_row(self, zoo):
        model = RP0(M=8)(zoo)
        for row, cluster in zip(zoo, model(zoo), strict=True):
            leaf = model.leaf(row)
            assert leaf.cluster == cluster
            assert row.index in leaf.rows

    def test_poles_are_told_in_their_own_words(self, zoo):
        root = RP0(M=8)(zoo).root
        for pole in root.poles:
            assert any(all(row[name] == cell for name, cell in pole.items()) for row in zoo)
        assert set(root.poles[0]) == {v.name for v in zoo.domain.attributes}
        leaf = next(node for node in root if node.cluster is not None)
        assert leaf.poles == leaf.below == ()
        assert leaf.gap is None

    def test_it_is_printed(self, zoo):
        told = str(RP0(M=20)(zoo))
        assert told.startswith("101 rows in ")
        assert told.count("cluster ") == RP0(M=20)(zoo).k
        assert str(RP0()(zoo[:1])) == "1 row in 1 cluster"
        assert "more nodes" in str(RP0(M=1)(satsuma.load("housing")))
        assert repr(RP0(M=60)(zoo).root) == "ClusterNode(cluster 0, n=101)"

    def test_it_is_saved(self, zoo, tmp_path):
        model = RP0(M=8)(zoo)
        model.save(tmp_path / "m")
        opened = satsuma.open_model(tmp_path / "m")
        np.testing.assert_array_equal(opened(zoo), model(zoo))
        assert str(opened) == str(model)
        assert opened.add(zoo[:50]).root.n == 151


class TestAdding:
    @pytest.mark.parametrize("step", [1, 7, 200])
    def test_rows_that_arrive_fall_into_their_clusters(self, housing, step):
        model = RP0(M=8)(housing[:100])
        wide = model.distance
        for lo in range(100, len(housing), step):
            model.add(housing[lo] if step == 1 else housing[lo : lo + step])
        assert model.root.n == len(housing)
        assert model.distance.lo.tolist() == wide.lo.tolist()
        check_tree(model, housing)

    def test_a_first_batch_is_learned_as_a_table(self, housing):
        model = RP0(M=8)(housing[:1])
        model.lo, model.hi = RP0()(housing).lo, RP0()(housing).hi  # so that the ranges are the same
        assert model.k == 1
        model.add(housing[1:])
        check_sizes = [node.n for node in model.leaves]
        assert sum(check_sizes) == len(housing)
        assert max(check_sizes) <= 16

    def test_groups_keep_their_numbers_when_others_divide(self, housing):
        model = RP0(M=8)(housing[:200])
        before, keys = model(housing[:200]), model.key
        model.add(housing[200:])
        after = model(housing[:200])
        undivided = np.flatnonzero(model.key[: len(keys)] == keys)
        assert 0 < len(undivided) < len(keys) < model.k
        assert all((after[before == cluster] == cluster).all() for cluster in undivided)

    def test_a_copy_grows_by_itself(self, housing):
        model = RP0(M=8)(housing[:100])
        model.add(housing[100])
        other = copy.deepcopy(model)
        shallow = copy.copy(model)
        model.add(housing[101:200])
        assert other.root.n == 101
        other.add(housing[200])
        shallow.add(housing[300])
        assert (other.root.n, shallow.root.n) == (102, 102)
        check_tree(model, housing[:200])

    def test_unseen_symbols_and_holes_may_arrive(self):
        zoo = satsuma.load("zoo")
        model = RP0(M=8)(zoo)
        row = dict(zoo[0].items()) | {"legs": "1000", "tail": None}
        model.add(row)
        assert model.root.n == 102

    def test_rows_that_are_the_same_stay_together(self):
        table = Table.of([(1, "a")] * 10, ["x", "s"], target=None)
        model = RP0(M=2)(table)
        for _ in range(30):
            model.add(table[0])
        assert model.k == 1
        assert model.root.n == 40
        wide = Table.of([(1, "a"), (2, "b")] * 40, ["x", "s"], target=None)
        assert model.add(wide).k == 2


class TestKeeping:
    @pytest.mark.parametrize("spread", ["random", "poles"])
    def test_a_share_goes_down(self, spread):
        rng = np.random.default_rng(0)
        table = Table.of(rng.random((2000, 2)).tolist(), ["x", "y"], target=None)
        every, some = RP0(M=8)(table), RP0(M=8, keep=0.5, spread=spread)(table)
        assert some.k < every.k / 4
        assert some.root.n == 2000
        for node in some.root:
            if node.cluster is None:
                assert sum(below.n for below in node.below) <= node.n / 2 + 1
        assert all(len(leaf.rows) == leaf.n <= 16 for leaf in some.leaves)

    def test_rows_spread_between_the_poles_reach_from_end_to_end(self):
        table = Table.of([(x,) for x in np.linspace(0, 1, 400)], ["x"], target=None)
        model = RP0(M=60, keep=0.25, spread="poles")(table)
        kept = np.sort(table["x"][model.root.rows])
        assert kept[0] == 0
        assert kept[-1] == 1
        assert np.diff(kept).max() < 0.02  # evenly: at random some gap would be wider

    def test_the_same_with_more_rows(self):
        housing = satsuma.load("housing")
        model = RP0(M=8, keep=0.5)(housing[:200])
        model.add(housing[200:])
        assert model.root.n == len(housing)
        assert all(len(leaf.rows) <= 16 for leaf in model.leaves)


class TestBoring:
    def test_a_row_that_is_near_is_counted_and_not_kept(self):
        rng = np.random.default_rng(0)
        table = Table.of(rng.random((60, 2)).tolist(), ["x", "y"], target=None)
        model = RP0(M=32, boring=0.5)(table)
        assert len(model.root.rows) == 60  # the first ones, up to 2M, are all kept
        model.add(table)
        assert model.root.n == 120
        assert len(model.root.rows) == 60
        model.add({"x": 0.5, "y": 0.5})
        assert len(model.root.rows) == 60
        few = Table.of([(0, 0), (1, 0), (1, 0.1)], ["x", "y"], target=None)
        model = RP0(boring=0.9)(few)
        # They are about 0.7, 0.7 and 1 apart, so that 0.63 or so is near.
        model.add({"x": 0, "y": 0.1})
        assert len(model.root.rows) == 4
        model.add({"x": 1, "y": 0.02})
        assert (len(model.root.rows), model.root.n) == (4, 5)

    def test_the_more_is_boring_the_fewer_are_kept(self):
        housing = satsuma.load("housing")
        kept = [len(RP0(M=8, boring=y)(housing).root.rows) for y in (0, 0.2, 0.5, 1.0)]
        assert kept == sorted(kept, reverse=True)
        assert kept[0] > 480  # a row equal to another is at no distance of it, and not below 0
        assert kept[-1] < 250


class TestModels:
    def test_a_model_in_each_cluster(self):
        iris = satsuma.load("iris")
        learner = RP0(M=20, model=NaiveBayes())
        model = learner(iris)
        for cluster in range(model.k):
            mine = iris[np.flatnonzero(model.clusters(iris) == cluster)]
            alone = NaiveBayes()(mine)(mine, GetProbabilities)
            np.testing.assert_allclose(model(mine, GetProbabilities), alone, rtol=0, atol=1e-12)
        assert model.k > 2
        assert str(model).startswith("Species, by NaiveBayes")
        assert (model(iris) == iris["Species"]).mean() > 0.9

    def test_numbers(self):
        housing = satsuma.load("housing")
        model = RP0(M=16, model=Mean())(housing)
        clusters = model.clusters(housing)
        for cluster in range(model.k):
            mine = housing["MEDV"][clusters == cluster]
            np.testing.assert_allclose(model(housing)[clusters == cluster], mine.mean())

    def test_where_rows_are_too_few_for_it_more_are_taken(self):
        iris = satsuma.load("iris")
        model = RP0(M=3, model=LDA())(iris)  # clusters of one class
        assert np.isfinite(model(iris, GetProbabilities)).all()

    def test_models_learn_from_rows_that_arrive(self):
        iris = satsuma.load("iris")
        order = np.random.default_rng(0).permutation(150)
        model = RP0(M=20, model=KNN(k=3))(iris[order[:60]])
        for row in order[60:]:
            model.add(iris[int(row)])
        assert len(model.models) == model.k > 2
        came = iris[order]
        clusters = model.clusters(came)
        for cluster in range(model.k):
            mine = came[np.flatnonzero(clusters == cluster)]
            alone = KNN(k=3)(mine)(mine, GetProbabilities)
            np.testing.assert_allclose(model(mine, GetProbabilities), alone, rtol=1e-12)
        assert len(model(iris[:0])) == 0

    def test_rows_that_arrive_need_a_target(self):
        iris = satsuma.load("iris")
        model = RP0(M=20, model=NaiveBayes())(iris)
        with pytest.raises(DomainError, match="'Species'"):
            model.add(iris.select(v.name for v in iris.domain.attributes))
        model.add(dict(iris[0].items()) | {"Species": None})
        model.add(dict(iris[0].items()) | {"Species": "tulip"})
        assert model.root.n == 150
        model.add(dict(iris[0].items()))
        assert model.root.n == 151

    def test_it_is_saved(self, tmp_path):
        iris = satsuma.load("iris")
        model = RP0(M=20, model=NaiveBayes())(iris)
        model.save(tmp_path / "m")
        opened = satsuma.open_model(tmp_path / "m")
        np.testing.assert_array_equal(opened(iris, GetProbabilities), model(iris, GetProbabilities))
        opened.add(iris)
        assert opened.root.n == 300


def test_what_it_cannot_do():
    iris = satsuma.load("iris")
    for wrong in ({"M": 0}, {"P": 0}, {"keep": 0}, {"keep": 1.5}, {"spread": "even"},
                  {"boring": -1}, {"model": RP0()}, {"model": 3}, {"p": 0}):  # fmt: skip
        with pytest.raises(ParameterError, match=next(iter(wrong))):
            RP0(**wrong)(iris)
    weighted = iris.with_roles({"Sepal.Width": "weight"})
    with pytest.raises(SatsumaError, match="weights"):
        RP0()(weighted)
    with pytest.raises(DomainError, match="without attributes"):
        RP0()(iris.select(["Species"]))
    with pytest.raises(DomainError, match="attributes"):
        RP0(model=NaiveBayes())(iris.select(["Species"]))
    assert isinstance(RP0()(iris), Clusterer)


@pytest.mark.parametrize("sizes", [(1,), (64,), (33, 7, 300)])
def test_rows_that_arrive_in_batches_make_the_tree_of_the_table(sizes):
    adult = satsuma.load("adult_sample")
    cuts = np.cumsum(np.resize(sizes, 1000))
    source = Batches(adult, size=int(sizes[-1]))
    source.batches = [part for part in _parts(adult, cuts) if len(part)]
    learner = RP0(M=16, boring=0.4, keep=0.9)
    whole, arrived = learner(adult), learner(source)
    assert whole.k == arrived.k > 5
    assert (whole(adult) == arrived(adult)).all()
    assert len(arrived.held["row"]) < len(adult)


def _parts(table, cuts):
    begin = 0
    for end in cuts[cuts < len(table)].tolist():
        yield table[begin:end]
        begin = end
    yield table[begin:]


def test_a_file_larger_than_memory_is_read_twice(tmp_path):
    adult = satsuma.load("adult_sample")
    satsuma.write(adult, tmp_path / "adult.csv")
    source = satsuma.scan(tmp_path / "adult.csv", target="y")
    model = RP0(M=16, boring=0.4)(source)
    assert model.root.n == len(adult)
    with pytest.raises(DomainError, match="sample"):
        RP0(M=16)(source)


def test_more_rows_by_partial_fit():
    iris = satsuma.load("iris")
    X = np.column_stack([iris.column(v.name) for v in iris.domain.attributes])
    learner = RP0(M=10, boring=0.2).partial_fit(X[::2]).partial_fit(X[1::2])
    assert learner.model_.root.n == 150
    with pytest.raises(AttributeError, match="RP0 has no partial_fit: it keeps all rows"):
        RP0(M=10).partial_fit(X)
