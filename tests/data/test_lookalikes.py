"""Strings that look like numbers or times and are none: kept as they are, or told in a note."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satsuma import read
from tests.suites.grids import difference

_digit, _small = st.integers(0, 9), st.integers(1, 30)
_hundred = st.integers(1, 99)


def _of(pattern, *parts):
    """Strings of a pattern, filled with what is drawn."""
    return st.builds(pattern.format, *parts)


#: Columns that hold no numbers and no times, whatever is drawn.
NAMES = {
    "ratios": _of("{}:{}", _small, _small),
    "ratios of one": _of("1:{}", st.integers(10, 59)),
    "scores": _of("{}:{}", _digit, _digit),
    "handball scores": _of("{}:{}", st.integers(15, 35), st.integers(15, 35)),
    "lengths of songs": _of("{}:{:02}", st.integers(1, 9), st.integers(0, 59)),
    "seats": _of("{}{}", _small, st.sampled_from("ABCDEF")),
    "seats in one column": _of("{} A", _small),
    "floors": _of("{}B", _small),
    "thousands": _of("{}K", _hundred),
    "millions": _of("${}m", _hundred),
    "sizes": _of("{}x{}", _hundred, _hundred),
    "telephones": _of("+49 {} {:07}", st.integers(30, 999), st.integers(0, 9_999_999)),
    "telephones with dashes": _of("555-{:04}", st.integers(0, 9999)),
    "versions": _of("{}.{}.{}", _digit, _small, _small),
    "addresses of computers": _of("{}.{}.{}.{}", *[st.integers(0, 255)] * 4),
    "coordinates": _of("{}°{}'{}", st.integers(0, 89), st.integers(0, 59), st.sampled_from("NS")),
    "numbers of books": _of("978-3-16-{:06}-{}", st.integers(0, 999_999), _digit),
    "accounts": _of("DE{:02} {:04} {:04}", _hundred, *[st.integers(0, 9999)] * 2),
    "zip codes": _of("0{:04}", st.integers(1, 9999)),
    "fractions": _of("{}/{}", _digit, _small),
    "ranges": _of("{}-{}", _hundred, _hundred),
    "seasons": st.builds(lambda y: f"{y}-{(y + 1) % 100:02}", st.integers(1950, 2030)),
    "hexadecimal": _of("0x{:x}", st.integers(0, 9999)),
    "weeks": _of("2023-W{:02}", st.integers(1, 52)),
    "quarters": _of("Q{} {}", st.integers(1, 4), st.integers(1990, 2030)),
}

#: Columns of numbers and times in several spellings: each is read as it is meant, or kept.
VALUES = {
    "zip codes of five digits": _of("{:05}", st.integers(0, 99_999)),
    "powers": _of("{}e{}", _digit, st.integers(-5, 5)),
    "percentages": _of("{},{} %", _digit, _digit),
    "in parentheses": _of("({}.{:02})", _digit, _hundred),
    "minus behind": _of("{}.{:02}-", _digit, _hundred),
    "months": _of("{}{:02}", st.integers(1990, 2030), st.integers(1, 12)),
    "months with a dash": _of("{}-{:02}", st.integers(1990, 2030), st.integers(1, 12)),
    "seconds since 1970": st.integers(10**9, 2 * 10**9).map(str),
    "times of day": _of("{:02}:{:02}", st.integers(0, 23), st.integers(0, 59)),
    "hours and minutes": _of("{}:{:02}", st.integers(0, 23), st.integers(0, 59)),
    "metres": _of("{} m", _hundred),
    "degrees": _of("{}.{}°", _small, _digit),
    "short dates": _of("{}.{}.{:02}", st.integers(1, 28), st.integers(1, 12), _hundred),
}


def _read(cells):
    return read("".join(["a;b\n", *(f"{cell};x\n" for cell in cells)]).encode(), format="csv")


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=12)
@given(data=st.data())
def test_names_stay_as_they_are(name, data):
    cells = data.draw(st.lists(NAMES[name], min_size=2, max_size=12))
    table = _read(cells)
    assert table.domain["a"].kind in ("sym", "text")
    assert [row["a"] for row in table] == cells


@pytest.mark.parametrize("name", VALUES)
@settings(max_examples=12)
@given(data=st.data())
def test_values_are_read_as_they_are_meant_and_told(name, data):
    cells = data.draw(st.lists(VALUES[name], min_size=2, max_size=12))
    table = _read(cells)
    assert difference(table, [[cell, "x"] for cell in cells]) is None
    kind = table.domain["a"].kind
    plain = all(cell.replace(".", "", 1).isdigit() or "e" in cell for cell in cells)
    assert kind in ("sym", "text") or (plain and kind == "num") or "'a'" in table.notes[0]


def test_what_is_likely_is_read_and_what_is_not_is_asked():
    likely = {
        ("9:05", "14:30"): "time",
        ("10:00", "11:30"): "time",
        ("1.5 m", "2 m"): "num",
        tuple(f"{n} h" for n in range(10)): "num",
        ("2023-03", "2023-04"): "time",
        ("1:30", "2:45"): "sym",
        ("3 h", "4 h"): "sym",
        ("2010-11", "2011-12"): "sym",
        ("17.4.24", "18.4.24"): "sym",
    }
    for cells, kind in likely.items():
        table = _read(cells)
        assert table.domain["a"].kind == kind, cells
        asked = [told for told in table.notes if "kept as symbols" in told]
        assert bool(asked) == (kind == "sym")


def test_dates_that_are_asked_for_are_no_versions():
    cells = b"a;b\n17.4.24;x\n18.4.24;y\n"
    assert read(cells, format="csv", dates="dmy").domain["a"].kind == "time"
    assert read(cells, format="csv", kinds={"a": "time"}, dates="dmy").domain["a"].kind == "time"


def test_versions_do_not_follow_the_dates_of_other_columns():
    table = read(b"a;b\n1.2.10;31.12.2024\n1.3.11;30.11.2024\n", format="csv")
    assert [variable.kind for variable in table.domain] == ["sym", "time"]
