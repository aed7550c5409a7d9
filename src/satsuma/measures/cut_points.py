"""Cut points: where to cut numbers so that intervals tell the classes apart (MDL)."""

from functools import lru_cache

import numpy as np

from satsuma.kernels import cuts
from satsuma.kernels.cuts import halfway
from satsuma.numerics.arrays import Floats, frozen
from satsuma.numerics.sums import x_log_x

__all__ = ["halfway", "interval_weights", "mdl_cuts", "table_of_logs"]

#: Up to how much a table of logarithms is kept, and up to how much one is made.
_KEPT, _MADE = 1 << 14, 1 << 24


def mdl_cuts(value: Floats, weight: Floats) -> Floats:
    """The cuts of MDL discretization, those that pay for themselves (Fayyad and Irani 1993).

    The best cut is that with the largest gain of information. It is made if what it tells is more
    than its description takes, log2(N - 1) / N + delta / N, and the same is done on either side.
    Cuts are half-way between neighbours; the first of several that are equally good is taken.

    Parameters
    ----------
    value
        Distinct numbers in order.
    weight
        (numbers, classes): what each weighs in each class.

    Examples
    --------
    >>> import numpy as np
    >>> from satsuma.measures import mdl_cuts
    >>> value, classes = np.arange(8.0), np.repeat(np.eye(2), 4, axis=0)
    >>> mdl_cuts(value, classes).tolist()
    [3.5]
    >>> mdl_cuts(value, np.tile(np.eye(2), (4, 1))).tolist()
    []
    """
    upto = np.concatenate((np.zeros((1, weight.shape[1])), np.cumsum(weight, axis=0)))
    places = cuts.mdl_cuts(upto, table_of_logs(weight))
    return halfway(value[places - 1], value[places])


def interval_weights(value: Floats, weight: Floats, cuts: Floats) -> Floats:
    """(intervals, classes): what the numbers weigh that lie between cuts; one on a cut is below it.

    Parameters
    ----------
    value
        Distinct numbers in order.
    weight
        (numbers, classes): what each weighs in each class.
    cuts
        Where one interval ends and the next begins.

    Examples
    --------
    >>> weight = np.array([[1.0, 0.0], [2.0, 1.0], [0.0, 4.0]])
    >>> interval_weights(np.array([1.0, 2.0, 3.0]), weight, np.array([2.0])).tolist()
    [[3.0, 1.0], [0.0, 4.0]]
    """
    ends = np.concatenate(([0], np.searchsorted(value, cuts, "right"), [len(value)]))
    upto = np.vstack((np.zeros(weight.shape[1]), np.cumsum(weight, axis=0)))
    return np.diff(upto[ends], axis=0)


def table_of_logs(weight: Floats) -> Floats:
    """Of all whole numbers that sums of weights can come to, x log2 x.

    Empty where weights are no whole numbers, or come to more than memory should be spent on.

    Examples
    --------
    >>> table_of_logs(np.array([1.0, 2.0, 1.0])).tolist()[-1]
    8.0
    >>> table_of_logs(np.array([0.5])).tolist()
    []
    """
    total = float(weight.sum())
    if not total < _MADE or (weight != np.floor(weight)).any():
        return np.zeros(0)
    if total < _KEPT:
        return _kept()[: int(total) + 1]
    return x_log_x(np.arange(total + 1))


@lru_cache(maxsize=1)
def _kept() -> Floats:
    return frozen(x_log_x(np.arange(float(_KEPT))))
