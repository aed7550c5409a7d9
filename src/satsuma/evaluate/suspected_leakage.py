"""Suspected leakage: columns that seem to know the target are left out, and that is said."""

import shlex
from collections.abc import Collection, Iterable, Mapping
from typing import Any, cast

from satsuma.data.notes import Note
from satsuma.data.phrases import quoted
from satsuma.data.table import Table
from satsuma.errors import ParameterError
from satsuma.evaluate.leakage import find_leakage
from satsuma.evaluate.results_display import number

#: Why columns are left out, by their names.
Leaks = Mapping[str, str]


def suspects(table: Table, trusted: Collection[str] = ()) -> dict[str, str]:
    """Columns that alone predict nearly all of the target, and why; none where no other is left.

    Parameters
    ----------
    table
        The rows.
    trusted
        Columns that are known before the target, whatever they predict.
    """
    names = [v.name for v in table.domain.attributes if v.name not in trusted]
    found = find_leakage(table, names)
    return {each.column: each.sentence for each in found} if len(found) < len(names) else {}


def leaks_of(leaks: Leaks | Iterable[str] | None, table: Table) -> dict[str, str]:
    """The columns that are left out, and why: those that are named, or else the suspects."""
    if leaks is None:
        return suspects(table)
    given: Any = leaks
    if not isinstance(given, Iterable):
        raise ParameterError(
            f"leaks= must name columns, as in leaks=['ward']; leaks=() names none. Got {leaks!r}."
        )
    if isinstance(leaks, Mapping):
        found = dict(cast("Leaks", leaks))
    else:
        named = [leaks] if isinstance(leaks, str) else list(cast("Iterable[Any]", leaks))
        found = {name: f"{quoted(str(name))} was named." for name in named}
    return {name: why for name, why in found.items() if table.domain[name].role == "x"}


def without(table: Table, leaks: Collection[str]) -> Table:
    """The table, nothing being learned from columns that may know the target."""
    return table.with_roles(dict.fromkeys(leaks, "meta")) if leaks else table


def leakage_note(leaks: Leaks, scored: str = "") -> Note:
    """Why columns are left out, what the score is with them, and how to use them all the same."""
    it, they = ("it", "it is") if len(leaks) == 1 else ("them", "they are")
    why = f"{' '.join(leaks.values())} Nothing was learned from {it}: that may be leakage.{scored}"
    known = f"If {they} known before the target, use {it}"
    options = " ".join(f"--use {shlex.quote(name)}" for name in leaks)
    return Note(f"{why} {known}: leaks=().", "leakage", f"{why} {known}: {options}.")


def with_leaks_in_words(leaks: Leaks, score: str, whole: float, honest: float) -> str:
    """What a score would seem to be with columns that are left out, as a sentence behind others.

    Examples
    --------
    >>> with_leaks_in_words({"ward": "…"}, "accuracy", 1.0, 0.8123)
    ' With it, the accuracy would seem to be 1.0000; without, it is 0.8123.'
    """
    it = "it" if len(leaks) == 1 else "them"
    seems = f"the {score} would seem to be {number(whole)}"
    return f" With {it}, {seems}; without, it is {number(honest)}."
