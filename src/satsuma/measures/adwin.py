"""ADWIN: whether the mean of a stream of numbers has changed, and since when."""

from dataclasses import dataclass
from functools import reduce
from itertools import accumulate
from math import log, sqrt
from typing import NamedTuple

from satsuma.errors import DomainError, check_number

#: Buckets of each size, at most; of more, the two oldest become one of twice the size.
_BUCKETS = 5

#: Numbers on either side of a cut, at least.
_LEAST = 5


class _Bucket(NamedTuple):
    """Some numbers in a row: how many, their mean, and the squares about it. Two add up to one."""

    n: float
    mean: float
    m2: float

    def merged(self, other: "_Bucket") -> "_Bucket":
        n, gap = self.n + other.n, other.mean - self.mean
        mean = self.mean + gap * other.n / n
        return _Bucket(n, mean, self.m2 + other.m2 + gap * gap * self.n * other.n / n)


@dataclass(kw_only=True)
class ADWIN:
    """A window over the last numbers of a stream, cut where their mean changed (drift detection).

    The window grows as long as no two parts of it, the older and the newer, have means that are
    further apart than chance explains; else the older part is dropped (Bifet and Gavaldà 2007,
    ADWIN2). Give it the errors of a model, 0 or 1, to hear when the model no longer fits.

    Parameters
    ----------
    delta
        How probable a false alarm may be, at each look.
    every
        After how many numbers it looks.

    Notes
    -----
    Numbers are kept in buckets of 1, 2, 4, … numbers, at most five of each size, so that memory and
    time grow with the logarithm of the window. Buckets are merged, and never subtracted.

    Examples
    --------
    >>> from satsuma import ADWIN
    >>> detector = ADWIN()
    >>> stream = [0, 1] * 300 + [1, 1] * 100
    >>> [at for at, error in enumerate(stream) if detector.update(error)][0]
    639
    >>> detector.mean > 0.9, detector.width < 400
    (True, True)
    """

    delta: float = 0.002
    every: int = 32

    def __post_init__(self) -> None:
        check_number(self, "delta", low=1e-300, high=1)
        check_number(self, "every", low=1, whole=True)
        self._levels: list[list[_Bucket]] = [[]]  # by size; the newest first in each
        self._total = _Bucket(0, 0.0, 0.0)
        self._since = 0

    @property
    def width(self) -> int:
        """How many numbers the window holds."""
        return int(self._total.n)

    @property
    def mean(self) -> float:
        """The mean of the window; 0 of none."""
        return self._total.mean

    def update(self, number: float) -> bool:
        """Take in a number, and say whether the mean has changed: old numbers were dropped."""
        new = _Bucket(1, float(number), 0.0)
        if not abs(new.mean) < 1e150:
            raise DomainError(f"ADWIN takes finite numbers below 1e150. Got {number!r} instead.")
        self._levels[0].insert(0, new)
        self._total = new if not self.width else self._total.merged(new)
        self._compress()
        self._since += 1
        if self._since < self.every:
            return False
        self._since = 0
        return self._cut()

    def _compress(self) -> None:
        for level, held in enumerate(self._levels):
            if len(held) <= _BUCKETS:
                return
            if level + 1 == len(self._levels):
                self._levels.append([])
            newer, older = held[-2:]
            del held[-2:]
            self._levels[level + 1].insert(0, older.merged(newer))

    def _cut(self) -> bool:
        """Drop the oldest bucket for as long as some cut has two sides that differ."""
        found = False
        while self._differs():
            found = True
            self._levels[-1].pop()
            while len(self._levels) > 1 and not self._levels[-1]:
                self._levels.pop()
            self._total = _merged(self._buckets())
        return found

    def _buckets(self) -> list[_Bucket]:
        """All buckets, the oldest first."""
        return [bucket for held in reversed(self._levels) for bucket in reversed(held)]

    def _differs(self) -> bool:
        buckets = self._buckets()
        newer = list(accumulate(reversed(buckets), lambda after, one: one.merged(after)))[::-1]
        older = accumulate(buckets, _Bucket.merged)
        for left, right in zip(older, newer[1:], strict=False):
            if min(left.n, right.n) >= _LEAST and self._is_far(left, right):
                return True
        return False

    def _is_far(self, older: _Bucket, newer: _Bucket) -> bool:
        n = self._total.n
        share, variance = 1 / older.n + 1 / newer.n, self._total.m2 / n
        surely = log(2 * log(n) / self.delta)
        bound = sqrt(2 * share * variance * surely) + 2 / 3 * share * surely
        return abs(older.mean - newer.mean) > bound


def _merged(buckets: list[_Bucket]) -> _Bucket:
    return reduce(_Bucket.merged, buckets) if buckets else _Bucket(0, 0.0, 0.0)
