"""Kernels of trees: as their twins, and trees grown at once as those grown in rounds."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satsuma import Tree
from satsuma.checks.batches import Batches
from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.kernels import tree
from satsuma.kernels.threads import thread_limit
from satsuma.kernels.tree import GAIN, GINI, SUBSET, THRESHOLD, Rules, best_split, disorder
from satsuma.kernels.tree import twin as tree_twin
from satsuma.kernels.tree.splits import by_chance
from satsuma.learners.tree import binning as coding
from satsuma.learners.tree.growth import bin_rows

needs_compiled = pytest.mark.skipif(
    not tree.compiled, reason="no compiled kernels are installed: there are only the twins"
)

#: A tree that is grown out, with a branch for each value.
classic = partial(Tree, measure="gain ratio", split="multiway", prune=None)


def table_of(seed, rows, *, classes=3, holes=0.0, weighted=False, numbers=3, symbols=2):
    """Numbers of all sorts, and symbols, that say something of the target."""
    rng = np.random.default_rng(seed)
    variables, columns = [], []
    signal = np.zeros(rows)
    for j in range(numbers):
        column = [rng.normal(size=rows), rng.integers(0, 5, rows) * 1.0, rng.lognormal(0, 3, rows)]
        columns.append(column[(seed + j) % 3].copy())
        signal += np.tanh(columns[-1])
        variables.append(Variable(f"n{j}"))
    for j in range(symbols):
        levels = int(rng.choice([2, 4, 300]))
        columns.append(rng.integers(0, levels, rows).astype(np.int32))
        signal += columns[-1] % 3
        variables.append(Variable(f"s{j}", "sym", tuple(f"v{k}" for k in range(levels + 1))))
    for column in columns:
        lost = rng.random(rows) < holes
        column[lost] = np.nan if column.dtype.kind == "f" else -1
    signal += rng.normal(size=rows) * 0.3
    if classes:
        cuts = np.quantile(signal, np.arange(1, classes) / classes)
        target = np.searchsorted(cuts, signal).astype(np.int32)
        variables.append(Variable("y", "sym", tuple(map(str, range(classes))), "target"))
    else:
        target = signal
        variables.append(Variable("y", role="target"))
    columns.append(target)
    if weighted:
        variables.append(Variable("w", role="weight"))
        columns.append(rng.choice([0.0, 0.5, 1.0, 3.0], rows))
    return Table(Domain(variables), columns)


def check_same(one, other):
    """Two models are the same tree, to the last question."""
    np.testing.assert_array_equal(one.column, other.column)
    np.testing.assert_array_equal(one.first, other.first)
    np.testing.assert_array_equal(one.branches, other.branches)
    np.testing.assert_allclose(one.threshold, other.threshold, rtol=1e-12)
    np.testing.assert_allclose(one.share, other.share, rtol=1e-9)
    for name in ("counts", "mean", "sd", "weight"):
        if hasattr(one, name):
            found = getattr(one, name), getattr(other, name)
            np.testing.assert_allclose(*found, rtol=1e-7, atol=1e-9)


LEARNERS = [
    classic(),
    classic(measure="gain", split="binary", min_leaf=1, bins=7),
    classic(measure="gini", split="auto", bins=20, max_depth=4),
    classic(split="auto", min_leaf=3, significance=0.1),
    classic(measure="gain", bins=2, min_split=10),
]


@needs_compiled
@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
@pytest.mark.parametrize("classes", [2, 3, 6, 0])
@pytest.mark.parametrize(("holes", "weighted"), [(0, False), (0.2, False), (0, True), (0.1, True)])
def test_grown_at_once_as_in_rounds(learner, classes, holes, weighted):
    if not classes and learner.significance:
        learner = classic(split="auto", min_leaf=3)
    table = table_of(classes + 7, 400, classes=classes, holes=holes, weighted=weighted)
    at_once = learner(table)
    assert at_once.size > 3
    check_same(at_once, learner(Batches(table, size=90, merge="pairs")))


@needs_compiled
@settings(max_examples=40)
@given(seed=st.integers(0, 10**6), rows=st.integers(5, 60), classes=st.sampled_from([0, 2, 4]))
def test_small_trees_grown_at_once_as_in_rounds(seed, rows, classes):
    table = table_of(seed, rows, classes=classes, holes=0.1 * (seed % 2))
    measure = ["gain", "gain ratio", "gini", "plain gain ratio"][seed % 4]
    learner = classic(measure=measure, min_leaf=1 + seed % 2, bins=9)
    check_same(learner(table), learner(Batches(table, size=11)))


@needs_compiled
def test_more_rows_than_the_sample(monkeypatch):
    """Bins are made from a sample: the same one in memory and in batches of any order."""
    monkeypatch.setattr(coding, "SAMPLE", 256)
    table = table_of(1, 3000, holes=0.05)
    learner = classic(measure="gain", bins=16, max_depth=5)
    at_once = learner(table)
    check_same(at_once, learner(Batches(table, size=400, merge="backwards")))
    shuffled = table[np.random.default_rng(0).permutation(len(table))]
    check_same(at_once, learner(shuffled))


@needs_compiled
@pytest.mark.parametrize("holes", [0, 0.02])
def test_threads_grow_the_same_tree(holes):
    table = table_of(2, 150_000, numbers=14, symbols=1, holes=holes)
    learner = classic(measure="gain", max_depth=6, min_leaf=20)
    with thread_limit(1):
        alone = learner(table)
    with thread_limit(3):
        check_same(alone, learner(table))
    assert alone.size > 20


@needs_compiled
@given(seed=st.integers(0, 10**6), n=st.integers(0, 300), holes=st.sampled_from([0, 0.3, 1]))
def test_hashes_and_codes_are_those_of_the_twins(seed, n, holes):
    rng = np.random.default_rng(seed)
    numbers = rng.choice([1.0, 1e300, 1e-310], 4) * rng.normal(size=(n, 4)).round(seed % 3)
    numbers[rng.random((n, 4)) < holes] = np.nan
    numbers[rng.random((n, 4)) < 0.05] = -0.0
    codes = rng.integers(-1, 3, n).astype(np.int32)
    columns = [*numbers.T, codes]
    spelled = [None] * 4 + [rng.integers(0, 2**63, 3).astype(np.uint64)]
    hashes, infinite = tree.hash_rows(columns, spelled, n)
    assert not infinite
    np.testing.assert_array_equal(hashes, tree_twin.hash_rows(columns, spelled, n))
    some = rng.permutation(n)[: n // 2 + 1]
    edges = [*(coding.bin_edges(column[some], 2 + seed % 300) for column in numbers.T), None]
    levels = np.array([3 if edge is None else len(edge) for edge in edges], np.int32)
    out, mixed, across = tree.code_rows(columns, edges, levels, n, across=True)
    np.testing.assert_array_equal(across, out.T)
    want = np.empty_like(out)
    np.testing.assert_array_equal(mixed, tree_twin.code_rows(columns, edges, levels.tolist(), want))
    np.testing.assert_array_equal(out, want)


def test_bins_are_found_by_search():
    """Against numpy, with edges that crowd at one end."""
    rng = np.random.default_rng(0)
    x = rng.lognormal(0, 4, 5000)
    edges = coding.bin_edges(x[::3], 200)
    codes, *_ = tree.code_rows([x], [edges], np.array([len(edges)], np.int32), len(x))
    want = np.minimum(np.searchsorted(edges, x, side="left"), len(edges) - 1)
    np.testing.assert_array_equal(codes[:, 0], want)


@needs_compiled
def test_an_infinite_number_is_seen():
    column = np.array([1.0, np.inf])
    assert tree.hash_rows([column], [None], 2)[1]
    model = classic()(table_of(1, 100))
    columns = [np.zeros(3) for _ in range(3)] + [np.zeros(3, np.int32)] * 2
    flat = model.flat
    assert not tree.average(flat, np.ones((model.size, 1)), columns, 3)[1]
    columns[2][1] = -np.inf
    assert tree.average(flat, np.ones((model.size, 1)), columns, 3)[1]


@needs_compiled
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("holes", [0, 0.3])
def test_answers_are_those_of_the_twin(order, holes):
    table = table_of(5, 500, holes=0.1, symbols=0 if order == "C" else 2)
    model = classic(measure="gain", split="auto")(table)
    rng = np.random.default_rng(3)
    columns = [table.column(v.name)[:333].copy() for v in table.domain.attributes]
    for column in columns:
        lost = rng.random(333) < holes
        column[lost] = np.nan if column.dtype.kind == "f" else rng.choice([-1, -2])
    if order == "C":
        columns = list(np.stack(columns, axis=1).T)
    shares = model.estimates(model.counts)
    found, _ = tree.average(model.flat, shares, columns, 333)
    want = tree_twin.average(model.flat, shares, columns, 333)
    np.testing.assert_allclose(found, want, rtol=1e-12, atol=1e-15)


@needs_compiled
@pytest.mark.parametrize("classes", [0, 2, 5])
@pytest.mark.parametrize("holes", [0, 0.1, 0.3, 1])
@pytest.mark.parametrize("split", ["multiway", "binary"])
def test_rows_are_spread_as_by_the_twin_to_the_bit(classes, holes, split):
    """Parts of a row are added up in reading order, whatever is missing, unseen or weighted."""
    learner = classic(measure="gini", split=split, missing="ignore")
    grown = table_of(5, 600, classes=classes, holes=0.1, weighted=True, symbols=4)
    model = learner(grown)
    assert model.size > 20
    table = table_of(5, 5000, classes=classes, holes=holes, symbols=4)
    columns = [table.column(v.name) for v in table.domain.attributes]
    says = np.random.default_rng(1).normal(size=(model.size, max(classes, 1)))
    found, _ = tree.average(model.flat, says, columns, len(table))
    np.testing.assert_array_equal(found, tree_twin.average(model.flat, says, columns, len(table)))
    best, _ = tree.most(model.flat, says, columns, len(table))
    np.testing.assert_array_equal(best, found.argmax(axis=1))


@needs_compiled
def test_a_tree_of_some_rows_that_looks_at_some_columns():
    """What forests need: rows drawn several times, columns drawn at each node."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(500, 6))
    labels = (x[:, 0] + x[:, 1] > 0).astype(np.int32)
    edges = [coding.bin_edges(column, 50) for column in x.T]
    levels = np.array([len(each) for each in edges], np.int32)
    records, mixed, across = tree.code_rows(
        list(x.T), edges, levels, 500, labels=labels, across=True
    )
    coded = tree.Coded(records, across, list(x.T), edges, levels, mixed, 2)
    forms, rules = np.full(6, THRESHOLD, np.int32), Rules(GAIN, 1, 2, 4)
    drawn = np.sort(rng.integers(0, 500, 500)).astype(np.uint32)
    flat, stats = tree.grow(coded, forms, rules, drawn, tried=2, seed=5)
    np.testing.assert_array_equal(stats[0], np.bincount(labels[drawn]))
    again, _ = tree.grow(coded, forms, rules, drawn, tried=2, seed=5)
    other, _ = tree.grow(coded, forms, rules, drawn, tried=2, seed=6)
    np.testing.assert_array_equal(flat.column, again.column)
    assert flat.column.tolist() != other.column.tolist()
    weights = np.bincount(drawn, minlength=500).astype(float)
    whole, _ = tree.grow(coded, forms, rules, drawn)
    weighed, _ = tree.grow(coded._replace(weights=weights), forms, rules, np.unique(drawn))
    np.testing.assert_array_equal(whole.column, weighed.column)
    np.testing.assert_allclose(whole.threshold, weighed.threshold)


