"""Which missing cells tell something of the target: beside scipy's tests, and by chance."""

import numpy as np
import pytest
from scipy.stats import chi2_contingency, fisher_exact, ttest_ind

from satsuma import Table
from satsuma.measures.informative_missing import informative_columns, missing_p_values
from satsuma.tallies.target_where_missing import TargetWhereMissing


def with_holes(columns, target, holes):
    """A table of numbers and symbols, whose cells are missing where holes say so."""
    cells = [
        [None if hole else cell for cell, hole in zip(column, where, strict=True)]
        for column, where in zip(columns, holes.T, strict=True)
    ]
    names = [f"x{at}" for at in range(len(cells))]
    return Table.of(list(zip(*cells, target.tolist(), strict=True)), [*names, "y"])


def random_columns(rng, n, width=6):
    """Half of them numbers, half symbols."""
    return [rng.normal(size=n) if at % 2 else rng.choice(["a", "b"], n) for at in range(width)]


@pytest.mark.parametrize("seed", range(5))
def test_classes_beside_scipy(seed):
    rng = np.random.default_rng(seed)
    y = rng.choice(["p", "q", "r"], 300, p=[0.5, 0.3, 0.2])
    holes = rng.random((300, 6)) < 0.2 + 0.1 * (y == "q")[:, None]
    found = missing_p_values(TargetWhereMissing.of(with_holes(random_columns(rng, 300), y, holes)))
    for at, p in enumerate(found.values()):
        table = [[(holes[:, at] == here)[y == c].sum() for c in "pqr"] for here in (0, 1)]
        assert p == pytest.approx(chi2_contingency(table, correction=False).pvalue, rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_numbers_beside_scipy(seed):
    rng = np.random.default_rng(seed)
    y = 1e6 + np.exp(rng.normal(size=300))
    holes = rng.random((300, 6)) < np.where(y > np.median(y), 0.2, 0.1)[:, None]
    found = missing_p_values(TargetWhereMissing.of(with_holes(random_columns(rng, 300), y, holes)))
    for at, p in enumerate(found.values()):
        two = y[holes[:, at]], y[~holes[:, at]]
        want = max(ttest_ind(*two, equal_var=each).pvalue for each in (True, False))
        assert p == pytest.approx(want, rel=1e-6)


@pytest.mark.parametrize(
    ("missing", "total"), [((5, 1), (8, 40)), ((1, 6), (30, 9)), ((3, 0), (50, 3))]
)
def test_few_rows_beside_scipy(missing, total):
    rows = [(None, c) for c, k in zip("pq", missing, strict=True) for _ in range(k)]
    rows += [(1.0, c) for c, k, n in zip("pq", missing, total, strict=True) for _ in range(n - k)]
    (p,) = missing_p_values(TargetWhereMissing.of(Table.of(rows, ["x", "y"]))).values()
    table = [missing, [n - k for k, n in zip(missing, total, strict=True)]]
    tails = [fisher_exact(table, alternative=each).pvalue for each in ("less", "greater")]
    assert p == pytest.approx(min(1, 2 * min(tails)), rel=1e-9)


def test_missing_in_a_rare_class_alone():
    rows = [(None if c == "r" else 1.0, c) for c in "p" * 40 + "q" * 30 + "r" * 3]
    (p,) = missing_p_values(TargetWhereMissing.of(Table.of(rows, ["x", "y"]))).values()
    table = [[0, 3], [40, 30]]
    assert p == pytest.approx(2 * fisher_exact(table, alternative="less").pvalue, rel=1e-9)


def test_parts_and_weights():
    rng = np.random.default_rng(0)
    y = rng.normal(size=200)
    table = with_holes(random_columns(rng, 200), y, rng.random((200, 6)) < 0.2)
    of = TargetWhereMissing.of
    whole = missing_p_values(of(table))
    assert missing_p_values(of(table[:50]) + of(table[50:])) == pytest.approx(whole, rel=1e-9)
    twice = Table.of([*map(tuple, table), *map(tuple, table)], table.domain.names)
    weighted = table.with_column("w", np.full(200, 2.0)).with_roles({"w": "weight"}, target="y")
    assert missing_p_values(of(weighted)) == pytest.approx(missing_p_values(of(twice)), rel=1e-9)


@pytest.mark.parametrize("target", ["normal", "heavy", "classes", "rare"])
def test_cells_that_are_missing_at_random_tell_nothing(target):
    rng = np.random.default_rng(1)
    alarms = 0
    for _ in range(60):
        y = {
            "normal": lambda: rng.normal(size=400),
            "heavy": lambda: np.exp(2 * rng.normal(size=400)),
            "classes": lambda: rng.choice(["a", "b"], 400),
            "rare": lambda: rng.choice(list("abcdefgh"), 400, p=[0.6, 0.3, *[0.1 / 6] * 6]),
        }[target]()
        holes = rng.random((400, 6)) < rng.choice([0.02, 0.1, 0.5], 6)
        found = informative_columns(TargetWhereMissing.of(with_holes([y] * 6, y, holes)))
        alarms += bool(found)
    assert alarms <= 3


def test_what_is_asked_for():
    rows = [(None if k % 4 else 1.0, None, 2.0, k // 4 % 2) for k in range(40)]
    table = Table.of(rows, ["some", "never", "always", "y"], kinds={"never": "num", "y": "num"})
    tally = TargetWhereMissing.of(table)
    assert informative_columns(tally, "informative") == ("some",)
    assert informative_columns(tally, "ignore") == ()
    assert informative_columns(tally) == ()


def test_a_target_that_is_told_entirely():
    rows = [(None if k % 2 else 1.0, 1e200 * (k % 2)) for k in range(40)]
    assert informative_columns(TargetWhereMissing.of(Table.of(rows, ["x", "y"]))) in (("x",), ())
    rows = [(None if k % 2 else 1.0, float(k % 2)) for k in range(40)]
    assert informative_columns(TargetWhereMissing.of(Table.of(rows, ["x", "y"]))) == ("x",)
