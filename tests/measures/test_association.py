"""Associations: what other libraries say of each pair, and what must be so of any."""

import numpy as np
import pytest
from scipy.stats import chi2_contingency
from sklearn.metrics import mutual_info_score

from satsuma import Table
from satsuma.data.domain import Domain
from satsuma.data.variable import Variable
from satsuma.measures.association import associations


def made(**columns):
    """A table of numbers and codes."""
    kinds = [
        Variable(n, "sym", tuple(f"v{k}" for k in range(int(c.max()) + 1)))
        if c.dtype == np.int32 else Variable(n, "time") if c.dtype.kind == "M" else Variable(n)
        for n, c in columns.items()
    ]  # fmt: skip
    return Table(Domain(kinds), list(columns.values()))


def test_of_symbols_by_mutual_information_and_chi_square():
    rng = np.random.default_rng(0)
    one = rng.integers(0, 3, 400).astype(np.int32)
    other = np.where(rng.random(400) < 0.4, one, rng.integers(0, 4, 400)).astype(np.int32)
    one[:30] = -1
    found = associations(made(a=one, b=other))
    known = one >= 0
    counts = np.histogram2d(one[known], other[known], bins=[3, 4])[0]
    information = mutual_info_score(one[known], other[known])
    bias = ((counts > 0).sum() - 3 - 4 + 1) / (2 * known.sum())
    entropy = min(mutual_info_score(c[known], c[known]) for c in (one, other))
    expected = np.sqrt(1 - np.exp(-2 * (information - bias)))
    expected /= np.sqrt(1 - np.exp(-2 * entropy))
    assert found.strength[0, 1] == pytest.approx(expected)
    assert found.p[0, 1] == pytest.approx(chi2_contingency(counts, correction=False).pvalue)


@pytest.mark.parametrize("r", [0.3, 0.6, 0.9, -0.9])
def test_of_normal_numbers_it_is_about_the_correlation(r):
    rng = np.random.default_rng(1)
    x = rng.normal(size=5_000)
    y = r * x + np.sqrt(1 - r * r) * rng.normal(size=5_000)
    assert associations(made(x=x, y=y)).strength[0, 1] == pytest.approx(abs(r), abs=0.04)


def test_what_follows_from_another_column_has_1_whatever_its_kind():
    rng = np.random.default_rng(2)
    x = rng.normal(size=1_000)
    when = np.datetime64("2024-01-01", "ns") + (x * 1e6).astype(np.int64) * np.timedelta64(1, "s")
    part = (x > 0.5).astype(np.int32)
    table = made(x=x, cubed=x**3, part=part, bent=np.abs(x), when=when)
    found = associations(table)
    assert found.strength[0, 1] == pytest.approx(1)
    assert found.strength[0, 4] == pytest.approx(1)
    assert found.strength[0, 2] > 0.95
    assert found.strength[0, 3] > 0.8
    assert next(iter(found.of("x"))) in ("cubed", "when")


def test_of_independent_columns_hardly_ever_any_is_called_associated():
    rng = np.random.default_rng(3)
    wrong = 0
    for _ in range(200):
        columns = {f"n{k}": rng.normal(size=200) for k in range(3)}
        columns |= {f"s{k}": rng.integers(0, k + 2, 200).astype(np.int32) for k in range(3)}
        wrong += bool(associations(made(**columns)).pairs())
    assert wrong <= 0.06 * 200


def test_columns_that_say_nothing_are_associated_with_nothing():
    rng = np.random.default_rng(4)
    table = made(
        x=rng.normal(size=60), same=np.ones(60), gone=np.full(60, np.nan),
        huge=np.where(np.arange(60) % 7, rng.normal(size=60), 1e308),
        key=np.arange(60, dtype=np.int32),
    )  # fmt: skip
    found = associations(table)
    assert found.pairs() == []
    assert not np.isnan(found.strength[np.triu_indices(5, 1)]).any()
    assert associations(table[:0]).pairs() == []
    assert associations(table.select(["x"])).of("x") == {}
    assert found.of("no such column") == {}
    for rows in range(1, 50):  # the entropy of a constant is 0, whatever the rounding
        some = associations(table[:rows])
        assert not (some.strength[1] > 0).any()
