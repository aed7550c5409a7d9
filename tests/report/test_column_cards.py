"""What the card of a column says is what NumPy says of all its rows."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import satsuma
from satsuma import Table
from satsuma.engines.thread_pool import unheard
from satsuma.report.analysis import Analysis
from satsuma.report.column_card import column_card
from satsuma.report.column_statistics import column_statistics, quantiles
from satsuma.report.target_by_value import Aim, Groups

FINITE = st.floats(allow_nan=False, allow_infinity=False, width=32)


@given(st.lists(FINITE, min_size=1), st.floats(0, 1))
def test_quantiles_are_numpys(cells, share):
    ordered = np.sort(np.array(cells, float))
    expected = np.quantile(ordered, share)
    assert quantiles(ordered, [share])[0] == pytest.approx(expected, rel=1e-9, abs=1e-300)


def test_huge_numbers_do_not_overflow():
    assert quantiles(np.array([-1.5e308, 1.5e308]), [0.25, 0.5]) == [-0.75e308, 0.0]


def test_figures_of_a_number():
    cells = [*range(100), 0, 0, -5, None]
    table = Table.of([(cell,) for cell in cells], ["n"], target=None)
    found = dict(column_statistics(table, table.domain["n"]))
    known = np.array(cells[:-1], float)
    assert found["distinct values"] == "101"
    assert found["missing values"] == "1 (1.0 %)"
    assert float(found["mean"]) == pytest.approx(known.mean(), rel=1e-3)
    assert float(found["standard deviation"]) == pytest.approx(known.std(ddof=1), rel=1e-3)
    assert float(found["95 %"]) == pytest.approx(np.quantile(known, 0.95), rel=1e-3)
    assert (found["zeros"], found["negative"]) == ("3 (3 %)", "1 (1.0 %)")


@given(st.lists(st.one_of(FINITE, st.integers(0, 9).map(float)), min_size=1))
def test_groups_hold_every_row_where_its_label_says(cells):
    table = Table.of([(cell,) for cell in cells], ["n"], target=None)
    groups = Groups.of(table, table.domain["n"])
    assert len(groups.codes) == len(cells)
    assert groups.codes.min() >= 0
    assert groups.codes.max() < len(groups.labels)
    column = np.array(cells, float)
    for code in range(len(groups.labels) - 1):  # ranges are in order, and do not overlap
        low, high = column[groups.codes == code], column[groups.codes > code]
        assert not len(low) or not len(high) or low.max() < high.min()


def test_the_target_by_value_is_that_of_pandas():
    heart = satsuma.load("heart_disease")
    frame = heart.to_pandas()
    aim = Aim.of(heart)
    grid = Groups.of(heart, heart.domain["chest pain"]).grid("chest pain", aim)
    shown = aim.values[aim.shown[0]]
    by = frame.groupby("chest pain", observed=True)["diameter narrowing"]
    expected = by.agg(lambda cells: (cells.astype(str) == shown).mean())
    for value, rows, share in grid.rows:
        assert rows.text == str(int((frame["chest pain"] == value.text).sum()))
        assert share.bar == pytest.approx(expected[value.text])


def test_the_mean_by_value_has_its_interval():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"s": rng.choice(["a", "b"], 60), "y": rng.normal(5, 1, 60)})
    table = satsuma.read(frame, target="y")
    grid = Groups.of(table, table.domain["s"]).grid("s", Aim.of(table))
    for value, _, mean in grid.rows:
        mine = frame.y[frame.s == value.text]
        half = 1.96 * mine.sem()
        numbers = [
            float(n) for n in mean.text.replace("(", "").replace(")", "").split() if n != "to"
        ]
        expected = [mine.mean(), mine.mean() - half, mine.mean() + half]
        assert numbers == pytest.approx(expected, rel=5e-3)


def test_with_goals_values_are_compared_by_the_distance_to_the_ideal_point():
    housing = satsuma.load("housing").with_roles({"MEDV": "+", "CRIM": "-"})
    analysis = Analysis(housing[:80], None, 2, 1, unheard)
    card = column_card(analysis, housing.domain["RM"], 0)
    assert card.grid.head[-1] == "mean distance to the ideal point"
    assert card.tag == "number, attribute"
