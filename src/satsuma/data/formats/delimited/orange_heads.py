"""Orange's heads: kinds and roles of columns, in two lines below their names or in front of them.

Orange writes them into .tab, .csv and .xlsx files alike.
"""

import re
from collections.abc import Collection, Sequence
from typing import cast

from satsuma.data.formats.delimited.heads import Head, plain_heads
from satsuma.data.notes import note
from satsuma.data.variable import Role
from satsuma.errors import ReadError, hint

_KINDS = {
    **dict.fromkeys(("c", "continuous", "n", "numeric"), "num"),
    **dict.fromkeys(("d", "discrete", "categorical"), "sym"),
    **dict.fromkeys(("s", "string", "text"), "text"),
    **dict.fromkeys(("t", "time"), "time"),
}
_ROLES = {
    "": "x",
    "c": "target",
    "class": "target",
    "multiclass": "target",
    "m": "meta",
    "meta": "meta",
    "i": "ignore",
    "ignore": "ignore",
    "w": "weight",
    "weight": "weight",
}

#: What is a kind by itself, and no list of one value.
KIND_WORDS = frozenset(_KINDS)

#: Types of Orange whose cells are no values of a column.
_NO_KINDS = ("basket", "python")

_PREFIX = re.compile(r"(?P<role>[mciw]?)(?P<kind>[CDSTN]?)#(?P<name>.*)", re.DOTALL)
_PREFIX_KINDS = {"C": "num", "N": "num", "D": "sym", "S": "text", "T": "time", "": None}
_PREFIX_ROLES = {"m": "meta", "c": "target", "i": "ignore", "w": "weight", "": "x"}

#: Words of a line: a backslash keeps the character behind it, a blank above all.
_WORD = re.compile(r"(?:\\.|[^\\ \t])+", re.DOTALL)

THREE_LINES = (
    "A .tab file has three header lines (names, types, roles); "
    "if this one has only names, pass format='tsv'."
)


def prefixed(cells: Sequence[str]) -> bool:
    """Whether names carry prefixes such as ``C#`` or ``mD#``."""
    found = [_PREFIX.fullmatch(cell.strip()) for cell in cells]
    return any(match and (match["role"] or match["kind"]) for match in found)


def surely_prefixed(cells: Sequence[str]) -> bool:
    """Whether names carry prefixes, in a file of which nothing else says that it is Orange's.

    One has a role and a kind, and none has a ``#`` elsewhere.

    Examples
    --------
    >>> surely_prefixed(["D#sex", "age", "cC#IQ"]), surely_prefixed(["C#minor", "F#major"])
    (True, False)
    """
    if not any("#" in cell for cell in cells):
        return False
    found = [_PREFIX.fullmatch(cell.strip()) for cell in cells]
    strange = any(match is None and "#" in cell for match, cell in zip(found, cells, strict=True))
    whole = any(match and match["role"] and match["kind"] and match["name"] for match in found)
    return whole and not strange


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


def declares(kinds: Sequence[str], roles: Sequence[str]) -> bool:
    """Whether two lines below the names hold kinds and roles, whatever the file is called.

    Every column has a kind, one of them in a word, and no role is anything else.

    Examples
    --------
    >>> declares(["continuous", "red blue"], ["", "class"]), declares(["c", "d"], ["", ""])
    (True, False)
    >>> declares(["c", "yes no"], ["meta", "class"]), declares(["time", "7"], ["12:30", "8"])
    (True, False)
    """
    kinds, roles = [kind.strip() for kind in kinds], [role.strip() for role in roles]
    if len(kinds) < 2 or len(roles) > len(kinds) or not all(kinds):
        return False
    told = [kind in _KINDS or " " in kind for kind in kinds]
    words = [word for word in (*kinds, *roles) if len(word) > 1 and word in (*_KINDS, *_ROLES)]
    return bool(words) and all(told) and any(map(_KINDS.__contains__, kinds)) and _are_roles(roles)


def names_alone(kinds: Sequence[str], roles: Sequence[str]) -> bool:
    """Whether two lines below the names of a .tab file are rows: no kinds, and mostly no roles.

    Examples
    --------
    >>> names_alone(["2020-05-05", "1"], ["2020-05-06", "12"]), names_alone(["c", "d"], ["", "cls"])
    (True, False)
    """
    strange = [role for role in roles if _plain_role(role) is None]
    told = any(kind.strip() in (*_KINDS, *_NO_KINDS) for kind in kinds)
    return not told and 2 * len(strange) > len(kinds)


def _are_roles(roles: Sequence[str]) -> bool:
    return all(_plain_role(role) is not None for role in roles)


def _plain_role(spelled: str) -> str | None:
    """The role in a cell; None if it is none. ``key=value`` and ``-ordered`` say nothing here."""
    words = [word for word in _WORD.findall(spelled) if "=" not in word and word != "-ordered"]
    return _ROLES.get("".join(words)) if len(words) < 2 else None


def tab_heads(
    lines: Sequence[Sequence[str]], known: Collection[str], target: str | None, file: str
) -> tuple[list[Head], list[str]]:
    """Columns from three header lines: names, types, roles.

    Parameters
    ----------
    lines
        The cells of the three.
    known
        Names of columns whose kind the user gives.
    target
        The target that the user names.
    file
        What to call the file.
    """
    names, kinds, roles = lines
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
        if kind.strip() in _NO_KINDS and head.name not in known:
            raise ReadError(
                f"column {head.name!r} has the type {kind.strip()!r}, which no table here has",
                file=file,
                line=2,
                remedy=f"Pass kinds={{{head.name!r}: 'text'}} to read its cells as they are.",
            )
        head.kind, head.values = _tab_kind(kind)
        head.doubtful = head.kind is None
    for head, role in zip(heads, roles, strict=False):
        head.role = _tab_role(role, head.name, file)
    return heads, [*notes, *_one_target(heads, target)]


def _tab_role(spelled: str, name: str, file: str) -> Role:
    if (found := _plain_role(spelled)) is not None:
        return cast("Role", found)
    if "-dc" in spelled.split():
        raise ReadError(
            f"column {name!r} has missing cells of its own: {spelled.strip()!r}",
            file=file,
            line=3,
            remedy="Write '?' into these cells, and take it out.",
        )
    raise ReadError(
        f"{spelled.strip()!r} is not a role",
        file=file,
        line=3,
        remedy=f"{hint(spelled.strip(), filter(None, _ROLES))} {THREE_LINES}",
    )


def _one_target(heads: Sequence[Head], target: str | None) -> list[str]:
    """Make one target of several classes: the first, or the one that the user names."""
    classes = [head for head in heads if head.role == "target"]
    if len(classes) < 2:
        return []
    chosen = target or classes[0].name
    for head in classes:
        head.role = "target" if head.name == chosen else "meta"
    return [note("several classes", count=len(classes), chosen=chosen)]


def _tab_kind(spelled: str) -> tuple[str | None, tuple[str, ...]]:
    word = spelled.strip(" \t")
    if not word:
        return None, ()
    if word in _KINDS:
        return _KINDS[word], ()
    words = _WORD.findall(spelled)
    values = tuple(dict.fromkeys(re.sub(r"\\(.)", r"\1", word, flags=re.DOTALL) for word in words))
    return "sym", values
