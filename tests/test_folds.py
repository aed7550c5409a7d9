import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from satsuma.errors import DomainError
from satsuma.folds import deal, deal_groups, even_order, sorted_rows


@st.composite
def strata_and_folds(draw):
    strata = np.array(draw(st.lists(st.integers(-1, 4), min_size=2, max_size=80)))
    known = int((strata >= 0).sum())
    folds = draw(st.integers(2, 12))
    return strata, min(folds, known) if known >= 2 else None


@given(strata_and_folds(), st.integers(0, 2**32))
def test_folds_are_even_over_all_and_in_each_class(made, seed):
    strata, folds = made
    if folds is None:
        return
    found = deal(strata, folds, np.random.default_rng(seed))
    assert ((found < 0) == (strata < 0)).all()
    for rows in (strata >= 0, *(strata == code for code in range(5))):
        sizes = np.bincount(found[rows], minlength=folds)
        assert sizes.max() - sizes.min() <= 1
    again = deal(strata, folds, np.random.default_rng(seed))
    assert (found == again).all()


def test_every_row_may_land_in_every_fold():
    strata = np.repeat([0, 1, 2], [7, 11, 2])
    seen = np.zeros((20, 4))
    for seed in range(600):
        seen[np.arange(20), deal(strata, 4, np.random.default_rng(seed))] += 1
    # A chi-square of 20 x 3 degrees of freedom; 108 is passed once in 10,000 times.
    assert ((seen - 150) ** 2 / 150).sum() < 108


def test_every_deal_is_as_likely_as_any_other():
    rng, seen = np.random.default_rng(0), {}
    for _ in range(3600):
        dealt = tuple(deal(np.array([0, 0, 0, 0, 1, 1]), 2, rng).tolist())
        seen[dealt] = seen.get(dealt, 0) + 1
    # Six ways to halve four rows, two to halve two. A chi-square of 11 degrees of freedom.
    assert len(seen) == 12
    assert sum((times - 300) ** 2 / 300 for times in seen.values()) < 37


def test_rows_that_are_in_no_fold_change_nothing_for_the_others():
    strata = np.random.default_rng(0).integers(0, 3, 50)
    left_out = np.where(np.arange(50) % 5 == 0, -1, strata)
    found = deal(left_out, 7, np.random.default_rng(1))
    alone = deal(strata[left_out >= 0], 7, np.random.default_rng(1))
    assert (found[left_out >= 0] == alone).all()


def test_too_few_rows_or_groups_for_the_folds():
    with pytest.raises(DomainError, match=r"5 folds need at least as many rows .* There are 2"):
        deal(np.array([0, 1, -1]), 5, np.random.default_rng(0))
    with pytest.raises(DomainError, match="3 folds need at least as many groups"):
        deal_groups(np.array([0, 0, 1]), np.zeros(3, int), 3, np.random.default_rng(0))


@given(st.integers(0, 2**32), st.integers(2, 5))
def test_groups_stay_together_in_folds_about_as_large(seed, folds):
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, 12, 200)
    strata = rng.integers(-1, 3, 200)
    found = deal_groups(groups, strata, folds, rng)
    assert ((found < 0) == (strata < 0)).all()
    used = found >= 0
    for group in range(12):
        assert len(set(found[used & (groups == group)])) <= 1
    sizes, largest = np.bincount(found[used], minlength=folds), np.bincount(groups[used]).max()
    assert sizes.max() - sizes.min() <= 2 * largest


def test_groups_of_a_row_each_are_dealt_evenly_by_class():
    strata = np.repeat([0, 1], [30, 60])
    found = deal_groups(np.arange(90), strata, 3, np.random.default_rng(0))
    assert np.bincount(found[:30]).tolist() == [10, 10, 10]
    assert np.bincount(found[30:]).tolist() == [20, 20, 20]


@example(seed=130412257, classes=3, rows=120)
@given(seed=st.integers(0, 2**32), classes=st.integers(1, 8), rows=st.integers(1, 200))
def test_every_start_of_an_even_order_has_a_fair_share_of_each_class(seed, classes, rows):
    rng = np.random.default_rng(seed)
    strata = rng.integers(-1, classes, rows)
    order = even_order(strata, rng)
    assert sorted(order) == np.flatnonzero(strata >= 0).tolist()
    member = strata[order][:, None] == np.arange(classes)
    lengths, shares = np.arange(1, len(order) + 1), member.sum(axis=0) / max(len(order), 1)
    present = (shares > 0).sum()
    off = np.abs(member.cumsum(axis=0) - lengths[:, None] * shares)
    # Up to any place each class k has its share, give or take e_k below 1. Up to a length it has
    # e_k - share_k * (the sum of all e), which is below 1 - share_k + share_k * (classes - 1).
    assert (off <= 1 + shares * (present - 2) + 1e-9).all()


def test_rows_sorted_by_code_keep_their_order_whatever_the_width():
    for top in (3, 40_000):
        codes = np.random.default_rng(top).integers(-1, top, 500)
        order, edges = sorted_rows(codes, top)
        expected = np.argsort(codes, kind="stable")[(codes < 0).sum() :]
        assert (order == expected).all()
        assert edges[0] == 0
        assert edges[-1] == len(order)
    assert sorted_rows(np.array([], np.int32), 2)[1] == [0, 0, 0]
