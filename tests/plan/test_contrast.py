"""What sets two groups of rows apart."""

import numpy as np
import pytest
from scipy.stats import false_discovery_control, fisher_exact

from satsuma import Table, contrast, load
from satsuma.errors import DomainError, ParameterError
from satsuma.measures.multiple_testing import benjamini_hochberg, holm


def people(rows=200, seed=0):
    rng = np.random.default_rng(seed)
    good = rng.random(rows) < 0.3
    age = np.where(good, rng.normal(30, 5, rows), rng.normal(50, 8, rows))
    town = np.where(rng.random(rows) < 0.3 + 0.4 * good, "york", rng.choice(["bath", "hull"], rows))
    noise = rng.normal(size=rows)
    sex = rng.choice(["f", "m"], rows)
    cells = [
        (None if i % 9 == 0 else a, t, n, s)
        for i, (a, t, n, s) in enumerate(zip(age, town, noise, sex, strict=True))
    ]
    return Table.of(cells, ["age", "town", "noise", "sex"], target=None), good


def test_counts_and_p_values_are_those_of_brute_force():
    table, good = people()
    found = contrast(table, good, alpha=1)
    assert {each.column for each in found} == {"age", "town", "noise", "sex"}
    for each in found:
        if each.is_range:
            cells = table[each.column]
            low, high = -np.inf, np.inf
            if each.value.startswith("<="):
                high = float(each.value[3:])
            elif each.value.startswith(">"):
                low = float(each.value[2:])
            else:
                low, high = map(float, each.value[1:-1].split(","))
            has, known = (cells > low) & (cells <= high), ~np.isnan(cells)
        else:
            has, known = table[each.column] == each.value, np.ones(len(table), bool)
        assert each.best == ((has & good).sum(), (known & good).sum())
        assert each.rest == ((has & ~good).sum(), (known & ~good).sum())
        (a, m), (b, n) = each.best, each.rest
        assert each.p == pytest.approx(fisher_exact([[a, m - a], [b, n - b]]).pvalue)
        assert each.effect == pytest.approx(a / m - b / n)
        assert each.support == a + b


def test_the_greatest_difference_comes_first_and_chance_is_left_out():
    table, good = people()
    found = contrast(table, good)
    assert found[0].column == "age"
    assert found[0].effect > 0.5
    assert {each.column for each in found} == {"age", "town"}
    effects = [abs(each.effect) for each in found]
    assert effects == sorted(effects, reverse=True)
    assert all(each.corrected <= 0.05 for each in found)


def test_tests_are_counted_by_thresholds_and_values():
    rows = [(1, "a", "x"), (2, "b", "x"), (2, "c", "y"), (3, "a", "y"), (None, "a", "y")]
    table = Table.of(rows, ["n", "s", "two"], target=None)
    found = contrast(table, [0, 1], alpha=1)
    assert found.tests == 2 + 3 + 1
    assert [each.value for each in found if each.column == "two"] == ["x"]


def test_chance_alone_is_seldom_told():
    """The share of tables without any difference in which one is told is 0.05 at the most."""
    rng = np.random.default_rng(0)
    wrong = 0
    for _ in range(200):
        rows = [(*rng.normal(size=3), rng.choice(list("abc"))) for _ in range(60)]
        table = Table.of(rows, ["x", "y", "z", "s"], target=None)
        wrong += len(contrast(table, slice(0, 20))) > 0
    assert wrong <= 10 + 8  # two standard deviations and a half


def test_holm_by_its_definition():
    rng = np.random.default_rng(1)
    ps = rng.random(12) ** 3
    for tests in (12, 30):
        every = np.concatenate([ps, np.ones(tests - 12)])
        order = sorted(range(tests), key=lambda at: every[at])
        expected, so_far = {}, 0.0
        for place, at in enumerate(order):
            so_far = max(so_far, (tests - place) * every[at])
            expected[at] = min(so_far, 1.0)
        assert np.allclose(holm(ps, tests), [expected[at] for at in range(12)])


def test_false_discoveries_are_those_of_scipy():
    ps = np.random.default_rng(1).random(12) ** 3
    assert np.allclose(benjamini_hochberg(ps, 12), false_discovery_control(ps))
    more = np.concatenate([ps, np.ones(18)])
    assert np.allclose(benjamini_hochberg(ps, 30), false_discovery_control(more)[:12])


def test_groups_may_be_numbers_masks_slices_or_tables():
    table, good = people()
    at = np.flatnonzero(good)
    told = str(contrast(table, good))
    assert str(contrast(table, at)) == told
    assert str(contrast(table, at.tolist(), ~good)) == told
    assert str(contrast(table, table[at], table[~good])) == told
    assert str(contrast(table, at, table[~good])) == told
    # A table that was read by itself may list its symbols in another order.
    own = Table.of([list(row) for row in table[at]][::-1], table.domain.names, target=None)
    assert str(contrast(table, own, table[~good])) == told
    assert contrast(table, slice(0, 5)).sizes == (5, 195)
    assert contrast(table, [0, 0, 1], [5, 6]).sizes == (2, 2)


def test_it_prints():
    iris = load("iris")
    told = str(contrast(iris, iris["Species"] == "setosa"))
    assert "50 rows against 100" in told
    assert "Petal.Length <= 2.45  100%    0%       +100%    50" in told
    nothing = contrast(iris, [0, 1], [2, 3])
    assert len(nothing) == 0
    assert "none is significant" in str(nothing)
    assert repr(contrast(iris, [0, 1], [2, 3])) == "Contrasts([])"


def test_a_column_that_is_unknown_or_never_varies_says_nothing():
    rows = [(None, "a", 1, 5), (None, "a", 2, 5), (None, "a", 3, 5), (4, "a", 4, 5)]
    table = Table.of(rows, ["hole", "same", "x", "five"], target=None)
    assert {each.column for each in contrast(table, [0, 1], alpha=1)} == {"x"}


def test_groups_that_cannot_be():
    table, _ = people()
    with pytest.raises(DomainError, match="both groups"):
        contrast(table, [1, 2], [2, 3])
    with pytest.raises(DomainError, match="no rows in the group of the best"):
        contrast(table, [])
    with pytest.raises(DomainError, match="no rows in the group of the rest"):
        contrast(table, slice(None))
    with pytest.raises(DomainError, match="There is no row 999"):
        contrast(table, [999])
    with pytest.raises(DomainError, match="say what the rest is"):
        contrast(table, table[:3])
    with pytest.raises(ParameterError, match="alpha"):
        contrast(table, [1], alpha=0)
    with pytest.raises(ParameterError, match="correct"):
        contrast(table, [1], correct="bonferoni")
    with pytest.raises(DomainError, match="nothing to compare"):
        contrast(table.with_roles(dict.fromkeys(table.domain.names, "meta")), [1])
