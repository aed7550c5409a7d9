"""Num: what a column of numbers comes to."""

import math
from typing import SupportsFloat, cast

import numpy as np
import numpy.typing as npt

from satsuma.data.columns import is_missing
from satsuma.errors import DomainError
from satsuma.kernels import tally
from satsuma.kernels.tally import GroupMoments, merge_moments


class Num:
    """Count, mean, spread, least and greatest of numbers that come one at a time or all at once.

    None, NaN and ``"?"`` are missing and not counted.

    Examples
    --------
    >>> from satsuma import Num
    >>> n = Num()
    >>> for x in (1, 2, "?", 3, 4):
    ...     n = n + x
    >>> n
    Num(n=4, mu=2.5, sd=1.29, lo=1, hi=4)
    >>> n | Num().add([5, 6])
    Num(n=6, mu=3.5, sd=1.87, lo=1, hi=6)
    >>> n - 4
    Num(n=3, mu=2, sd=1, lo=1, hi=4)
    """

    def __init__(self) -> None:
        self.n: float = 0
        self.mu = 0.0
        self.m2 = 0.0
        self._rest = 0.0  # what the mean is too short for
        self._lo, self._hi = math.inf, -math.inf

    @property
    def lo(self) -> float | None:
        """The least number, None where there is none."""
        return self._lo if self.n else None

    @property
    def hi(self) -> float | None:
        """The greatest number, None where there is none."""
        return self._hi if self.n else None

    @property
    def sd(self) -> float:
        """The standard deviation, over n - 1; 0 for fewer than two numbers."""
        return math.sqrt(self.m2 / (self.n - 1)) if self.n > 1 else 0.0

    def __add__(self, x: object) -> "Num":
        """Add a number in place (Welford 1962), and return the same `Num`."""
        if is_missing(x) or x == "?":
            return self
        value = _number(x)
        delta = (value - self.mu) - self._rest
        if abs(delta) > 1e150:  # its square would be too large: the kernels know what to do
            return self.add([value])
        self.n += 1
        step = delta / self.n
        total = self.mu + (self._rest + step)
        self._rest = ((self.mu - total) + self._rest) + step
        self.mu = total
        self.m2 += delta * (delta - step)
        self._lo, self._hi = min(self._lo, value), max(self._hi, value)
        return self

    def __sub__(self, x: object) -> "Num":
        """Forget a number that was added, in place, and return the same `Num`.

        The least and the greatest stay those of all numbers that were ever added, until none is
        left: a summary does not know which is next to them.
        """
        if is_missing(x) or x == "?":
            return self
        value = _number(x)
        if self.n < 1 or not self._lo <= value <= self._hi:
            raise DomainError(f"{x!r} was not added to this Num: there is nothing to forget.")
        if self.n == 1:
            self.__dict__.update(Num().__dict__)
            return self
        delta = (value - self.mu) - self._rest
        self.n -= 1
        step = -delta / self.n
        total = self.mu + (self._rest + step)
        self._rest = ((self.mu - total) + self._rest) + step
        self.mu = total
        self.m2 = max(0.0, self.m2 - delta * (delta - step))
        return self

    def add(self, values: npt.ArrayLike, weights: npt.ArrayLike | None = None) -> "Num":
        """Add a whole column in place, and return the same `Num`.

        Parameters
        ----------
        values
            Numbers, NaN for missing.
        weights
            What each weighs; 1 unless said.

        Examples
        --------
        >>> from satsuma import Num
        >>> Num().add([1, 2, 3], weights=[1, 0, 2]).n
        3.0
        """
        x = np.asarray(values, np.float64).ravel()
        w = None if weights is None else np.asarray(weights, np.float64).ravel()
        if np.isinf(x).any():
            _number(float(x[np.isinf(x).argmax()]))
        if w is not None and (len(w) != len(x) or not ((w >= 0) & (w < np.inf)).all()):
            raise DomainError("Weights must be finite and not negative, one for each value.")
        made = tally.moments([x], np.zeros(len(x), np.int8), 1, w)
        before, counted = self.n, len(x) - int(np.isnan(x).sum())
        merged = Num.from_moments(merge_moments([self.moments(), made]))
        self.__dict__.update(merged.__dict__)
        self.n = merged.n if w is not None else before + counted
        return self

    def __or__(self, other: "Num") -> "Num":
        """Both together, in a new `Num`."""
        made = Num.from_moments(merge_moments([self.moments(), other.moments()]))
        made.n = self.n + other.n
        return made

    def moments(self) -> GroupMoments:
        """The same as the kernels have it."""
        held = (self.n, self.mu, self._rest, self.m2, self._lo, self._hi)
        total = np.array([self.n], np.float64)
        return GroupMoments(total, *(np.array([[each]], np.float64) for each in held))

    @classmethod
    def from_moments(cls, moments: GroupMoments) -> "Num":
        """The summary of what a kernel found for one group and column."""
        made = cls()
        weight, mean, rest, m2, lo, hi = (float(each.ravel()[0]) for each in moments[1:])
        made.n, made.mu, made._rest, made.m2, made._lo, made._hi = weight, mean, rest, m2, lo, hi
        return made

    def __repr__(self) -> str:
        parts = {"n": self.n, "mu": self.mu, "sd": self.sd, "lo": self.lo, "hi": self.hi}
        short = {name: v if v is None else _short(v) for name, v in parts.items()}
        return f"Num({', '.join(f'{name}={v}' for name, v in short.items())})"


def _short(x: float) -> str:
    return f"{x:g}" if float(x).is_integer() else f"{x:.3g}"


def _number(x: object) -> float:
    try:
        value = float(cast("SupportsFloat | str", x))
    except (TypeError, ValueError):
        value = math.inf
    if math.isinf(value):
        raise DomainError(
            f"A Num takes finite numbers. Got {x!r} instead: leave it out, or make it missing "
            f"(None or NaN)."
        )
    return value
