"""Weak summary: labels that rules voted for, and how far each rule can be trusted."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from satsuma.data.grids import aligned, grid_html
from satsuma.data.table import Table
from satsuma.numerics.arrays import Bools, Floats


@dataclass(frozen=True)
class WeakLabels:
    """What rules say of rows together, and how good each of them is.

    Parameters
    ----------
    table
        All rows, with labels where they are known or sure enough. A label that rules gave weighs
        as much as it is probable, in a column of weights.
    rules, classes
        Their names.
    votes
        Rows by rules: the number of a class; of one more than there are where a rule abstains.
    probabilities
        Rows by classes.
    labelled
        How many rows got a label from the rules.
    known
        The rows that had a label.
    identified
        Whether there are enough rules for their votes to tell how good they are.
    assumed
        The accuracy that was assumed beforehand.
    """

    table: Table
    rules: tuple[str, ...]
    classes: tuple[str, ...]
    votes: npt.NDArray[np.intp]
    probabilities: Floats
    labelled: int
    known: tuple[int, ...]
    identified: bool
    assumed: float

    @property
    def _voted(self) -> Bools:
        return self.votes < len(self.classes)

    @property
    def _differ(self) -> Bools:
        """The rows with votes for several classes."""
        n = len(self.classes)
        least, most = self.votes.min(axis=1), np.where(self._voted, self.votes, -1).max(axis=1)
        return (least < n) & (least < most)

    @property
    def coverage(self) -> float:
        """The share of rows that some rule votes on."""
        return float(self._voted.any(axis=1).mean()) if len(self.votes) else 0.0

    @property
    def conflicts(self) -> float:
        """The share of rows with votes for several classes."""
        return float(self._differ.mean()) if len(self.votes) else 0.0

    @property
    def accuracy(self) -> dict[str, float]:
        """By rule: the share of its votes that is expected to be right; NaN where it has none."""
        found = dict[str, float]()
        for at, name in enumerate(self.rules):
            rows = np.flatnonzero(self._voted[:, at])
            right = self.probabilities[rows, self.votes[rows, at]]
            found[name] = float(right.mean()) if len(rows) else float("nan")
        return found

    def _title(self) -> str:
        return (
            f"{len(self.rules)} rules vote on {self.coverage:.1%} of {len(self.votes):,} rows, and "
            f"differ on {self.conflicts:.1%}; {self.labelled:,} rows got a label"
        )

    def _note(self) -> str:
        labels = f"{len(self.known):,} known labels"
        if self.identified:
            also = f" and from {labels}" if self.known else ""
            return f"How good rules are was estimated from how they vote together{also}."
        source = f"It comes from {labels}, and " if self.known else "It"
        return (
            f"So few rules do not tell by their votes how good they are. {source}"
            f"{'from' if self.known else 'is'} the assumption that {self.assumed:.0%} of votes "
            f"are right. More rules, or more known labels, tell more."
        )

    def _cells(self) -> list[list[str]]:
        known = np.array(self.known, np.intp)
        lines = [["rule", "means", "votes", "differ", "right", "known right"]]
        for at, (name, right) in enumerate(self.accuracy.items()):
            voted = self._voted[:, at]
            codes: list[int] = np.unique(self.votes[voted, at]).tolist()
            means = ", ".join(self.classes[code] for code in codes)
            tested = known[voted[known]]
            hits = int(self.probabilities[tested, self.votes[tested, at]].sum())
            lines.append(
                [name, means or "?", f"{voted.mean():.1%}", f"{(voted & self._differ).mean():.1%}",
                 "?" if np.isnan(right) else f"{right:.1%}",
                 f"{hits} of {len(tested)}" if len(tested) else ""]
            )  # fmt: skip
        return lines

    def __str__(self) -> str:
        return "\n".join([self._title(), "", *aligned(self._cells()), "", self._note()])

    def _repr_html_(self) -> str:
        return grid_html(f"{self._title()}. {self._note()}", self._cells())
