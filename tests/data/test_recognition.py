"""How a column is written is told by all of its strings, or left in doubt."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satsuma.data.readings import Doubt
from satsuma.data.recognition import Hints, date_order, recognise, recognise_columns
from satsuma.kernels.csv import NumberFormat, TimeFormat, read_cell

NUMBERS = [
    (["$1,694.08", "$12.50", "-"], NumberFormat(".", ",", "$")),
    (["1.694,08 €", "3,50 €", "n/a"], NumberFormat(",", ".", "", "€")),
    (["1.694,08", "3,50"], NumberFormat(",", ".")),
    (["1\u202f694,08", "3,50"], NumberFormat(",", " ")),
    (["1'694.08", "3.50"], NumberFormat(".", "'")),
    (["$1,234", "$950"], NumberFormat(".", ",", "$")),
    (["12.5%", "3 %"], NumberFormat(".", "", "", "%")),
    (["12,5 kg", "3,0 kg"], NumberFormat(",", "", "", "kg")),
    (["(1,234.00)", "5.00"], NumberFormat(".", ",")),
    (["EUR 12,50", "EUR 1.000,00"], NumberFormat(",", ".", "EUR")),
    (["₹12,34,567.50", "₹5.00"], NumberFormat(".", ",", "₹")),
    (["1,234,567", "12"], NumberFormat(".", ",")),
    (["¥1,200", "¥35,000"], NumberFormat(".", ",", "¥")),
]
TIMES = [
    (["2024-04-03", "2024-12-31"], "%Y-%m-%d", "en"),
    (["03.04.2024", "13.04.2024"], "%d.%m.%Y", "en"),
    (["3.4.2024", "13.4.2024"], "%-d.%-m.%Y", "en"),
    (["3/4/24", "12/31/24"], "%-m/%-d/%y", "en"),
    (["2024/04/03 9:30", "2024/04/30 19:30"], "%Y/%m/%d %-H:%M", "en"),
    (["2024-04-03T12:30:00Z", "2024-04-03T12:30:00.5Z"], "%Y-%m-%dT%H:%M:%S%.f%z", "en"),
    (["2024-04-03 12:30:00.123", "2024-04-03 12:30:00.456"], "%Y-%m-%d %H:%M:%S.%3f", "en"),
    (["3 April 2024", "12 May 2024"], "%-d %B %Y", "en"),
    (["Apr 3, 2024", "May 12, 2024"], "%b %-d, %Y", "en"),
    (["03-Apr-2024", "12-May-2024"], "%d-%b-%Y", "en"),
    (["3. März 2024", "12. Mai 2024"], "%-d. %B %Y", "de"),
    (["3 avril 2024", "12 mai 2024"], "%-d %B %Y", "fr"),
    (["2024年4月3日", "2024年12月31日"], "%Y年%-m月%-d日", "en"),
    (["09:30", "19:05"], "%H:%M", "en"),
    (["1:30 PM", "11:05 AM"], "%-I:%M %p", "en"),
    (["2024-04", "2024-05"], "%Y-%m", "en"),
]


@pytest.mark.parametrize(("values", "form"), NUMBERS)
def test_numbers_are_recognised(values, form):
    assert recognise(values) == form


@pytest.mark.parametrize(("values", "pattern", "language"), TIMES)
def test_times_are_recognised(values, pattern, language):
    assert recognise(values) == TimeFormat(pattern, language)


@pytest.mark.parametrize(
    "values",
    [
        ["red", "blue"],
        ["007", "1,5"],  # an id
        ["+49 151 1234567", "+49 30 1234567"],  # telephones
        ["555-1234", "555-9876"],
        ["10.0.0.1", "192.168.1.1"],
        ["1.2.3", "1.10.0"],  # versions
        ["12a", "7a"],
        ["$5", "5 €"],  # two currencies
        ["$5", "5"],
        ["2024-04-03", "soon"],
        ["2023-02-29", "2023-02-28"],  # no such day
        ["9999-12-31", "2024-01-01"],  # beyond what is counted
        ["12/24", "05/25"],
        ["-", "n/a"],
        [],
    ],
)
def test_what_is_neither_is_just_strings(values):
    assert recognise(values) is None


def test_one_cell_alone_decides_nothing():
    days = [f"{day:02}/04/2024" for day in range(1, 13)]
    found = recognise(days)
    assert isinstance(found, Doubt)
    assert [date_order(form) for form in found.formats] == ["dmy", "mdy"]
    assert recognise([*days, "13/04/2024"]) == TimeFormat("%d/%m/%Y")
    assert recognise([*days, "04/13/2024"]) == TimeFormat("%m/%d/%Y")
    assert recognise([*days, "13/04/2024", "04/13/2024"]) is None


def test_what_the_first_strings_leave_open_is_told_by_later_ones():
    """Formats that make the same of a thousand strings may differ in the next one."""
    amounts = [f"${k / 100:.2f}" for k in range(1100)]
    assert recognise(amounts) == NumberFormat(before="$")
    assert recognise([*amounts, "$1,234.50"]) == NumberFormat(".", ",", "$")
    assert recognise([*amounts, "$1'234.50"]) == NumberFormat(".", "'", "$")
    assert recognise([*amounts, "$1'234.50", "$1,234.50"]) is None
    moments = [f"2024-01-01 {k // 60:02}:{k % 60:02}:00" for k in range(1100)]
    assert recognise([*moments, "2024-01-01 24:00:00"]) is None
    found = recognise([*moments, "2024-01-02 00:00:00.5"])
    assert found == TimeFormat("%Y-%m-%d %H:%M:%S%.f")


def test_doubts_are_settled_by_hints_and_by_other_columns():
    amounts, days = ["1,234", "2,345"], ["03/04/2024"]
    assert isinstance(recognise(amounts), Doubt)
    assert recognise(amounts, Hints(decimal=",")) == NumberFormat(",")
    assert recognise(amounts, Hints(decimal=".")) == NumberFormat(".", ",")
    assert recognise(days, Hints(dates="mdy")) == TimeFormat("%m/%d/%Y")
    others = {"price": ["1.694,08", "2,50"], "sent": ["13/04/2024"]}
    found, told = recognise_columns({"amount": amounts, "day": days, **others})
    assert (told.decimal, told.dates) == (",", "dmy")
    assert found["amount"] == NumberFormat(",")
    assert found["day"] == TimeFormat("%d/%m/%Y")
    against = {**others, "paid": ["04/13/2024"]}
    assert isinstance(recognise_columns({"day": days, **against})[0]["day"], Doubt)


@given(
    st.lists(st.dates(dt.date(1700, 1, 1), dt.date(2250, 1, 1)), min_size=1, max_size=5),
    st.sampled_from(["%Y-%m-%d", "%d.%m.%Y", "%-m/%-d/%Y", "%d %b %Y", "%Y/%m/%d %H:%M"]),
)
def test_whatever_was_written_is_among_what_is_recognised(dates, pattern):
    values = [day.strftime(pattern) for day in dates]
    found = recognise(values)
    forms = found.formats if isinstance(found, Doubt) else [found]
    right = [read_cell(value, TimeFormat(pattern)) for value in values]
    assert right in [[read_cell(value, form) for value in values] for form in forms]
