"""Finding: one thing about a table that a person should look at before trusting a model of it."""

from typing import NamedTuple


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
