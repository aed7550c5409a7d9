"""Sym: what a column of symbols comes to."""

import math
from collections.abc import Hashable, Iterable

from satsuma.data.columns import is_missing
from satsuma.errors import DomainError


class Sym:
    """How often each symbol came, which came most, and how hard the next is to guess.

    None, NaN and ``"?"`` are missing and not counted.

    Examples
    --------
    >>> from satsuma import Sym
    >>> s = Sym()
    >>> for x in "abbcccc":
    ...     s = s + x
    >>> s
    Sym(n=7, mode='c', ent=1.38)
    >>> (s | Sym().add(["a", "?", "d"])).bag
    {'a': 2, 'b': 2, 'c': 4, 'd': 1}
    >>> (s - "a").bag
    {'b': 2, 'c': 4}
    """

    def __init__(self) -> None:
        self.n: float = 0
        self.bag: dict[Hashable, float] = {}

    @property
    def mode(self) -> Hashable | None:
        """The symbol that came most often, of several the one seen first; None for none."""
        return max(self.bag, key=lambda symbol: self.bag[symbol]) if self.bag else None

    @property
    def ent(self) -> float:
        """The entropy, in bits: 0 where there is nothing, or one symbol."""
        shares = [count / self.n for count in self.bag.values() if 0 < count < self.n]
        return max(0.0, -math.fsum(p * math.log2(p) for p in shares))

    def __add__(self, x: Hashable) -> "Sym":
        """Add a symbol in place, and return the same `Sym`."""
        return self._count(x, 1)

    def __sub__(self, x: Hashable) -> "Sym":
        """Forget a symbol that was added, in place, and return the same `Sym`."""
        if is_missing(x) or x == "?":
            return self
        if self.bag.get(x, 0) < 1:
            raise DomainError(f"{x!r} was not added to this Sym: there is nothing to forget.")
        self.n -= 1
        self.bag[x] -= 1
        if not self.bag[x]:
            del self.bag[x]
        return self

    def add(self, values: Iterable[Hashable], weights: Iterable[float] | None = None) -> "Sym":
        """Add a whole column in place, and return the same `Sym`.

        Parameters
        ----------
        values
            Symbols, None for missing.
        weights
            What each weighs; 1 unless said.

        Examples
        --------
        >>> from satsuma import Sym
        >>> Sym().add(["a", "b"], weights=[1, 3]).mode
        'b'
        """
        if weights is None:
            for x in values:
                self._count(x, 1)
        else:
            for x, weight in zip(values, weights, strict=True):
                self._count(x, weight)
        return self

    def _count(self, x: Hashable, weight: float) -> "Sym":
        if weight and not is_missing(x) and x != "?":
            self.bag[x] = self.bag.get(x, 0) + weight
            self.n += weight
        return self

    def __or__(self, other: "Sym") -> "Sym":
        """Both together, in a new `Sym`."""
        made = Sym()
        for each in (self, other):
            for symbol, count in each.bag.items():
                made._count(symbol, count)
        return made

    def __repr__(self) -> str:
        return f"Sym(n={self.n:g}, mode={self.mode!r}, ent={self.ent:.3g})"
