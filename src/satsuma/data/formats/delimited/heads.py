"""Heads: what a header line says about each column: its name, its kind, its role."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from satsuma.data.column_names import distinct_names
from satsuma.data.variable import Goal, Role
from satsuma.errors import ReadError, hint

_KINDS = {
    **dict.fromkeys(("c", "continuous"), "num"),
    **dict.fromkeys(("d", "discrete"), "sym"),
    **dict.fromkeys(("s", "string"), "text"),
}
_ROLES = {
    "": "x",
    "class": "target",
    "meta": "meta",
    "i": "ignore",
    "ignore": "ignore",
    "weight": "weight",
}
_PREFIX = re.compile(r"(?P<role>[mciw]?)(?P<kind>[CDS]?)#(?P<name>.*)", re.DOTALL)
_PREFIX_KINDS = {"C": "num", "D": "sym", "S": "text", "": None}
_PREFIX_ROLES = {"m": "meta", "c": "target", "i": "ignore", "w": "weight", "": "x"}


@dataclass
class Head:
    """What is known of one column from the header."""

    name: str
    kind: str | None = None
    values: tuple[str, ...] = ()
    role: Role = "x"
    goal: Goal | None = None
    #: Whether a cell that does not fit the kind makes the column a symbol instead of an error.
    doubtful: bool = True


def plain_heads(cells: Sequence[str]) -> tuple[list[Head], list[str]]:
    """Columns from a line of names; blanks around them are left out."""
    bare = [cell.strip() for cell in cells]
    names, notes = distinct_names(bare)
    cut = [cell for cell, name in zip(cells, bare, strict=True) if cell != name]
    if cut:
        notes = [*notes, f"Blanks around {_some(cut)} were left out of the names."]
    return [Head(name) for name in names], notes


def _some(names: Sequence[str], most: int = 3) -> str:
    told = ", ".join(map(repr, names[:most]))
    return told + (f" and {len(names) - most} more names" if len(names) > most else "")


def prefixed(cells: Sequence[str]) -> bool:
    """Whether names carry prefixes such as ``C#`` or ``mD#``."""
    found = [_PREFIX.fullmatch(cell.strip()) for cell in cells]
    return any(match and (match["role"] or match["kind"]) for match in found)


def prefixed_heads(cells: Sequence[str]) -> tuple[list[Head], list[str]]:
    """Columns from a line of names with prefixes."""
    found = [_PREFIX.fullmatch(cell.strip()) for cell in cells]
    heads, notes = plain_heads([m["name"] if m else c for m, c in zip(found, cells, strict=True)])
    for head, match in zip(heads, found, strict=True):
        if match:
            head.kind = _PREFIX_KINDS[match["kind"]]
            head.role = cast("Role", _PREFIX_ROLES[match["role"]])
            head.doubtful = head.kind is None
    return heads, notes


def tab_heads(
    names: Sequence[str], kinds: Sequence[str], roles: Sequence[str], file: str
) -> tuple[list[Head], list[str]]:
    """Columns from the three header lines of a ``.tab`` file: names, types, roles."""
    heads, notes = plain_heads(names)
    for line, cells in ((2, kinds), (3, roles)):
        if len(cells) > len(heads):
            raise ReadError(
                f"{len(cells)} cells under {len(heads)} names",
                file=file,
                line=line,
                remedy=THREE_LINES,
            )
    for head, kind in zip(heads, kinds, strict=False):
        head.kind, head.values = _tab_kind(kind)
        head.doubtful = head.kind is None
    for head, role in zip(heads, roles, strict=False):
        if role.strip() not in _ROLES:
            raise ReadError(
                f"{role.strip()!r} is not a role",
                file=file,
                line=3,
                remedy=f"{hint(role.strip(), filter(None, _ROLES))} {THREE_LINES}",
            )
        head.role = cast("Role", _ROLES[role.strip()])
    return heads, notes


THREE_LINES = (
    "A .tab file has three header lines (names, types, roles); "
    "if this one has only names, pass format='tsv'."
)


def _tab_kind(spelled: str) -> tuple[str | None, tuple[str, ...]]:
    word = spelled.strip(" \t")
    if not word:
        return None, ()
    if word in _KINDS:
        return _KINDS[word], ()
    # A backslash keeps the character behind it, a blank above all.
    words = re.findall(r"(?:\\.|[^\\ \t])+", spelled, re.DOTALL)
    values = tuple(dict.fromkeys(re.sub(r"\\(.)", r"\1", word, flags=re.DOTALL) for word in words))
    return "sym", values
