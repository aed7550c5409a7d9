"""Cuts by Fayyad and Irani: against a search that tries everything, and against the golden case."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import satsuma
from satsuma.measures.cut_points import mdl_cuts
from satsuma.tallies import Values


def entropy(labels):
    shares = [labels.count(c) / len(labels) for c in set(labels)]
    return -sum(p * math.log2(p) for p in shares)


def cuts_by_trying(rows):
    """Rows (value, class), in order; every cut is tried, as the paper has it."""
    n, labels = len(rows), [c for _, c in rows]
    best = None
    for at in range(1, n):
        if rows[at - 1][0] < rows[at][0]:
            parts = labels[:at], labels[at:]
            rest = sum(len(part) / n * entropy(part) for part in parts)
            gain = entropy(labels) - rest
            if best is None or gain > best[0] + 1e-12:
                best = gain, at, parts
    if best is None:
        return []
    gain, at, (one, two) = best
    k, k1, k2 = (len(set(part)) for part in (labels, one, two))
    delta = math.log2(3**k - 2) - (k * entropy(labels) - k1 * entropy(one) - k2 * entropy(two))
    need = (math.log2(n - 1) + delta) / n
    if abs(gain - need) < 1e-9:
        raise ArithmeticError("too close to call")
    if gain < need:
        return []
    middle = (rows[at - 1][0] + rows[at][0]) / 2
    return [*cuts_by_trying(rows[:at]), middle, *cuts_by_trying(rows[at:])]


@st.composite
def labelled(draw):
    """Numbers whose classes change now and then, so that some cuts pay."""
    rows = []
    for part in range(draw(st.integers(1, 4))):
        classes = st.sampled_from(draw(st.sampled_from(["a", "b", "ab", "aab", "abc"])))
        lo = 10 * part
        rows += draw(st.lists(st.tuples(st.integers(lo, lo + 12), classes), max_size=30))
    return sorted(rows)


@given(rows=labelled())
def test_cuts_are_those_of_trying_everything(rows):
    try:
        want = cuts_by_trying(rows)
    except ArithmeticError:
        return
    value = np.unique([x for x, _ in rows]).astype(float)
    weight = np.array([[rows.count((x, c)) for c in "abc"] for x in value], float).reshape(-1, 3)
    found = mdl_cuts(value, weight)
    # Of equally good cuts, rounding may take either.
    assert informative(rows, found) == pytest.approx(informative(rows, want), abs=1e-9)


def informative(rows, cuts):
    parts = [[c for x, c in rows if np.searchsorted(cuts, x) == k] for k in range(len(cuts) + 1)]
    return sum(len(part) * entropy(part) for part in parts if part)


def test_case_mdl_of_iris(cases, shared):
    values = Values.of(satsuma.read(shared("orange/iris.tab")))
    for name, between in cases["000-mdl-iris"]["expected"]["cut_lies_between"].items():
        cuts = mdl_cuts(*values[name].merged())
        assert len(cuts) == len(between)
        for cut, (low, high) in zip(cuts, between, strict=True):
            assert cut == pytest.approx((low + high) / 2)


def test_a_weight_of_two_is_the_row_twice_for_cuts():
    rng = np.random.default_rng(3)
    value, weight = np.arange(60.0), rng.integers(0, 3, (60, 2)).astype(float)
    weight[:, 0] *= np.arange(60) < 25
    weight[:, 1] += 1
    assert mdl_cuts(value, weight).tolist() != mdl_cuts(value, weight / 8).tolist()
    once = [
        (x, c)
        for x, row in zip(value, weight, strict=True)
        for c in (0, 1)
        for _ in range(int(row[c]))
    ]
    assert mdl_cuts(value, weight).tolist() == cuts_by_trying(once)


def test_a_side_that_weighs_next_to_nothing_is_not_cut_off():
    value, little = np.arange(2.0), np.array([[8.0, 8.0], [4e-12, 0.0]])
    assert mdl_cuts(value, little).tolist() == []
