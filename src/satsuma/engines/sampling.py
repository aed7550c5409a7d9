"""Drawing: rows by chance that depends on their place alone, and what all rows come to."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from satsuma.data.parts import stacked
from satsuma.data.table import Table
from satsuma.numerics.arrays import Hashes
from satsuma.numerics.splitmix import STEP, mix_bits
from satsuma.tallies.num import Num
from satsuma.tallies.sym import Sym


def chances(first: int, rows: int, seed: int) -> Hashes:
    """A number for each row that looks random and follows from its place and the seed.

    This is splitmix64 (Steele, Lea and Flood 2014).

    Examples
    --------
    >>> bool((chances(0, 10, seed=1)[4:6] == chances(4, 2, seed=1)).all())
    True
    """
    step = np.uint64(STEP)
    with np.errstate(over="ignore"):
        start = mix_bits(np.array([seed], np.uint64) * step + np.uint64(1))
        return mix_bits(np.arange(first + 1, first + rows + 1, dtype=np.uint64) * step + start)


@dataclass
class Drawn:
    """Those of some rows that have the smallest numbers. Two of them add up to one.

    Parameters
    ----------
    rows
        The rows, in their order.
    places, keys
        The place in the source and the number of each.
    most
        How many there may be.
    """

    rows: Table
    places: Hashes
    keys: Hashes
    most: int

    @classmethod
    def of(cls, batch: Table, first: int, most: int, seed: int) -> "Drawn":
        """Those of a batch."""
        keys = chances(first, len(batch), seed)
        places = np.arange(first, first + len(batch), dtype=np.uint64)
        return cls(batch, places, keys, most).trimmed()

    def trimmed(self) -> "Drawn":
        """Those with the smallest numbers, if there are too many."""
        if len(self.rows) <= self.most:
            return self
        # Equal numbers are told apart by their places.
        chosen = np.sort(np.lexsort((self.places, self.keys))[: self.most])
        return Drawn(self.rows[chosen], self.places[chosen], self.keys[chosen], self.most)

    def __add__(self, later: "Drawn") -> "Drawn":
        rows = stacked([self.rows, later.rows], self.rows.domain)
        places = np.concatenate([self.places, later.places])
        keys = np.concatenate([self.keys, later.keys])
        return Drawn(rows, places, keys, self.most).trimmed()

    def table(self) -> Table:
        """The rows."""
        return self.rows


@dataclass
class Summaries:
    """A `Num` or a `Sym` for each column. Two of them add up to one."""

    by_name: dict[str, Num | Sym]

    @classmethod
    def of(cls, batch: Table) -> "Summaries":
        """Of a batch; rows weigh what they weigh."""
        found: dict[str, Num | Sym] = {}
        weights = batch.weights
        for variable, column in zip(batch.domain, batch.columns, strict=True):
            if variable.kind == "num":
                found[variable.name] = Num().add(column, weights)
            elif variable.kind == "sym":
                known = column >= 0
                weigh = None if weights is None else weights[known]
                counts = np.bincount(column[known], weigh, len(variable.values))
                found[variable.name] = Sym().add(variable.values, counts.tolist())
        return cls(found)

    def __add__(self, later: "Summaries") -> "Summaries":
        mine, its = cast("dict[str, Any]", self.by_name), cast("dict[str, Any]", later.by_name)
        return Summaries({name: each | its[name] for name, each in mine.items()})
