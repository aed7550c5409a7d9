"""What additive models share: a shape for each column, the effects of its bins, to be changed."""

from collections.abc import Sequence
from copy import copy
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from satsuma.data.fields import LARGE, FloatArray, IntArray, Many
from satsuma.data.schema import Schema
from satsuma.data.table import Table
from satsuma.errors import ParameterError, ReadError
from satsuma.learners.additive.layout import Layout
from satsuma.learners.model import Model, Query
from satsuma.measures.informative_missing import LEVEL
from satsuma.measures.multiple_testing import holm
from satsuma.numerics.arrays import Array, Floats

#: What joins the names of the columns of a pair.
AND = " & "


class Effects(NamedTuple):
    """What all cells add: the constant of each score, and the effect of each cell.

    Parameters
    ----------
    layout
        How columns become bins, and bins cells.
    constant
        Of each score.
    effects, errors
        (scores, cells), and their standard errors.
    rows
        What the rows in each cell weigh.
    """

    layout: Layout
    constant: Floats
    effects: Floats
    errors: Floats
    rows: Floats


class Shape(NamedTuple):
    """What a column adds, bin by bin.

    Parameters
    ----------
    column
        Its name.
    bins
        The upper edge of each bin of a number, or the values of a symbol in each bin.
    effects, errors
        What each bin adds, and its standard error; at the end, what a missing cell adds.
    rows
        What the rows in each bin weigh, and those in which the column is missing.
    """

    column: str
    bins: tuple[Any, ...]
    effects: Floats
    errors: Floats
    rows: Floats


