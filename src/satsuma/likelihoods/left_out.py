"""What blocks would say of each row, had they not learned from it: their tallies, less the row."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from satsuma.data.table import Table
from satsuma.kernels.tally import GroupMoments
from satsuma.likelihoods.best_fit import BestFit, M
from satsuma.likelihoods.binned import Binned, IntervalProbabilities
from satsuma.likelihoods.categorical import Categorical, Shares
from satsuma.likelihoods.gaussian import Gaussian, Gaussians, spreads
from satsuma.likelihoods.multivariate_evidence import Normals
from satsuma.likelihoods.multivariate_gaussian import MultivariateGaussian
from satsuma.likelihoods.normals_left_out import normals_left_out
from satsuma.measures.estimates import m_estimate
from satsuma.numerics.arrays import Bools, Codes, Floats
from satsuma.tallies.class_counts import ClassCounts
from satsuma.tallies.moments import Moments
from satsuma.tallies.row_keys import GREATEST, RowKeys
from satsuma.tallies.row_sample import RowSample

#: Numbers of classes by rows by columns that are worked out at a time.
_CELLS = 1 << 20

#: What is left of a sum of squares, as a share, for its digits to mean anything; and of a weight.
_DIGITS, _NOTHING = 1e-6, 1e-9


class Learned(NamedTuple):
    """Rows that were learned from, all of a known class and a weight above 0.

    Parameters
    ----------
    rows
        The rows.
    label, weight
        The class of each, and what it weighs.
    prior
        Rows by classes: how probable each class is without the row.
    sample
        Some of the rows, that were kept.
    """

    rows: Table
    label: Codes
    weight: Floats
    prior: Floats
    sample: RowSample | None


#: Rows by classes: the logarithm of what the columns show; and rows of which that is not sure.
LeftOut = tuple[Floats, Bools]


def evidence_left_out(block: Any, tally: Any, evidence: Any, asked: Learned) -> LeftOut | None:
    """What some columns say of each row without it; None where it is to be learned anew for that.

    What was chosen by all rows, as where numbers are cut, stays as it is.

    Parameters
    ----------
    block, tally, evidence
        What has learned, from what, and a part of what it says.
    asked
        The rows.
    """
    kinds: Any = type(block), type(evidence)
    way = _WAYS.get(kinds)
    return None if way is None else way(block, tally, evidence, asked)


def _gaussians(block: Any, tally: Moments, evidence: Gaussians, asked: Learned) -> LeftOut:
    at = [tally.names.index(name) for name in evidence.names]
    held = GroupMoments(tally.held.total, *(each[:, at] for each in tally.held[1:]))
    x = np.stack([asked.rows.column(name) for name in evidence.names], axis=1)
    second = _second(x, asked.label, held)
    found, unsure = np.zeros((len(x), len(held.total))), np.zeros(len(x), bool)
    for tile in _tiles(len(x), held.weight.size):
        label = asked.label[tile]
        own = GroupMoments(held.total[label], *(each[label] for each in held[1:]))
        ends = second[0][label], second[1][label]
        left, few = _without(own, x[tile], asked.weight[tile], ends)
        # Each cell of the rows is a column, of which but the class of the row is another.
        shape = len(held.total), *x[tile].shape
        each = [np.broadcast_to(one[:, None], shape).copy() for one in held[1:]]
        for one, mine in zip(each, left, strict=True):
            one[label, np.arange(len(label))] = mine
        cells = GroupMoments(held.total, *each)
        sd = spreads(cells, block.m)
        with np.errstate(over="ignore", invalid="ignore"):
            said = -0.5 * ((x[tile] - cells.mean) / sd) ** 2 - np.log(sd) - 0.5 * np.log(2 * np.pi)
        known = ~np.isnan(x[tile]) & np.isfinite(sd)
        found[tile], unsure[tile] = np.where(known, said, 0.0).sum(axis=2).T, few
    return found, unsure


def _without(
    own: GroupMoments, x: Floats, weight: Floats, second: tuple[Floats, Floats]
) -> tuple[tuple[Floats, ...], Bools]:
    """The moments of the class of each row without it; and whether too few digits are left.

    The updating formulas of Chan, Golub and LeVeque (1983), backwards.
    """
    w = np.where(np.isnan(x), 0.0, weight[:, None])
    left = own.weight - w
    left = np.where(left > _NOTHING * own.weight, left, 0.0)
    some = left > 0
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        gap = np.where(w > 0, (x - own.mean) - own.rest, 0.0)
        step = np.where(some, -gap * (w / left), 0.0)
        m2 = np.where(some, own.m2 + gap * step * own.weight, 0.0)
    mean = np.where(some, own.mean + (own.rest + step), 0.0)
    rest = np.where(some, (own.mean - mean) + (own.rest + step), 0.0)
    lo = np.where((x == own.lo) & (w > 0), second[0], own.lo)
    hi = np.where((x == own.hi) & (w > 0), second[1], own.hi)
    few = some & (w > 0) & (own.m2 > 0) & ~(m2 > _DIGITS * own.m2)
    return (left, mean, rest, m2, lo, hi), np.logical_or.reduce(few, axis=1)


def _second(x: Floats, label: Codes, held: GroupMoments) -> tuple[Floats, Floats]:
    """The second least and the second greatest number of each class and column."""
    low, high = np.full_like(held.lo, np.inf), np.full_like(held.hi, -np.inf)
    for code in range(len(low)):
        mine = x[label == code]
        if len(mine) > 1:
            low[code] = np.partition(np.where(np.isnan(mine), np.inf, mine), 1, axis=0)[1]
            high[code] = -np.partition(np.where(np.isnan(mine), np.inf, -mine), 1, axis=0)[1]
    return low, high


def _shares(block: Categorical, tally: ClassCounts, evidence: Shares, asked: Learned) -> LeftOut:
    rows = np.arange(len(asked.rows))
    found = np.zeros((len(rows), len(tally.class_weight)))
    for name in evidence.names:
        codes, counts = asked.rows.column(name), tally[name]
        known = np.flatnonzero(codes >= 0)
        here, label, w = codes[known], asked.label[known], asked.weight[known]
        mine: Floats = np.zeros((len(known), found.shape[1]))
        mine[np.arange(len(known)), label] = w
        weight = tally.class_weight if block.rows == "all" else counts.sum(axis=0)
        p: Floats | float = 1 / max(len(counts), 1)
        if block.prior == "value":
            total, seen = _less(counts.sum(), w), _less(counts[here].sum(axis=1), w)
            p = m_estimate(seen, total, 0.0, p)[:, None]
        elif block.prior == "class":
            p = asked.prior[known]
        share = block.shares(_less(counts[here], mine), _less(weight, mine), len(counts), p)
        with np.errstate(divide="ignore"):
            found[known] += np.log(share)
    return found, np.zeros(len(rows), bool)


def _intervals(
    block: Any, tally: Any, evidence: IntervalProbabilities, asked: Learned
) -> LeftOut | None:
    m, total, weight = block.m, tally.class_weight, asked.weight
    if isinstance(block, BestFit):  # what it says of intervals follows from the sample alone
        if asked.sample is None:
            return None
        m, kept = M, asked.sample
        labels = kept.rows.column(asked.rows.domain.target.name)  # pyright: ignore[reportOptionalMemberAccess]
        total = np.bincount(labels, kept.weight, len(total)).astype(np.float64)
        _, keys = RowKeys.of(kept.domain).below(asked.rows, GREATEST)
        weight = np.where(np.isin(keys, kept.hashes), weight, 0.0)
    found, each = np.zeros((len(asked.rows), len(total))), np.arange(len(asked.rows))
    for name, cuts, shares in zip(evidence.names, evidence.cuts, evidence.shares, strict=True):
        x = asked.rows.column(name)
        if not len(cuts):
            continue
        said = shares[np.searchsorted(cuts, x)]
        prior, room = 1 / len(shares), total[asked.label] + m
        count = said[each, asked.label] * room - m * prior
        left = _less(total[asked.label], weight)
        said[each, asked.label] = m_estimate(_less(count, weight), left, m, prior)
        with np.errstate(divide="ignore"):
            found += np.where(np.isnan(x)[:, None], 0.0, np.log(said))
    return found, np.zeros(len(found), bool)


def _normals(
    block: MultivariateGaussian, tally: Any, evidence: Normals, asked: Learned
) -> LeftOut | None:
    if block.shrinkage is not None:
        return None
    return normals_left_out(tally, evidence, asked.rows, asked.label, asked.weight)


def _less(weight: npt.ArrayLike, mine: Floats) -> Floats:
    """What is left of weights; nothing where that is what rounding leaves."""
    held = np.asarray(weight, np.float64)
    left = held - mine
    return np.where(left > _NOTHING * held, left, 0.0)


def _tiles(rows: int, cells: int) -> Iterator[slice]:
    step = max(1, _CELLS // max(cells, 1))
    return (slice(low, low + step) for low in range(0, rows, step))


_WAYS: dict[tuple[type, type], Callable[[Any, Any, Any, Learned], LeftOut | None]] = {
    (Gaussian, Gaussians): _gaussians,
    (BestFit, Gaussians): _gaussians,
    (BestFit, IntervalProbabilities): _intervals,
    (Binned, IntervalProbabilities): _intervals,
    (Categorical, Shares): _shares,
    (MultivariateGaussian, Normals): _normals,
}
