"""Columns as people write them: each is the values that made it, and their spellings."""

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

from tests.business.locales import JA

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass
class Column:
    """A column of a business table.

    Parameters
    ----------
    name
        What its header says.
    kind
        What it is to be read as; words and free text may be told apart either way.
    cells
        What is in it: floats, nanoseconds since 1970, strings, or None where one is missing.
    texts
        How the cells are spelled.
    needs
        What a reader has to recognise to get the cells from the spellings.
    unit
        What a line of units below the names says of it.
    """

    name: str
    kind: str
    cells: list
    texts: list[str]
    needs: set[str] = field(default_factory=set)
    unit: str = ""


#: Marks of a missing cell, one for all of a column.
MARKS = ("", "N/A", "-", "?", "null", "#N/A")


def nanoseconds(moment):
    """A moment as it is kept: a time of day is one of the first day of 1970."""
    if isinstance(moment, time):
        moment = datetime.combine(date(1970, 1, 1), moment)
    elif not isinstance(moment, datetime):
        moment = datetime.combine(moment, time())
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (moment - EPOCH) // timedelta(microseconds=1) * 1000


def grouped(number, locale, thousands):
    """A decimal number as it is written somewhere, without its sign."""
    sign, digits = number.as_tuple().sign, f"{abs(number):,}"
    assert not sign
    marks = {".": locale.decimal, ",": locale.thousands if thousands else ""}
    return "".join(marks.get(sign, sign) for sign in digits)


def _number_needs(locale, thousands):
    return ({"decimal commas"} if locale.decimal == "," else set()) | (
        {"thousands"} if thousands else set()
    )


def amounts(rng, rows, places, most=10**6):
    """Decimal numbers of so many places, one of them of a million and more."""
    found = [Decimal(rng.randrange(most * 10**places)).scaleb(-places) for _ in range(rows)]
    found[rng.randrange(rows)] += 10**6
    return found


def number(rng, locale, rows):
    """Plain numbers with a fraction."""
    thousands = rng.random() < 0.5
    values = amounts(rng, rows, 2)
    texts = [grouped(value, locale, thousands) for value in values]
    cells = [float(value) for value in values]
    return Column("number", "num", cells, texts, _number_needs(locale, thousands), "kg")


def count(rng, _, rows):
    """Whole numbers, which are more than two."""
    values = [rng.randrange(1, 50) for _ in range(rows - 3)] + [3, 4, 5]
    return Column("count", "num", [float(value) for value in values], [str(v) for v in values])


def stock(rng, locale, rows):
    """Whole numbers with one mark each: whether it parts thousands, other columns have to tell."""
    values = [Decimal(rng.randrange(1000, 10**6)) for _ in range(rows)]
    texts = [grouped(value, locale, thousands=True) for value in values]
    needs = {"thousands"} | ({"ambiguous numbers"} if locale.thousands in ".," else set())
    return Column("stock", "num", [float(value) for value in values], texts, needs)


def money(rng, locale, rows):
    """Amounts with the sign or the code of a currency; negative ones in a style of their own."""
    style = rng.choice(locale.money)
    places = 0 if locale is JA else 2
    needs = {"money"} | _number_needs(locale, thousands=True)
    values = amounts(rng, rows, places)
    negative = rng.choice(["", "-", "parentheses", "trailing minus"])
    needs |= {negative} & {"parentheses", "trailing minus"}
    cells, texts = [], []
    for value in values:
        text = style.format(grouped(value, locale, thousands=True))
        if negative and rng.random() < 0.3:
            value = -value  # noqa: PLW2901 - it is told so
            text = {"-": f"-{text}", "parentheses": f"({text})"}.get(negative, f"{text}-")
        cells.append(float(value))
        texts.append(text)
    return Column("money", "num", cells, texts, needs)


def percent(rng, locale, rows):
    """Shares in percent, which are numbers between 0 and 1."""
    values = [Decimal(rng.randrange(1000)).scaleb(-1) for _ in range(rows)]
    blank = rng.choice(["", " "])
    texts = [f"{grouped(value, locale, thousands=False)}{blank}%" for value in values]
    cells = [float(value.scaleb(-2)) for value in values]
    return Column("percent", "num", cells, texts, {"percent"} | _number_needs(locale, False))


def unit(rng, locale, rows):
    """Numbers with the same unit behind each."""
    values = amounts(rng, rows, 1, 100)
    sign = rng.choice(["kg", " kg", " cm", " km/h"])
    texts = [f"{grouped(value, locale, thousands=False)}{sign}" for value in values]
    cells = [float(value) for value in values]
    return Column("unit", "num", cells, texts, {"units"} | _number_needs(locale, False))


def _long(locale, at):
    return locale.months[at.month - 1]


def _short(locale, at):
    return _long(locale, at)[:3]


def _named(at, locale):
    return f"{at.day} {_long(locale, at)} {at.year}"


