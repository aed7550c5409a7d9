"""Heads: what a header line says about each column: its name, its kind, its role.

Names may have marks. Behind a name stand those of ``Mpg+``, ``Lbs-``, ``play!`` and ``HpX``. Any
stranger's column may end like that (``CD4+``, ``MAX``), so they are believed only when that is
asked for. In front of it stand a role, a kind and a ``#``, as in ``cD#play``: a header in which
every name begins like that can be nothing else, and it is what `satsuma.write` writes where cells
alone do not say enough.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from satsuma.data.domain import distinct_names
from satsuma.data.notes import note
from satsuma.data.variable import Goal, Role, Variable
from satsuma.errors import ReadError

_ENDS = {"!": "target", "+": "goal", "-": "goal", "X": "ignore"}

#: Those that nobody ignores: a final X alone is in too many names to be doubted.
_ROLE_ENDS = frozenset("!+-")

_FRONT = re.compile(r"(?P<role>[xcmiwud]?)(?P<kind>[CDST])#(?P<name>.+)", re.DOTALL)
_FRONT_KINDS = {"C": "num", "D": "sym", "S": "text", "T": "time"}
_FRONT_ROLES = {
    "x": "x",
    "c": "target",
    "m": "meta",
    "i": "ignore",
    "w": "weight",
    "u": "+",
    "d": "-",
}
_KIND_LETTERS = {kind: letter for letter, kind in _FRONT_KINDS.items()}
_ROLE_LETTERS = {role: letter for letter, role in _FRONT_ROLES.items()}


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
        notes = [*notes, note("blanks in names", names=_some(cut))]
    return [Head(name) for name in names], notes


def _some(names: Sequence[str], most: int = 3) -> str:
    told = ", ".join(map(repr, names[:most]))
    return told + (f" and {len(names) - most} more names" if len(names) > most else "")


def last_mark(name: str) -> str:
    """The last character of a name, which may be a mark; none of a name of one."""
    return name[-1] if len(name) > 1 else ""


def marks_note(heads: Sequence[Head]) -> list[str]:
    """What is to be said of names that end like marks where nobody asked for marks."""
    names = [h.name for h in heads if h.kind is None and last_mark(h.name) in _ROLE_ENDS]
    if not names:
        return []
    told = f"The name {names[0]!r} ends like a mark and was"
    if len(names) > 1:
        told = f"{len(names)} names end like marks, as {names[0]!r} does, and were"
    return [note("no marks", names=told)]


def apply_marks(heads: Sequence[Head], target: str | None, file: str) -> list[Head]:
    """Kinds and roles from the ends of names.

    A first letter in upper case: numeric; a last ``!``: the target; ``+``, ``-``: goals; ``X``:
    ignored.
    """
    aims = [head.name for head in heads if last_mark(head.name) == "!"]
    if len(aims) > 1 and target is None:
        raise ReadError(
            f"{len(aims)} columns end in '!', the mark of the target: {', '.join(map(repr, aims))}",
            file=file,
            line=1,
            remedy="Say which one it is with target=, or that these are no marks with marks=False.",
        )
    made: list[Head] = []
    for head in heads:
        last = last_mark(head.name)
        role = _ENDS.get(last, "x")
        if role == "target" and target is not None:
            role = "x"  # the reader is told the target, and sets it in the end
        goal = cast("Goal", last) if role == "goal" else None
        kind = "num" if head.name[0].isupper() or role == "goal" else "sym"
        made.append(Head(head.name, kind, role=cast("Role", role), goal=goal))
    return made


def roles_note(heads: Sequence[Head]) -> list[str]:
    """What marks behind names have made of their columns: one sentence, or none."""
    by_role = {
        "the target": [head.name for head in heads if head.role == "target"],
        "to be large": [head.name for head in heads if head.goal == "+"],
        "to be small": [head.name for head in heads if head.goal == "-"],
        "ignored": [head.name for head in heads if head.role == "ignore"],
    }
    told = [
        f"{', '.join(map(repr, names))} {'is' if len(names) == 1 else 'are'} {what}"
        for what, names in by_role.items()
        if names
    ]
    return [note("marks", roles="; ".join(told))] if told else []


def in_front(cells: Sequence[str]) -> bool:
    """Whether every name of a header begins with a role, a kind and a ``#``.

    Examples
    --------
    >>> in_front(["xC#age", "cD#play"]), in_front(["C#4", "xC#age"]), in_front(["C#age", "cD#play"])
    (True, False, True)
    """
    if not all("#" in cell for cell in cells):
        return False
    found = [_FRONT.fullmatch(cell.strip()) for cell in cells]
    # Orange leaves out the x, and has none.
    by_orange = any(match and match["role"] in tuple("cmiw") for match in found)
    return all(match and (match["role"] or by_orange) for match in found)


def heads_behind(cells: Sequence[str]) -> tuple[list[Head], list[str]]:
    """Columns from a header in which every name begins with a role, a kind and a ``#``."""
    found = [cast("re.Match[str]", _FRONT.fullmatch(cell.strip())) for cell in cells]
    heads, notes = plain_heads([match["name"] for match in found])
    for head, match in zip(heads, found, strict=True):
        role = _FRONT_ROLES[match["role"] or "x"]
        head.goal = role if role in ("+", "-") else None
        head.role = "goal" if head.goal else cast("Role", role)
        head.kind, head.doubtful = _FRONT_KINDS[match["kind"]], False
    return heads, [note("roles in names", example=cells[0].strip()), *notes]


def marked_name(variable: Variable) -> str:
    """The name of a column with its role and its kind in front.

    Examples
    --------
    >>> marked_name(Variable("Mpg", role="goal", goal="+")), marked_name(Variable("n", "text"))
    ('uC#Mpg', 'xS#n')
    """
    role = _ROLE_LETTERS[variable.goal or variable.role]
    return f"{role}{_KIND_LETTERS[variable.kind]}#{variable.name}"
