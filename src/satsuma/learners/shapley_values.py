"""Shapley values: what each column adds to a prediction, on average over orders of columns.

A row becomes another one column by column; what a column adds is how much the prediction changes
when it is its turn, on average over all orders (Shapley 1953; Štrumbelj and Kononenko 2010). Over
few columns all orders are gone through, over more some are drawn. Either way the terms sum to the
difference between both predictions exactly.
"""

from collections.abc import Callable, Sequence
from math import factorial
from typing import NamedTuple, cast

import numpy as np

from satsuma.data.table import Table
from satsuma.numerics.arrays import MISSING, Array, Bools, Floats, Indices, Integers

#: Players up to which all coalitions are asked for.
FEW = 8

#: Orders that are drawn, in pairs of which one is the other backwards, and rows of a background.
SAMPLES, BACKGROUND = 200, 100

#: Columns of a prediction: rows by outputs.
Ask = Callable[[Table], Floats]


def coalitions(players: int) -> Bools:
    """All sets of players: (sets, players); number i has those whose bits are in i.

    Examples
    --------
    >>> coalitions(2).tolist()
    [[False, False], [True, False], [False, True], [True, True]]
    """
    return (np.arange(1 << players)[:, None] >> np.arange(players) & 1).astype(bool)


def exact_shapley(worth: Floats) -> Floats:
    """The Shapley value of each player, given what all sets of players are worth.

    Parameters
    ----------
    worth
        (sets, outputs), in the order of `coalitions`.

    Examples
    --------
    Two gloves of one kind and one of the other; a pair is worth 1 (Shapley and Shubik 1969):

    >>> sets = coalitions(3)
    >>> worth = (sets[:, 0] & (sets[:, 1] | sets[:, 2])).astype(float)
    >>> exact_shapley(worth[:, None])[:, 0].round(4).tolist()
    [0.6667, 0.1667, 0.1667]
    """
    players = len(worth).bit_length() - 1
    sets = coalitions(players)
    sizes = sets.sum(axis=1)
    found = np.zeros((players, worth.shape[1]))
    shares = [
        factorial(size) * factorial(players - size - 1) / factorial(players)
        for size in range(players)
    ]
    for player in range(players):
        without = np.flatnonzero(~sets[:, player])
        gains = worth[without | (1 << player)] - worth[without]
        found[player] = np.array(shares)[sizes[without]] @ gains
    return found


def orders(players: int, samples: int, seed: int) -> Integers:
    """Orders of players, drawn in pairs: each second one is the one before it backwards."""
    rng = np.random.default_rng(seed)
    drawn = [rng.permutation(players) for _ in range(max(1, samples // 2))]
    return np.array([each for one in drawn for each in (one, one[::-1])]).reshape(-1, players)


class Contributions(NamedTuple):
    """What columns add, and how sure that is.

    Parameters
    ----------
    base
        (outputs,): what is expected of any row.
    added
        (columns, outputs).
    errors
        (columns, outputs): standard errors; 0 where nothing was drawn.
    """

    base: Floats
    added: Floats
    errors: Floats


def sampled_shapley(
    ask: Ask, row: Table, background: Table, samples: int = SAMPLES, seed: int = 0
) -> Contributions:
    """What each column of a row adds to what is asked, beside the rows of a background.

    Cells of a row of the background are replaced by those of the row, one after the other; each
    row of the background serves for one order and the same backwards, in turn.

    Parameters
    ----------
    ask
        Given rows, what they come to: rows by outputs.
    row
        One row.
    background
        Rows with the same columns.
    samples
        How many orders are drawn, at the least.
    seed
        Where chance starts from.
    """
    d, held, pairs = len(row.domain), len(background), max(1, samples // 2)
    if pairs > held:  # each row of the background serves equally often
        pairs = -(-pairs // held) * held
    drawn = orders(d, 2 * pairs, seed)
    which = np.repeat(np.arange(pairs) * held // pairs, 2)
    places = np.repeat(which, d + 1)
    worth, gains = _gains(lambda known: ask(_mixed(row, background, places, known)), drawn)
    means = gains.reshape(pairs, 2, d, -1).mean(axis=1)
    spread = means.std(axis=0, ddof=1) if pairs > 1 else np.zeros_like(means[0])
    base = worth[:, 0].mean(axis=0)
    return Contributions(base, means.mean(axis=0), spread / np.sqrt(pairs))


def _gains(ask: Callable[[Bools], Floats], drawn: Integers) -> tuple[Floats, Floats]:
    """What is asked at each step of each order, and what each player adds: (orders, players, …).

    At step s of an order the first s players of it are known.
    """
    n, d = drawn.shape
    turn: Indices = np.argsort(drawn, axis=1)
    known = cast("Bools", turn[:, None, :] < np.arange(d + 1)[None, :, None])
    worth = ask(known.reshape(-1, d)).reshape(n, d + 1, -1)
    return worth, np.take_along_axis(np.diff(worth, axis=1), turn[:, :, None], axis=1)


def _mixed(row: Table, background: Table, which: Integers, known: Bools) -> Table:
    """Rows of a background with some cells of a row."""
    columns: list[Array] = []
    for at, variable in enumerate(row.domain):
        other = background.column(variable.name)[which]
        columns.append(np.where(known[:, at], row.columns[at][0], other).astype(other.dtype))
    return Table(row.domain, columns, check=False)


def shapley_of_cells(
    ask: Ask,
    row: Table,
    names: Sequence[str],
    between: tuple[int, int],
) -> Contributions:
    """What each cell of a row adds to a difference, where a cell that is not known is missing.

    Parameters
    ----------
    ask
        Given rows, what they come to: rows by outputs.
    row
        One row.
    names
        The columns whose cells become known; the others stay as they are.
    between
        Which two outputs the difference is of.
    """
    d, (this, other) = len(names), between

    def difference(known: Bools) -> Floats:
        found = ask(_with_missing(row, names, known))
        return found[:, [this]] - found[:, [other]]

    if d <= FEW:
        worth = difference(coalitions(d))
        added = exact_shapley(worth)
        return Contributions(worth[0], added, np.zeros_like(added))
    drawn = orders(d, SAMPLES, seed=0)
    worth, gains = _gains(difference, drawn)
    means = gains.reshape(-1, 2, d, 1).mean(axis=1)  # an order and the same backwards
    errors = means.std(axis=0, ddof=1) / np.sqrt(len(means))
    return Contributions(worth[0, 0], gains.mean(axis=0), errors)


def _with_missing(row: Table, names: Sequence[str], known: Bools) -> Table:
    """A row again and again, with only some of its cells known."""
    columns: list[Array] = [np.repeat(column[:1], len(known)) for column in row.columns]
    for at, name in enumerate(names):
        place = row.domain.index(name)
        columns[place][~known[:, at]] = MISSING[row.domain[name].kind]
    return Table(row.domain, columns, check=False)
