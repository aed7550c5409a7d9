"""Finding: one thing about a table that a person should look at before trusting a model of it."""

from typing import NamedTuple

import numpy as np

from satsuma.data.summary import cut
from satsuma.data.table import Table

#: Rows that are inspected where all would take long; drawn, for rows often come in a rhythm.
INSPECTED = 20_000

#: Characters of a name or a value in a sentence.
_NAME = 40


class Finding(NamedTuple):
    """What may be wrong, in a sentence with figures, and what to do about it.

    Parameters
    ----------
    column
        The column that is meant, or None where it is the table.
    kind
        What sort of finding, in a word or two: always the same for the same fault.
    sentence
        What was found.
    remedy
        What to do.
    """

    column: str | None
    kind: str
    sentence: str
    remedy: str

    @property
    def urgency(self) -> str:
        """``fix first`` if a model would be wrong or none can be learned, ``check``, or less.

        Examples
        --------
        >>> Finding("id", "key", "…", "…").urgency, Finding(None, "no rows", "…", "…").urgency
        ('check', 'fix first')
        """
        return next((name for name, kinds in URGENCY.items() if self.kind in kinds), "good to know")


#: Kinds of findings by how much they matter, the most important first.
URGENCY = {
    "fix first": (
        "no rows", "no target", "one class", "no attributes", "leakage",
        "leakage by missing values", "numbers as symbols", "dates as symbols",
        "missing value as a number",
    ),
    "check": (
        "target missing", "duplicate rows", "key", "rare class", "extreme value", "code",
        "spelling", "more columns than rows", "mostly missing",
    ),
    "good to know": (
        "many values", "class not seen", "duplicate column", "constant", "all missing",
    ),
}  # fmt: skip


def by_urgency(found: list[Finding]) -> list[Finding]:
    """Findings, those that matter most first; of equals, in the order in which they are."""
    kinds = [kind for group in URGENCY.values() for kind in group]
    return sorted(found, key=lambda finding: kinds.index(finding.kind))


def leave_out(name: str, first: str = "L") -> str:
    """How a column is left out.

    Examples
    --------
    >>> leave_out("id")
    "Leave it out: table.with_roles({'id': 'meta'})."
    """
    return f"{first}eave it out: table.with_roles({{{name!r}: 'meta'}})."


def quoted(name: str) -> str:
    """A name or a value as it stands in a sentence.

    Examples
    --------
    >>> quoted("age"), len(quoted("x" * 100))
    ("'age'", 42)
    """
    return f"'{cut(name, _NAME)}'"


def share(part: float, whole: float) -> str:
    """A part of a whole as a percentage that is 0 or 100 only where it is.

    Examples
    --------
    >>> share(1, 3), share(1, 1000), share(9999, 10000), share(2, 2)
    ('33 %', '0.1 %', '99.99 %', '100 %')
    """
    percent = 100 * part / whole if whole else 0.0
    near = min(percent, 100 - percent)
    places = 0 if near == 0 or near >= 1 else 1 if near >= 0.1 else 2 if near >= 0.01 else 3
    return f"{percent:.{places}f} %"


def quantity(n: int, noun: str, plural: str = "") -> str:
    """A number of things, with the noun in the singular or the plural.

    Examples
    --------
    >>> quantity(1, "row"), quantity(1200, "row"), quantity(2, "class", "classes")
    ('1 row', '1,200 rows', '2 classes')
    """
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def sample_rows(table: Table, most: int = INSPECTED) -> Table:
    """So many rows at most, drawn at random but the same each time, in their order."""
    if len(table) <= most:
        return table
    return table[np.sort(np.random.default_rng(0).choice(len(table), most, replace=False))]
