"""Lloyd: centres that move to the middle of their rows, step by step."""

from dataclasses import dataclass

import numpy as np

from satsuma.data.columns import Codes, Floats
from satsuma.kernels import kmeans
from satsuma.kernels.kmeans import Assigning, Moved, Sums
from satsuma.kernels.kmeans_twin import Offsets
from satsuma.kernels.tree_twin import binned
from satsuma.learners.kmeans.space import Cells, most_frequent


@dataclass(frozen=True)
class Costs:
    """What the rows of each centre weigh, and their squared distances from it: a tally."""

    weight: Floats
    cost: Floats

    def __add__(self, other: "Costs") -> "Costs":
        return Costs(self.weight + other.weight, self.cost + other.cost)

    @classmethod
    def of(cls, cells: Cells, weight: Floats | None, centres: Cells, label: Codes) -> "Costs":
        """The costs of rows that have been assigned."""
        k, away = len(centres.number), kmeans.distances(*cells, *centres, label)
        each = np.ones(len(label)) if weight is None else weight
        return cls(binned(label, each, k), binned(label, each * away, k))

    @property
    def total(self) -> float:
        """The cost of all."""
        return float(self.cost.sum())


def moved_to(centres: Cells, sums: Sums, offset: Offsets) -> Cells:
    """Means and modes; where no cell is known, a centre stays as it is."""
    some = sums.known > 0
    number = np.where(some, sums.total / np.where(some, sums.known, 1), centres.number)
    symbol = centres.symbol.copy()
    for j in range(symbol.shape[1]):
        counts = sums.count[:, offset[j] : offset[j + 1]]
        any_known = counts.sum(axis=1) > 0
        symbol[any_known, j] = most_frequent(counts[any_known])
    return Cells(number, symbol)


def drift_of(before: Cells, after: Cells) -> Floats:
    """How far each centre has moved."""
    gap = before.number - after.number
    return np.sqrt((gap * gap).sum(axis=1) + (before.symbol != after.symbol).sum(axis=1))


def _near(centres: Cells) -> Floats:
    """Half the way from each centre to the next one, a little less for rounding."""
    number, symbol = centres
    found = np.full(len(number), np.inf)
    for c in range(len(number)):
        gap = number - number[c]
        away = (gap * gap).sum(axis=1) + (symbol != symbol[c]).sum(axis=1)
        away[c] = np.inf
        found[c] = np.sqrt(away.min())
    return found / 2 * (1 - 1e-11)


def _told(drift: Floats, centres: Cells, complete: bool) -> Moved:
    order = np.argsort(drift)
    second = float(drift[order[-2]]) if len(drift) > 1 else 0.0
    near = _near(centres) if complete else np.zeros(len(drift))
    return Moved(drift, near, float(drift[order[-1]]), second, int(order[-1]))


def _adds_exactly(weight: Floats | None) -> bool:
    """Whether what is added can be taken away again, and nothing is left of it.

    If not, a centre without rows would seem to have a little of some; all is added up anew then.
    """
    if weight is None:
        return True
    parts = weight * 1024
    return bool(parts.sum() < 2**52 and (parts == np.round(parts)).all())


@dataclass(frozen=True)
class Settled:
    """Where centres have come to, after how many steps, and whether they would stay there."""

    centres: Cells
    label: Codes
    costs: Costs
    steps: int
    converged: bool


def settled(  # noqa: PLR0917 - all that a run depends on
    cells: Cells,
    weight: Floats | None,
    offset: Offsets,
    centres: Cells,
    steps: int,
    least: float,
) -> Settled:
    """Step until no centre moves farther than `least`; all rows are in memory."""
    assigning = Assigning(*cells, weight, offset)
    complete, exact = assigning.complete, _adds_exactly(weight)
    held, moved = None, None
    done, converged = 0, False
    while done < steps and not converged:
        changes = assigning.step(*centres, moved)
        held = changes if held is None or moved is None else held + changes
        after = moved_to(centres, held, offset)
        drift = drift_of(centres, after)
        moved, centres = _told(drift, after, complete) if exact else None, after
        done, converged = done + 1, bool(drift.max() <= least)
    assigning.step(*centres, moved)
    costs = Costs.of(cells, weight, centres, assigning.label)
    return Settled(centres, assigning.label, costs, done, converged)
