"""Columns of times: kept exactly, shown and written as they were."""

import datetime as dt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma import Table
from satsuma.data.schema import variable_of, variable_parts
from satsuma.data.times import plain_format, spell_time, spell_times, time_column
from satsuma.data.variable import Variable
from satsuma.errors import DomainError, ReadError
from satsuma.kernels.csv import DAY, NO_TIME, TimeFormat, read_time
from satsuma.numerics.arrays import TIME

PATTERNS = [
    "%Y-%m-%d %H:%M:%S.%9f",
    "%d.%m.%Y %H:%M:%S.%9f",
    "%-m/%-d/%Y %-I:%M:%S.%9f %p",
    "%-d %B %Y %H:%M:%S%.f",
    "%b %-d, %Y %H:%M:%S%.f",
    "%Y-%m-%dT%H:%M:%S%.f%z",
]


@given(
    st.integers(-106_000 * DAY, 106_000 * DAY),
    st.sampled_from(PATTERNS),
    st.sampled_from(["en", "de", "fr", "es"]),
    st.sampled_from(["Z", "+02:00", "-0530", "+09"]),
)
def test_what_is_written_is_read_back_to_the_nanosecond(value, pattern, language, zone):
    form = TimeFormat(pattern, language, zone)
    assert read_time(spell_time(value, form), form) == value


def test_strings_are_written_as_they_were():
    for cells in (
        ["3.4.2024", None, "13.4.2024"],
        ["2024-04-03T12:30:00+02:00", "2024-12-03T01:05:00+02:00"],
        ["2024-04-03 12:30:00.120", "2024-04-03 12:30:00.456"],
        ["1:05 PM", "11:45 AM"],
        ["12. März 2024", "3. Mai 2024"],
    ):
        form, column = time_column(cells)
        assert spell_times(column, form).tolist() == cells


def test_python_numpy_and_strings_are_the_same_times():
    day = dt.date(2024, 4, 3)
    moment = dt.datetime(2024, 4, 3, tzinfo=dt.UTC)
    paris = moment.astimezone(dt.timezone(dt.timedelta(hours=2)))
    cells = [day, moment, paris, np.datetime64("2024-04-03"), np.datetime64("NaT"), None]
    form, column = time_column(cells)
    assert form == TimeFormat("%Y-%m-%d %H:%M:%S%z")
    assert column[:4].tolist() == [np.datetime64("2024-04-03", "ns").astype(int)] * 4
    assert np.isnat(column[4:]).all()
    assert time_column([dt.time(12, 30)])[0] == TimeFormat("%H:%M:%S")


@pytest.mark.parametrize(
    ("first", "pattern"),
    [
        ("2024-04-03", "%Y-%m-%d"),
        ("2024-04-03T10", "%Y-%m-%d %H:%M:%S"),
        ("2024-04-03T10:00:00.5", "%Y-%m-%d %H:%M:%S.%3f"),
        ("2024-04-03T10:00:00.000000001", "%Y-%m-%d %H:%M:%S.%9f"),
    ],
)
def test_the_plain_format_is_as_short_as_it_can_be(first, pattern):
    assert plain_format(np.array([first, "NaT"], TIME)).pattern == pattern


def test_a_table_of_times():
    rows = [("2024-04-03", 1, "a"), (None, 2, "b"), ("2025-01-13", 3, "a")]
    table = Table.of(rows, ["day", "n", "class"], kinds={"day": "time"})
    assert table.domain["day"].time_format == TimeFormat("%Y-%m-%d")
    assert [row["day"] for row in table] == ["2024-04-03", None, "2025-01-13"]
    assert table["day"].dtype == TIME
    assert table.missing("day").tolist() == [False, True, False]
    assert table.equals(table[[0, 1, 2]])
    assert not table.equals(table[[1, 0, 2]])
    assert "2024-04-03" in repr(table)
    again = table.with_kinds({"day": "sym"})
    assert again.domain["day"].values == ("2024-04-03", "2025-01-13")
    assert again.with_kinds({"day": "time"}).equals(table)
    assert table.column("day").view(np.int64)[1] == NO_TIME


@pytest.mark.parametrize("cells", [["2024-04-03", "soon"], ["03/04/2024"], [3.5]])
def test_what_is_no_time_is_refused_with_the_cell(cells):
    with pytest.raises(DomainError, match=r"Column 'day' was to hold times, but .* is no time"):
        Table.of([(cell,) for cell in cells], ["day"], kinds={"day": "time"}, target=None)


@pytest.mark.parametrize("wrong", [("%Q",), ("%",), ("%Y", "xx"), ("%z", "en", "noon"), ("%Y\0",)])
def test_what_is_no_format_is_refused(wrong):
    with pytest.raises(ValueError, match="is no"):
        TimeFormat(*wrong)


def test_a_variable_of_times_comes_back_from_its_parts():
    day = Variable("day", "time", role="meta", format=TimeFormat("%d. %B %Y", "de"))
    assert variable_of(variable_parts(day)) == day
    with pytest.raises(ReadError, match="the format of a column is none"):
        variable_of({**variable_parts(day), "format": ["%Q"]})