class AdditiveModel(Model):
    """A constant, and the effects of the cells that a row is in.

    Parameters
    ----------
    found
        What all cells add.
    """

    schema: ClassVar[Schema] = Schema(
        "scores",
        "cells",
        "pairs",
        "edges",
        "bins",
        "coarse",
        edges=Many(FloatArray("edges"), size="attributes"),
        bins=Many(IntArray("bins"), size="attributes"),
        coarse=Many(IntArray("coarse")),
        pairs=IntArray("pairs", 2, below="attributes"),
        constant=FloatArray("scores", low=-LARGE, high=LARGE),
        effects=FloatArray("scores", "cells", low=-LARGE, high=LARGE),
        errors=FloatArray("scores", "cells", low=0, high=LARGE),
        rows=FloatArray("cells", low=0),
    )

    def __init__(self, found: Effects) -> None:
        layout = found.layout
        self.edges, self.bins = list(layout.edges), list(layout.bins)
        self.coarse = list(layout.coarse)
        self.pairs = np.array(layout.pairs, np.int32).reshape(-1, 2)
        self.constant, self.effects, self.errors, self.rows = found[1:]

    def check_state(self) -> None:
        """The bins are those of the columns, and there is an effect for each cell."""
        super().check_state()
        for variable, edges, bins in zip(
            self.domain.attributes, self.edges, self.bins, strict=True
        ):
            right = len(edges) > 0 and not len(bins)
            if variable.kind == "sym":
                right = not len(edges) and len(bins) == len(variable.values)
            if not right or (np.diff(edges) <= 0).any() or bins.max(initial=0) > len(bins):
                raise ReadError(f"the bins of {variable.name!r} are not those of the column")
        if self.pairs.size and len(self.coarse) != len(self.edges):
            raise ReadError("the model has pairs without coarse bins")
        for coarse, level in zip(self.coarse, self.layout.levels, strict=False):
            if len(coarse) != level or coarse.max(initial=0) >= len(coarse):
                raise ReadError("the coarse bins of a column are not those of its bins")
        if (self.pairs[:, 0] == self.pairs[:, 1]).any() or self.layout.cells != len(self.rows):
            raise ReadError("the model has the effects of other cells")

    @property
    def layout(self) -> Layout:
        """How columns become bins, and bins cells."""
        names = tuple(v.name for v in self.domain.attributes)
        pairs = tuple((int(a), int(b)) for a, b in self.pairs)
        return Layout(names, tuple(self.edges), tuple(self.bins), tuple(self.coarse), pairs)

    @property
    def informative(self) -> list[str]:
        """The columns whose bin of missing cells adds something, beyond chance.

        An effect is held against how sure it is (Wald's test), and against what as many rows would
        have of the other bins on average, were they drawn at random. What is found is corrected
        for the number of columns and scores (Holm 1979).
        """
        from scipy.special import erfc

        layout = self.layout
        both = zip(layout.starts, layout.levels, strict=False)
        some = [(at, a, a + n) for at, (a, n) in enumerate(both) if self.rows[a + n] > 0]
        p = np.ones((len(some), len(self.constant)))
        for k, (_, first, end) in enumerate(some):
            effects, rows = self.effects[:, first:end], self.rows[first:end]
            total = max(rows.sum(), 1e-300)
            away = effects - (effects @ rows / total)[:, np.newaxis]
            drawn = away**2 @ rows / total / self.rows[end]
            error = np.sqrt(self.errors[:, end] ** 2 + drawn)
            effect = np.abs(self.effects[:, end])
            p[k] = erfc(effect / np.maximum(error, 1e-300) / np.sqrt(2))
        speaks = holm(p.ravel(), p.size).reshape(p.shape) < LEVEL
        return [layout.names[at] for (at, *_), each in zip(some, speaks, strict=True) if each.any()]

    def scores(self, batch: Table) -> Floats:
        """The sums of effects: (scores, rows)."""
        layout = self.layout
        codes = layout.codes(batch)
        if not codes:
            return np.repeat(self.constant[:, np.newaxis], len(batch), axis=1)
        sums = [layout.sum(each, codes) for each in self.effects]
        found = np.array(sums).reshape(len(self.constant), len(batch))
        return self.constant[:, np.newaxis] + found

    @property
    def terms(self) -> tuple[str, ...]:
        """The columns, and the pairs of columns, each as ``one & other``."""
        layout = self.layout
        return (*layout.names, *(AND.join(layout.names[at] for at in p) for p in layout.pairs))

    def parts(self, query: Query) -> dict[str, Floats]:
        """What each column and pair adds to the scores of a row; the constant is the rest."""
        layout, batch = self.layout, self._rows(query)
        found: dict[str, Floats] = {}
        for at, (name, code) in enumerate(zip(self.terms, layout.codes(batch), strict=True)):
            inside = code[0] >= 0
            cell = layout.starts[at] + int(code[0])
            found[name] = self.effects[:, cell] if inside else np.zeros(len(self.constant))
        return found

    def importances(self) -> dict[str, float]:
        """How far each column and pair moves the scores, on average over rows; largest first."""
        layout = self.layout
        found: dict[str, float] = {}
        for at, name in enumerate(self.terms):
            own = slice(layout.starts[at], layout.starts[at] + layout.widths[at])
            total = float(self.rows[own].sum())
            moved = (
                np.abs(self.effects[:, own]).mean(axis=0)
                if len(self.effects)
                else 0 * self.rows[own]
            )
            found[name] = float(moved @ self.rows[own] / total) if total > 0 else 0.0
        return dict(sorted(found.items(), key=lambda each: -each[1]))

    def shape(self, column: str, score: int = 0) -> Shape:
        """What a column adds alone, bin by bin.

        Parameters
        ----------
        column
            Its name.
        score
            Of more than two classes, the place of the class.
        """
        layout, at = self.layout, self._place(column)
        own = slice(layout.starts[at], layout.starts[at] + layout.widths[at])
        variable = self.domain[column]
        bins: tuple[Any, ...] = tuple(self.edges[at].tolist())
        if variable.kind == "sym":
            held = [np.flatnonzero(self.bins[at] == bin_) for bin_ in range(layout.levels[at])]
            bins = tuple(", ".join(variable.values[i] for i in each) for each in held)
        effects, errors = self.effects[score, own], self.errors[score, own]
        return Shape(column, bins, effects, errors, self.rows[own])

    def grid(self, one: str, other: str, score: int = 0) -> tuple[Floats, Floats]:
        """What a pair adds beside its two columns, by their coarse bins; and the rows in each."""
        layout = self.layout
        asked = (self._place(one), self._place(other))
        for at, (pair, grid) in enumerate(zip(layout.pairs, layout.grids, strict=True)):
            if set(pair) == set(asked):
                start = layout.starts[len(layout.names) + at]
                own = slice(start, start + grid[0] * grid[1])
                found = self.effects[score, own].reshape(grid), self.rows[own].reshape(grid)
                return found if pair == asked else (found[0].T, found[1].T)
        known = ", ".join(AND.join(layout.names[at] for at in pair) for pair in layout.pairs)
        raise ParameterError(
            f"The model has no grid for {one!r} and {other!r}. It has {known or 'none'}."
        )

    def strongest_pair(self) -> tuple[str, str]:
        """The two columns whose grid matters most."""
        names = self.layout.names
        if not len(self.pairs):
            raise ParameterError(
                "The model has no pairs of columns: none said more together. Draw a shape instead."
            )
        terms = {AND.join(names[at] for at in pair): pair for pair in self.pairs.tolist()}
        one, other = next(terms[name] for name in self.importances() if name in terms)
        return names[one], names[other]

    def coarse_names(self, column: str, blocks: Array | None = None) -> list[str]:
        """What the coarse bins of a column are called, where it is in a pair; or blocks of them."""
        layout, at = self.layout, self._place(column)
        coarse = self.coarse[at] if self.coarse else np.zeros(0, np.int32)
        grouped = coarse if blocks is None else blocks[coarse]
        held = [np.flatnonzero(grouped == group) for group in np.unique(grouped)]
        bins = self.shape(column).bins
        if not layout.is_number(at):
            return [_listed([str(bins[i]) for i in each.tolist()]) for each in held]
        return [interval(bins, int(each[0]), int(each[-1])) for each in held]

    def with_effect(
        self,
        column: str,
        effect: float,
        *,
        low: float = -np.inf,
        high: float = np.inf,
        value: str | None = None,
        score: int = 0,
    ) -> Self:
        """The same model, where somebody who knows better has set what some bins of a column add.

        Parameters
        ----------
        column
            Its name.
        effect
            What the bins are to add.
        low, high
            Of a number: bins that reach above `low` and begin below `high`.
        value
            Of a symbol: the value.
        score
            Of more than two classes, the place of the class.
        """
        return self._with(self._cells(column, low, high, value), effect, score)

    def flattened(
        self, column: str, low: float = -np.inf, high: float = np.inf, *, score: int = 0
    ) -> Self:
        """The same model, where a range of a number adds the same everywhere.

        That is what the range added so far, on average over its rows.

        Parameters
        ----------
        column
            Its name.
        low, high
            Bins that reach above `low` and begin below `high`; all unless given.
        score
            Of more than two classes, the place of the class.
        """
        cells = self._cells(column, low, high, None)
        effects, rows = self.effects[score, cells], self.rows[cells]
        total = float(rows.sum())
        mean = effects @ rows / total if total > 0 else effects.mean()
        return self._with(cells, float(mean), score)

    def without_pairs(self) -> Self:
        """The same model, where pairs add nothing: shapes alone."""
        made, alone = self._copied(), sum(level + 1 for level in self.layout.levels)
        made.pairs, made.coarse = self.pairs[:0], []
        made.effects, made.errors = self.effects[:, :alone], self.errors[:, :alone]
        made.rows = self.rows[:alone]
        return made

    def _cells(self, column: str, low: float, high: float, value: str | None) -> Array:
        """The cells of some bins of a column."""
        at = self._place(column)
        variable, edges = self.domain[column], self.edges[at]
        if variable.kind == "sym":
            if value is None:
                raise ParameterError(
                    f"{column!r} holds symbols: say which, as in "
                    f"with_effect({column!r}, 0.0, value={variable.values[0]!r})."
                )
            bins = np.array([self.bins[at][variable.code(value)]])
        else:
            lower = np.concatenate([[-np.inf], edges[:-1]])
            upper = np.concatenate([edges[:-1], [np.inf]])
            bins = np.flatnonzero((upper > low) & (lower < high))
        if not len(bins):
            raise ParameterError(
                f"No bin of {column!r} is between {low:g} and {high:g}. Give the lower end first."
            )
        return self.layout.starts[at] + bins

    def _with(self, cells: Array, effect: float, score: int) -> Self:
        made = self._copied()
        made.effects, made.errors = self.effects.copy(), self.errors.copy()
        made.effects[score, cells] = effect
        made.errors[score, cells] = 0.0
        return made

    def _copied(self) -> Self:
        """The same model, to be changed, with what it keeps of its training rows."""
        made = copy(self)
        made.keep_rows_of(self)
        return made

    def _place(self, column: str) -> int:
        names = self.layout.names
        if column not in names:
            raise ParameterError(
                f"The model has no column {column!r}. It has {', '.join(map(repr, names))}."
            )
        return names.index(column)

    def __str__(self) -> str:
        from satsuma.learners.additive.shape_listing import listing

        return listing(self)


def interval(edges: Sequence[float], first: int, last: int) -> str:
    """Bins from one to another, in words; a number on an edge is in the lower one.

    Examples
    --------
    >>> [interval([1.0, 2.5, 4.0], *ends) for ends in ((0, 1), (1, 1), (2, 2), (0, 2))]
    ['up to 2.5', '1 to 2.5', 'above 2.5', 'any number']
    """
    low, high = first > 0, last + 1 < len(edges)
    if low and high:
        return f"{edges[first - 1]:.6g} to {edges[last]:.6g}"
    if high:
        return f"up to {edges[last]:.6g}"
    return f"above {edges[first - 1]:.6g}" if low else "any number"


def _listed(values: list[str], most: int = 3) -> str:
    return " or ".join(values[:most]) + (" or others" if len(values) > most else "")
