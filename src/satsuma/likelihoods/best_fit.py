"""BestFit: for each column of numbers, what says most about rows that were not learned from."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.kernels.threads import map_tasks
from satsuma.likelihoods.binned import Binned
from satsuma.likelihoods.block import Block, Evidence
from satsuma.likelihoods.gaussian import Gaussian
from satsuma.likelihoods.kde import KDE
from satsuma.measures.estimates import relative
from satsuma.numerics.arrays import Floats
from satsuma.tallies.runs import Runs
from satsuma.tallies.values import Values

#: What is tried, the simplest first; how many folds the rows of a column fall into; and the least
#: probability that a loss is reckoned with.
TRIED: tuple[Any, ...] = (Gaussian(), Binned(), KDE())
FOLDS, FLOOR = 5, 1e-9


@dataclass(kw_only=True, frozen=True)
class BestFit(Block):
    """Numbers have a Gaussian in each class, a density of kernels, or intervals.

    For each column that is taken which has the least log loss on rows that were not learned from,
    where nothing but this column is known. Columns are independent given the class. A missing
    number says nothing.

    Parameters
    ----------
    columns
        Their names; all columns of numbers that no other block takes, unless given.

    Notes
    -----
    The rows of each class are dealt into five folds in the order of their numbers, so that folds
    are alike, and neither the order of the rows nor who tallies them makes a difference. All
    distinct numbers are kept in learning, by a tally that adds up.

    Examples
    --------
    >>> rows = [(x / 10, "ab"[round(x / 25) % 2]) for x in range(100)]
    >>> said = BestFit().conclude(Values.of(Table.of(rows, ["x", "y"])))
    >>> [type(each).__name__ for each in said]
    ['IntervalProbabilities']
    """

    columns: tuple[str, ...] | None = None

    kinds: ClassVar[tuple[str, ...]] = ("num",)
    tally_kind: ClassVar[type[Values]] = Values
    finds_infinite: ClassVar[bool] = True

    def conclude(self, tally: Values) -> list[Evidence]:
        """What the columns say, together where they say it in the same way."""
        found = map_tasks(lambda name: _best(_Cells.of(tally, name)), tally.names)
        chosen = defaultdict[int, list[str]](list)
        for name, at in zip(tally.names, found, strict=True):
            chosen[at].append(name)
        return [_concluded(TRIED[at], tally, chosen[at]) for at in sorted(chosen)]


@dataclass(frozen=True)
class _Cells:
    """The distinct numbers of one column, by class, and what each weighs.

    Parameters
    ----------
    domain
        The column, the target and a weight.
    runs
        The numbers of each class, in order, one class behind the other.
    """

    domain: Domain
    runs: Runs

    @classmethod
    def of(cls, tally: Values, name: str) -> "_Cells":
        target = Variable(f"{name} class", "sym", tally.classes, "target")
        weight = Variable(f"{name} weight", role="weight")
        return cls(Domain([Variable(name), target, weight]), tally[name])

    @property
    def weight(self) -> Floats:
        """What each number weighs."""
        return self.runs.weight

    def weighing(self, weight: Floats) -> Table:
        """The numbers with other weights, as rows; without those that weigh nothing."""
        some = np.flatnonzero(weight > 0)
        sizes = np.diff(self.runs.starts)
        codes = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
        columns = [self.runs.value[some], codes[some], weight[some]]
        return Table(self.domain, columns, check=False)

    def folds(self) -> Floats:
        """(folds, numbers): what each number weighs in each fold.

        Row after row of a class goes to the next fold; of several rows with one number, or of one
        that weighs more than a row, a part goes to each.
        """
        total, starts = np.append(0.0, np.cumsum(self.weight)), self.runs.starts
        before = np.repeat(total[starts[:-1]], np.diff(starts))
        first, last = total[:-1] - before, total[1:] - before
        return np.stack([_share(last, fold) - _share(first, fold) for fold in range(FOLDS)])


def _share(upto: Floats, fold: int) -> Floats:
    """How much of what is up to a place falls to a fold, if it changes with every unit."""
    turns, rest = np.divmod(upto, FOLDS)
    return turns + np.clip(rest - fold, 0.0, 1.0)


def _best(cells: _Cells) -> int:
    """The place of what is least wrong about rows that it has not learned from.

    What is simpler is taken unless it is worse beyond half the logarithm of the rows.
    """
    if len(np.unique(cells.runs.value)) < 2:
        return 0
    losses = np.zeros(len(TRIED))
    for held_out in cells.folds():
        train, test = cells.weighing(cells.weight - held_out), cells.weighing(held_out)
        if len(train) and len(test):
            losses += [_loss(block, train, test) for block in TRIED]
    margin = np.log(cells.weight.sum()) / 2  # what one number more to be learned costs
    return int(np.argmax(losses <= losses.min() + margin))


def _loss(block: Any, train: Table, test: Table) -> float:
    """The log loss of rows, by a model of others."""
    tally = block.tally_kind.of(train)
    with np.errstate(divide="ignore"):
        logs = block.conclude(tally).log_evidence(test) + np.log(relative(tally.class_weight))
    top = logs.max(axis=1, keepdims=True)
    chances = np.exp(logs - np.where(np.isfinite(top), top, 0.0))
    target = test.domain.target
    assert target is not None
    right = chances[np.arange(len(test)), test.column(target.name)]
    with np.errstate(invalid="ignore"):
        shares = np.nan_to_num(right / chances.sum(axis=1))
    weights = test.weights
    assert weights is not None
    return float(weights @ -np.log(np.maximum(shares, FLOOR)))


def _concluded(block: Any, tally: Values, names: list[str]) -> Evidence:
    """What some columns say in one way."""
    target = tally.domain.target
    assert target is not None
    if block.tally_kind is Values:
        domain = Domain([*(tally.domain[name] for name in names), target])
        return block.conclude(Values(domain, tally.class_weight, [tally[name] for name in names]))
    said = [_gaussian(block, _Cells.of(tally, name)) for name in names]
    mean, sd = (
        np.concatenate([getattr(each, part) for each in said], 1) for part in ("mean", "sd")
    )
    return type(said[0])(tuple(names), mean, sd)


def _gaussian(block: Any, cells: _Cells) -> Any:
    return block.conclude(block.tally_kind.of(cells.weighing(cells.weight)))
