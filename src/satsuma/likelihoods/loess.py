"""Loess: how probable each class is along a number, by regression in a window that moves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from satsuma.data.fields import FloatArray, Many
from satsuma.data.schema import Schema
from satsuma.data.variable import Variable
from satsuma.errors import ReadError, check_number
from satsuma.kernels.threads import map_tiles
from satsuma.likelihoods.block import Line, PriorBlock
from satsuma.likelihoods.curves import Curve, Curves, ScaledColumn
from satsuma.measures.estimates import rake, relative
from satsuma.measures.local_regression import local_shares, thin
from satsuma.numerics.arrays import Floats
from satsuma.tallies.values import Values

#: Points of a column that are shown.
SHOWN = 7


class ProbabilityCurves(Curves):
    """How probable each class is along each column, beside how probable it is without it.

    Parameters
    ----------
    names
        The columns.
    origin, unit, curves
        As in `Curves`: the probability of each class, over its prior.
    points
        For each column, the points between which probabilities are interpolated.
    probabilities
        For each column, an array (points, classes): how probable each class is there.
    prior
        The probability of each class.
    """

    is_density = False
    logs = False

    schema: ClassVar[Schema] = Schema(
        "points",
        points=Many(FloatArray("points"), size="names"),
        probabilities=Many(FloatArray("points", "classes", low=0, high=1 + 1e-9), size="names"),
        prior=FloatArray("classes", low=0, high=1 + 1e-9),
    )

    def check_columns(self, variables: Sequence[Variable], classes: int) -> None:
        """There is a probability for each point and class."""
        super().check_columns(variables, classes)
        shapes = [(len(at), classes) for at in self.points]
        if [each.shape for each in self.probabilities] != shapes or len(self.prior) != classes:
            raise ReadError("ProbabilityCurves has the probabilities of other points or classes")

    def __init__(
        self,
        names: tuple[str, ...],
        columns: list[ScaledColumn],
        found: list[tuple[Floats, Floats]],
        prior: Floats,
    ) -> None:
        # Nothing is said of a class that cannot be.
        over = [np.where(prior > 0, p / np.where(prior > 0, prior, 1), 1) for _, p in found]
        curves = [
            [_broken(at, ratio[:, c]) for c in range(len(prior))]
            for (at, _), ratio in zip(found, over, strict=True)
        ]
        origin, unit = (
            np.array([getattr(c, part) for c in columns]) for part in ("origin", "unit")
        )
        super().__init__(names, origin, unit, curves)
        pairs = zip(found, columns, strict=True)
        self.points = [at / column.unit + column.origin for (at, _), column in pairs]
        self.probabilities = [p for _, p in found]
        self.prior = prior

    def lines(self, variable: Variable, classes: int) -> list[Line]:
        """How probable each class is at some points."""
        at = self.names.index(variable.name)
        points, probabilities = self.points[at], self.probabilities[at]
        if len(points) < 2:
            return [(variable.name, ["says nothing"] * min(classes, self.classes))]
        some = np.unique(np.linspace(0, len(points) - 1, SHOWN).round().astype(int))
        return [
            (variable.name, []),
            *(
                (f"  at {points[place]:.4g}", [f"{p:.3f}" for p in probabilities[place, :classes]])
                for place in some
            ),
        ]


@dataclass(kw_only=True, frozen=True)
class Loess(PriorBlock):
    """P(class | number) is a smooth curve; the evidence is divided by the prior.

    The probability at a point is that of a regression line through the rows about it, which weigh
    the less the farther they are (Cleveland 1979); columns are taken as independent. A missing
    number says nothing.

    Parameters
    ----------
    window
        The share of the rows that are about a point: the nearest of them.
    points
        How many points there are at most; they are numbers that were seen, at equal steps in rank.
        In between, probabilities are interpolated; beyond the first and the last they stay.
    columns
        Their names; all columns of numbers that no other block takes, unless given.

    Notes
    -----
    A window has at least three rows. A line may leave the range from 0 to 1: probabilities that
    are below 0.1 and below half the share of their class, or as near to 1, are squashed, so that
    they never reach 0 or 1. Then the curves are raked (Deming and Stephan 1940): at each point
    they add up to 1, and over the rows the mean of each is the share of its class. So a column
    that says nothing makes no class more probable, however rare it is, and one that never varies
    says nothing. Of a column with very many distinct numbers, neighbours
    are taken together, at their mean. All distinct numbers are kept in learning, by a tally that
    adds up.

    Examples
    --------
    >>> from satsuma import Loess, Table
    >>> from satsuma.extend import Values
    >>> rows = [(x, "no" if x < 4 else "yes") for x in range(8)]
    >>> said = Loess().conclude(Values.of(Table.of(rows, ["heat", "play"])))
    >>> said.probabilities[0][[0, 3, 4], 0].round(2).tolist()
    [0.99, 0.71, 0.29]
    """

    window: float = 0.5
    points: int = 50
    columns: tuple[str, ...] | None = None

    kinds: ClassVar[tuple[str, ...]] = ("num",)
    tally_kind: ClassVar[type[Values]] = Values
    finds_infinite: ClassVar[bool] = True

    def check(self) -> None:
        """A share of the rows, and at least two points."""
        check_number(self, "window", low=0, high=1)
        check_number(self, "points", low=2, whole=True)

    def conclude(self, tally: Values, prior: Floats | None = None) -> ProbabilityCurves:
        """The probability of each class at the points of each column."""
        known = relative(tally.class_weight) if prior is None else prior
        pairs = zip(tally.names, tally.runs, strict=True)
        columns = [ScaledColumn(name, runs) for name, runs in pairs]

        def of_columns(lo: int, hi: int) -> list[tuple[Floats, Floats]]:
            return [self._column(each, known) for each in columns[lo:hi]]

        made = [each for tile in map_tiles(of_columns, len(columns), 1) for each in tile]
        return ProbabilityCurves(tally.names, columns, made, known)

    def _column(self, column: ScaledColumn, prior: Floats) -> tuple[Floats, Floats]:
        """The points of a column, and the probability of each class there."""
        if not column.range > 0:
            return np.zeros(1), prior[None]
        value, weight = thin(column.runs)
        ranks = np.linspace(0, len(value) - 1, min(self.points, len(value)))
        at = value[np.unique(ranks.round().astype(int))]
        share = relative(weight.sum(axis=0))
        curve = squash(local_shares(value, weight, at, self.window), share)
        curve = rake(curve, _on_points(value, weight.sum(axis=1), at), share)
        # A number says nothing of a class that has none in this column.
        joint = prior * np.where(share > 0, curve / np.where(share > 0, share, 1), 1.0)
        return at, joint / joint.sum(axis=1, keepdims=True)


def squash(p: Floats, share: Floats) -> Floats:
    """Probabilities by regression, brought between 0 and 1, relative to the share of each class.

    Those that are neither below 0.1 nor below half the share of the class stay as they are, and
    so do those that are as far from 1: the share itself stays, however rare the class is.

    Parameters
    ----------
    p
        Points by classes.
    share
        The share of each class in all rows.

    Examples
    --------
    >>> share = np.array([0.004, 0.996])
    >>> squash(np.array([[0.004, 0.996], [0.0, 1.0]]), share).round(5).tolist()
    [[0.004, 0.996], [0.00022, 0.99978]]
    """
    low, high = np.minimum(0.1, share / 2), np.minimum(0.1, (1 - share) / 2)
    return np.where(p < low, _tail(p, low), np.where(1 - p < high, 1 - _tail(1 - p, high), p))


def _tail(p: Floats, edge: Floats) -> Floats:
    """What stands for a probability below an edge: its odds fall to a ninth from there to 0."""
    edge = np.maximum(edge, np.finfo(float).tiny)
    with np.errstate(over="ignore"):
        return 1 / (1 + (1 - edge) / edge * np.exp(np.log(9) * (1 - p / edge)))


def _on_points(value: Floats, weight: Floats, at: Floats) -> Floats:
    """What each point weighs in a mean over rows, where curves are lines from point to point."""
    place: Floats = np.interp(value, at, np.arange(len(at), dtype=np.float64))
    left = place.astype(np.intp)
    part: Floats = place - left
    found: Floats = np.zeros(len(at) + 1)
    np.add.at(found, left, weight * (1 - part))
    np.add.at(found, left + 1, weight * part)
    return found[: len(at)]


def _broken(at: Floats, y: Floats) -> Curve:
    """A line through points, level before the first and behind the last."""
    if len(at) < 2:
        return Curve.constant(float(y[0]))
    slope = np.diff(y) / np.diff(at)
    coef = np.zeros((len(at) + 1, 2))
    coef[0, 0], coef[1:, 0], coef[1:-1, 1] = y[0], y, slope
    return Curve(np.append(at, np.inf), np.append(at[:1], at), coef)