@needs_compiled
@pytest.mark.parametrize(("holes", "classes", "tried"), [(0, 3, 2), (0.2, 3, 9), (0.1, 0, 3)])
@pytest.mark.parametrize("grown_by", [("gain", False), ("gain", True), ("plain gain ratio", True)])
def test_a_tree_grows_as_its_twin(monkeypatch, holes, classes, tried, grown_by):
    measure, every = grown_by
    table = table_of(11, 600, classes=classes, holes=holes)
    learner = classic(measure=measure, bins=20, split="auto")
    learner = learner if classes else learner.of_numbers()
    _, coded, _ = bin_rows(learner.setup(table.domain), table)
    setup = learner.setup(table.domain)
    rules = setup.rules._replace(every=every)
    rows = np.sort(np.random.default_rng(0).integers(0, 600, 600)).astype(np.uint32)
    one = tree.grow(coded, setup.forms, rules, rows, tried=tried, seed=3)
    monkeypatch.setattr(tree, "compiled", False)
    other = tree.grow(coded, setup.forms, rules, rows, tried=tried, seed=3)
    assert len(one[0].column) > 10
    for found, want in zip((*one[0], one[1]), (*other[0], other[1]), strict=True):
        np.testing.assert_allclose(found, want, rtol=1e-9, atol=1e-9)


