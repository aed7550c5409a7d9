"""Weak rules: a word or a condition that speaks for a class, and what it votes for in each row."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from satsuma.active.agreement import is_missing
from satsuma.data.row import Row
from satsuma.data.table import Table
from satsuma.errors import DomainError, ParameterError, described
from satsuma.numerics.arrays import Bools


@dataclass(frozen=True)
class WeakRule:
    """A rule of thumb: "this word means yes". It votes for a class, or abstains.

    Parameters
    ----------
    when
        A word or a phrase, found as a whole and in any case; or a function of a row that returns
        whether the rule applies. A missing value is None in a row, and in no text.
    means
        The class it votes for. None for a function that returns the class itself, or None.
    column
        Of text or symbols, where the word is looked for; None for all such attributes.
    name
        What to call it; the word, or the name of the function, unless given.

    Examples
    --------
    >>> from satsuma import Table, WeakRule
    >>> table = Table.of(
    ...     [("a free prize",), ("Freedom",)], ["note"], target=None, kinds={"note": "text"}
    ... )
    >>> WeakRule("free", "spam").votes(table)
    ['spam', None]
    >>> WeakRule(lambda row: len(row["note"]) < 9, "ham", name="short").votes(table)
    [None, 'ham']
    """

    when: str | Callable[[Row], Any]
    means: Any = None
    column: str | None = None
    name: str | None = None

    def __post_init__(self) -> None:
        given: Any = self.when
        if isinstance(given, str) and (not given.strip() or self.means is None):
            raise ParameterError(
                f"A rule of a word is made of the word and of the class that it means. "
                f"Got {given!r} and {self.means!r} instead."
            )
        if not (isinstance(given, str) or callable(given)):
            raise ParameterError(
                f"A rule is made of a word or of a function of a row. Got {described(given)}."
            )

    @property
    def title(self) -> str:
        """What it is called."""
        if self.name is not None:
            return self.name
        return self.when if isinstance(self.when, str) else getattr(self.when, "__name__", "rule")

    def votes(self, table: Table) -> list[str | None]:
        """The class that each row is voted for; None where the rule abstains."""
        if isinstance(self.when, str):
            return [str(self.means) if held else None for held in self._held(self.when, table)]
        return [self._vote(self.when, row) for row in table]

    def _vote(self, when: Callable[[Row], Any], row: Row) -> str | None:
        try:
            said: Any = when(row)
        except Exception as error:
            raise DomainError(
                f"The rule {self.title!r} fails on row {row.index}: {error}. A missing value is "
                f"None; return None where the rule has nothing to say."
            ) from error
        if self.means is not None:
            return str(self.means) if said else None
        if isinstance(said, bool | np.bool_):
            raise ParameterError(
                f"The rule {self.title!r} says whether it applies, and not which class it means: "
                f"WeakRule(function, means=…)."
            )
        return None if is_missing(said) else str(said)

    def _held(self, word: str, table: Table) -> Bools:
        """Which rows hold a word."""
        parts = r"\s+".join(map(re.escape, word.split()))
        found = re.compile(rf"(?<!\w){parts}(?!\w)", re.IGNORECASE).search
        if self.column is not None:
            variables = [table.domain[self.column]]
        else:
            variables = [v for v in table.domain.attributes if v.kind in ("sym", "text")]
        if not variables or variables[0].kind not in ("sym", "text"):
            raise DomainError(
                f"The rule {self.title!r} looks for a word, and there is no column of text or "
                f"symbols to look in. For a number, let the rule be a function of a row."
            )
        held = np.zeros(len(table), np.bool_)
        for variable in variables:
            cells: list[Any] = table[variable.name].tolist()
            has = {cell: not is_missing(cell) and found(cell) is not None for cell in set(cells)}
            held |= np.fromiter((has[cell] for cell in cells), np.bool_, len(cells))
        return held
