"""Binned: in each class, numbers fall into intervals with certain probabilities."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from satsuma.data.breaks import cut_texts
from satsuma.data.fields import FloatArray, Many
from satsuma.data.schema import Schema
from satsuma.data.variable import Variable
from satsuma.errors import ReadError, check_choice, check_number
from satsuma.kernels.threads import map_tiles
from satsuma.likelihoods.block import Block, Line
from satsuma.likelihoods.categorical import draw_codes
from satsuma.likelihoods.curves import Curve, Curves
from satsuma.measures.cut_points import interval_weights, mdl_cuts
from satsuma.measures.estimates import m_estimate
from satsuma.numerics.arrays import Array, Codes, Floats, Indices
from satsuma.tallies.runs import Runs
from satsuma.tallies.values import Values


class IntervalProbabilities(Curves):
    """How probable each interval of each column is in each class.

    Parameters
    ----------
    names
        The columns.
    cuts
        For each column, where one interval ends, itself included, and the next begins.
    shares
        For each column, an array (intervals, classes).
    ends
        The least and the greatest number of each column; NaN where none is known.
    """

    schema: ClassVar[Schema] = Schema(
        "cuts",
        "intervals",
        cuts=Many(FloatArray("cuts"), size="names"),
        shares=Many(FloatArray("intervals", "classes", low=0, high=1 + 1e-9), size="names"),
        ends=FloatArray("names", 2, missing=True),
    )

    def check_columns(self, variables: Sequence[Variable], classes: int) -> None:
        """There is a share for each interval and class."""
        super().check_columns(variables, classes)
        shapes = [(len(cut) + 1, classes) for cut in self.cuts]
        if [share.shape for share in self.shares] != shapes:
            raise ReadError("IntervalProbabilities has the shares of other intervals or classes")

    def __init__(
        self,
        names: tuple[str, ...],
        cuts: list[Floats],
        shares: list[Floats],
        ends: Floats,
        classes: int,
    ) -> None:
        with np.errstate(divide="ignore"):
            each = [[np.log(table[:, c]) for c in range(classes)] for table in shares]
        curves = [
            [Curve(np.append(cut, np.inf), _finite(cut), log[:, None]) for log in logs]
            for cut, logs in zip(cuts, each, strict=True)
        ]
        super().__init__(names, np.zeros(len(names)), np.ones(len(names)), curves)
        self.cuts, self.shares, self.ends = cuts, shares, ends

    def sample(self, classes: Codes, rng: np.random.Generator) -> dict[str, Array]:
        """Numbers from the intervals of these classes, anywhere in an interval; by column."""
        found: dict[str, Array] = {}
        for name, cuts, shares, ends in zip(
            self.names, self.cuts, self.shares, self.ends, strict=True
        ):
            low, high = np.append(ends[0], cuts), np.append(cuts, ends[1])
            at, share = draw_codes(shares[:, classes], rng), rng.random(len(classes))
            cells = low[at] * share + high[at] * (1 - share)  # open on the left
            found[name] = np.where(at >= 0, cells, np.nan)
        return found

    def lines(self, variable: Variable, classes: int) -> list[Line]:
        """A line for each interval."""
        at = self.names.index(variable.name)
        if not len(self.cuts[at]):
            return [(variable.name, ["says nothing"] * min(classes, self.classes))]
        return [
            (variable.name, []),
            *(
                (f"  {label}", [f"{share:.3f}" for share in row[:classes]])
                for label, row in zip(interval_labels(self.cuts[at]), self.shares[at], strict=True)
            ),
        ]


@dataclass(kw_only=True, frozen=True)
class Binned(Block):
    """Numbers are cut into intervals, which have a probability in each class.

    Columns are independent given the class. A missing number says nothing, and neither does a
    column that is not cut.

    Parameters
    ----------
    method
        Where to cut: ``mdl``, where the classes are told apart best, if that pays for itself
        (Fayyad and Irani 1993); ``width``, into `n` intervals of the same width; ``frequency``,
        into about `n` that hold as many rows, where equal numbers are never parted.
    n
        How many intervals there are to be; not used by ``mdl``.
    m
        Weight of the prior of an interval, in imaginary rows spread over all intervals, as in
        `Categorical`.
    columns
        Their names; all columns of numbers that no other block takes, unless given.

    Notes
    -----
    Intervals are open on the left and closed on the right. All distinct numbers are kept in
    learning, by a tally that adds up.

    Examples
    --------
    >>> from satsuma import Binned, Table
    >>> from satsuma.extend import Values
    >>> rows = [(x, "no" if x < 4 else "yes") for x in range(8)]
    >>> said = Binned(m=0).conclude(Values.of(Table.of(rows, ["heat", "play"])))
    >>> said.cuts[0].tolist(), said.shares[0].tolist()
    ([3.5], [[1.0, 0.0], [0.0, 1.0]])
    """

    method: str = "mdl"
    n: int = 10
    m: float = 2.0
    columns: tuple[str, ...] | None = None

    kinds: ClassVar[tuple[str, ...]] = ("num",)
    tally_kind: ClassVar[type[Values]] = Values
    finds_infinite: ClassVar[bool] = True

    def check(self) -> None:
        """A method that there is, some intervals, and a weight from 0 on."""
        check_choice(self, "method", ("mdl", "width", "frequency"))
        check_number(self, "n", low=1, whole=True)
        check_number(self, "m", low=0)

    def conclude(self, tally: Values) -> IntervalProbabilities:
        """The cuts of each column, and the shares of the intervals in each class."""

        def of_columns(lo: int, hi: int) -> list[tuple[Floats, Floats]]:
            return [self._column(runs, tally.class_weight) for runs in tally.runs[lo:hi]]

        made = [each for tile in map_tiles(of_columns, len(tally.names), 1) for each in tile]
        cuts, shares = [cut for cut, _ in made], [share for _, share in made]
        ends = np.array([_ends(runs) for runs in tally.runs]).reshape(len(made), 2)
        return IntervalProbabilities(tally.names, cuts, shares, ends, len(tally.classes))

    def _column(self, runs: Runs, class_weight: Floats) -> tuple[Floats, Floats]:
        value, weight = runs.merged()
        cuts = self._cuts(value, weight)
        counts = interval_weights(value, weight, cuts)
        if not len(cuts):
            return cuts, np.ones_like(counts)
        shares = m_estimate(counts, class_weight, self.m, 1 / len(counts))
        # A class without rows says nothing where there is no prior either.
        return cuts, np.where(class_weight + self.m > 0, shares, 1.0)

    def _cuts(self, value: Floats, weight: Floats) -> Floats:
        if len(value) < 2:
            return np.zeros(0)
        if self.method == "mdl":
            return mdl_cuts(value, weight)
        inner: Floats = np.arange(1, self.n) / self.n
        if self.method == "width":
            cuts = value[0] * (1 - inner) + value[-1] * inner
        else:
            upto = np.cumsum(weight.sum(axis=1))
            # The number behind which the share is next to the one that is wanted.
            middle = (upto[:-1] + upto[1:]) / 2
            wanted: Floats = np.multiply(inner, upto[-1])
            at: Indices = np.searchsorted(middle[:-1], wanted)
            cuts = value[at] / 2 + value[at + 1] / 2
        return np.unique(cuts)


def _ends(runs: Runs) -> tuple[float, float]:
    """The least and the greatest number of a column."""
    if not len(runs.value):
        return np.nan, np.nan
    return float(runs.value.min()), float(runs.value.max())


def interval_labels(cuts: Floats) -> list[str]:
    """The intervals as a person writes them, with as many digits as tell the cuts apart.

    Examples
    --------
    >>> interval_labels(np.array([5.55, 6.15]))
    ['≤ 5.55', '(5.55, 6.15]', '> 6.15']
    """
    told = cut_texts(cuts.tolist())
    return [f"≤ {told[0]}", *(f"({a}, {b}]" for a, b in pairwise(told)), f"> {told[-1]}"]


def _finite(cuts: Floats) -> Floats:
    """A number for each interval; any serves, as nothing changes within one."""
    return np.append(cuts, cuts[-1:] if len(cuts) else 0.0)