@needs_compiled
@pytest.mark.parametrize("classes", [0, 2, 5])
@pytest.mark.parametrize("every", [False, True])
@pytest.mark.parametrize("measure", ["gini", "gain"])
def test_rows_with_all_troubles_grow_as_by_the_twin(monkeypatch, classes, every, measure):
    """Missing cells, weights, rows drawn several times and columns drawn at each node at once."""
    table = table_of(classes, 400, classes=classes, holes=0.25, weighted=True)
    learner = classic(measure=measure, split="binary", min_leaf=1, bins=12, missing="ignore")
    learner = learner if classes else learner.of_numbers()
    setup, coded, _ = bin_rows(learner.setup(table.domain), table)
    assert not coded.plain
    rules = setup.rules._replace(every=every)
    n = len(coded.records)
    drawn = np.sort(np.random.default_rng(1).integers(0, n, n)).astype(np.uint32)
    one = tree.grow(coded, setup.forms, rules, drawn, tried=2, seed=4)
    monkeypatch.setattr(tree, "compiled", False)
    other = tree.grow(coded, setup.forms, rules, drawn, tried=2, seed=4)
    assert len(one[0].column) > 100
    for found, want in zip(one[0], other[0], strict=True):
        np.testing.assert_array_equal(found, want)
    np.testing.assert_allclose(one[1], other[1], rtol=0 if classes else 1e-12, atol=1e-12)


