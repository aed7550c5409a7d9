"""Recognition: how people wrote the numbers and times of a column, told by all of its strings.

Nothing is told by one cell alone: a format holds for every string of a column, or it is none.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from satsuma.data.format_evidence import CURRENCIES, UNITS, is_weak
from satsuma.data.missing_marks import NUMBER_MISSING
from satsuma.data.readings import SAMPLE, Doubt, different, readings
from satsuma.data.time_recognition import date_order, recognise_time
from satsuma.kernels.csv import (
    BLANKS,
    Format,
    NumberFormat,
)

#: Decimal mark and separator of thousands, the plainest first.
CONVENTIONS = (
    (".", ""),
    (".", ","),
    (",", ""),
    (",", "."),
    (",", " "),
    (".", " "),
    (".", "'"),
    (",", "'"),
)

_B = f"[{BLANKS}]*"
_SIGN = r"[+\-\u2212]?"
_AFFIX = r"[^\d+\-\u2212().,'\u2019" + BLANKS + r"][^\d+\-\u2212()" + BLANKS + r"]{0,7}"
_CELL = re.compile(
    rf"{_B}\(?{_B}{_SIGN}{_B}(?P<before>{_AFFIX})?{_B}\(?{_B}{_SIGN}{_B}"
    rf"(?:\d[\d.,'\u2019{BLANKS}]*\d|\d[.,]?|[.,]\d+)(?:[eE][+-]?\d+)?"
    rf"[-\u2212]?\)?{_B}(?P<after>{_AFFIX})?[-\u2212]?\)?{_B}",
    re.ASCII,
)

F = TypeVar("F", bound=Format)


@dataclass(frozen=True)
class Hints:
    """What is known of a file beside the column, where one column alone leaves it open.

    Parameters
    ----------
    decimal
        The decimal mark of its numbers.
    dates
        The order of day, month and year where it is open: ``dmy``, ``mdy`` or ``ymd``.
    missing
        Spellings of a missing cell, which tell nothing.
    fallback
        The decimal mark where nothing tells it.
    """

    decimal: str | None = None
    dates: str | None = None
    missing: tuple[str, ...] = NUMBER_MISSING
    fallback: str | None = None


def recognise(values: Iterable[str], hints: Hints | None = None) -> Format | Doubt | None:
    """How all strings of a column are written, what is in doubt, or None for just strings.

    Examples
    --------
    >>> recognise(["$1,694.08", "$12.50", "-"])
    NumberFormat(decimal='.', thousands=',', before='$', after='')
    >>> recognise(["03.04.2024", "13.04.2024"])
    TimeFormat(pattern='%d.%m.%Y', language='en', zone='Z')
    >>> recognise(["03/04/2024", "05/04/2024"])  # doctest: +ELLIPSIS
    Doubt(formats=(TimeFormat(pattern='%d/%m/%Y', ...), TimeFormat(pattern='%m/%d/%Y', ...)))
    >>> recognise(["1:10", "1:25"])  # doctest: +ELLIPSIS
    Doubt(formats=(TimeFormat(pattern='%-H:%M', ...),))
    >>> recognise(["3 apples", "red"]) is None
    True
    """
    found = _recognise_open(values, hints or Hints())
    return _by_currency(found) if isinstance(found, Doubt) else found


def _recognise_open(values: Iterable[str], hints: Hints) -> Format | Doubt | None:
    """The same, where amounts of money with one mark are in doubt like all others."""
    missing = {"", *hints.missing}
    known = [value for value in dict.fromkeys(values) if value.strip(BLANKS) not in missing]
    if not known:
        return None
    found = recognise_number(known, hints.decimal) or recognise_time(known, hints.dates)
    if found is None or isinstance(found, Doubt) or not is_weak(found, known):
        return found
    said = hints.dates is not None and date_order(found) is not None
    return found if said else Doubt((found,))


def recognise_columns(
    columns: Mapping[str, Collection[str]],
    hints: Hints | None = None,
    likely: Hints | None = None,
) -> tuple[dict[str, Format | Doubt], Hints]:
    """How each column is written, and what all of them tell about the file.

    One that leaves it open follows the others, if these agree.

    Parameters
    ----------
    columns
        The strings of each.
    hints
        What is known for certain.
    likely
        What other columns of the file tell.
    """
    hints, likely = hints or Hints(), likely or Hints()
    found: dict[str, Format | Doubt] = {
        name: form
        for name, values in columns.items()
        if (form := _recognise_open(values, hints)) is not None
    }
    before = _only(_decimals(found, columns) | {likely.decimal})
    found = {
        name: _by_currency(form, before) if isinstance(form, Doubt) else form
        for name, form in found.items()
    }
    decimals = _decimals(found, columns) | {likely.decimal}
    sure = [form for form in found.values() if not isinstance(form, Doubt)]
    orders = {likely.dates, *map(date_order, sure)}
    told = Hints(
        decimal=hints.decimal or _only(decimals),
        dates=hints.dates or _only(orders),
        missing=hints.missing,
        fallback=hints.fallback if decimals == {None} else None,
    )
    settled = {
        name: _followed(form, told, hints, columns[name]) if isinstance(form, Doubt) else form
        for name, form in found.items()
    }
    return settled, told


def _decimals(
    found: Mapping[str, Format | Doubt], columns: Mapping[str, Collection[str]]
) -> set[str | None]:
    """The decimal marks that columns tell which are in no doubt."""
    sure = ((name, form) for name, form in found.items() if not isinstance(form, Doubt))
    return {decimal_of(form, columns[name]) for name, form in sure}


def _by_currency(doubt: Doubt, decimal: str | None = None) -> Format | Doubt:
    """Amounts of money follow the file; if it tells nothing, they have thousands.

    Hardly anybody writes thousandths of a currency, but fuel is sold at 1.459 € a litre.
    """
    numbers = [each for each in doubt.formats if isinstance(each, NumberFormat)]
    money = [each for each in numbers if {each.before, each.after} & CURRENCIES]
    form = settle_doubt(doubt, Hints(decimal)) if money else doubt
    grouped = [each for each in money if each.thousands]
    alone = isinstance(form, Doubt) and len(grouped) == 1 < len(money)
    return grouped[0] if alone else form


def _followed(doubt: Doubt, told: Hints, said: Hints, values: Collection[str]) -> Format | Doubt:
    """What other columns make of a doubt, unless the strings may as well be something else."""
    form = settle_doubt(doubt, told)
    weak = not isinstance(form, Doubt) and said.dates is None and is_weak(form, values)
    return Doubt((form,)) if weak and not isinstance(form, Doubt) else form


def settle_doubt(doubt: Doubt, hints: Hints) -> Format | Doubt:
    """The one of several formats that fits the hints; the doubt where none or several do."""
    left = [form for form in doubt.formats if _fits(form, hints)]
    return left[0] if len(left) == 1 < len(doubt.formats) else doubt


def _fits(form: Format, hints: Hints) -> bool:
    if isinstance(form, NumberFormat):
        return form.decimal == (hints.decimal or hints.fallback)
    return hints.dates is not None and date_order(form) == hints.dates


def decimal_of(form: Format, values: Iterable[str]) -> str | None:
    """The decimal mark of the file, as far as a column of a format tells it.

    Examples
    --------
    >>> decimal_of(NumberFormat(after="%"), ["12.5%"]), decimal_of(NumberFormat(after="%"), ["5%"])
    ('.', None)
    """
    if not isinstance(form, NumberFormat):
        return None
    fraction = re.compile(rf"\d{re.escape(form.decimal)}\d", re.ASCII)
    tells = form.thousands in (".", ",") or any(map(fraction.search, values))
    return form.decimal if tells and form.decimal else None


def _only(found: set[str | None]) -> str | None:
    each = found - {None}
    return each.pop() if len(each) == 1 else None


def doubt_options(doubt: Doubt) -> tuple[str, list[str]]:
    """The option that settles a doubt, and what can be passed to it.

    Examples
    --------
    >>> doubt_options(Doubt((NumberFormat(".", ","), NumberFormat(","))))
    ('decimal', ['.', ','])
    """
    found = [
        form.decimal if isinstance(form, NumberFormat) else date_order(form) or "dmy"
        for form in doubt.formats
    ]
    numbers = isinstance(doubt.formats[0], NumberFormat)
    return "decimal" if numbers else "dates", list(dict.fromkeys(found))


def recognise_number(
    values: Sequence[str], decimal: str | None = None
) -> NumberFormat | Doubt | None:
    """How numbers are written, told by all strings of a column; None where some are no numbers."""
    if (affixes := _affixes(values[:SAMPLE])) is None:
        return None
    before, after = affixes
    forms = [NumberFormat(*marks, before, after) for marks in CONVENTIONS]
    forms = [form for form in forms if decimal in (None, form.decimal)]
    forms = different(readings(values, forms))
    if len(forms) < 2:
        return forms[0] if forms else None
    return Doubt(tuple(forms))


def _affixes(sample: Sequence[str]) -> tuple[str, str] | None:
    """The currency or unit before and behind every number; None where they are not the same."""
    found = set[tuple[str, str]]()
    for value in sample:
        if (match := _CELL.fullmatch(value)) is None:
            return None
        found.add((match["before"] or "", match["after"] or ""))
    if len(found) != 1:
        return None
    before, after = found.pop()
    behind = CURRENCIES if before else CURRENCIES | UNITS  # $5m is no length
    if before not in CURRENCIES | {""} or after not in behind | {""}:
        return None
    return before, after
