"""Folds: which rows are kept for testing, dealt at random but evenly."""

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from satsuma.errors import DomainError
from satsuma.kernels import tally

if TYPE_CHECKING:
    from satsuma.data.columns import Floats

#: The fold of each row, from 0; -1 for a row that is in none.
Folds = npt.NDArray[np.signedinteger[Any]]
Rows = npt.NDArray[np.intp]
Strata = npt.NDArray[np.integer[Any]]


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


def _some_of_each(strata: Strata, drawn: Folds, numbers: Rows, rng: np.random.Generator) -> Rows:
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


def even_order(strata: Strata, rng: np.random.Generator) -> Rows:
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


def sorted_rows(codes: Strata, count: int) -> tuple[Rows, list[int]]:
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
