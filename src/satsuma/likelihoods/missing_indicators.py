"""Indicators of missing cells beside columns that vary together, from what a scatter knows of them.

An indicator is a column of ones where another is missing and of zeros where it is known. All that
its products with other columns are made of is in the weights and the means of every two of them.
"""

from typing import NamedTuple

import numpy as np

from satsuma.measures.informative_missing import informative_by_class
from satsuma.numerics.arrays import Floats
from satsuma.tallies.scatter import Scatter

#: A share below this is what rounding leaves of none.
_NOTHING = 1e-9


class Spread(NamedTuple):
    """What is known of columns, by class, of every two of them where both are known.

    Parameters
    ----------
    weight, cross
        (classes, columns, columns): as in `Scatter`.
    mean
        (classes, columns).
    """

    weight: Floats
    mean: Floats
    cross: Floats

    @classmethod
    def of(cls, tally: Scatter, informative: tuple[str, ...] = ()) -> "Spread":
        """That of the features of a tally and, behind them, of indicators of some columns.

        Examples
        --------
        >>> from satsuma import Table
        >>> rows = [(1, 2, "a"), (3, 6, "a"), (None, 9, "a"), (None, 7, "a")]
        >>> spread = Spread.of(Scatter.of(Table.of(rows, ["x", "y", "class"])), ("x",))
        >>> spread.mean.tolist(), spread.cross[0, -1].tolist()
        ([[2.0, 6.0, 0.5]], [0.0, 4.0, 1.0])
        """
        if not informative:
            return cls(tally.weight, tally.mean, tally.cross)
        at, pairs = _places(tally, informative), tally.pairs
        known = np.diagonal(pairs.weight, axis1=1, axis2=2)
        lost = _lost(tally)[:, at]
        own = [np.diagonal(each, axis1=1, axis2=2)[:, :, None] for each in (pairs.mean, pairs.rest)]
        # A column adds up to nothing about its mean: where another is missing, to what it lacks.
        away = (own[0] - pairs.mean[:, :, at]) + (own[1] - pairs.rest[:, :, at])
        across = pairs.weight[:, :, at] * away
        total = np.where(tally.class_weight > 0, tally.class_weight, 1.0)[:, None]
        joint = pairs.weight[:, np.array(at)[:, None], at]
        both = lost[:, :, None] - known[:, at][:, None] + joint
        inside = both - lost[:, :, None] * (lost / total)[:, None]
        beside = np.broadcast_to(known[:, :, None], across.shape)
        everywhere = np.broadcast_to(tally.class_weight[:, None, None], inside.shape)
        return cls(
            _joined(tally.weight, beside, everywhere),
            np.hstack([tally.mean, lost / total]),
            _joined(tally.cross, across, inside),
        )


def informative_of(tally: Scatter, missing: str) -> tuple[str, ...]:
    """The columns whose missing cells tell something of the class; see `informative_columns`.

    Examples
    --------
    >>> from satsuma import Table
    >>> rows = [(None if k % 3 else 1, k % 2, "a" if k % 3 else "b") for k in range(60)]
    >>> tally = Scatter.of(Table.of(rows, ["height", "width", "class"]))
    >>> informative_of(tally, "auto"), informative_of(tally, "ignore")
    (('height',), ())
    """
    if missing == "ignore":
        return ()
    names = list(dict.fromkeys(name for name, _ in tally.features))
    lost = _lost(tally)[:, _places(tally, names)]
    return informative_by_class(names, lost, tally.class_weight, missing)


def _lost(tally: Scatter) -> Floats:
    """(classes, features): what rows weigh where a feature is missing."""
    known = np.diagonal(tally.weight, axis1=1, axis2=2)
    lost = tally.class_weight[:, None] - known
    return np.where(lost > _NOTHING * tally.class_weight[:, None], lost, 0.0)


def _places(tally: Scatter, names: "list[str] | tuple[str, ...]") -> list[int]:
    """The first feature of each column: known where the column is."""
    of = [name for name, _ in tally.features]
    first = {name: at for at, name in reversed([*enumerate(of)])}
    return [first[name] for name in names]


def _joined(own: Floats, across: Floats, inside: Floats) -> Floats:
    """A symmetric matrix for each class, from its parts."""
    above = np.concatenate([own, across], axis=2)
    return np.concatenate([above, np.concatenate([across.swapaxes(1, 2), inside], axis=2)], axis=1)
