"""The kernel of boosted trees beside its twin: the same bits."""

import numpy as np
import pytest

from satsuma.kernels import boost
from satsuma.kernels.boost import twin, twin_boosted_tree
from satsuma.kernels.boost.twin import Coded, Loss, Rules, Units
from satsuma.kernels.threads import thread_limit

UNITS = Units(2.0**-14, 2.0**-16, 1.0)
RULES = Rules(8, 100, 3.0, 1.0, 0.0, 10.0, 10.0, 2.0)


def coded(
    rng, n, *, levels=(5, 40, 2, 12), symbols=(0, 0, 1, 1), monotone=(0, 0, 0, 0), weights=None
):
    records = np.stack([rng.integers(0, top + 1, n) for top in levels], axis=1).astype(np.uint8)
    sizes = np.array([0, *(top + 1 for top in levels)], np.int64)
    return Coded(
        records,
        np.ascontiguousarray(records.T),
        np.array(levels, np.int32),
        np.cumsum(sizes),
        np.array(symbols, np.uint8),
        np.array(monotone, np.int8),
        weights,
    )


def grown(by, rows_of, packed, rules=RULES, *, used=(0, 1, 2, 3), rows=None):
    task = by(rows_of, rules)
    task.begin(np.array(used, np.int32), packed, UNITS)
    task.gather(0)
    n = len(rows_of.records)
    leaf = np.zeros(n, np.uint16)
    rows = np.arange(n, dtype=np.uint32) if rows is None else rows
    return [*task.grow(rows.copy(), leaf), leaf]


def packed_of(rng, n):
    g, h = rng.integers(-(1 << 14), 1 << 14, n), rng.integers(1, 1 << 14, n)
    return ((g & 0xFFFF) << 16 | h).astype(np.uint32)


needs_native = pytest.mark.skipif(not boost.compiled, reason="the compiled kernel is not there")


@needs_native
@pytest.mark.parametrize("kind", [boost.NUMBER, boost.TWO, boost.MANY, boost.COUNT, boost.QUANTILE])
def test_slopes_are_those_of_the_twin(kind):
    rng = np.random.default_rng(kind)
    n, k = 1000, 3 if kind == boost.MANY else 1
    scores, target = rng.normal(size=(k, n)) * 3, rng.integers(0, 2, n).astype(float)
    hashes = rng.integers(0, 2**64, n, np.uint64, endpoint=False)
    loss = Loss(kind, k, 0.3, 2.0**8, 2.0**8)
    found, wanted = np.empty((2, k, n), np.uint32)
    boost.slopes(loss, scores, target, hashes, key=77, out=found)
    twin.slopes(loss, scores, target, hashes, key=77, out=wanted)
    assert (found == wanted).all()


def test_slopes_are_rounded_without_bias():
    rng = np.random.default_rng(0)
    n = 20_000
    hashes = rng.integers(0, 2**64, n, np.uint64, endpoint=False)
    scores, target = np.full((1, n), -9.0), np.zeros(n)
    out = np.empty((1, n), np.uint32)
    loss = Loss(boost.TWO, 1, 0.0, 2.0**14, 2.0**16)
    boost.slopes(loss, scores, target, hashes, key=5, out=out)
    slope, curve = twin.unpacked(out[0])
    p = 1 / (1 + np.exp(9.0))
    assert slope.mean() * 2.0**-14 == pytest.approx(p, rel=0.02)
    assert curve.mean() * 2.0**-16 == pytest.approx(p * (1 - p), rel=0.02)


@needs_native
@pytest.mark.parametrize("seed", range(12))
def test_trees_are_those_of_the_twin(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 400))
    weights = rng.integers(1, 1 << 20, n).astype(np.int32) if seed % 3 == 0 else None
    monotone = (1, -1, 0, 0) if seed % 4 == 1 else (0, 0, 0, 0)
    made = coded(rng, n, monotone=monotone, weights=weights)
    rules = RULES._replace(depth=3) if seed % 2 else RULES._replace(l2=0.0, leaves=20)
    used = (0, 1, 2, 3) if seed % 5 else (1, 3)
    packed = packed_of(rng, n)
    rows = np.flatnonzero(rng.random(n) < 0.8).astype(np.uint32) if seed > 5 and n > 9 else None
    found = grown(boost._native.Task, made, packed, rules, used=used, rows=rows)
    wanted = grown(twin_boosted_tree.Task, made, packed, rules, used=used, rows=rows)
    for one, other in zip(found, wanted, strict=True):
        assert (one == other).all()


