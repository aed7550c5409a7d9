"""Marks: names that say what their columns are for, behind the name or in front of it.

Behind a name stand those of ``Mpg+``, ``Lbs-``, ``play!`` and ``HpX``. Any stranger's column may
end like that (``CD4+``, ``MAX``), so they are believed only when that is asked for. In front of it
stand a role, a kind and a ``#``, as in ``cD#play``: a header in which every name begins like that
can be nothing else, and it is what `satsuma.write` writes where cells alone do not say enough.
"""

import re
from collections.abc import Sequence
from typing import cast

from satsuma.data.domain import Domain
from satsuma.data.formats.delimited.delimiters import separator
from satsuma.data.formats.delimited.heads import Head, plain_heads
from satsuma.data.variable import Goal, Role, Variable
from satsuma.errors import ReadError

_ENDS = {"!": "target", "+": "goal", "-": "goal", "X": "ignore"}

#: Those that nobody ignores: a final X alone is in too many names to be doubted.
_ROLE_ENDS = frozenset("!+-")

_FRONT = re.compile(r"(?P<role>[xcmiwud])(?P<kind>[CDS])#(?P<name>.+)", re.DOTALL)
_KINDS = {"C": "num", "D": "sym", "S": "text"}
_ROLES = {"x": "x", "c": "target", "m": "meta", "i": "ignore", "w": "weight", "u": "+", "d": "-"}
_KIND_LETTERS = {kind: letter for letter, kind in _KINDS.items()}
_ROLE_LETTERS = {role: letter for letter, role in _ROLES.items()}


def _last(name: str) -> str:
    return name[-1] if len(name) > 1 else ""


def doubt(heads: Sequence[Head]) -> list[str]:
    """What is to be said of names that end like marks where nobody asked for marks."""
    names = [h.name for h in heads if h.kind is None and _last(h.name) in _ROLE_ENDS]
    if not names:
        return []
    told = f"The name {names[0]!r} ends like a mark and was"
    if len(names) > 1:
        told = f"{len(names)} names end like marks, as {names[0]!r} does, and were"
    remedy = "Pass marks=True if the ends of names say roles and their first letters kinds."
    return [f"{told} taken as any other. {remedy}"]


def apply_marks(heads: Sequence[Head], target: str | None, file: str) -> list[Head]:
    """Kinds and roles from the ends of names.

    A first letter in upper case: numeric; a last ``!``: the target; ``+``, ``-``: goals; ``X``:
    ignored.
    """
    aims = [head.name for head in heads if _last(head.name) == "!"]
    if len(aims) > 1 and target is None:
        raise ReadError(
            f"{len(aims)} columns end in '!', the mark of the target: {', '.join(map(repr, aims))}",
            file=file,
            line=1,
            remedy="Say which one it is with target=, or that these are no marks with marks=False.",
        )
    made: list[Head] = []
    for head in heads:
        last = _last(head.name)
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
    return [f"By the marks in their names: {'; '.join(told)}."] if told else []


def in_front(cells: Sequence[str]) -> bool:
    """Whether every name of a header begins with a role, a kind and a ``#``.

    Examples
    --------
    >>> in_front(["xC#age", "cD#play"]), in_front(["C#4", "xC#age"])
    (True, False)
    """
    return all(_FRONT.fullmatch(cell.strip()) for cell in cells)


def heads_behind(cells: Sequence[str]) -> tuple[list[Head], list[str]]:
    """Columns from a header in which every name begins with a role, a kind and a ``#``."""
    found = [cast("re.Match[str]", _FRONT.fullmatch(cell.strip())) for cell in cells]
    heads, notes = plain_heads([match["name"] for match in found])
    for head, match in zip(heads, found, strict=True):
        role = _ROLES[match["role"]]
        head.goal = role if role in ("+", "-") else None
        head.role = "goal" if head.goal else cast("Role", role)
        head.kind, head.doubtful = _KINDS[match["kind"]], False
    told = f"Every name begins with a role and a kind, as in {cells[0].strip()!r}; taken as such."
    return heads, [told, *notes]


def marked_name(variable: Variable) -> str:
    """The name of a column with its role and its kind in front.

    Examples
    --------
    >>> marked_name(Variable("Mpg", role="goal", goal="+")), marked_name(Variable("n", "text"))
    ('uC#Mpg', 'xS#n')
    """
    role = _ROLE_LETTERS[variable.goal or variable.role]
    return f"{role}{_KIND_LETTERS[variable.kind]}#{variable.name}"


def needs_marks(domain: Domain) -> bool:
    """Whether the names alone would not bring back what is known of the columns.

    So it is for goals, for roles that are said by the ends of names, and for names that would
    be taken for something else.
    """
    by_end = {"target": "!", "ignore": "X"}
    goals = any(v.goal or by_end.get(v.role) == _last(v.name) for v in domain)
    alone = domain.names[0] if len(domain) == 1 else ""
    return goals or in_front(domain.names) or separator(alone.encode()) is not None
