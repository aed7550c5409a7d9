"""Notes: what the reader decided about a source, and what could be doubted."""

import re
from collections.abc import Callable, Collection, Iterator
from itertools import islice
from typing import Any

from satsuma.data.column_plan import ColumnPlan, Resolved
from satsuma.data.profile import MOST_CHARACTERS, Profile
from satsuma.kernels.csv import DIALLED, DIGITS

_GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?", re.ASCII)
_DECIMAL = re.compile(r"[+-]?\d+(,\d+)?", re.ASCII)
_ALMOST = "looks like numbers with {} and was kept as symbols. Pass {}=',' to read numbers."
_SIGNED = re.compile(r"[ \t]*[+-]?\d+(\.\d*)?[ \t]*", re.ASCII)

#: How a line of a part is called in a note.
Place = Callable[[int, int], str]


def source_notes(guess: ColumnPlan, found: Resolved[Any], place: Place) -> Iterator[str]:
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
    for name in domain.names:
        if name in guess.by_name and domain[name].kind != "num":
            part, line, cell = found.failed[name]
            yield (
                f"Column {name!r} is numeric by its name, but {place(part, line)} holds {cell!r}; "
                f"read as symbols."
            )
    for name in domain.names:
        if name in guess.fixed and guess.domain[name].kind == "time" != domain[name].kind:
            yield times_note(name)
        yield from _column_notes(name, guess, found.plan, profile)
    if count := profile.blank:
        lines = "1 blank line was" if count == 1 else f"{count} blank lines were"
        yield f"{lines} left out, the first at {place(*profile.first_blank)}."
    for what in dict.fromkeys(what for _, _, what in profile.mended):
        lines = [place(part, line) for part, line, each in profile.mended if each == what]
        yield f"Mended: {what} in {', '.join(lines)}."
    if count := profile.left_out:
        part, row = profile.aside[0]
        rows = "1 row was" if count == 1 else f"{count} rows were"
        yield f"{rows} kept aside, the first at {place(part, row.line)}."


def _column_notes(
    name: str, guess: ColumnPlan, plan: ColumnPlan, profile: Profile
) -> Iterator[str]:
    variable, words = plan.domain[name], profile.words.get(name)
    sorts = profile.sorts.get(name, set())
    if "word" in sorts and len(sorts) > 1 and name not in guess.strict:
        yield mixed_note(name)
    new = variable.values[guess.listed.get(name, 0) :]
    if name in guess.listed and new:
        yield (
            f"Column {name!r} holds {', '.join(map(repr, new[:3]))}"
            f"{' and others' if len(new) > 3 else ''}, which its header does not list; added."
        )
    if name in guess.soft and variable.kind != "num":
        yield f"Column {name!r} is a goal by its name but holds no numbers; read as no goal."
    if words is None:
        return
    if guess.spelled and name not in guess.strict:
        yield from spelling_notes(name, words.values)
    if words.too_many:
        yield (
            f"Column {name!r} has distinct strings of more than {MOST_CHARACTERS:,} "
            f"characters; read as text."
        )


def mixed_note(name: str) -> str:
    """What to say about a column of numbers and words."""
    return f"Column {name!r} holds numbers and words; the numbers became symbols too."


def dates_note(name: str) -> str:
    """What to say about a column of dates or times that are not of one sort."""
    return (
        f"Column {name!r} holds dates or times of several sorts; they became symbols, spelled as "
        f"in ISO 8601."
    )


def times_note(name: str) -> str:
    """What to say about times that nanoseconds cannot count."""
    return (
        f"Column {name!r} holds times before 1678 or after 2261, which are not counted in "
        f"nanoseconds; they became symbols, spelled as in ISO 8601."
    )


def seconds_note(name: str) -> str:
    """What to say about a column of lengths of time."""
    return f"Column {name!r} holds lengths of time; they became numbers of seconds."


def periods_note(name: str) -> str:
    """What to say about periods of pandas that are not told by when they begin."""
    return (
        f"Column {name!r} holds periods of pandas; they became symbols. .dt.to_timestamp() makes "
        f"times of them."
    )


def beyond_note(name: str) -> str:
    """What to say about a column of numbers that a float cannot tell apart."""
    return (
        f"Column {name!r} holds numbers beyond 2**53, which would lose digits; they became "
        f"symbols. Use kinds={{{name!r}: 'num'}} to have numbers all the same."
    )


def spelling_notes(name: str, values: Collection[str]) -> list[str]:
    """What is to be said of symbols that are almost numbers, by how they are spelled."""
    sample = list(islice(values, 1000))
    told = ""
    if not sample:
        pass
    elif all(map(_GROUPED.fullmatch, sample)):
        told = _ALMOST.format("separators of thousands", "thousands")
    elif all(map(_DECIMAL.fullmatch, sample)) and any("," in value for value in sample):
        told = _ALMOST.format("decimal commas", "decimal")
    elif all(map(_SIGNED.fullmatch, sample)) and any(
        "+" in v and DIALLED.fullmatch(v.strip()) for v in values
    ):
        told = (
            f"holds numbers with a plus and {DIGITS} or more digits and was kept as symbols, so "
            f"that no plus is lost. Pass kinds={{{name!r}: 'num'}} to read numbers."
        )
    return [f"Column {name!r} {told}"] if told else []
