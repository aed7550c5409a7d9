"""Hashes: a number for each row that depends on what is in it, and not on where it stands."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np

from satsuma.data.columns import refuse_infinite
from satsuma.data.table import Table
from satsuma.data.variable import Variable
from satsuma.kernels import tree as kernel
from satsuma.numerics.arrays import Hashes


@lru_cache(maxsize=256)
def spelled(values: tuple[str, ...]) -> Hashes:
    """A number for each value of a symbol, which depends on how it is written."""
    made = [int.from_bytes(blake2b(v.encode(), digest_size=8).digest(), "big") for v in values]
    return np.array(made, np.uint64)


def hashes_of(batch: Table, variables: Sequence[Variable]) -> Hashes:
    """A number for each row that depends on its cells in some columns alone.

    Examples
    --------
    >>> from satsuma import Table
    >>> from satsuma.extend import hashes_of
    >>> table = Table.of([(1, "a"), (2, "b"), (1, "a")], ["n", "s"])
    >>> first, second, third = hashes_of(table, table.domain)
    >>> bool(first == third), bool(first == second)
    (True, False)
    """
    columns = [batch.column(v.name) for v in variables]
    written = [spelled(v.values) if v.kind == "sym" else None for v in variables]
    found, infinite = kernel.hash_rows(columns, written, len(batch))
    if infinite:
        for variable, column in zip(variables, columns, strict=True):
            if variable.kind == "num":
                refuse_infinite(variable.name, column)
    return found


def training_hashes(batch: Table) -> Hashes:
    """A number for each row that depends on its attributes and its target alone.

    The target is the last of them, wherever it stands in the table.
    """
    target = [] if batch.domain.target is None else [batch.domain.target]
    kept = [v for v in (*batch.domain.attributes, *target) if v.kind in ("num", "sym")]
    return hashes_of(batch, kept)