def test_a_row_is_divided_once():
    """Quinlan's parts at the first question that a row cannot answer; then they stay together."""
    gap = np.nan
    x = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [1, 1], [gap, gap]], float)
    y = ["a", "b", "c", "d", "d", "a"]
    rows = [(*map(float, cells), label) for cells, label in zip(x, y, strict=True)]
    table = Table.of(rows, ["first", "second", "class"])
    model = Tree(measure="gini", min_leaf=0, prune=None, missing="ignore")(table)
    first = model.counts[model.branches[:2]].sum(axis=1)
    np.testing.assert_allclose(first, [2 + 6 / 16, 3 + 10 / 16])  # 0.4 and 0.6, in parts
    leaves = model.counts[model.column < 0].sum(axis=1)
    assert sorted(leaves.round(6).tolist()) == [1, 1, 1.375, 2.625]


def test_no_part_of_a_row_is_lost_among_many_branches():
    """A branch may have less than a sixteenth of the rows; all of them together have all."""
    values = [f"v{k % 50}" for k in range(500)]
    rows = [(value, "ab"[k % 50 > 20]) for k, value in enumerate(values)] + [(None, "a")] * 7
    learner = Tree(split="multiway", measure="gain", min_leaf=1, prune=None, missing="ignore")
    model = learner(Table.of(rows, ["x", "y"]))
    counts = model.counts[model.column < 0]
    assert len(counts) == 50
    assert counts.sum(axis=0).tolist() == [217, 290]


