"""Numbers and times as people write them: compiled as the twin, and as Python has them."""

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from satsuma.kernels.csv import scan, twin
from satsuma.kernels.csv.piece import NUM, SYM, TIME, WRITTEN, Dialect, Piece
from satsuma.kernels.csv.written import Format
from satsuma.kernels.csv.written_numbers import NumberFormat, read_number
from satsuma.kernels.csv.written_times import NO_TIME, TimeFormat, read_time

AFFIXES = ["", "$", "€", "EUR", "kg", "%", "CHF", "R$"]
NUMBER_FORMATS = st.builds(
    NumberFormat,
    decimal=st.sampled_from(".,"),
    thousands=st.sampled_from(["", ",", ".", " ", "'"]),
    before=st.sampled_from(AFFIXES),
    after=st.sampled_from(AFFIXES),
).filter(lambda form: form.decimal != form.thousands)
FIRST, LAST = dt.datetime(1678, 1, 1), dt.datetime(2262, 1, 1)  # noqa: DTZ001
PATTERNS = [
    "%Y-%m-%d",
    "%d.%m.%Y",
    "%-m/%-d/%y",
    "%Y-%m-%dT%H:%M:%S%.f%z",
    "%Y/%m/%d %H:%M",
    "%I:%M %p",
    "%H:%M:%S.%f",
    "%Y年%-m月%-d日",
    "%Y%m%d",
    "%H:%M %p",
    "%-d %b %Y",
    "%B %-d, %Y",
]


#: Cells far from the edges of a block are read many bytes at a time.
FAR = "x" * 40


def texts(cells: list[str]) -> tuple[str, str]:
    """A column of cells, all quoted, and one between rows without a value, quoted where needed."""
    quoted = ['"' + cell.replace('"', '""') + '"' for cell in cells]
    plain = [
        mine if set(cell) & set(',"\r\n') else cell
        for cell, mine in zip(cells, quoted, strict=True)
    ]
    rows = "".join(f"{cell},{FAR}\n" for cell in ["", *plain, ""])
    return "".join(f"{cell}\n" for cell in quoted), rows


def both(cells: list[str], form: Format) -> Iterator[tuple[Piece, Piece]]:
    """What the compiled scanner and its twin make of a column of cells, in either text."""
    for width, text in enumerate(texts(cells), 1):
        kinds = np.array([TIME if isinstance(form, TimeFormat) else WRITTEN, SYM][:width], np.int8)
        dialect = Dialect(width, missing=("", "NA", "-"), formats={0: form})
        yield scan(text.encode(), dialect, kinds), twin.scan(text.encode(), dialect, kinds)


def assert_same(cells: list[str], form: Format) -> None:
    for mine, its in both(cells, form):
        assert mine.failed == its.failed
        assert mine.rows == its.rows
        for one, other in zip(mine.columns, its.columns, strict=True):
            if one is not None and other is not None:
                assert one.dtype == other.dtype
                assert one.tobytes() == other.tobytes()


PIECES = st.sampled_from(
    [
        *"0123456789.,' ()-+eE%$€",
        "\u2019",
        "\u2212",
        "EUR",
        "kg",
        "\u00a0",
        "\u202f",
        "12",
        "000",
        "1,234",
        "1.234",
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join), NUMBER_FORMATS)
@example("1.5e", NumberFormat(after="e"))
@example("+49151123", NumberFormat())
@example("+49 151 123", NumberFormat(thousands=" "))
@example("+49,151,123", NumberFormat(thousands=","))
@example("12345678901234567890.5", NumberFormat())
@example("9007199254740993", NumberFormat())
@example("12,34,567", NumberFormat(thousands=","))
@example("1,23,4567", NumberFormat(thousands=","))
@example("-$-173,185,426kg", NumberFormat(thousands=",", before="$", after="kg"))
@example("EUR-4490 113%", NumberFormat(",", " ", "EUR", "%"))
@example("0.1234567890123456789012345e-3", NumberFormat())
def test_any_cell_is_the_same_number_compiled_or_not(cell: str, form: NumberFormat) -> None:
    assert_same(["7", cell], form)
    assert_same([cell], form)


@given(
    st.lists(
        st.sampled_from(
            [
                *"0123456789:-/. TZ+年月日",
                "AM",
                "pm",
                "20",
                "19",
                "Ja",
                "Jan",
                "uary",
                "MAY",
                "June",
                " ",
            ]
        ),
        max_size=14,
    ).map("".join),
    st.sampled_from(PATTERNS),
)
def test_any_cell_is_the_same_time_compiled_or_not(cell: str, pattern: str) -> None:
    assert_same([cell], TimeFormat(pattern))


