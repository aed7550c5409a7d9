"""Folds: which rows are kept for testing, dealt at random but evenly; the merge of the others."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from satsuma.data.table import Table
from satsuma.engines.sampling import chances
from satsuma.errors import DomainError
from satsuma.kernels import tally
from satsuma.numerics.arrays import Indices
from satsuma.tallies.base import Tally

if TYPE_CHECKING:
    from satsuma.numerics.arrays import Floats

T = TypeVar("T", bound=Tally)

#: The fold of each row, from 0; -1 for a row that is in none.
Folds = npt.NDArray[np.signedinteger[Any]]
Strata = npt.NDArray[np.integer[Any]]

#: Tallies of the rows of fold 0, 1, …, given a table, the fold of each row, and their number.
ByFold = Callable[[Table, Folds, int], Sequence[Any]]

#: Folds that are merged at once. More, as in leaving out one row at a time, go in two levels,
#: so that there are never many more tallies than this in memory.
AT_ONCE = 256


def deal(strata: Strata, folds: int, rng: np.random.Generator) -> Folds:
    """The fold of each row: every stratum is shuffled and dealt in turn.

    One counter goes over all strata, so that folds differ by at most one row, and by at most
    one row in each stratum.

    Parameters
    ----------
    strata
        The class of each row as a code; -1 for a row that is to be in no fold.
    folds
        How many there are.
    rng
        Where chance comes from.

    Examples
    --------
    >>> deal(np.array([0, 0, 1, 1, -1]), 2, np.random.default_rng(0))
    array([ 1,  0,  1,  0, -1], dtype=int16)
    """
    used = strata >= 0
    if used.all():
        return _dealt(strata, folds, rng)
    found = np.full(len(strata), -1, _width(folds))
    found[used] = _dealt(strata[used], folds, rng)
    return found


def _dealt(strata: Strata, folds: int, rng: np.random.Generator) -> Folds:
    _check_enough(len(strata), folds, "rows")
    kinds, turns = int(strata.max()) + 1, rng.permutation(folds)
    # Draw a fold for each row, then move as many rows as it takes to have the numbers that are
    # wanted. Rows are moved at random, so every deal is as likely as by shuffling, in less time.
    drawn = rng.integers(0, folds, len(strata), _width(folds))
    sizes, (there,) = tally.counts([drawn], [folds], strata, kinds)
    wanted = _wanted(sizes.astype(np.intp), turns)
    surplus = there.astype(np.intp).ravel() - wanted.ravel()
    moved = _some_of_each(strata, drawn, np.maximum(surplus, 0), rng)
    free = np.repeat(np.arange(wanted.size) % folds, np.maximum(-surplus, 0))
    # Both are sorted by stratum, and in each as many folds are free as rows are moved.
    ends = np.cumsum(np.maximum(surplus, 0).reshape(wanted.shape).sum(axis=1))
    for low, high in pairwise([0, *ends.tolist()]):
        drawn[moved[low:high]] = rng.permutation(free[low:high])
    return drawn


def _some_of_each(
    strata: Strata, drawn: Folds, numbers: Indices, rng: np.random.Generator
) -> Indices:
    """As many rows of each stratum and fold as are wanted, all equally likely; in their order."""
    # The first that come up among many draws. Where these are too few, as in a rare class, the
    # rows of the stratum and fold are looked for.
    folds = len(numbers) // (int(strata.max()) + 1)
    draws = rng.integers(0, len(strata), 2 * len(numbers) * int(numbers.max()))
    _, first = np.unique(draws, return_index=True)
    draws = draws[np.sort(first)]
    cells = strata[draws].astype(_width(len(numbers))) * folds + drawn[draws]
    order, edges = sorted_rows(cells, len(numbers))
    found = [np.zeros(0, np.intp)]
    for cell in np.flatnonzero(numbers):
        number, rows = numbers[cell], draws[order[edges[cell] : edges[cell + 1]]]
        if len(rows) < number:
            stratum, fold = divmod(int(cell), folds)
            rows = rng.permutation(np.flatnonzero((strata == stratum) & (drawn == fold)))
        found.append(rows[:number])
    return np.concatenate(found)


def _wanted(sizes: npt.NDArray[np.intp], order: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """How many rows of each stratum each fold gets, when all are dealt in turn."""
    folds = len(order)
    starts = np.cumsum(sizes) - sizes
    turns = (np.argsort(order) - starts[:, None]) % folds
    return (sizes[:, None] + folds - 1 - turns) // folds


def deal_shuffled(table: Table, folds: int, seed: int) -> Folds:
    """The fold of each row of a table in which every target is known: for use inside a learner.

    Folds are as even as those of `deal`, and as random; all rows are shuffled for it, which takes
    longer where there are many.

    Examples
    --------
    >>> days = Table.of([("hot", "no"), ("mild", "yes"), ("hot", "no"), ("cold", "yes")], "tp")
    >>> deal_shuffled(days, 2, seed=0).tolist()
    [1, 0, 0, 1]
    """
    target = table.domain.target
    order = np.random.default_rng(seed).permutation(len(table))
    if target is not None and target.kind == "sym":
        order = order[np.argsort(table.column(target.name)[order], kind="stable")]
    dealt = np.empty(len(table), _width(folds))
    dealt[order] = np.arange(len(table)) % folds
    return dealt


def deal_groups(groups: Strata, strata: Strata, folds: int, rng: np.random.Generator) -> Folds:
    """The fold of each row, where rows of one group stay together.

    The groups are shuffled and given out from the largest to the smallest, each to the fold
    that evens out the strata best; so folds are as equal as the groups allow.

    Examples
    --------
    >>> groups = np.array([0, 0, 1, 1, 2, 2, 3, 3])
    >>> deal_groups(groups, np.zeros(8, int), 2, np.random.default_rng(0))
    array([1, 1, 0, 0, 0, 0, 1, 1], dtype=int16)
    """
    used = strata >= 0
    _, members = np.unique(groups[used], return_inverse=True)
    count = int(members.max()) + 1 if members.size else 0
    _check_enough(count, folds, "groups")
    kinds = int(strata.max()) + 1
    sizes = np.bincount(members * kinds + strata[used], minlength=count * kinds)
    sizes = sizes.reshape(count, kinds) / np.maximum(np.bincount(strata[used], minlength=kinds), 1)
    shuffled = rng.permutation(count)
    order = shuffled[np.argsort(-sizes[shuffled].sum(axis=1), kind="stable")]
    filled, given = np.zeros((folds, kinds)), np.zeros(count, np.intp)
    for group in order:
        # Adding g to a fold that holds f raises the sum of squares by 2 f g + g g.
        given[group] = fold = int((filled @ sizes[group]).argmin())
        filled[fold] += sizes[group]
    found = np.full(len(strata), -1, _width(folds))
    found[used] = given[members]
    return found


def deal_places(first: int, rows: int, folds: int, seed: int) -> npt.NDArray[np.int16]:
    """The fold of each row of a batch of a source, by a hash of its place.

    Folds are about equal. A row has the same fold however the source comes in batches.

    Parameters
    ----------
    first
        The place of the first row of the batch.
    rows
        How many rows the batch has.
    folds
        How many there are.
    seed
        Where chance starts from.

    Examples
    --------
    >>> deal_places(0, 6, 3, seed=1).tolist(), deal_places(4, 2, 3, seed=1).tolist()
    ([1, 2, 0, 2, 0, 2], [0, 2])
    """
    drawn = (chances(first, rows, seed) >> np.uint64(32)) * np.uint64(folds)
    return (drawn >> np.uint64(32)).astype(np.int16)


def even_order(strata: Strata, rng: np.random.Generator) -> Indices:
    """Rows in random order, every start of which has about the right share of each stratum.

    A start is off by less than 1 + p (k - 2) rows of a stratum, where there are k strata and this
    one has the share p of the rows: by less than one row where there are two.

    Examples
    --------
    >>> strata = np.array([0, 0, 0, 0, 1, 1])
    >>> sorted(strata[even_order(strata, np.random.default_rng(0))[:3]].tolist())
    [0, 0, 1]
    """
    rows, edges = sorted_rows(strata, int(strata.max(initial=0)) + 1)
    place: Floats = np.empty(len(rows))
    for low, high in pairwise(edges):
        place[low:high] = (rng.permutation(high - low) + rng.random()) / (high - low)
    return rows[np.argsort(place, kind="stable")]


def sorted_rows(codes: Strata, count: int) -> tuple[Indices, list[int]]:
    """Row numbers sorted by code, codes of -1 left out, and the edges between the codes.

    Examples
    --------
    >>> sorted_rows(np.array([1, 0, -1, 1]), 3)
    (array([1, 0, 3]), [0, 1, 3, 3])
    """
    # numpy counts where codes have 16 bits, and compares where they have more.
    narrow = codes.astype(_width(count), copy=False)
    order = np.argsort(narrow, kind="stable")
    counts = np.bincount(narrow + narrow.dtype.type(1), minlength=count + 1)
    edges = np.cumsum(counts) - counts[0]
    return order[counts[0] :], edges.tolist()


def _width(count: int) -> type[np.signedinteger[Any]]:
    """A type for codes below a count, and for one more."""
    return np.int16 if count < 2**15 else np.int32 if count < 2**31 else np.int64


def _check_enough(there: int, folds: int, noun: str) -> None:
    if there < folds:
        raise DomainError(
            f"{folds} folds need at least as many {noun} with a known target and a weight above 0. "
            f"There are {there}. Use fewer folds."
        )


def others(tallies: Sequence[T], outside: T | None = None) -> Iterator[T]:
    """For each tally the sum of all others, by three additions and no subtraction.

    Examples
    --------
    >>> list(others(["a", "b", "c", "d"]))
    ['bcd', 'acd', 'abd', 'abc']
    """
    after: list[T | None] = [None]
    for each in reversed(tallies[1:]):
        after.append(each if after[-1] is None else each + after[-1])
    before = outside
    for each in tallies:
        rest = after.pop()
        merged = rest if before is None else before if rest is None else before + rest
        assert merged is not None, "a single tally has no others"
        yield merged
        before = each if before is None else before + each


def training_tallies(by_fold: ByFold, table: Table, folds: Folds, count: int) -> Iterator[Any]:
    """For each fold the tally of the rows of all other folds."""
    if merged_at_once(count):
        yield from others(by_fold(table, folds, count))
        return
    coarse = np.where(folds < 0, -1, folds // AT_ONCE).astype(folds.dtype)
    blocks = -(-count // AT_ONCE)
    order, edges = sorted_rows(coarse, blocks)
    outside = others(by_fold(table, coarse, blocks))
    for block, (low, high, rest) in enumerate(zip(edges, edges[1:], outside, strict=False)):
        rows, first = order[low:high], block * AT_ONCE
        inside = folds[rows] - folds.dtype.type(first)
        yield from others(by_fold(table[rows], inside, min(AT_ONCE, count - first)), rest)


def merged_at_once(count: int) -> bool:
    """Whether there are so few folds that their tallies, and models, may all be in memory."""
    return count <= AT_ONCE