@needs_compiled
@pytest.mark.parametrize("classes", [0, 2, 3, 4, 6])
@pytest.mark.parametrize(("rows", "least"), [(150, 1), (5000, 150)])
def test_whole_rows_grow_as_by_the_twin(monkeypatch, classes, rows, least):
    """Small subtrees grow close together in memory, and large nodes do not: both as the twin."""
    table = table_of(classes, rows, classes=classes, symbols=classes % 2)
    learner = classic(measure="gini", min_leaf=least)
    learner = learner if classes else learner.of_numbers()
    setup, coded, _ = bin_rows(learner.setup(table.domain), table)
    assert coded.plain
    drawn = np.sort(np.random.default_rng(0).integers(0, rows, rows)).astype(np.uint32)
    one = tree.grow(coded, setup.forms, setup.rules, drawn, tried=2, seed=1)
    monkeypatch.setattr(tree, "compiled", False)
    other = tree.grow(coded, setup.forms, setup.rules, drawn, tried=2, seed=1)
    assert len(one[0].column) > 10
    for found, want in zip(one[0], other[0], strict=True):
        np.testing.assert_array_equal(found, want)
    np.testing.assert_allclose(one[1], other[1], rtol=0 if classes else 1e-12, atol=1e-12)


@needs_compiled
@pytest.mark.parametrize("classes", [0, 2, 5])
@pytest.mark.parametrize(("holes", "weighted"), [(0, False), (0.1, False), (0, True)])
def test_random_cuts_are_those_of_the_twin(monkeypatch, classes, holes, weighted):
    table = table_of(classes + 2, 200, classes=classes, holes=holes, weighted=weighted)
    learner = classic(measure=["gini", "gain ratio"][classes % 2], min_leaf=1)
    learner = learner if classes else learner.of_numbers()
    setup, coded, _ = bin_rows(learner.setup(table.domain), table)
    rules = setup.rules._replace(random=True)
    grown = partial(tree.grow, coded, setup.forms, rules, tried=3, seed=9)
    one = grown()
    monkeypatch.setattr(tree, "compiled", False)
    other = grown()
    assert len(one[0].column) > 20
    for found, want in zip(one[0], other[0], strict=True):
        np.testing.assert_array_equal(found, want)
    np.testing.assert_allclose(one[1], other[1], rtol=1e-12, atol=1e-12)
    best = tree.grow(coded, setup.forms, setup.rules, tried=3, seed=9)
    assert best[0].column.tolist() != one[0].column.tolist()


@needs_compiled
@pytest.mark.parametrize("measure", ["gini", "gain", "gain ratio", "plain gain ratio"])
@pytest.mark.parametrize("weighted", [False, True])
def test_sets_of_many_values_as_by_the_twin(monkeypatch, measure, weighted):
    rng = np.random.default_rng(5)
    rows = [
        (f"a{rng.integers(40)}", f"b{rng.integers(5)}", float(rng.normal()), f"c{rng.integers(3)}")
        for _ in range(200)
    ]
    table = Table.of(rows, ["many", "few", "number", "class"])
    learner = Tree(measure=measure, split="binary", min_leaf=1)
    setup, coded, _ = bin_rows(learner.setup(table.domain), table)
    coded = coded._replace(weights=rng.choice([0.25, 1.0, 3.0], 200) if weighted else None)
    rules = setup.rules._replace(copies=2.0)
    one = tree.grow(coded, setup.forms, rules)
    monkeypatch.setattr(tree, "compiled", False)
    other = tree.grow(coded, setup.forms, rules)
    assert (one[0].column == 0).any()
    for found, want in zip((*one[0], one[1]), (*other[0], other[1]), strict=True):
        np.testing.assert_allclose(found, want, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("n", "values"), [(60, 30), (400, 300), (400, 30), (2000, 50)])
@pytest.mark.parametrize("classes", [2, 4])
def test_what_two_sets_of_values_gain_by_chance(n, values, classes):
    rng = np.random.default_rng(n)
    rules, gained, expected = Rules(GINI, 1, 2, 9), [], []
    for _ in range(40):
        bins = np.zeros((values + 1, classes))  # the last is of missing cells
        np.add.at(bins, (rng.integers(0, values, n), rng.integers(0, classes, n)), 1.0)
        levels, forms = np.array([values], np.int32), np.array([SUBSET], np.int32)
        split = best_split(bins[None], levels, forms, rules, float(n))
        sides = disorder(split.known, GINI).sum()
        gained.append(float(disorder(bins.sum(axis=0), GINI) - sides))
        expected.append(by_chance(bins[:-1], rules))
    assert 0.8 < np.mean(expected) / np.mean(gained) < 1.6


