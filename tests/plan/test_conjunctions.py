"""What sets two groups of rows apart in two or three columns at once."""

from itertools import combinations

import numpy as np
import pytest
from scipy.stats import fisher_exact

from satsuma import Table, contrast
from satsuma.errors import ParameterError


def coins(rows=200, seed=0):
    rng = np.random.default_rng(seed)
    a, b, c = rng.integers(0, 2, (3, rows)).astype(bool)
    x, z = rng.normal(size=(2, rows))
    cells = zip(*(np.where(each, "y", "n") for each in (a, b, c)), x, z, strict=True)
    return Table.of(list(cells), ["a", "b", "c", "x", "z"], target=None), (a, b, c, x, z)


def names(each):
    return {each.column, *(other.column for other in each.others)}


def test_what_neither_of_two_columns_tells_alone_is_found():
    table, (a, b, *_) = coins()
    assert "size=2" in str(contrast(table, a ^ b))
    found = contrast(table, a ^ b, size=2)
    assert [names(each) for each in found] == [{"a", "b"}] * 4
    assert {each.condition for each in found if each.effect > 0} == {
        "a = y and b = n",
        "a = n and b = y",
    }


def test_numbers_are_cut_for_pairs_too():
    table, (*_, x, z) = coins()
    found = contrast(table, x * z > 0, size=2)
    assert names(found[0]) == {"x", "z"}
    assert abs(found[0].effect) > 0.4
    low, high = np.quantile(x, 0.25), np.median(x)
    texts = [part for each in found for part in each.condition.split(" and ")]
    cuts = {float(text.split()[-1]) for text in texts if text.startswith("x <=")}
    assert all(min(abs(cut - low), abs(cut - high)) < 1e-5 for cut in cuts)


def test_three_columns():
    table, (a, b, c, *_) = coins()
    odd = a ^ b ^ c
    assert len(contrast(table, odd, size=2)) == 0
    found = contrast(table, odd, size=3)
    assert [names(each) for each in found] == [{"a", "b", "c"}] * 8


def test_counts_and_p_values_are_those_of_brute_force():
    table, (a, b, *_) = coins()
    columns = {"a": a, "b": b}
    good = a ^ b
    for each in contrast(table, good, size=2):
        wanted = [(each.column, each.value), *((o.column, o.value) for o in each.others)]
        parts = [columns[name] == (value == "y") for name, value in wanted]
        has = np.all(parts, axis=0)
        assert each.best == ((has & good).sum(), good.sum())
        assert each.rest == ((has & ~good).sum(), (~good).sum())
        ps = [fisher(has, good)]
        ps += [fisher(one[other], good[other]) for one, other in (parts, parts[::-1])]
        assert each.p == pytest.approx(max(ps))


def fisher(has, good):
    return fisher_exact([[(has & good).sum(), (~has & good).sum()],
                         [(has & ~good).sum(), (~has & ~good).sum()]]).pvalue  # fmt: skip


def test_a_pair_must_tell_more_than_its_parts():
    """One column tells all: pairs with others, which tell nothing, are not listed."""
    table, (a, *_) = coins()
    found = contrast(table, a, size=3)
    assert [each.condition for each in found] == ["a = y"]


def test_all_pairs_count_as_tests():
    rows = [(*pair, at % 2) for at, pair in enumerate(list(combinations("abab", 2)) * 5)]
    table = Table.of([(x, y) for x, y, _ in rows], ["one", "two"], target=None)
    alone, pairs = (contrast(table, slice(0, 10), size=size).tests for size in (1, 2))
    seen = {(x, y) for x, y, _ in rows if sum(r[:2] == (x, y) for r in rows) >= 5}
    assert pairs == alone + len(seen)


def test_chance_alone_is_seldom_told():
    rng = np.random.default_rng(0)
    wrong = 0
    for _ in range(60):
        rows = [(*rng.normal(size=2), *rng.choice(list("ab"), 2)) for _ in range(60)]
        table = Table.of(rows, ["x", "y", "s", "t"], target=None)
        wrong += len(contrast(table, slice(0, 25), size=2)) > 0
    assert wrong <= 3 + 4


def test_a_missing_cell_counts_for_neither_group():
    rows = [("y" if at % 2 else "n", None if at < 20 else "y" if at % 3 else "n")
            for at in range(80)]  # fmt: skip
    table = Table.of(rows, ["a", "b"], target=None)
    good = np.array([at % 2 == 1 and at % 3 > 0 for at in range(80)])
    pairs = [each for each in contrast(table, good, size=2, alpha=1) if each.others]
    assert pairs
    assert all(each.best[1] + each.rest[1] == 60 for each in pairs)


def test_sizes_that_cannot_be():
    table, (a, *_) = coins(20)
    with pytest.raises(ParameterError, match="size must be 1, 2 or 3"):
        contrast(table, a, size=4)
