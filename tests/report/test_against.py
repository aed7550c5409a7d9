"""Two tables: which columns differ, and whether a classifier tells their rows apart."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

import satsuma
from satsuma import Table
from satsuma.engines.thread_pool import unheard
from satsuma.errors import ParameterError
from satsuma.report.analysis import Analysis
from satsuma.report.page import report
from satsuma.report.sections.table_comparison import against_section, auc_interval


def sold(rows, seed, shift=0.0, regions=("north", "south")):
    rng = np.random.default_rng(seed)
    cells = zip(
        rng.normal(shift, 1, rows), rng.normal(size=rows), rng.choice(regions, rows),
        [f"o{seed}-{k}" for k in range(rows)], strict=True,
    )  # fmt: skip
    kinds = {"order": "sym"}
    names = ["price", "size", "region", "order"]
    return Table.of(cells, names, target=None, kinds=kinds, name=f"sold {seed}")


def compared(table, other):
    return against_section(Analysis(table, None, 2, 1, unheard, against=other))


def test_tables_of_the_same_rows_cannot_be_told_apart():
    found = compared(sold(300, 1).with_roles({"order": "meta"}), sold(200, 2))
    assert "No column differs from that of sold 2 by more than chance explains." in found.gist
    assert "A classifier cannot tell rows of the two tables apart." in found.gist


def test_what_moved_is_named_by_the_test_and_by_the_classifier():
    other = sold(200, 2, 1.5, ("north", "east"))
    found = compared(sold(300, 1), other)
    assert found.title == "Compared with sold 2"
    grids = [each for each in found.elements if each.kind == "grid"]
    lines = {line[0].text: [cell.text for cell in line] for line in grids[0].rows}
    assert {name for name, line in lines.items() if line[1] == "different"} >= {"price", "region"}
    assert lines["size"][1] == ""
    assert {line[0].text for line in grids[1].rows[:2]} == {"price", "region"}
    assert "order" not in {line[0].text for line in grids[1].rows}  # it names rows
    assert "tell rows of the two tables apart well" in found.gist


def test_columns_that_only_one_has_are_said():
    other = sold(60, 2).select(["price", "region"]).with_kinds({"price": "sym"})
    text = " ".join(e.text for e in compared(sold(60, 1), other).elements if e.kind == "paragraph")
    assert "Columns only in this table: size and order." in text
    assert "Column of another kind in the other: price." in text


def test_nothing_in_common_is_said_on_the_page():
    iris = satsuma.load("iris")
    page = report(iris, learners=satsuma.Majority(), folds=2, against=sold(30, 1))
    assert "The two tables have no column in common, by name and kind." in page


@pytest.mark.parametrize("against", ["test.csv", sold(5, 1)[:0]])
def test_what_is_no_table_is_refused(against):
    with pytest.raises(ParameterError, match="'against' parameter of write_report"):
        report(satsuma.load("iris"), against=against)


def test_the_interval_of_the_area_is_delongs():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 60)
    scores = (truth + rng.normal(size=60)).round(1)  # with ties
    auc, low, high = auc_interval(scores, truth)
    assert auc == pytest.approx(roc_auc_score(truth, scores))
    ones, zeros = scores[truth == 1], scores[truth == 0]
    wins = (ones[:, None] > zeros) + 0.5 * (ones[:, None] == zeros)
    variance = wins.mean(1).var(ddof=1) / len(ones) + wins.mean(0).var(ddof=1) / len(zeros)
    assert (high - low) / 2 == pytest.approx(1.96 * np.sqrt(variance), rel=1e-4)
