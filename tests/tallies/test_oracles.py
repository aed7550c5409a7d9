"""Tallies say what NumPy and pandas say, and what the golden cases say."""

import itertools
import math
import operator
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import satsuma
from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import SatsumaError
from satsuma.tallies import Bins, ClassCounts, Moments, Num, Quantiles, QuantileSketch, Scatter, Sym
from tests.tallies.batches import NUMBERS, tables


def test_case_num(cases):
    case = cases["004-num"]
    n = Num()
    for x in case["input"]["values"]:
        n = n + x
    want = case["expected"]
    assert (n.n, n.mu, n.lo, n.hi) == (want["n"], want["mu"], want["lo"], want["hi"])
    assert n.sd == pytest.approx(want["sd_exact"], abs=1e-11)
    assert repr(n) == "Num(n=4, mu=2.5, sd=1.29, lo=1, hi=4)"


def test_case_num_edge(cases):
    want = cases["004-num-edge"]["expected"]
    given_values = {
        "no value": [],
        "one value 5": [5],
        "values 1, ?, 3": [1, "?", 3],
        "values 2,2,2": [2, 2, 2],
    }
    for name, values in given_values.items():
        n = Num()
        for x in values:
            n = n + x
        for part, value in want[name].items():
            assert getattr(n, part) == pytest.approx(value, abs=1e-11), (name, part)
    assert (Num().lo, Num().hi) == (None, None)


def test_case_sym(cases):
    case = cases["004-sym"]
    s = Sym()
    for x in case["input"]["values"]:
        s = s + x
    want = case["expected"]
    assert (s.n, s.bag, s.mode) == (want["n"], want["bag"], want["mode"])
    assert s.ent == pytest.approx(want["ent_exact"], abs=1e-11)


def test_case_basic_statistics_of_iris(cases, shared):
    table = satsuma.read(shared("orange/iris.tab"))
    moments = Moments.of(table)
    for name, want in cases["ref-basic-stat-iris"]["expected"].items():
        num = moments.num(name)
        found = {
            "min": num.lo,
            "max": num.hi,
            "mean": num.mu,
            "sd_n1": num.sd,
            "sd_n": math.sqrt(num.m2 / num.n),
        }
        for part, value in want.items():
            assert found[part] == pytest.approx(value, abs=1e-9), (name, part)


def exact_moments(x):
    """Mean and sum of squares in rational numbers."""
    exact = [Fraction(v) for v in x.tolist()]
    mean = sum(exact) / len(exact)
    return float(mean), float(sum((v - mean) ** 2 for v in exact))


@given(table=tables())
def test_moments_are_those_of_exact_arithmetic(table):
    m = Moments.of(table)
    classes = table["class"]
    for j, name in enumerate(m.names):
        for c, value in enumerate(m.classes):
            x = table.column(name)[classes == value]
            x = x[~np.isnan(x)]
            assert m.weight[c, j] == len(x)
            if len(x):
                mean, m2 = exact_moments(x)
                size = 1e-15 * np.abs(x).max() + 5e-324
                assert m.mean[c, j] == pytest.approx(mean, rel=1e-12, abs=size)
                assert m.m2[c, j] == pytest.approx(m2, rel=1e-12, abs=1e-290)
                assert (m.lo[c, j], m.hi[c, j]) == (x.min(), x.max())
    assert m.class_weight.tolist() == [np.sum(classes == value) for value in m.classes]


@given(st.lists(NUMBERS, max_size=30), st.integers(0, 30))
def test_num_is_exact_however_it_is_fed(values, at):
    one = Num()
    for x in values:
        one = one + x
    whole = Num().add(values)
    merged = Num().add(values[:at]) | Num().add(values[at:])
    known = np.array([x for x in values if not np.isnan(x)])
    for n in (one, whole, merged):
        assert n.n == len(known)
        if len(known):
            mean, m2 = exact_moments(known)
            assert n.mu == pytest.approx(mean, rel=1e-12, abs=1e-15 * np.abs(known).max())
            assert n.m2 == pytest.approx(m2, rel=1e-11, abs=1e-290)
            assert (n.lo, n.hi) == (known.min(), known.max())


