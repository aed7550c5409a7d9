"""Findings about single columns: keys, constants, missing values, codes, spellings."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from satsuma.data.cell_patterns import shape_of
from satsuma.data.identifiers import FEWEST, key_like
from satsuma.data.phrases import quantity, quoted, share
from satsuma.data.summary import short_number
from satsuma.data.table import Table
from satsuma.data.times import spell_time
from satsuma.data.variable import Variable
from satsuma.numerics.arrays import Array, Codes, Floats
from satsuma.report.findings.finding import Finding, leave_out

#: From this share on, a column is mostly missing.
MOSTLY = 0.5

#: Words at the end of a name that is likely to be that of a code rather than of an amount.
_CODES = ("code", "id", "zip", "zipcode", "postcode", "postal", "type", "category", "kind", "group")

#: Numbers that people write for "not known".
_SENTINELS = (-1.0, -9.0, -99.0, -999.0, -9999.0, 99.0, 999.0, 9999.0, 99999.0)

#: The words of a name: pubmed and ID of pubmedID.
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def column_findings(table: Table) -> list[Finding]:
    """The findings about single attributes, in the order of the columns."""
    keys = set(key_like(table))
    return [
        finding
        for variable in table.domain.attributes
        for finding in _findings_of(table, variable, is_key=variable.name in keys)
    ]


def _findings_of(table: Table, variable: Variable, *, is_key: bool) -> Iterator[Finding]:
    name, missing = variable.name, table.missing(variable.name)
    gaps = int(missing.sum())
    if shape := shape_of(variable.values):
        what = f"{quoted(name)} holds {shape.what} as symbols, each a value by itself."
        kind = "dates" if shape.kind == "time" else "numbers"
        yield Finding(name, f"{kind} as symbols", what, shape.remedy(name))
        yield from _missing(variable, gaps, len(table))
        return
    if is_key:
        what = f"{quoted(name)} only counts or names the rows: it says nothing about new rows."
        yield Finding(name, "key", what, leave_out(name))
        return
    if gaps == len(table):
        what = f"{quoted(name)} has no value in any of the {quantity(gaps, 'row')}."
        yield Finding(name, "all missing", what, leave_out(name))
        return
    known = table.column(name)[~missing]
    if (known == known[0]).all():
        yield _constant(variable, known[0], gaps)
        return
    yield from _missing(variable, gaps, len(table))
    if variable.kind == "num":
        yield from _number_findings(name, known)
    elif variable.kind == "sym":
        yield from _symbol_findings(variable, known)


def _missing(variable: Variable, gaps: int, rows: int) -> Iterator[Finding]:
    if gaps >= MOSTLY * rows:
        what = f"{quoted(variable.name)} is missing in {share(gaps, rows)} of the rows"
        known = quantity(rows - gaps, "value")
        yield Finding(
            variable.name, "mostly missing", f"{what}: only {known} to learn from.",
            f"Find out why. If it will be missing in new rows too, {leave_out(variable.name, 'l')}",
        )  # fmt: skip


def _constant(variable: Variable, cell: Any, gaps: int) -> Finding:
    name, value = variable.name, f"{cell:g}" if variable.kind == "num" else ""
    if variable.kind == "time":
        value = spell_time(int(cell.view(np.int64)), variable.time_format) or ""
    elif variable.kind != "num":
        value = quoted(variable.values[int(cell)] if variable.kind == "sym" else str(cell))
    ever = f"always {value}" if not gaps else f"{value} wherever it is known"
    return Finding(name, "constant", f"{quoted(name)} is {ever}: it says nothing.", leave_out(name))


def _number_findings(name: str, known: Floats) -> Iterator[Finding]:
    distinct, counts = np.unique(known, return_counts=True)
    if np.isfinite(distinct[[0, -1]]).all():
        yield from _sentinel(name, distinct, counts)
        yield from _code(name, distinct, counts)
        yield from _far(name, known)


def _sentinel(name: str, distinct: Floats, counts: Array) -> Iterator[Finding]:
    """A number at one end, often there and far from all others, that may stand for 'not known'."""
    if len(distinct) < 10:
        return
    rows = int(counts.sum())
    for at, others in ((0, distinct[1:]), (-1, distinct[:-1])):
        end, times = float(distinct[at]), int(counts[at])
        gap, span = abs(end - float(others[at])), float(others[-1]) - float(others[0])
        known = end in _SENTINELS and gap > max(1.0, 0.1 * span)
        zero = end == 0 and at == 0 and len(others) >= 20 and gap > 0.2 * span
        if (known or zero) and max(3, 0.002 * rows) <= times < rows / 2:
            what = (
                f"{quoted(name)} is {end:g} in {quantity(times, 'row')}, far from all other values"
            )
            yield Finding(
                name, "missing value as a number", f"{what} ({others[0]:g} to {others[-1]:g}).",
                f"If {end:g} stands for 'not known', have it read as missing, spelled as in the "
                f"file: missing=['{end:g}'].",
            )  # fmt: skip


def _code(name: str, distinct: Floats, counts: Array) -> Iterator[Finding]:
    """Whole numbers that are called a code, or look like postal codes; not counts, mostly 0."""
    if len(distinct) < 3 or (distinct % 1 != 0).any() or distinct[counts.argmax()] == 0:
        return
    words = _WORDS.findall(name)
    called = bool(words) and words[-1].lower() in _CODES
    if counts.max() == 1:
        if called and len(distinct) >= FEWEST:
            what = f"{quoted(name)} is another whole number in every row, and is called a code"
            yield Finding(name, "key", f"{what}: it says nothing about new rows.", leave_out(name))
        return
    low, high = float(distinct[0]), float(distinct[-1])
    digits = low >= 10_000 and len(f"{low:.0f}") == len(f"{high:.0f}") and high > 3 * low
    repeat = 2 * len(distinct) <= counts.sum()
    if called or (digits and repeat and len(distinct) >= 20):
        what = f"{quoted(name)} holds {quantity(len(distinct), 'different whole number')}"
        why = ", and is called a code" if called else " of equally many digits, as codes do"
        yield Finding(
            name, "code", f"{what}{why}. A larger code is not more of anything.",
            f"If they are codes, say so: table.with_kinds({{{name!r}: 'sym'}}).",
        )  # fmt: skip


def _far(name: str, known: Floats) -> Iterator[Finding]:
    """A few extreme values, which may be errors of entry."""
    # In units of the largest, so that no difference of huge numbers overflows.
    unit = float(np.abs(known).max()) or 1.0
    low, middle, high = np.quantile(known / unit, [0.25, 0.5, 0.75])
    away = np.abs(known / unit - middle)
    out = away > 50 * (high - low)
    if high > low and 0 < out.sum() <= max(3, 0.001 * len(known)):
        worst = known[away.argmax()]
        yield Finding(
            name, "extreme value",
            f"{quoted(name)} is as far off as {_plain(float(worst))} in "
            f"{quantity(int(out.sum()), 'row')}; half of its values lie between "
            f"{_plain(low * unit)} and {_plain(high * unit)}.",
            "See whether that is an error, or in another unit; correct it, or empty the cell.",
        )  # fmt: skip


def _plain(number: float) -> str:
    """A number in a sentence, with thousands set apart and without powers of ten where it is short.

    Examples
    --------
    >>> _plain(99999.0), _plain(1e6), _plain(0.25)
    ('99,999', '1,000,000', '0.25')
    """
    return f"{number:,.0f}" if number % 1 == 0 and abs(number) < 1e12 else short_number(number)


def _symbol_findings(variable: Variable, known: Codes) -> Iterator[Finding]:
    name, seen = variable.name, np.unique(known)
    yield from _spelling(variable, [int(code) for code in seen])
    if len(seen) >= 50 and len(known) < 10 * len(seen):
        what = f"{quoted(name)} has {quantity(len(seen), 'different value')} in {len(known):,} rows"
        yield Finding(
            name, "many values", f"{what}: about {len(known) / len(seen):.1f} rows for each.",
            f"Group values that mean much the same, or {leave_out(name, 'l')}",
        )  # fmt: skip


def _spelling(variable: Variable, seen: list[int]) -> Iterator[Finding]:
    spelled: dict[str, list[str]] = {}
    for code in seen:
        value = variable.values[code]
        spelled.setdefault(" ".join(value.casefold().split()), []).append(value)
    alike = [group for group in spelled.values() if len(group) > 1]
    if alike:
        what = f"{quoted(variable.name)} has values that differ only in capitals or blanks: "
        more = "" if len(alike) == 1 else f", and {quantity(len(alike) - 1, 'more such group')}"
        yield Finding(
            variable.name, "spelling",
            what + " and ".join(quoted(value) for value in alike[0][:3]) + more + ".",
            "If they mean the same, spell them alike.",
        )  # fmt: skip