@needs_compiled
def test_what_is_no_tree_is_not_walked():
    flat = tree.Flat(
        np.array([0], np.int32),
        np.array([1.0]),
        np.array([0, 2]),
        np.array([0, 0], np.int32),
        np.array([1.0]),
    )
    with pytest.raises(ValueError, match="no tree"):
        tree.average(flat, np.ones((1, 1)), [np.zeros(3)], 3)


CHANGES = (-2_000_000_000, -40, -2, -1, 0, 1, 2, 5, 99, 2_000_000_000)


def damaged(flat, seed):
    """The same tree with one number of its links changed."""
    rng = np.random.default_rng(seed)
    arrays = [array.copy() for array in flat]
    changed = arrays[int(rng.choice([0, 2, 3, 3, 3]))]
    at = int(rng.integers(len(changed)))
    changed[at] = rng.choice(CHANGES) if rng.random() < 0.5 else changed[rng.integers(len(changed))]
    return tree.Flat(*arrays)


@pytest.mark.parametrize(("numbers", "symbols"), [(3, 0), (2, 2), (0, 3)])
@pytest.mark.parametrize("split", ["multiway", "binary", "auto"])
def test_links_that_are_no_tree_are_refused_before_a_row_is_sent_down(numbers, symbols, split):
    """Kernel and twin agree on what a tree is, and what both take comes to an end."""
    table = table_of(3, 120, holes=0.1, numbers=numbers, symbols=symbols)
    model = classic(split=split, min_leaf=1)(table)
    columns = [table.column(v.name) for v in table.domain.attributes]
    of_numbers = [v.kind == "num" for v in table.domain.attributes]
    flat, says = model.flat, model.counts
    assert tree.flaw(flat, of_numbers) is None
    refused = 0
    for seed in range(300):
        other = damaged(flat, seed)
        if tree.flaw(other, of_numbers) is None:
            found, _ = tree.average(other, says, columns, len(table))
            np.testing.assert_allclose(
                found, tree_twin.average(other, says, columns, len(table)), rtol=1e-12
            )
            continue
        refused += 1
        for ask in (tree.average, tree.most, tree_twin.average):
            with pytest.raises(ValueError, match="no tree"):
                ask(other, says, columns, len(table))
    assert refused > 100


def test_a_node_has_one_above_it():
    """Nodes that lead to the next and to the one after it: ways without number, refused."""
    n = 80
    first = np.minimum(2 * np.arange(n + 1), 2 * (n - 2))
    branches = np.stack([np.arange(1, n - 1), np.arange(2, n)], axis=1).ravel().astype(np.int32)
    column = np.where(np.arange(n) < n - 2, 0, -1).astype(np.int32)
    flat = tree.Flat(column, np.zeros(n), first, branches, np.full(n, 0.5))
    assert tree.flaw(flat, [True]) == "two branches of the tree lead to one node"
    with pytest.raises(ValueError, match="no tree"):
        tree.average(flat, np.ones((n, 1)), [np.array([np.nan])], 1)


def test_a_row_is_spread_over_a_chain_of_any_length():
    """Every second node a leaf: nothing that grows with the depth is kept on the stack."""
    n = 300_001 if tree.compiled else 3_001
    inner = np.arange(0, n - 1, 2)
    column = np.full(n, -1, np.int32)
    column[inner] = 0
    first = np.concatenate([[0], np.cumsum(np.where(column < 0, 0, 2))])
    branches = np.stack([inner + 1, inner + 2], axis=1).ravel().astype(np.int32)
    share = np.full(n, 0.5)
    flat = tree.Flat(column, np.zeros(n), first, branches, share)
    found, _ = tree.average(flat, np.ones((n, 1)), [np.array([np.nan, 1.0, -1.0])], 3)
    np.testing.assert_allclose(found.ravel(), 1.0)
    assert tree.depths(flat).max() == len(inner)