def grouped(digits: str, separator: str) -> str:
    """Digits in groups of three."""
    head = len(digits) % 3
    groups = [digits[:head]] * bool(head) + [digits[k : k + 3] for k in range(head, len(digits), 3)]
    return separator.join(groups)


@given(
    st.decimals(min_value=-(10**12), max_value=10**12, places=3, allow_nan=False),
    NUMBER_FORMATS,
    st.sampled_from(["-{}", "({})", "{}-", "\u2212 {}"]),
    st.booleans(),
)
def test_a_number_is_the_float_nearest_to_what_was_written(
    number: Decimal, form: NumberFormat, negative: str, groups: bool
) -> None:
    sign, digits, _ = number.as_tuple()
    text = "".join(map(str, digits)).zfill(4)
    whole = grouped(text[:-3], form.thousands) if groups and form.thousands else text[:-3]
    written = f"{form.before}{whole}{form.decimal}{text[-3:]}{form.after}"
    written = negative.format(written) if sign else written
    expected = float(number.scaleb(-2) if form.percent else number)
    assert read_number(written, form) == expected
    (short, _), (long, _) = both([written, "NA", ""], form)
    assert short.columns[0] is not None
    assert long.columns[0] is not None
    np.testing.assert_array_equal(short.columns[0], [expected, np.nan, np.nan])
    np.testing.assert_array_equal(long.columns[0][1:-1], short.columns[0])


@given(
    st.datetimes(FIRST, LAST),
    st.sampled_from(PATTERNS),
)
def test_a_time_is_what_python_has_for_it(moment: dt.datetime, pattern: str) -> None:
    written = moment.strftime(pattern.replace("%.f", ".%f").replace("%z", "+05:30"))
    its = dt.datetime.strptime(  # noqa: DTZ007
        written, pattern.replace("%.f", ".%f").replace("%-", "%")
    ).replace(tzinfo=None)
    if "%d" not in pattern.replace("-", ""):
        its = its.replace(1970, 1, 1)
    shift = np.timedelta64(330 if "%z" in pattern else 0, "m")
    expected = int((np.datetime64(its, "ns") - shift).astype(np.int64))
    assert read_time(written, TimeFormat(pattern)) == expected
    (short, _), (long, _) = both([written, "-"], TimeFormat(pattern))
    assert short.columns[0] is not None
    assert long.columns[0] is not None
    assert short.columns[0].tolist() == long.columns[0][1:-1].tolist() == [expected, NO_TIME]


@pytest.mark.parametrize(
    "cell",
    ["2023-02-29", "2024-13-01", "2024-00-10", "24-01-01", "2024-1-1x", "9999-12-31", "0001-01-01"],
)
def test_what_is_no_day_of_the_calendar_or_beyond_it_is_none(cell: str) -> None:
    for line, (mine, its) in enumerate(both(["2024-02-29", cell], TimeFormat("%Y-%m-%d")), 2):
        assert mine.failed == its.failed == {0: (line, cell)}


@given(
    st.lists(
        st.sampled_from(["1", "-", "n/a", "NA", "", " - ", "x", "2.5"]), min_size=1, max_size=6
    ),
    st.sampled_from([NUM, WRITTEN]),
)
def test_marks_of_missing_numbers_are_told(cells: list[str], kind: int) -> None:
    text = "".join(f'"{cell}",{cell}\n' for cell in cells).encode()
    kinds = np.array([kind, SYM], np.int8)
    dialect = Dialect(
        2, missing=("", "NA"), number_missing=("-", "n/a"), formats={0: NumberFormat()}
    )
    mine, its = scan(text, dialect, kinds), twin.scan(text, dialect, kinds)
    read = cells[: cells.index("x")] if "x" in cells else cells
    met = tuple(mark for mark in ("-", "n/a") if mark in [cell.strip() for cell in read])
    assert mine.met == its.met == ({0: met} if met else {})
    assert mine.failed.keys() == its.failed.keys() == ({0} if "x" in cells else set())
    if mine.columns[0] is not None:
        assert np.isnan(mine.columns[0]).sum() == sum(
            c.strip() in ("", "-", "n/a", "NA") for c in cells
        )
    assert set(mine.values[1]) == set(cells) - {"", "NA"}