@given(table=tables(weighted=True))
def test_counts_and_bins_are_those_of_pandas(table):
    counts, bins = ClassCounts.of(table), Bins.of(table, {"x": [0.0, 1e8]})
    frame = pd.DataFrame({n: table[n] for n in ("s", "t", "class")})
    frame["w"] = table.weights
    frame["x"] = np.digitize(table["x"], [0.0, 1e8]).astype(float)
    frame.loc[np.isnan(table["x"]), "x"] = np.nan
    for name, values in (
        ("s", counts.domain["s"].values),
        ("t", counts.domain["t"].values),
        ("x", (0, 1, 2)),
    ):
        sums = frame.groupby([name, "class"])["w"].sum().to_dict()
        found = bins["x"] if name == "x" else counts[name]
        want = [[sums.get((value, c), 0.0) for c in counts.classes] for value in values]
        assert np.allclose(found, np.array(want, float).reshape(found.shape), rtol=1e-12, atol=0)


@given(table=tables())
def test_scatter_is_that_of_exact_arithmetic(table):
    """Of every two columns, in the rows where both are known."""
    scatter = Scatter.of(table)
    x = with_indicators(table, scatter.features)
    for c, value in enumerate(scatter.classes):
        mine = x[table["class"] == value]
        spread = [exact_moments(known)[1] if len(known) else 0 for known in map(known_of, mine.T)]
        for i, j in itertools.product(range(x.shape[1]), repeat=2):
            both = mine[~np.isnan(mine[:, [i, j]]).any(axis=1)][:, [i, j]]
            assert scatter.weight[c, i, j] == len(both)
            if len(both):
                want = exact_cross(both)[0, 1]
                most = math.sqrt(spread[i]) * math.sqrt(spread[j])
                # The square of a small number may vanish where its product with a large does not.
                off = abs(scatter.cross[c, i, j] - want)
                assert off <= 1e-12 * (most + abs(want)) + 1e-290
                mean = exact_moments(both[:, 0])[0]
                size = np.abs(known_of(mine[:, i])).max()
                assert abs(scatter.pairs.mean[c, i, j] - mean) <= 1e-12 * size + 5e-324


def known_of(x):
    return x[~np.isnan(x)]


def with_indicators(table, features):
    columns = []
    for name, value in features:
        if value is None:
            columns.append(table.column(name))
        else:
            codes = table.column(name)
            same = codes == table.domain[name].codes[value]
            columns.append(np.where(codes < 0, np.nan, same))
    return np.column_stack(columns)


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_covariances_of_pairs_are_those_of_pandas(share):
    """Which takes every two columns in the rows where both are known."""
    rng = np.random.default_rng(4)
    x = rng.normal(size=(400, 5)) @ rng.normal(size=(5, 5)) + 1e4
    x[rng.random(x.shape) < share] = np.nan
    y = rng.integers(0, 2, len(x)).astype(np.int32)
    variables = [Variable(f"x{j}") for j in range(5)]
    domain = Domain([*variables, Variable("class", "sym", ("a", "b"), "target")])
    table = Table(domain, [*x.T, y])
    scatter = Scatter.of(table[:100]) + Scatter.of(table[100:])
    for c in range(2):
        want = pd.DataFrame(x[y == c]).cov().to_numpy()
        found = scatter.cross[c] / (scatter.weight[c] - 1)
        assert np.allclose(found, want, rtol=1e-9, atol=1e-9)
        assert np.allclose(scatter.mean[c], np.nanmean(x[y == c], axis=0), rtol=1e-12)


def test_a_value_that_is_new_was_not_there_before():
    rows = [(1, "u", "a"), (3, None, "a"), (None, "u", "a"), (5, "v", "a"), (7, "u", "b")]
    names = ["x", "s", "class"]
    whole = Scatter.of(Table.of(rows, names))
    parts = Scatter.of(Table.of(rows[:3], names)) + Scatter.of(Table.of(rows[3:], names))
    assert parts.features == (("x", None), ("s", "u"), ("s", "v"))
    assert parts.close_to(whole)
    values = [Variable("x"), Variable("s", "sym"), Variable("class", "sym", ("a",), "target")]
    unknown = Table(
        Domain(values), [np.array([2.0, 4.0]), np.full(2, -1, np.int32), np.zeros(2, np.int32)]
    )
    more = Scatter.of(unknown) + Scatter.of(Table.of(rows, names))
    assert more.close_to(Scatter.of(Table.of([(2, None, "a"), (4, None, "a"), *rows], names)))
    assert more.weight[0, 0].tolist() == [5, 2, 2]


