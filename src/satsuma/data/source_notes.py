"""Source notes: what is to be told of a source once all of it was passed."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from itertools import islice
from typing import Any

from satsuma.data.column_plan import ColumnPlan, Resolved
from satsuma.data.flags import flags_note
from satsuma.data.format_notes import doubt_notes, format_notes, likeness_notes
from satsuma.data.missing_marks import NUMBER_MISSING
from satsuma.data.notes import Note, column_list, note
from satsuma.data.profile import MOST_CHARACTERS, Profile
from satsuma.data.spelling import UNSPELLED, Spelling
from satsuma.kernels.csv import DIALLED, DIGITS

#: A date, with its year in one of two places.
_DATE = re.compile(
    r"(?:(\d{4})[-/.]\d\d[-/.]\d\d|\d\d?[-/.]\d\d?[-/.](\d{4}))(?:[ T]\d\d:\d\d\S*)?", re.ASCII
)
_SIGNED = re.compile(r"[ \t]*[+-]?\d+(\.\d*)?[ \t]*", re.ASCII)

#: How a line of a part is called in a note.
Place = Callable[[int, int], str]


def source_notes(guess: ColumnPlan, found: Resolved[Any], place: Place) -> Iterator[Note]:
    """What is to be said about a source once all of it was passed.

    Parameters
    ----------
    guess
        What the first rows said.
    found
        What the whole source holds.
    place
        How to call a line, given the number of its part and its number in it.
    """
    profile: Profile = found.last.profile
    domain = found.plan.domain
    spelling = found.plan.spelling or UNSPELLED
    yield from format_notes(found.plan, spelling)
    yield from likeness_notes(found.plan, spelling)
    if flags := [name for name in domain.names if name in found.plan.flags]:
        yield flags_note(flags)
    if spelling is not UNSPELLED:
        yield from _mark_notes(found.plan, spelling, profile)
        yield from doubt_notes(found.plan, spelling)
        yield from _far_notes(found.plan, profile)
    for name in domain.names:
        if name in guess.by_name and domain[name].kind not in ("num", "time"):
            part, line, cell = found.failed[name]
            yield note("no numbers", name=name, place=place(part, line), cell=cell)
    for name in domain.names:
        before = guess.domain[name].kind if name in guess.domain else None
        if before == "time" != domain[name].kind and not found.plan.spelling:
            far = name in guess.fixed
            cell = found.failed[name][2]
            yield note("far times", name=name) if far else note("no times", name=name, cell=cell)
        yield from _column_notes(name, guess, found.plan, profile)
    yield from _row_notes(profile, place)


def _row_notes(profile: Profile, place: Place) -> Iterator[Note]:
    """Notes on lines and rows that were left out, mended or kept aside."""
    if count := profile.blank:
        lines = "1 blank line was" if count == 1 else f"{count} blank lines were"
        yield note("blank lines", lines=lines, place=place(*profile.first_blank))
    for what in dict.fromkeys(what for _, _, what in profile.mended):
        lines = [place(part, line) for part, line, each in profile.mended if each == what]
        yield note("mended rows", what=what, lines=", ".join(lines))
    if count := profile.left_out:
        part, row = profile.aside[0]
        rows = "1 row was" if count == 1 else f"{count} rows were"
        yield note("rows aside", rows=rows, place=place(part, row.line))


def _column_notes(
    name: str, guess: ColumnPlan, plan: ColumnPlan, profile: Profile
) -> Iterator[Note]:
    variable, words = plan.domain[name], profile.words.get(name)
    sorts = profile.sorts.get(name, set())
    if "word" in sorts and len(sorts) > 1 and name not in guess.strict:
        yield note("numbers and words", name=name)
    if sorts == {"number"} and variable.kind == "sym" and name not in plan.flags | plan.strict:
        yield note("large numbers", name=name)
    new = variable.values[guess.listed.get(name, 0) :]
    if name in guess.listed and new:
        values = f"{', '.join(map(repr, new[:3]))}{' and others' if len(new) > 3 else ''}"
        yield note("values not listed", name=name, values=values)
    if name in guess.soft and variable.kind != "num":
        yield note("no goal", name=name)
    if words is None:
        return
    if plan.spelling and name not in guess.strict and _are_dialled(words.values):
        yield note("telephone numbers", name=name, digits=DIGITS)
    if words.too_many:
        yield note("too many strings", name=name, most=MOST_CHARACTERS)


def _are_dialled(values: Collection[str]) -> bool:
    """Whether symbols are numbers but for the plus of a telephone number."""
    sample = list(islice(values, 1000))
    if not sample or not all(map(_SIGNED.fullmatch, sample)):
        return False
    return any("+" in value and DIALLED.fullmatch(value.strip()) for value in values)


def _mark_notes(plan: ColumnPlan, spelling: Spelling, profile: Profile) -> Iterator[Note]:
    """A note for the columns that hold the same missing marks."""
    groups, codes = defaultdict[tuple[str, ...], list[str]](list), list[str]()
    for variable in plan.domain:
        name, words = variable.name, profile.words.get(variable.name)
        met: Collection[str] = profile.met.get(name, ())
        if variable.kind in ("sym", "text") and words is not None:
            met = spelling.marks.get(name, frozenset()).intersection(words.values)
            if spelling.told and "NA" in words.values and "NA" not in met:
                codes.append(name)
        if met:
            groups[tuple(mark for mark in NUMBER_MISSING if mark in met)].append(name)
    for marks, names in groups.items():
        listed = (
            " and ".join(map(repr, marks[:2]))
            if len(marks) < 3
            else (f"{', '.join(map(repr, marks[:2]))} and {len(marks) - 2} more marks")
        )
        told = f"{listed} {'was' if len(marks) == 1 else 'were'}"
        yield note("missing marks", marks=told, columns=column_list(names))
    if codes:
        yield note("codes", columns=column_list(codes))


def _far_notes(plan: ColumnPlan, profile: Profile) -> Iterator[Note]:
    """A note for each column of dates that cannot be counted."""
    for variable in plan.domain:
        words = profile.words.get(variable.name)
        if variable.kind not in ("sym", "text") or words is None or variable.name in plan.strict:
            continue
        found = [_DATE.fullmatch(value) for value in islice(words.values, 1000)]
        far = (each[0] for each in found if each and not 1678 <= int(each[1] or each[2]) <= 2261)
        if all(found) and (cell := next(far, None)):
            yield note("far dates", name=variable.name, cell=cell)