#: Styles of dates: what each needs, in which locales it is used, and how it is written.
DATES = {
    "2024-03-31": ("ISO dates", "en de fr ja", lambda at, _: f"{at:%Y-%m-%d}"),
    "2024/03/31": ("ISO dates", "en de fr ja", lambda at, _: f"{at:%Y/%m/%d}"),
    "31.03.2024": ("dates in figures", "de", lambda at, _: f"{at:%d.%m.%Y}"),
    "31/03/2024": ("dates in figures", "fr en", lambda at, _: f"{at:%d/%m/%Y}"),
    "03/31/2024": ("dates in figures", "en", lambda at, _: f"{at:%m/%d/%Y}"),
    "31-03-2024": ("dates in figures", "en de fr", lambda at, _: f"{at:%d-%m-%Y}"),
    "31-Mar-2024": ("dates in words", "en", lambda at, lo: f"{at:%d}-{_short(lo, at)}-{at.year}"),
    "31 mars 2024": ("dates in words", "fr en", _named),
    "31. März 2024": ("dates in words", "de", lambda at, lo: _named(at, lo).replace(" ", ". ", 1)),
    "Mar 31, 2024": (
        "dates in words",
        "en",
        lambda at, lo: f"{_short(lo, at)} {at.day}, {at.year}",
    ),
    "March 31, 2024": (
        "dates in words",
        "en",
        lambda at, lo: f"{_long(lo, at)} {at.day}, {at.year}",
    ),
    "2024年3月31日": ("Japanese dates", "ja", lambda at, _: f"{at.year}年{at.month}月{at.day}日"),
}
#: Styles of timestamps and times of day: what each needs, and how it is written.
STAMPS = {
    "2024-03-31T14:05:09": ("timestamps", lambda at: f"{at:%Y-%m-%dT%H:%M:%S}"),
    "2024-03-31 14:05:09": ("timestamps", lambda at: f"{at:%Y-%m-%d %H:%M:%S}"),
    "2024-03-31 14:05": ("timestamps", lambda at: f"{at:%Y-%m-%d %H:%M}"),
    "2024-03-31 14:05:09.123": ("timestamps", lambda at: f"{at:%Y-%m-%d %H:%M:%S.%f}"[:-3]),
    "2024-03-31T14:05:09Z": ("zones", lambda at: f"{at:%Y-%m-%dT%H:%M:%S}Z"),
    "2024-03-31T14:05:09+02:00": ("zones", lambda at: f"{at:%Y-%m-%dT%H:%M:%S}+02:00"),
    "14:05": ("times of day", lambda at: f"{at:%H:%M}"),
    "14:05:09": ("times of day", lambda at: f"{at:%H:%M:%S}"),
}


def day(rng, locale, rows):
    """Days in one of twelve styles; some are beyond the twelfth, so that the order is certain."""
    known = [style for style in DATES.values() if locale.code in style[1]]
    need, _, write = rng.choice(known)
    start = date(2019, 1, 1)
    values = [start + timedelta(days=rng.randrange(2000)) for _ in range(rows - 2)]
    values += [date(2024, 3, 31), date(2023, 11, 25)]
    texts = [write(value, locale) for value in values]
    return Column("date", "time", [nanoseconds(value) for value in values], texts, {need})


def stamp(rng, _, rows):
    """Timestamps, with and without a zone, and times of day."""
    need, write = rng.choice([*STAMPS.values()])
    start = datetime(2019, 1, 1, tzinfo=UTC)
    moments = [start + timedelta(milliseconds=rng.randrange(150 * 10**9)) for _ in range(rows)]
    texts = [write(at) for at in moments]
    read = time.fromisoformat if need == "times of day" else datetime.fromisoformat
    return Column("date", "time", [nanoseconds(read(text)) for text in texts], texts, {need})


def flag(rng, locale, rows):
    """Two words for yes and no."""
    both = rng.choice(locale.flags)
    cells = [rng.choice(both) for _ in range(rows - 2)] + list(both)
    return Column("flag", "sym", cells, list(cells))


def bit(rng, _, rows):
    """A flag of zeros and ones."""
    cells = [rng.choice("01") for _ in range(rows - 2)] + ["0", "1"]
    return Column("bit", "sym", cells, list(cells), {"flags of 0 and 1"})


def code(rng, _, rows):
    """Keys whose leading zeros count."""
    cells = [f"{value:06}" for value in rng.sample(range(99_999), rows)]
    return Column("code", "sym", cells, list(cells))


def phone(rng, _, rows):
    """Telephone numbers, whose plus counts."""
    cells = [f"+49{rng.randrange(10**9, 10**10)}" for _ in range(rows)]
    return Column("phone", "sym", cells, list(cells))


def word(rng, locale, rows):
    """A few words."""
    cells = [rng.choice(locale.words) for _ in range(rows)]
    return Column("word", "sym", cells, list(cells))


def country(rng, _, rows):
    """Codes of countries, Namibia's among them."""
    cells = [rng.choice(["DE", "FR", "US", "JP"]) for _ in range(rows - 2)] + ["NA", "DE"]
    return Column("country", "sym", cells, list(cells), {"codes that look missing"})


def text(rng, locale, rows):
    """Free text, with delimiters, quotes and line ends in it."""
    bits = [*locale.words, "a, b", 'he said "no"', "1;2", "a|b", "two\nlines", "tab\there"]
    cells = [" / ".join(rng.sample(bits, 3)) for _ in range(rows)]
    return Column("text", "sym", cells, list(cells))


#: Every maker of a column.
MAKERS = (
    *(number, count, stock, money, percent, unit),
    *(day, stamp, flag, bit),
    *(code, phone, word, country, text),
)


def with_missing(column, rng):
    """The column with some cells missing, by one mark."""
    mark = rng.choice(MARKS)
    needs = set(column.needs)
    for i in range(len(column.cells)):
        if rng.random() < 0.15:
            column.cells[i], column.texts[i] = None, mark
            needs |= {"missing marks"} if mark else set()
    return Column(column.name, column.kind, column.cells, column.texts, needs, column.unit)
