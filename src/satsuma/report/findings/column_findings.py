"""What may be wrong with one column: keys, constants, holes, codes, spellings."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from satsuma.data.identifiers import FEWEST, key_like
from satsuma.data.shapes import shape_of
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.numerics.arrays import Array, Codes, Floats
from satsuma.report.findings.finding import Doubt, counted, named, share

#: From this share on, a column is mostly missing.
MOSTLY = 0.5

#: Words at the end of a name that is likely to be that of a code rather than of an amount.
_CODES = ("code", "id", "zip", "zipcode", "postcode", "postal", "type", "category", "kind", "group")

#: Numbers that people write for "not known".
_SENTINELS = (-1.0, -9.0, -99.0, -999.0, -9999.0, 99.0, 999.0, 9999.0, 99999.0)

#: The words of a name: pubmed and ID of pubmedID.
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")

_LEAVE = "Leave it out: give it the role 'ignore'."


def column_doubts(table: Table) -> list[Doubt]:
    """The doubts about single attributes, in the order of the columns."""
    keys = set(key_like(table))
    found: list[Doubt] = []
    for variable in table.domain.attributes:
        name = variable.name
        if shape := shape_of(variable.values):
            told = f"{named(name)} holds {shape.what} as symbols, each a value by itself."
            kind = "dates" if shape.what == "dates" else "numbers"
            found.append(Doubt(name, f"{kind} as symbols", told, shape.remedy))
            found += _of_holes(variable, int(table.missing(name).sum()), len(table))
            continue
        if name in keys:
            told = f"{named(name)} only counts or names the rows: it tells nothing of rows to come."
            found.append(Doubt(name, "key", told, _LEAVE))
            continue
        missing = table.missing(name)
        holes = int(missing.sum())
        if holes == len(table):
            told = f"{named(name)} has no value in any of the {counted(holes, 'row')}."
            found.append(Doubt(name, "all missing", told, _LEAVE))
            continue
        known = table.column(name)[~missing]
        if (known == known[0]).all():
            found.append(_constant(variable, known[0], holes))
            continue
        found += _of_holes(variable, holes, len(table))
        if variable.kind == "num":
            found += _of_numbers(name, known)
        elif variable.kind == "sym":
            found += _of_symbols(variable, known)
    return found


def _of_holes(variable: Variable, holes: int, rows: int) -> Iterator[Doubt]:
    if holes >= MOSTLY * rows:
        told = f"{named(variable.name)} is missing in {share(holes, rows)} of the rows"
        known = counted(rows - holes, "value")
        yield Doubt(
            variable.name, "mostly missing", f"{told}: only {known} to learn from.",
            "Find out why. If rows to come will lack it too, leave it out.",
        )  # fmt: skip


def _constant(variable: Variable, cell: Any, holes: int) -> Doubt:
    name, value = variable.name, f"{cell:g}" if variable.kind == "num" else ""
    if variable.kind != "num":
        value = named(variable.values[int(cell)] if variable.kind == "sym" else str(cell))
    ever = f"always {value}" if not holes else f"{value} wherever it is known"
    return Doubt(name, "constant", f"{named(name)} is {ever}: it tells nothing.", _LEAVE)


def _of_numbers(name: str, known: Floats) -> Iterator[Doubt]:
    distinct, counts = np.unique(known, return_counts=True)
    if np.isfinite(distinct[[0, -1]]).all():
        yield from _sentinel(name, distinct, counts)
        yield from _code(name, distinct, counts)
        yield from _far(name, known)


def _sentinel(name: str, distinct: Floats, counts: Array) -> Iterator[Doubt]:
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
            told = f"{named(name)} is {end:g} in {counted(times, 'row')}, far from all other values"
            yield Doubt(
                name, "missing as a number", f"{told} ({others[0]:g} to {others[-1]:g}).",
                f"If {end:g} stands for 'not known', make these cells empty.",
            )  # fmt: skip


def _code(name: str, distinct: Floats, counts: Array) -> Iterator[Doubt]:
    """Whole numbers that are called a code, or look like postal codes; not counts, mostly 0."""
    if len(distinct) < 3 or (distinct % 1 != 0).any() or distinct[counts.argmax()] == 0:
        return
    words = _WORDS.findall(name)
    called = bool(words) and words[-1].lower() in _CODES
    if counts.max() == 1:
        if called and len(distinct) >= FEWEST:
            told = f"{named(name)} is another whole number in every row, and is called a code"
            yield Doubt(name, "key", f"{told}: it tells nothing of rows to come.", _LEAVE)
        return
    low, high = float(distinct[0]), float(distinct[-1])
    digits = low >= 10_000 and len(f"{low:.0f}") == len(f"{high:.0f}") and high > 3 * low
    if called or (digits and len(distinct) >= 20):
        told = f"{named(name)} holds {counted(len(distinct), 'different whole number')}"
        why = "and is called a code" if called else "of equally many digits, as codes do"
        yield Doubt(
            name, "code", f"{told} {why}: a larger code is not more of anything.",
            "If they are codes, say so: give the column the kind 'sym'.",
        )  # fmt: skip


def _far(name: str, known: Floats) -> Iterator[Doubt]:
    """A few numbers so far out that they may be slips of the pen."""
    # In units of the largest, so that no difference of huge numbers overflows.
    unit = float(np.abs(known).max()) or 1.0
    low, middle, high = np.quantile(known / unit, [0.25, 0.5, 0.75])
    away = np.abs(known / unit - middle)
    out = away > 50 * (high - low)
    if high > low and 0 < out.sum() <= max(3, 0.001 * len(known)):
        worst = known[away.argmax()]
        yield Doubt(
            name, "far off",
            f"{named(name)} is as far off as {worst:g} in {counted(int(out.sum()), 'row')}, "
            f"where half of its values lie between {low * unit:g} and {high * unit:g}.",
            "See whether that is a slip, or another unit; correct it or make the cell empty.",
        )  # fmt: skip


def _of_symbols(variable: Variable, known: Codes) -> Iterator[Doubt]:
    name, seen = variable.name, np.unique(known)
    yield from _spelling(variable, [int(code) for code in seen])
    if len(seen) >= 50 and len(known) < 10 * len(seen):
        told = f"{named(name)} has {counted(len(seen), 'different value')} in {len(known):,} rows"
        yield Doubt(
            name, "many values", f"{told}: about {len(known) / len(seen):.1f} rows for each.",
            "Put values together that mean much the same, or leave it out.",
        )  # fmt: skip


def _spelling(variable: Variable, seen: list[int]) -> Iterator[Doubt]:
    spelled: dict[str, list[str]] = {}
    for code in seen:
        value = variable.values[code]
        spelled.setdefault(" ".join(value.casefold().split()), []).append(value)
    alike = [group for group in spelled.values() if len(group) > 1]
    if alike:
        told = f"{named(variable.name)} has values that differ only in capitals or blanks: "
        more = "" if len(alike) == 1 else f", and {counted(len(alike) - 1, 'more such group')}"
        yield Doubt(
            variable.name, "spelling",
            told + " and ".join(named(value) for value in alike[0][:3]) + more + ".",
            "Spell them alike, if they mean the same.",
        )  # fmt: skip
