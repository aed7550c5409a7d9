"""Agreement: how far two people who label the same rows are of one mind."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from satsuma.errors import DomainError
from satsuma.evaluate.results_display import aligned, grid_html


@dataclass(frozen=True)
class Agreement:
    """Cohen's kappa of two labellers, and where they differ.

    Parameters
    ----------
    kappa
        1 where they always agree, 0 where they agree as often as chance would have it; NaN where
        both gave every row the same single label.
    share
        Of the rows that both labelled, those with the same label.
    rows
        How many rows both labelled.
    disagreements
        Row, label of the one, label of the other.
    """

    kappa: float
    share: float
    rows: int
    disagreements: list[tuple[int, Any, Any]]

    def _title(self) -> str:
        told = (
            "undefined, as there is one label only" if np.isnan(self.kappa) else f"{self.kappa:.3f}"
        )
        return f"Both labelled {self.rows:,} rows and agree on {self.share:.1%}; kappa {told}"

    def _cells(self) -> list[list[str]]:
        lines = [[str(row), str(a), str(b)] for row, a, b in self.disagreements]
        return [["row", "the one", "the other"], *lines]

    def __str__(self) -> str:
        if not self.disagreements:
            return self._title()
        return "\n".join([self._title(), "", *aligned(self._cells())])

    def _repr_html_(self) -> str:
        return grid_html(self._title(), self._cells())


def agreement(a: Sequence[Any], b: Sequence[Any]) -> Agreement:
    """How far two labellers agree beyond chance (Cohen 1960), and the rows on which they do not.

    For more than two, see `krippendorff_alpha` and `dawid_skene`.

    Parameters
    ----------
    a, b
        The labels of each, row by row; None where there is none. Such rows are passed over.

    Examples
    --------
    >>> from satsuma import agreement
    >>> found = agreement(["yes", "no", "no", None], ["yes", "no", "yes", "no"])
    >>> round(found.kappa, 3), found.disagreements
    (0.4, [(2, 'no', 'yes')])
    """
    if len(a) != len(b):
        raise DomainError(f"One labelled {len(a)} rows, and the other {len(b)}. They must match.")
    both = [(at, x, y) for at, (x, y) in enumerate(zip(a, b, strict=True))
            if not (is_missing(x) or is_missing(y))]  # fmt: skip
    if not both:
        raise DomainError("There is no row that both have labelled.")
    kinds: dict[Any, int] = {}
    for _, x, y in both:
        kinds.setdefault(x, len(kinds))
        kinds.setdefault(y, len(kinds))
    counts = np.zeros((len(kinds), len(kinds)))
    for _, x, y in both:
        counts[kinds[x], kinds[y]] += 1
    counts /= len(both)
    share, chance = float(np.trace(counts)), float(counts.sum(axis=0) @ counts.sum(axis=1))
    kappa = (share - chance) / (1 - chance) if chance < 1 else float("nan")
    return Agreement(kappa, share, len(both), [each for each in both if each[1] != each[2]])


def is_missing(label: Any) -> bool:
    """Whether somebody gave no label."""
    return label is None or (isinstance(label, float) and np.isnan(label))
