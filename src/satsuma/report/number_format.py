"""Number format: as many digits as matter, and no powers of ten if possible; cells, lists."""

import math
import re

import numpy as np

from satsuma.data.summary import cut, short_number
from satsuma.data.table import Table
from satsuma.numerics.arrays import Floats
from satsuma.plan.contrast import Contrast

#: Signs that are no hyphens.
MINUS, DASH = "\N{MINUS SIGN}", "\N{EN DASH}"

#: A range of a contrast, without the name of its column.
_BETWEEN = re.compile(r" in \((\S+), (\S+)\]")

#: What stands for the rows in which a column is missing.
MISSING = "missing"


def format_number(number: float, digits: int = 4) -> str:
    """A number as text: about four significant digits, thousands set apart.

    Examples
    --------
    >>> (
    ...     format_number(1234567.8),
    ...     format_number(0.012345),
    ...     format_number(3.0),
    ...     format_number(2.50001),
    ...     format_number(float("nan")),
    ... )
    ('1,234,568', '0.01235', '3', '2.5', '?')
    """
    if math.isnan(number):
        return "?"
    if math.isinf(number):
        return "∞" if number > 0 else f"{MINUS}∞"
    size = abs(number)
    if size and not 1e-4 <= size < 1e12:
        return f"{number:.{digits - 1}e}".replace("-", MINUS)
    places = 0 if not size else max(0, digits - 1 - math.floor(math.log10(size)))
    text = f"{number:,.{places}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text.replace("-", MINUS)


def format_value(number: float) -> str:
    """A number that stands in a table: as it is if six digits or two decimals are enough.

    Examples
    --------
    >>> format_value(1234567.89), format_value(1023.8), format_value(0.5), format_value(2 / 3)
    ('1,234,567.89', '1,023.8', '0.5', '0.6667')
    """
    short = short_number(number)
    if not math.isfinite(number) or "e" in short or float(short) != number:
        return format_number(number)
    _, _, part = short.partition(".")
    return f"{number:,.{len(part)}f}".replace("-", MINUS)


def median_of(known: Floats) -> float:
    """The median; of huge numbers, too, whose sum overflows.

    Examples
    --------
    >>> median_of(np.array([1.0, 2.0, 3.0, 8.0])), f"{median_of(np.array([1e308, 1.5e308])):.3g}"
    (2.5, '1.25e+308')
    """
    below, above = (len(known) - 1) // 2, len(known) // 2
    parted = np.partition(known, [below, above])
    low, high = float(parted[below]), float(parted[above])
    total = low + high
    return total / 2 if math.isfinite(total) else low / 2 + high / 2


def format_together(*numbers: float) -> list[str]:
    """Numbers as text, with so many digits that the first and the last do not look alike.

    Examples
    --------
    >>> format_together(1, 2, 1_000_000), format_together(1.00001, 1.000015, 1.00002)
    (['1', '2', '1,000,000'], ['1.00001', '1.000015', '1.00002'])
    """
    made = [format_value(number) for number in numbers]
    shown = [float(each.replace(",", "").replace(MINUS, "-").replace("∞", "inf")) for each in made]
    if shown[0] < shown[-1] and shown == sorted(shown):
        return made
    digits = 4
    while digits < 17 and format_number(numbers[0], digits) == format_number(numbers[-1], digits):
        digits += 1
    return [format_number(number, digits + (digits > 4)) for number in numbers]


def percent(share: float) -> str:
    """A share as whole percents, or with one place where they hide something.

    Examples
    --------
    >>> percent(0.5), percent(0.004), percent(1.0), percent(0.9999)
    ('50 %', '0.4 %', '100 %', '>99.9 %')
    """
    if math.isnan(share):
        return "?"
    hundred = 100 * share
    if 0 < hundred < 0.05:
        return "<0.1 %"
    if 99.95 <= hundred < 100:
        return ">99.9 %"
    near = min(hundred, 100 - hundred)
    return f"{hundred:.{0 if near == 0 or near >= 1 else 1}f} %".replace("-", MINUS)


def format_cell(table: Table, row: int, name: str, room: int = 32) -> str:
    """A cell of a table as it is shown; a missing value is a dash.

    Examples
    --------
    >>> days = Table.of([("sunny", 30.5, "no"), (None, None, "yes")], ["sky", "heat", "play"])
    >>> format_cell(days, 0, "heat"), format_cell(days, 1, "sky") == DASH
    ('30.5', True)
    """
    value = table.cell(row, name)
    if value is None:
        return DASH
    if isinstance(value, str):
        return cut(value, room)
    # A year is no amount.
    return f"{value:g}" if name.casefold().endswith("year") else format_value(value)


def format_list(names: list[str], most: int = 5, room: int = 32) -> str:
    """Some names in a sentence.

    Examples
    --------
    >>> format_list(["a", "b", "c"]), format_list(["a"]), format_list(["a", "b", "c"], most=1)
    ('a, b and c', 'a', 'a and 2 more')
    """
    shown = [cut(name, room) for name in names[:most]]
    if len(names) > most:
        return f"{', '.join(shown)} and {len(names) - most:,} more"
    return " and ".join([*([", ".join(shown[:-1])] if shown[1:] else []), *shown[-1:]])


def format_condition(each: Contrast) -> str:
    """What a contrast is of, as it is written by hand."""
    if not each.is_range:
        return each.condition
    rest = each.condition[len(each.column) :]
    if between := _BETWEEN.fullmatch(rest):
        return f"{between[1]} < {each.column} ≤ {between[2]}"
    return f"{each.column}{rest.replace('<=', '≤')}"
