"""What the report says of a column of numbers is what NumPy says of it."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import satsuma
from satsuma import Table
from satsuma.data.domain import Domain
from satsuma.data.variable import Variable
from satsuma.engines.thread_pool import unheard
from satsuma.report.analysis import Analysis
from satsuma.report.charts import histogram
from satsuma.report.sections.table_overview import table_overview_section

NUMBERS = st.one_of(
    st.integers(-40, 40),
    st.integers(0, 10**7),
    st.floats(0, 14).map(np.exp),
    st.integers(0, 9).map(lambda n: 1e9 + n * 2**-20),
    st.floats(allow_nan=False, allow_infinity=False),
)
COLUMNS = NUMBERS.flatmap(
    lambda first: st.lists(
        st.one_of(st.just(first), st.integers(0, 3), NUMBERS, st.just(np.nan)), min_size=1
    )
)


def phrase(cells):
    """What stands beside a column of numbers on the page."""
    table = Table(Domain([Variable("a")]), [np.array(cells, float)])
    (grid,) = (
        part
        for part in table_overview_section(Analysis(table, None, 2, 1, unheard)).elements
        if part.kind == "grid"
    )
    return grid.rows[0][-1].text


def number(text):
    return float(text.replace(",", "").replace("\N{MINUS SIGN}", "-"))


@given(COLUMNS)
def test_range_and_median(cells):
    known = np.array(cells, float)
    known = known[~np.isnan(known)]
    told = phrase(cells)
    if not len(known):
        assert told == "none"
    elif known.min() == known.max():
        assert number(told.removeprefix("always ")) == pytest.approx(known[0], rel=1e-3)
    else:
        low, high, half = map(number, re.fullmatch(r"(\S+) to (\S+), median (\S+)", told).groups())
        assert low <= half <= high
        # In halves, as the sum of two huge numbers overflows.
        median = float(np.median(known / 2)) * 2
        assert (low, high, half) == pytest.approx((known.min(), known.max(), median), rel=6e-4)


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ([1] * 30 + [2] * 100 + [3] * 60 + [1_000_000], "1 to 1,000,000, median 2"),
        ([1.00001, 1.000015, 1.00002], "1.00001 to 1.00002, median 1.000015"),
        ([10, 20_749, 20_749.4, 3e6], "10 to 3,000,000, median 20,749.2"),
        ([0.05, 1023.8, 1_234_567.89], "0.05 to 1,234,567.89, median 1,023.8"),
        ([20_749.2, 20_749.20004, 20_749.21234], "20,749.2 to 20,749.212, median 20,749.2"),
    ],
)
def test_the_median_is_not_rounded_to_the_range(cells, told):
    assert phrase(cells) == told


def test_an_even_column_is_drawn_even():
    bars = histogram(np.repeat(np.arange(1.0, 12), 100), "stars")
    assert len(bars.bars) == 11
    assert {(wide, high) for _, _, wide, high in bars.bars} == {(9.9, 28.0)}
    assert bars.alt == "Histogram of stars: 9 % of the values are 1."


@given(st.lists(NUMBERS, min_size=2))
def test_the_share_that_is_told_is_that_of_its_range(cells):
    known = np.array(cells, float)
    drawn = histogram(known, "a")
    if drawn is None:
        assert known.min() == known.max()
        return
    share = re.fullmatch(r"Histogram of a: (\S+ %|100 %) of the values are (.+)\.", drawn.alt)
    ends = [number(end) for end in re.split(" to (?:below )?", share[2])]
    inside = (known >= ends[0]) & (
        (known < ends[1]) if "below" in share[2] else (known <= ends[-1])
    )
    assert float(share[1].removesuffix(" %")) == pytest.approx(100 * inside.mean(), abs=0.5)


def test_every_note_of_the_reader_has_a_line_of_its_own():
    notes = [f"Note {k}." for k in range(25)]
    table = satsuma.load("iris").with_notes(*notes)
    section = table_overview_section(Analysis(table, None, 2, 1, unheard))
    (said,) = (each.items for each in section.elements if each.kind == "notes")
    assert said == [*notes[:20], "5 more notes of the reader: table.notes."]
