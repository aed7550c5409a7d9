from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, chi2_contingency

import satsuma
from satsuma import MDL, ChiMerge, EqualFrequency, EqualWidth, Table
from satsuma.checks import Batches
from satsuma.errors import DomainError, NoSuchColumn, ParameterError
from satsuma.prepare import Intervals

WAYS = [MDL(), MDL(n=4), EqualWidth(5), EqualFrequency(5), ChiMerge(confidence=0.9)]


def column(*numbers):
    return Table.of([(number,) for number in numbers], ["x"], target=None)


def test_case_000_mdl_iris(shared, cases):
    expected = cases["000-mdl-iris"]["expected"]["cut_lies_between"]
    found = MDL()(satsuma.read(shared("orange/iris.tab")))
    for name, places in expected.items():
        assert len(found[name]) == len(places)
        for cut, (left, right) in zip(found[name], places, strict=True):
            assert left <= cut < right
            assert cut == pytest.approx((left + right) / 2)


def test_case_ref_equal_width_iris(shared, cases):
    case = cases["ref-equal-width-iris"]
    found = EqualWidth(case["input"]["intervals"])(satsuma.read(shared("orange/iris.tab")))
    for name, cuts in case["expected"]["exact"].items():
        np.testing.assert_allclose(found[name], cuts, atol=case["tolerance"]["abs"])


def test_case_ref_basic_stat_iris(shared, cases):
    case = cases["ref-basic-stat-iris"]
    table = satsuma.read(shared("orange/iris.tab"))
    for name, expected in case["expected"].items():
        num = satsuma.Num()
        for value in table[name]:
            num + value
        found = {"min": num.lo, "max": num.hi, "mean": num.mu, "sd_n1": num.sd}
        for what, value in found.items():
            assert value == pytest.approx(expected[what], abs=case["tolerance"]["abs"])


@pytest.mark.parametrize("name", ["iris", "heart_disease", "adult_sample"])
def test_intervals_that_hold_more_than_their_share_are_cut_further(name):
    table = satsuma.load(name)
    plain, refined = MDL()(table), MDL(n=4)(table)
    for column, cuts in refined.cuts.items():
        assert set(plain[column]) <= set(cuts)
        known = table[column][~np.isnan(table[column])]
        numbers, counts = np.unique(known, return_counts=True)
        for low, high in pairwise([-np.inf, *cuts, np.inf]):
            here = (numbers > low) & (numbers <= high)
            # A part more would have been nearer to a quarter, had numbers been there to part.
            assert counts[here].sum() <= 0.375 * len(known) + counts[here].max()


@pytest.mark.parametrize("way", WAYS, ids=repr)
def test_cuts_are_the_same_from_batches_and_lie_inside(way):
    table = satsuma.load("heart_disease")
    whole, parts = way(table), way(Batches(table, size=37))
    for name, cuts in whole.cuts.items():
        np.testing.assert_allclose(parts[name], cuts, rtol=1e-12)
        known = table[name][~np.isnan(table[name])]
        assert (np.diff(cuts) > 0).all()
        assert ((cuts >= known.min()) & (cuts < known.max())).all()


def test_a_number_on_a_cut_is_below_it_and_holes_stay():
    cut = Intervals({"x": np.array([1.0, 2.0])})
    told = cut(column(0.5, 1.0, 1.5, 2.0, 2.5, None))["x"].tolist()
    assert told == ["<= 1", "<= 1", "(1, 2]", "(1, 2]", "> 2", None]
    assert cut(column(1.0)).domain["x"].values == ("<= 1", "(1, 2]", "> 2")
    with pytest.raises(NoSuchColumn):
        cut["y"]


def test_intervals_are_told_apart_however_near():
    cuts = np.array([1.0, 1.0 + 1e-12, np.nextafter(1.0 + 1e-12, 2)])
    values = Intervals({"x": cuts})(column(0.0)).domain["x"].values
    assert len(set(values)) == 4