@needs_native
@pytest.mark.parametrize("weighted", [False, True])
def test_many_rows_are_counted_while_they_are_divided(weighted):
    rng = np.random.default_rng(2)
    n = 20_000
    weights = rng.integers(1, 1 << 20, n).astype(np.int32) if weighted else None
    made, packed = coded(rng, n, monotone=(1, 0, 0, 0), weights=weights), packed_of(rng, n)
    found = grown(boost._native.Task, made, packed)
    wanted = grown(twin_boosted_tree.Task, made, packed)
    for one, other in zip(found, wanted, strict=True):
        assert (one == other).all()


@needs_native
def test_threads_and_wide_sums_change_nothing():
    rng = np.random.default_rng(1)
    n = 150_000
    made, packed = coded(rng, n), packed_of(rng, n)
    alone = grown(boost._native.Task, made, packed)
    used, rows = np.arange(4, dtype=np.int32), np.arange(n, dtype=np.uint32)
    grower = boost.Grower(made, RULES)
    grower.begin(used, packed, UNITS)
    for threads in (3, 1, 2):
        with thread_limit(threads):
            tree, leaf = grower.grow(rows)
        for one, other in zip([*tree, leaf], alone, strict=True):
            assert (one == other).all()
    slot = np.zeros(n, np.int32)
    task = twin_boosted_tree.Task(made, RULES)
    task.begin(used, packed, UNITS)
    assert (grower.count(slot, 1) == task.count(slot, 1, 0, n)).all()


def test_the_best_cut_of_a_number_by_brute_force():
    rng = np.random.default_rng(3)
    made, packed = coded(rng, 60), packed_of(rng, 60)
    rules = RULES._replace(leaves=2, min_leaf=1.0)
    tree = grown(twin_boosted_tree.Task, made, packed, rules, used=(1,))
    slope, curve = (
        each * unit for each, unit in zip(twin.unpacked(packed), UNITS[:2], strict=True)
    )
    worth = lambda at: slope[at].sum() ** 2 / (curve[at].sum() + 1.0)  # noqa: E731
    code, every = made.records[:, 1], np.ones(60, bool)
    best = 0.0
    for cut in range(40):
        for lost in (False, True):
            left = (code <= cut) | ((code == 40) & lost)
            if cut == 39:
                left = code < 40
            if 0 < left.sum() < 60:
                best = max(best, worth(left) + worth(~left) - worth(every))
    assert tree[4][0] == pytest.approx(best)


@needs_native
def test_walks_are_those_of_the_twin():
    rng = np.random.default_rng(4)
    made = coded(rng, 500)
    packed = [packed_of(rng, 500) for _ in range(4)]
    trees = [boost.TreeOf(*grown(twin_boosted_tree.Task, made, each)[:6]) for each in packed]
    walked = boost.Trees(trees, 4)
    out, wanted = np.zeros((2, 500, 2))
    walked.add(made.records, out)
    peer = twin.Forest(boost.joined(trees), walked.first, 4)
    peer.walk(made.records, (0, 500), (0, 4), wanted)
    assert (out == wanted).all()
    few = np.zeros((9, 2))
    walked.add(made.records[:9], few)
    assert (few == wanted[:9]).all()
    leaf = grown(twin_boosted_tree.Task, made, packed_of(np.random.default_rng(9), 500))
    one = boost.Trees([boost.TreeOf(*leaf[:6])], 4)
    assert (one.leaves(made.records, 0) == leaf[6]).all()


@needs_native
def test_arrays_that_are_no_trees_are_refused():
    column, left = np.array([0, -1, -1], np.int32), np.array([1, -1, -1], np.int32)
    zeros, sets, first = np.zeros(3), np.zeros((3, 4), np.uint64), np.array([0, 3])
    good = boost.TreeOf(column, left, zeros, zeros, zeros, sets)
    boost._native.Forest(good, first, 1)
    for wrong in ([0, -1, -1], [2, -1, -1]):
        with pytest.raises(ValueError, match="no trees"):
            boost._native.Forest(good._replace(left=np.array(wrong, np.int32)), first, 1)
    with pytest.raises(ValueError, match="no trees"):
        boost._native.Forest(good, first, 0)
