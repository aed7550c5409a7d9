"""Figures of a sample are never given as figures of the table."""

import re

import numpy as np
import pytest

from satsuma import Majority, NaiveBayes, Table, Tree
from satsuma.data.domain import Domain
from satsuma.data.variable import Variable
from satsuma.report.findings import inspect_table
from satsuma.report.page import report
from tests.report.test_page import Read

ROWS = 24_000


def wards(target="sym"):
    """Patients: the ward is known of none that went home; a copy of a column; far-off ages."""
    rng = np.random.default_rng(4)
    died = (rng.random(ROWS) < 0.3).astype(np.int32)
    age = rng.integers(20, 90, ROWS) + 0.0
    age[:40] = 4000
    ward = np.where(died == 1, rng.integers(0, 3, ROWS), -1).astype(np.int32)
    pulse = rng.normal(70, 10, ROWS) + 8 * died
    if target == "sym":
        aim, column = Variable("died", "sym", ("no", "yes"), "target"), died
    else:
        aim, column = Variable("cost", role="target"), pulse + rng.normal(size=ROWS)
    domain = Domain([
        Variable("ward", "sym", ("a", "b", "c")), Variable("age"), Variable("pulse"),
        Variable("beats"), aim,
    ])  # fmt: skip
    return Table(domain, [ward, age, pulse, pulse * 2, column])


def test_leakage_is_counted_in_all_rows():
    table = wards()
    (leak,) = (each for each in inspect_table(table) if each.kind == "leakage by missing values")
    missing = int(table.missing("ward").sum())
    assert f"'ward' is missing in {missing:,} rows, all of them 'no'" in leak.sentence


def test_a_column_that_tells_all_is_counted_in_all_rows():
    table = wards()
    told = table.column("died").astype(float)
    told[:100] = 1 - told[:100]
    both = Table(Domain([Variable("paid"), table.domain["died"]]), [told, table.column("died")])
    (leak,) = inspect_table(both)
    assert "with 100 errors in 24,000 rows; without it, " in leak.sentence
    assert leak.sentence.endswith(f" {int((table.column('died') == 1).sum()):,} would be wrong.")


def test_columns_that_are_alike_in_a_sample_alone_are_not_called_alike():
    table = wards()
    assert ("beats", "duplicate column") in {
        (each.column, each.kind) for each in inspect_table(table)
    }
    columns = dict(zip(table.domain.names, table.columns, strict=True))
    drawn = np.random.default_rng(0).choice(ROWS, 20_000, replace=False)
    out = np.setdiff1d(np.arange(ROWS), drawn)[:5]
    other = columns["beats"].copy()
    other[out] = np.nan
    changed = Table(table.domain, [{**columns, "beats": other}[n] for n in table.domain.names])
    assert "duplicate column" not in {each.kind for each in inspect_table(changed)}


@pytest.mark.parametrize("target", ["sym", "num"])
def test_every_section_that_draws_rows_says_so(target):
    table = wards(target)
    learners = [Majority(), NaiveBayes(), Tree()] if target == "sym" else [Tree()]
    text = Read(report(table, learners=learners, folds=2)).text
    for key, most in {
        "comparison": 5_000, "model": 5_000, "errors": 5_000, "contrasts": 20_000,
        "clusters": 4_000, "outliers": 4_000,
    }.items():  # fmt: skip
        assert f"{most:,} rows were drawn at random from 24,000" in text[key], key
    # What stands by itself on top says so, too.
    assert re.search(r"(rows\.|within \S+\.) \(Of a sample of 5,000 rows\.\)", text["glance"])
    assert text["glance"].count("(Of a sample of 4,000 rows.)") == 2
    assert "(Of a sample of 20,000 rows.)" in text["glance"]
    assert "There are 24,000 rows and 5 columns" in text["glance"]


def test_rows_that_repeat_in_all_attributes_are_said_to_do_that():
    rng = np.random.default_rng(1)
    rows = [(f"o{k}", *rng.normal(size=3).tolist(), "yn"[k % 2]) for k in range(40)]
    names = ["order", "a", "b", "c", "y"]
    twice = [*rows, ("o41", *rows[3][1:])]
    table = Table.of(twice, names, kinds={"order": "sym"})
    (told,) = (
        d.sentence for d in inspect_table(table.with_roles({"order": "meta"})) if d.column is None
    )
    assert told.endswith(
        "1 row of 41 (2 %) repeats an earlier row in every attribute, and in the target ('order' "
        "is left out)."
    )
    whole = Table.of([row[1:] for row in twice], names[1:])
    (told,) = (d.sentence for d in inspect_table(whole) if d.column is None)
    assert told.endswith("repeats an earlier row in every column.")
