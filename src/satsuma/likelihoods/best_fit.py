"""BestFit: for each column of numbers, what says most about rows that were not learned from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.errors import check_choice, check_number
from satsuma.folds import others
from satsuma.kernels.cuts import Column, Compared, compare
from satsuma.likelihoods.binned import Binned, IntervalProbabilities
from satsuma.likelihoods.block import Evidence, SampleBlock
from satsuma.likelihoods.density_losses import densities_of, density_losses
from satsuma.likelihoods.gaussian import Gaussian, Gaussians
from satsuma.likelihoods.kde import Densities
from satsuma.measures.cut_points import table_of_logs
from satsuma.measures.estimates import m_estimate, relative
from satsuma.numerics.arrays import Codes, Floats, Indices
from satsuma.tallies.held_out import FOLDS, by_name, held_out
from satsuma.tallies.moments import Moments
from satsuma.tallies.row_sample import RowSample

#: Rows from which on a choice is made: fewer cannot tell, and a Gaussian needs the fewest.
ENOUGH = 30

#: The least probability that a loss is reckoned with, and the prior of an interval.
LEAST, M = 1e-9, Binned.m


@dataclass(kw_only=True, frozen=True)
class BestFit(SampleBlock):
    """Numbers have a Gaussian in each class, or fall into intervals that have a probability.

    For each column that is taken which has the least log loss on rows that were not learned from,
    where nothing but this column is known. Columns are independent given the class. A missing
    number says nothing.

    Parameters
    ----------
    columns
        Their names; all columns of numbers that no other block takes, unless given.
    m
        Of Gaussians: how many imaginary rows each class has that are spread as the whole column is;
        see `Gaussian`.
    densities
        Whether a column may have a density of kernels, too, about the numbers of the sample; see
        `KDE`. It is often better where a class has several hills, and it takes longer to learn.

    Notes
    -----
    The learner keeps the moments of all rows and a sample of up to 1,000 distinct rows, the one
    that it is calibrated by, so that what it keeps is bounded. Gaussians follow from the moments,
    and are exact. Intervals (those of MDL, see `Binned`) and the choice follow from the sample:
    these are exact too where there are fewer rows. The rows of the sample are dealt into five
    folds by class, and each fold is predicted by what follows from the others. A Gaussian, which is
    simpler, is taken unless it is worse beyond half the logarithm of the rows, and always for fewer
    than 30 rows. A column that is better not believed at all has a single interval, and says
    nothing. Neither the order of the rows nor who tallies them makes a difference.

    Examples
    --------
    >>> rows = Table.of([(x / 10, "ab"[round(x / 25) % 2]) for x in range(100)], ["x", "y"])
    >>> block = BestFit()
    >>> sampled = block.of_sample(RowSample.of(rows), ("x",))
    >>> block.conclude(Moments.of(rows), sampled)
    [IntervalProbabilities(x)]
    """

    columns: tuple[str, ...] | None = None
    m: float = 0.0
    densities: bool = False

    kinds: ClassVar[tuple[str, ...]] = ("num",)
    tally_kind: ClassVar[type[Moments]] = Moments
    sampled_kinds: ClassVar[tuple[type[Evidence], ...]] = (IntervalProbabilities, Densities)
    finds_infinite: ClassVar[bool] = True

    def check(self) -> None:
        """The weight of the prior is a number from 0 on, and densities are taken or not."""
        check_number(self, "m", low=0)
        check_choice(self, "densities", (True, False))

    def of_sample(
        self, sample: RowSample, columns: tuple[str, ...], fold: int | None = None
    ) -> list[Evidence]:
        """What is said of the columns that are better not taken for Gaussian."""
        asked, of = (columns, self.m, self.densities), _comparisons.setdefault(sample, {})
        if asked not in of:
            of[asked] = Comparison.of(sample, *asked)
        return of[asked].evidence(FOLDS if fold is None else fold)

    def conclude(self, tally: Moments, sampled: Sequence[Evidence] = ()) -> list[Evidence]:
        """Gaussians of the columns of which the sample says nothing better, and what it says."""
        bells = Gaussian(m=self.m).conclude(tally)
        said = {name for each in sampled for name in each.names}
        left = [at for at, name in enumerate(bells.names) if name not in said]
        if not said:
            return [bells]
        if not left:
            return [*sampled]
        names = tuple(bells.names[at] for at in left)
        return [Gaussians(names, bells.mean[:, left], bells.sd[:, left]), *sampled]


#: What was found for samples that are still in use: most rows of a long stream change none.
_comparisons: WeakKeyDictionary[
    RowSample, dict[tuple[tuple[str, ...], float, bool], "Comparison"]
] = WeakKeyDictionary()


class Comparison(NamedTuple):
    """The columns that are better not taken for Gaussian, and what is said of them.

    Parameters
    ----------
    names
        Those that are cut.
    found
        Their cuts without the rows of each fold, and at last those of all rows.
    ends
        (columns, 2): their least and greatest numbers.
    class_weight
        (folds + 1, classes): what the classes weigh there.
    dense
        Those that have densities.
    rows, fold
        What densities follow from: the rows, and the fold in which each is held out.
    """

    names: tuple[str, ...]
    found: Sequence[Compared]
    ends: Floats
    class_weight: Floats
    dense: tuple[str, ...] = ()
    rows: Table | None = None
    fold: Codes | None = None

    @classmethod
    def of(
        cls, sample: RowSample, columns: tuple[str, ...], m: float = 0.0, densities: bool = False
    ) -> "Comparison":
        """What columns are taken for compared, column by column."""
        if sample.weight.sum() < ENOUGH:
            return cls((), (), np.zeros((0, 2)), np.zeros((FOLDS + 1, 0)))
        rows = _Dealt.of(sample, columns, m)
        better, dense = dict[str, tuple[Compared, Floats]](), list[str]()
        losses = [np.inf] * len(columns)
        if densities:
            total = rows.class_weight[:FOLDS]
            losses = density_losses(rows.rows, rows.fold, total, columns, LEAST)
        for at, name in enumerate(columns):
            column = rows.column(at)
            found = compare(column) if len(column.value) else None
            if found is None or not _pays(found, losses[at], float(column.weight.sum())):
                continue
            if losses[at] < found.cut:
                dense.append(name)
            else:
                better[name] = found, column.value[[0, -1]]
        ends = np.array([each for _, each in better.values()]).reshape(len(better), 2)
        found = [each for each, _ in better.values()]
        kept, fold = (rows.rows, rows.fold) if dense else (None, None)
        return cls(tuple(better), found, ends, rows.class_weight, tuple(dense), kept, fold)

    def evidence(self, fold: int) -> list[Evidence]:
        """What columns say without the rows of a fold; the last is for all rows."""
        said: list[Evidence] = [self._intervals(fold)] if self.names else []
        if self.rows is not None and self.fold is not None:
            said.append(densities_of(self.rows[np.flatnonzero(self.fold != fold)], self.dense))
        return said

    def _intervals(self, fold: int) -> IntervalProbabilities:
        total = self.class_weight[fold]
        cuts = [each.cuts[fold] for each in self.found]
        counts = [each.counts[fold] for each in self.found]
        shares = [
            m_estimate(each, total, M, 1 / len(each)) if len(each) > 1 else np.ones_like(each)
            for each in counts
        ]
        return IntervalProbabilities(self.names, cuts, shares, self.ends, len(total))


def _pays(found: Compared, dense: float, weight: float) -> bool:
    """Whether something is better by more than what another number to be learned costs."""
    return found.bell > min(found.cut, dense) + np.log(max(weight, 1.0)) / 2


class _Dealt(NamedTuple):
    """The rows of a sample, each in a fold, and the Gaussians of the others.

    A row that weighs more than one is there once for each fold that has some of it.
    """

    rows: Table
    cells: Floats
    order: Indices
    known: Indices
    label: Codes
    fold: Codes
    weight: Floats
    mean: Floats
    scale: Floats
    base: Floats
    class_weight: Floats
    table: Floats

    @classmethod
    def of(cls, sample: RowSample, columns: tuple[str, ...], m: float = 0.0) -> "_Dealt":
        target = sample.domain.target
        assert target is not None, "the learner has checked that there is a target"
        rows = sample.rows
        label = rows.column(target.name)
        held = held_out(sample.hashes, by_name(label, target.values), sample.weight)
        row, fold = np.nonzero(held > 0)
        weight, fold = held[row, fold], fold.astype(np.int32)
        cells = np.stack([rows.column(name) for name in columns])[:, row]
        label = label[row].astype(np.int32)
        domain = Domain([*(sample.domain[name] for name in columns), target, _weight(columns)])
        dealt = Table(domain, [*cells, label, weight], check=False)
        parts = Moments.by_fold(dealt, fold, FOLDS)
        rests = list(others(parts))
        total = np.stack(
            [*(each.class_weight for each in rests), (parts[0] + rests[0]).class_weight]
        )
        bells = [_bells(each, m) for each in rests]
        total[:-1][~(total[:-1] > 0).any(axis=1)] = -1.0
        mean, scale, base = (
            np.ascontiguousarray(np.stack(each).transpose(2, 0, 1))
            for each in zip(*bells, strict=True)
        )
        return cls(
            rows=dealt,
            cells=cells,
            order=np.argsort(cells, axis=1),
            known=(~np.isnan(cells)).sum(axis=1),
            label=label,
            fold=fold,
            weight=weight,
            mean=mean,
            scale=scale,
            base=base,
            class_weight=total,
            table=table_of_logs(weight),
        )

    def column(self, at: int) -> Column:
        """The known numbers of a column, in order."""
        order = self.order[at, : self.known[at]]
        return Column(
            value=self.cells[at, order],
            label=self.label[order],
            fold=self.fold[order],
            weight=self.weight[order],
            mean=self.mean[at],
            scale=self.scale[at],
            base=self.base[at],
            class_weight=self.class_weight,
            m=M,
            least=LEAST,
            table=self.table,
        )


def _weight(columns: Sequence[str]) -> Variable:
    """A weight whose name is none of the columns'."""
    return Variable(max(columns, key=len) + " weight", role="weight")


def _bells(tally: Moments, m: float) -> tuple[Any, Any, Any]:
    """What the scores of a Gaussian in each class follow from; see `Column`."""
    found = Gaussian(m=m).conclude(tally)
    says = np.isfinite(found.sd)
    with np.errstate(divide="ignore"):
        prior = np.log(relative(tally.class_weight))[:, None]
        peak = np.where(says, -np.log(found.sd) - 0.5 * np.log(2 * np.pi), 0.0)
    return (
        np.where(says, found.mean, 0.0),
        np.where(says, np.sqrt(0.5) / found.sd, 0.0),
        prior + peak,
    )