def test_equal_frequency_is_as_even_as_equal_numbers_allow():
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=1000)
    codes = EqualFrequency(8)(column(*numbers))(column(*numbers)).column("x")
    assert np.bincount(codes).tolist() == [125] * 8
    tied = column(*[1] * 90, *range(2, 12))
    cuts = EqualFrequency(4)(tied)["x"]
    assert cuts.tolist() == [1.5]
    many = column(*rng.normal(size=20_000))  # more distinct numbers than a sketch holds
    codes = EqualFrequency(4)(many)(many).column("x")
    np.testing.assert_allclose(np.bincount(codes) / 20_000, 0.25, atol=0.01)


def test_columns_that_cannot_be_cut():
    for way in (EqualWidth(3), EqualFrequency(3)):
        for table in (column(4, 4, 4), Table.of([(None,)], ["x"], target=None, kinds={"x": "num"})):
            assert way(table)["x"].tolist() == []
            assert way(table)(table).domain["x"].values == ("any",)
    same = Table.of([(1, "a"), (2, "a"), (3, "a")], ["x", "y"])
    for way in (MDL(), ChiMerge()):
        assert way(same)["x"].tolist() == []


def merged_by_hand(numbers, labels, least, most):
    """ChiMerge as Kerber tells it: lists of labels, merged pair by pair."""
    parts = [
        [v, [c for x, c in zip(numbers, labels, strict=True) if x == v]]
        for v in sorted(set(numbers))
    ]
    classes = sorted(set(labels))

    def chi(a, b):
        table = np.array([[part.count(c) for c in classes] for part in (a, b)], float)
        table = table[:, table.sum(axis=0) > 0]
        return chi2_contingency(table, correction=False).statistic if table.shape[1] > 1 else 0.0

    while len(parts) > 1:
        each = [chi(a[1], b[1]) for a, b in pairwise(parts)]
        at = int(np.argmin(np.round(each, 9)))
        if each[at] >= least and len(parts) <= (most or len(parts)):
            break
        parts[at][1] += parts.pop(at + 1)[1]
    return [start for start, _ in parts[1:]]


@pytest.mark.parametrize("most", [None, 3])
def test_chi_merge_by_its_definition(most):
    rng = np.random.default_rng(5)
    numbers = rng.integers(0, 25, 200)
    labels = [str(x) for x in (numbers // 9 + (rng.random(200) < 0.3))]
    way = ChiMerge(confidence=0.95, n=most)
    table = Table.of(list(zip(numbers.tolist(), labels, strict=True)), ["x", "y"])
    least = chi2.ppf(0.95, len(set(labels)) - 1)
    starts = merged_by_hand(numbers.tolist(), labels, least, most)
    cuts = way(table)["x"]
    assert len(cuts) == len(starts)
    distinct = sorted(set(numbers.tolist()))
    for cut, start in zip(cuts, starts, strict=True):
        assert distinct[distinct.index(start) - 1] <= cut < start


def test_what_cannot_be_asked_for():
    with pytest.raises(DomainError, match="MDL cuts numbers by their classes"):
        MDL()(satsuma.load("housing"))
    for way, name in (
        (EqualWidth(0), "n"),
        (EqualFrequency(2.5), "n"),
        (ChiMerge(confidence=1), "confidence"),
        (ChiMerge(n=0), "n"),
    ):
        with pytest.raises(ParameterError, match=f"'{name}' parameter of {type(way).__name__}"):
            way(satsuma.load("iris"))


@given(
    st.integers(-(10**7), 10**7),
    st.lists(st.integers(0, 30), min_size=2, max_size=20, unique=True),
    st.sampled_from([1, 10, 1000]),
)
def test_the_name_of_an_interval_is_true_of_the_numbers_in_it(least, steps, unit):
    numbers = [(least + step) / unit for step in steps]
    cut = EqualFrequency(4)(column(*numbers))
    names = cut(column(*numbers))["x"]
    for number, name in zip(numbers, names, strict=True):
        if name.startswith("<= "):
            assert number <= float(name[3:])
        elif name.startswith("> "):
            assert number > float(name[2:])
        elif name != "any":
            low, high = map(float, name.strip("(]").split(", "))
            assert low < number <= high