def exact_cross(x):
    exact = [[Fraction(v) for v in column] for column in x.T.tolist()]
    centred = [[v - sum(column) / len(column) for v in column] for column in exact]
    return np.array(
        [[float(sum(map(operator.mul, a, b))) for b in centred] for a in centred], float
    )


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=200), st.floats(0.01, 0.99))
def test_quantiles_are_exact_for_few_numbers(values, q):
    x = np.array(values)
    sketch = QuantileSketch.of(x)
    assert sketch.dropped == 0
    assert sketch.cdf(x).tolist() == pytest.approx([(x <= v).mean() for v in x])
    share = round(q * len(x)) / len(x)
    low = np.sort(x)[max(math.ceil(round(share * len(x), 6)) - 1, 0)]
    assert sketch.quantile(share) == pytest.approx(low)


@pytest.mark.parametrize("draw", ["normal", "uniform", "exponential", "far"])
def test_quantiles_of_many_numbers_are_near(draw):
    rng = np.random.default_rng(5)
    n = 40_000
    x = {
        "normal": rng.normal(size=n),
        "uniform": rng.random(n),
        "exponential": rng.exponential(size=n) * 1e-9,
        "far": 1.6e9 + 1e5 * rng.random(n),
    }[draw]
    sketch = QuantileSketch.of(x)
    parts = QuantileSketch.of(x[: n // 3]) + (
        QuantileSketch.of(x[n // 2 :]) + QuantileSketch.of(x[n // 3 : n // 2])
    )
    assert len(sketch.count) <= 1024
    assert np.array_equal(sketch.count, parts.count)
    assert np.array_equal(sketch.lo, parts.lo)
    q = np.linspace(0.01, 0.99, 50)
    ranks = np.searchsorted(np.sort(x), sketch.quantile(q)) / n
    assert np.abs(ranks - q).max() < 0.005
    assert np.abs(sketch.cdf(np.quantile(x, q)) - q).max() < 0.005


def test_means_of_huge_numbers_do_not_overflow():
    domain = Domain([Variable("x"), Variable("y")])
    big = np.array([1.5e308, 1.7e308, 1.6e308, np.nan])
    m = Moments.of(Table(domain, [big, np.array([1.0, 2.0, 3.0, 4.0])]))
    assert m.mean[0] == pytest.approx([1.6e308, 2.5])
    assert m.m2[0].tolist() == [math.inf, 5.0]
    two = m + m
    assert two.mean[0] == pytest.approx([1.6e308, 2.5])
    assert not np.isnan(two.m2).any()


def test_shift_finds_late_classes_and_columns():
    n = 70_000
    rng = np.random.default_rng(1)
    x = np.where(np.arange(n) < n - 50, 0.0, 1e8) + rng.normal(size=n)
    x[: n // 2] = np.nan
    y = (np.arange(n) >= n - 50).astype(np.int32)
    domain = Domain([Variable("x"), Variable("z"), Variable("class", "sym", ("a", "b"), "target")])
    m = Moments.of(Table(domain, [x, np.full(n, np.nan), y]))
    assert m.m2[1, 0] == pytest.approx(exact_moments(x[-50:])[1], rel=1e-12)
    assert m.weight[:, 1].tolist() == [0, 0]
    assert m.mean[:, 1].tolist() == [0, 0]


def test_one_nameless_class_without_a_symbolic_target():
    m = Moments.of(Table.of([(1, 5), (3, None)], ["x", "y"], target="y"))
    assert m.classes == ("",)
    assert m.mean.tolist() == [[2.0]]


def test_num_and_sym_refuse_and_skip():
    assert (Num() + None + math.nan + "?").n == 0
    with pytest.raises(SatsumaError, match="finite numbers"):
        Num() + math.inf
    with pytest.raises(SatsumaError, match="finite numbers"):
        Num() + "abc"
    assert math.copysign(1, (Sym() + "a").ent) == 1.0
    assert (Sym().mode, Sym().ent) == (None, 0.0)
    assert Sym().add("ba").mode == "b"
    assert (Sym().add("b") | Sym().add("a")).mode == "b"


def test_quantiles_by_class():
    table = Table.of([(1, "a"), (2, "a"), (9, "b")], ["x", "class"])
    q = Quantiles.of(table)
    assert q.quantile("x", [0, 0.5, 1], "a").tolist() == [1, 1, 2]
    assert q.cdf("x", 5) == pytest.approx(2 / 3)
    with pytest.raises(SatsumaError):
        q.quantile("x", 2)
