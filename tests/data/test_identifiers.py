"""Columns that are like keys."""

import numpy as np
import pytest

import satsuma
from satsuma import Majority, Table, Tree, cross_validate
from satsuma.data.identifiers import key_like


def table_of(column, kind):
    rows = [(cell, k % 5, "ab"[k % 2]) for k, cell in enumerate(column)]
    return Table.of(rows, ["maybe", "x", "y"], kinds={"maybe": kind})


@pytest.mark.parametrize(
    ("column", "kind", "found"),
    [
        ([f"row {k}" for k in range(40)], "sym", True),
        ([f"row {k // 1.08:.0f}" for k in range(40)], "sym", True),  # one in ten repeats
        ([f"row {k // 2}" for k in range(40)], "sym", False),
        ([*(f"row {k}" for k in range(21)), *[None] * 19], "sym", True),
        ([*(f"row {k}" for k in range(10)), *[None] * 30], "sym", False),
        (range(7, 47), "num", True),
        (np.random.default_rng(0).permutation(40).tolist(), "num", False),
        ([k / 2 for k in range(40)], "num", False),
        ([3] * 40, "num", False),
        ([None] * 40, "num", False),
        ([f"row {k}" for k in range(10)], "sym", False),  # too few to tell
    ],
)
def test_what_is_like_a_key(column, kind, found):
    assert key_like(table_of(column, kind)) == (("maybe",) if found else ())


def test_a_value_that_is_listed_and_never_seen_makes_no_key():
    table = table_of(["a", "b"] * 20, "sym")
    wide = satsuma.Variable("maybe", "sym", tuple(map(str, range(50))))
    domain = satsuma.Domain([wide, *list(table.domain)[1:]])
    assert key_like(Table(domain, table.columns)) == ()


@pytest.mark.needs("moot/classify/splice.csv")
def test_results_warn_of_a_key(shared):
    table = satsuma.read(shared("moot/classify/splice.csv"), marks=True)
    results = cross_validate([Majority(), Tree()], table, folds=3)
    (note,) = results.notes
    assert note.startswith("Column 'instance_name' is like a key: it tells rows apart")
    assert note.endswith("Leave it out: table.with_roles({'instance_name': 'meta'}).")
    assert str(results).endswith(note)
    assert "is like a key" in results._repr_html_()
    without = cross_validate(Majority(), table.with_roles({"instance_name": "meta"}), folds=3)
    assert without.notes == ()
    assert "key" not in str(without)
