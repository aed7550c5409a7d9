"""Keys of rows: a number for each that depends on its cells alone, of which the least are found."""

from functools import lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from satsuma.data.domain import Domain
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.kernels import tally as kernel
from satsuma.numerics.arrays import Array, Hashes, Integers
from satsuma.tallies.content_hashes import spelled

#: Of all keys, the greatest.
GREATEST = (1 << 64) - 1

_MISSING = np.uint64(0x7FF8000000000000)


class RowKeys(NamedTuple):
    """What the keys of rows are made of, as far as a domain decides it.

    A key is a sum over attributes of numbers and symbols and the target, see `kernel.row_keys`.
    What a column adds depends on its place among all by name, the target being the last, and not on
    where it stands; what a symbol adds, on how it is spelled, and not on its code.

    Parameters
    ----------
    kept
        The columns, as they stand.
    numbers, by_column
        The names of those of numbers, and a key for each.
    symbols, terms
        The names of those of symbols, and what their values add.

    Examples
    --------
    >>> table = Table.of([(1, "a"), (2, "b"), (1, "a")], ["n", "s"])
    >>> rows, keys = RowKeys.of(table.domain).below(table, GREATEST)
    >>> rows.tolist(), bool(keys[0] == keys[2]), bool(keys[0] == keys[1])
    ([0, 1, 2], True, False)
    """

    kept: tuple[Variable, ...]
    numbers: tuple[str, ...]
    by_column: Hashes
    symbols: tuple[str, ...]
    terms: tuple[Hashes, Integers]

    @classmethod
    def of(cls, domain: Domain) -> "RowKeys":
        """Those of a domain; kept for the last one, as batches of a stream share theirs."""
        last = _last[0]
        if last is None or last[0] is not domain:
            last = _last[0] = domain, _row_keys(domain)
        return last[1]

    def below(self, batch: Table, limit: int) -> tuple[Integers, Hashes]:
        """The rows of a batch whose keys are not above a limit, and the keys."""
        numbers: Any = None if batch.matrix is None else batch.matrix.T
        if numbers is None or len(numbers) != len(self.numbers):
            numbers = [batch.column(name) for name in self.numbers]
        codes = [batch.column(name) for name in self.symbols]
        return kernel.row_keys(
            numbers, self.by_column, codes, self.terms, n=len(batch), limit=limit
        )


_last: list[tuple[Domain, RowKeys] | None] = [None]


@lru_cache(maxsize=64)
def _row_keys(domain: Domain) -> RowKeys:
    kinds = ("num", "sym")
    kept = tuple(v for v in domain if v.role in ("x", "target") and v.kind in kinds)
    # By their names in order, whatever these are: rows may come without names of their columns.
    ordered = sorted(kept, key=lambda v: (v.role == "target", v.name))
    key = {v.name: _key(at) for at, v in enumerate(ordered)}
    # A target of numbers comes last, as it does behind a matrix of attributes.
    numbers = sorted((v for v in kept if v.kind == "num"), key=lambda v: v.role == "target")
    symbols = [v for v in kept if v.kind == "sym"]
    terms = [_added(np.append(spelled(v.values), _MISSING), key[v.name]) for v in symbols]
    return RowKeys(
        kept,
        tuple(v.name for v in numbers),
        _joined([key[v.name]] for v in numbers),
        tuple(v.name for v in symbols),
        (_joined(terms), np.cumsum([0, *map(len, terms)])),
    )


def _joined(parts: Any) -> Hashes:
    return np.concatenate([np.zeros(0, np.uint64), *parts]).astype(np.uint64)


def _key(at: int) -> np.uint64:
    """The key of a column, by its place; neither half is small or even: no bits get lost."""
    made = blake2b(at.to_bytes(8, "big"), digest_size=8, person=b"row keys").digest()
    return np.uint64(int.from_bytes(made, "big") | 0x80000001_80000001)


def _added(bits: Hashes, key: np.uint64) -> Hashes:
    """What cells of some bits add to a key: as the kernel does it for numbers."""
    low, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    with np.errstate(over="ignore"):
        return ((bits + key) & low) * (((bits >> half) + (key >> half)) & low)


def counting(batch: Table, rows: Array, folds: Array | None) -> Array:
    """Those of some rows that have a class, weigh anything, and are in a fold if there are any."""
    target, weights = batch.domain.target, batch.weights
    known = np.ones(len(rows), bool)
    if target is not None:
        cells = batch.column(target.name)[rows]
        known &= cells >= 0 if target.kind == "sym" else ~np.isnan(cells)
    if weights is not None:
        known &= weights[rows] > 0
    if folds is not None:
        known &= folds[rows] >= 0
    return known
