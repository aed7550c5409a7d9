"""Penalties: what rough effects cost, as quadratic forms of the effects of some cells."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from satsuma.learners.additive.layout import Layout
from satsuma.numerics.arrays import Floats, frozen

#: How firmly effects are held that must not tell rows apart; a share below which no row is left.
_FIRM, _NOTHING = 1e4, 1e-12


@dataclass(frozen=True)
class Penalties:
    """One or two quadratic forms of the same effects, each with a strength that is learned.

    Parameters
    ----------
    cells
        Which effects, by their places behind the constant.
    forms
        The quadratic forms. What the first does not see, the second does not see either.
    """

    cells: Any
    forms: tuple[Floats, ...]

    def within(self, matrix: Floats) -> Floats:
        """What a matrix of all effects has of these."""
        if isinstance(self.cells, slice):
            return matrix[self.cells, self.cells]
        return matrix[np.ix_(self.cells, self.cells)]

    def add_to(self, matrix: Floats, strengths: Floats) -> None:
        """Add the forms, at their strengths, to a matrix of all effects."""
        for strength, form in zip(strengths, self.forms, strict=True):
            if isinstance(self.cells, slice):
                matrix[self.cells, self.cells] += strength * form
            else:
                matrix[np.ix_(self.cells, self.cells)] += strength * form

    @cached_property
    def ratios(self) -> Floats:
        """What the second form costs where the first costs 1, in each direction that both see."""
        return _ratios(*self.forms)

    def free(self, strengths: Floats) -> Floats:
        """What each form costs on average where nothing but the penalties is known."""
        if len(self.forms) == 1:
            return len(self.ratios) / strengths
        whole = strengths[0] + strengths[1] * self.ratios
        return np.array([np.sum(1 / whole), np.sum(self.ratios / whole)])


def _ratios(first: Floats, second: Floats | None = None) -> Floats:
    """The eigenvalues of the second form, as the first measures; those of neither left out.

    Examples
    --------
    >>> _ratios(np.diag([2.0, 4.0, 0.0]), np.diag([2.0, 2.0, 0.0])).round(12).tolist()
    [1.0, 0.5]
    """
    found: Any = np.linalg.eigh(first)
    values, vectors = found
    kept = values > 1e-10 * values.max(initial=0.0)
    if second is None:
        return values[kept]
    half = vectors[:, kept] / np.sqrt(values[kept])
    ratios: Any = np.linalg.eigvalsh(half.T @ second @ half)
    return np.maximum(ratios[::-1], 0.0)


def penalties_of(layout: Layout) -> list[Penalties]:
    """The penalties of each set of cells: columns, missing cells together, pairs.

    Numbers pay for steps between neighbouring bins, and for bends: shapes become smooth, and
    straight, and at last flat. Values of symbols pay for their distance from 0, and so do the
    cells of missing values, all together. A pair pays for both, on its grid.
    """
    found = [_of_column(layout, at) for at in range(len(layout.names))]
    missing = [layout.firsts[at] + rank for at, rank in enumerate(layout.ranks[: len(found)])]
    if missing:
        found.append(Penalties(np.array(missing, np.intp), (np.eye(len(missing)),)))
    return found + [_of_pair(layout, at) for at in range(len(layout.pairs))]


def _of_column(layout: Layout, at: int) -> Penalties:
    n, start = layout.ranks[at] - 1, 1 + layout.firsts[at]
    cells = slice(start, start + n)
    if not layout.is_number(at) or n == 1:
        return Penalties(cells, (np.eye(n),))
    return Penalties(cells, tuple(_differences(n, order) for order in (1, 2) if n > order))


def _of_pair(layout: Layout, at: int) -> Penalties:
    columns, (rows, across) = layout.pairs[at], layout.pair_ranks(at)
    start = 1 + layout.firsts[len(layout.names) + at]
    cells = slice(start, start + rows * across)
    smooth = np.zeros((rows * across, rows * across))
    if layout.is_number(columns[0]):
        smooth += np.kron(_differences(rows, 1), np.eye(across))
    if layout.is_number(columns[1]):
        smooth += np.kron(np.eye(rows), _differences(across, 1))
    plain = np.eye(rows * across)
    return Penalties(cells, (plain, smooth) if smooth.any() else (plain,))


@lru_cache(maxsize=256)
def _differences(n: int, order: int) -> Floats:
    """The sum of the squares of differences of neighbours, or of differences of these.

    Examples
    --------
    >>> _differences(3, 1).tolist()
    [[1.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 1.0]]
    """
    steps = np.diff(np.eye(n), order, axis=0)
    return frozen(steps.T @ steps)


def strengths_at_first(penalties: Sequence[Penalties]) -> Floats:
    """Where the search for strengths begins: one for each form."""
    return np.ones(sum(len(each.forms) for each in penalties))


def centring(layout: Layout, counts: Floats) -> Floats:
    """What holds the effects of each number at an average of 0, at no cost to what they fit.

    Where missing cells have no effect, it holds those of columns and pairs that lack some rows so
    firmly that they do not tell these rows from the others.
    """
    found = np.zeros((1 + layout.coefficients, 1 + layout.coefficients))
    for at, (first, rank) in enumerate(zip(layout.firsts, layout.ranks, strict=False)):
        column = at < len(layout.names)
        own = slice(1 + first, 1 + first + rank - column)  # without that of missing cells
        total = counts[own].sum()
        firm = not layout.missing_effects and counts[0] - total > _NOTHING * counts[0]
        if (firm or (column and layout.is_number(at))) and total > 0:
            shares = counts[own] / total
            found[own, own] = np.outer(shares, shares) * counts[0] * (_FIRM if firm else 1.0)
    return found
