import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import gammaln
from scipy.stats import chi2_contingency
from scipy.stats import entropy as scipy_entropy
from sklearn.metrics import mutual_info_score

import satsuma
from satsuma import Table
from satsuma.errors import DomainError, ParameterError
from satsuma.measures import (
    chi_square,
    chi_square_test,
    conditional_entropy,
    entropy,
    gain_ratio,
    gini,
    gini_gain,
    information_gain,
    most_common,
)
from satsuma.measures.information import mdl

PAIRS = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("xyz")), min_size=1)


def split(pairs):
    return [a for a, _ in pairs], [b for _, b in pairs]


def test_entropy_has_the_right_sign_and_no_negative_zero():
    assert entropy(["a", "b"]) == 1.0
    for labels in (["a", "a"], [], [None]):
        found = entropy(labels)
        assert found == 0.0
        assert math.copysign(1, found) == 1


def test_case_002_entropy_values():
    # the figures of cases.json, 002-entropy-values
    wanted = {
        "11111111100000": 0.940285958671,
        "111": 0.0,
        "01": 1.0,
        "0123": 2.0,
        "abbcccc": 1.37878349349,
    }
    for labels, bits in wanted.items():
        assert entropy(list(labels)) == pytest.approx(bits, abs=1e-11)


@given(PAIRS, st.sampled_from([2, math.e, 10]))
def test_entropy_as_scipy_has_it(pairs, base):
    _, labels = split(pairs)
    _, counts = np.unique(labels, return_counts=True)
    assert entropy(labels, base) == pytest.approx(scipy_entropy(counts, base=base), abs=1e-12)


@given(PAIRS)
def test_gain_is_the_mutual_information_of_scikit_learn(pairs):
    values, labels = split(pairs)
    bits = mutual_info_score(values, labels) / math.log(2)
    assert information_gain(values, labels) == pytest.approx(bits, abs=1e-12)
    left = entropy(labels) - conditional_entropy(values, labels)
    assert left == pytest.approx(bits, abs=1e-12)
    if entropy(values) > 0:
        assert gain_ratio(values, labels) == pytest.approx(bits / entropy(values), abs=1e-12)
    else:
        assert gain_ratio(values, labels) == 0


@given(PAIRS)
def test_gini_by_its_definition(pairs):
    values, labels = split(pairs)

    def impurity(of):
        n = len(of)
        return sum(a != b for a in of for b in of) / n**2

    assert gini(labels) == pytest.approx(impurity(labels), abs=1e-12)
    parts = [[b for a, b in pairs if a == v] for v in set(values)]
    within = sum(len(part) / len(labels) * impurity(part) for part in parts)
    assert gini_gain(values, labels) == pytest.approx(impurity(labels) - within, abs=1e-12)


@given(PAIRS)
def test_chi_square_as_scipy_has_it(pairs):
    values, labels = split(pairs)
    rows, columns = sorted(set(values)), sorted(set(labels))
    table = np.array([[pairs.count((r, c)) for c in columns] for r in rows], float)
    peer = chi2_contingency(table, correction=False)
    test = chi_square_test(np.pad(table, ((0, 1), (1, 0))))  # a value and a class never seen
    assert chi_square(values, labels) == pytest.approx(peer.statistic, abs=1e-9)
    assert test.statistic == pytest.approx(peer.statistic, abs=1e-9)
    assert test.freedom == peer.dof
    assert test.p == pytest.approx(peer.pvalue, abs=1e-12)


@given(PAIRS)
def test_mdl_by_its_definition(pairs):
    # Kononenko 1995: log multinomial + log of the number of distributions, before and after.
    values, labels = split(pairs)
    classes = sorted(set(labels))

    def length(of):
        counts = [of.count(c) for c in classes]
        which = gammaln(len(of) + 1) - sum(gammaln(c + 1) for c in counts)
        k = len(classes)
        return (which + math.log(math.comb(len(of) + k - 1, k - 1))) / math.log(2)

    parts = [[b for a, b in pairs if a == v] for v in set(values)]
    saved = (length(labels) - sum(map(length, parts))) / len(labels)
    assert mdl(values, labels) == pytest.approx(saved, abs=1e-9)


@given(PAIRS, st.data())
def test_a_weight_of_two_is_the_row_twice(pairs, data):
    values, labels = split(pairs)
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(pairs), max_size=len(pairs)))
    again = [pair for pair, weight in zip(pairs, weights, strict=True) for _ in range(weight)]
    twice = split(again)
    assert entropy(labels, weights=weights) == pytest.approx(entropy(twice[1]), abs=1e-12)
    for measure in (information_gain, gain_ratio, gini_gain, chi_square, mdl, conditional_entropy):
        found = measure(values, labels, weights=weights)
        assert found == pytest.approx(measure(*twice), abs=1e-9), measure


def test_missing_values_as_in_c45():
    values = ["a", None, "b", "b", None]
    labels = ["x", "y", "y", "x", "x"]
    known = information_gain(["a", "b", "b"], ["x", "y", "x"])
    assert information_gain(values, labels) == pytest.approx(known * 3 / 5)
    assert gain_ratio(values, labels) == pytest.approx(known * 3 / 5 / entropy(["a", 0, 1, 1, 0]))
    assert chi_square(values, labels) == pytest.approx(chi_square(["a", "b", "b"], list("xyx")))
    assert information_gain(["a", "b", "b"], ["x", None, "x"]) == 0.0
    assert information_gain([None, None], ["x", "y"]) == 0.0


def test_lists_arrays_and_columns_are_alike():
    table = satsuma.load("lenses")
    as_read = information_gain(table["age"], table["lenses"])
    for column in (list(table["age"]), table.column("age")):
        for labels in (table["lenses"], list(table["lenses"]), table.column("lenses")):
            assert information_gain(column, labels) == pytest.approx(as_read, abs=1e-15)
    numbers = np.array([1.5, np.nan, 2.5, 1.5])
    assert information_gain(numbers, list("xyyx")) == information_gain(
        ["a", None, "b", "a"], list("xyyx")
    )


def test_most_common_is_the_first_seen_of_several():
    assert most_common(["b", "a", "a", "b", None, None, None]) == "b"
    assert most_common([3, 1, 1]) == 1
    assert most_common(np.array([2.0, np.nan, np.nan])) == 2.0
    assert most_common(["a", "b"], weights=[1, 2]) == "b"
    assert most_common([]) is None
    assert most_common([None]) is None


def test_what_cannot_be_measured():
    with pytest.raises(DomainError, match="2 values, but 1 labels"):
        information_gain(["a", "b"], ["x"])
    with pytest.raises(DomainError, match="Weights must be 2 finite numbers"):
        entropy(["a", "b"], weights=[1, -1])
    with pytest.raises(DomainError, match="one dimension"):
        entropy(np.zeros((2, 2)))
    with pytest.raises(ParameterError, match="base"):
        entropy(["a", "b"], base=1)


def test_a_column_that_numbers_the_rows_is_a_trap_for_the_gain_alone():
    rng = np.random.default_rng(0)
    labels = rng.choice(["x", "y"], 400)
    told = np.where(rng.random(400) < 0.8, labels, rng.choice(["x", "y"], 400))
    rows = [(f"r{i}", t, label) for i, (t, label) in enumerate(zip(told, labels, strict=True))]
    table = Table.of(rows, ["key", "told", "class"])
    assert satsuma.best_attribute(table) == "key"
    assert satsuma.best_attribute(table, "gain_ratio") == "told"
    assert satsuma.best_attribute(table, "mdl") == "told"
