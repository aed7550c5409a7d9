"""Row hashes: 128 bits of what is in a row, whatever the order of its columns."""

from hashlib import blake2b
from math import isnan
from typing import Any

import numpy as np

from satsuma.data.columns import spell
from satsuma.data.table import Table
from satsuma.data.times import spell_times
from satsuma.data.variable import Variable
from satsuma.numerics.arrays import Array, Hashes
from satsuma.numerics.splitmix import STEP, mix_bits

#: (2, n): two lanes of 64 bits.

#: No number is spelled with more characters.
_LONGEST_NUMBER = 32


def row_hashes(table: Table) -> Hashes:
    """Two numbers for each row: sums over its cells, each hashed together with its column's name.

    A missing cell adds nothing, so that an empty column may come and go. A symbol or a time is
    hashed as it is written, but where it is the very spelling of a number, it is that number: so a
    row stays the same if another row turns the column from numbers or times into symbols.

    Examples
    --------
    >>> one, other = (Table.of([(cell,)], ["x"], target=None) for cell in (700, "700"))
    >>> bool((row_hashes(one) == row_hashes(other)).all())
    True
    >>> other = Table.of([("0700",)], ["x"], target=None)
    >>> bool((row_hashes(one) == row_hashes(other)).any())
    False
    """
    made = np.zeros((2, len(table)), np.uint64)
    for variable, column in zip(table.domain, table.columns, strict=True):
        cells = _cell_hashes(variable, column)
        made += np.where(table.missing(variable.name), np.uint64(0), cells)
    return made


def _cell_hashes(variable: Variable, column: Array) -> Hashes:
    hasher = _CellHasher(variable.name)
    if variable.kind == "num":
        return hasher.numbers(column)
    if variable.kind == "time":
        column = spell_times(column, variable.time_format)
    if variable.kind in ("text", "time"):
        return hasher.strings(["" if cell is None else cell for cell in column.tolist()])
    return hasher.strings([*variable.values, ""])[:, column]  # the last is for a missing cell


class _CellHasher:
    """Hashes the cells of one column: its name, with its length in front, begins every hash."""

    def __init__(self, name: str) -> None:
        spelled = name.encode("utf-8", "surrogatepass")
        named = len(spelled).to_bytes(8, "little") + spelled
        self._strings = blake2b(named, digest_size=16, person=b"string")
        seeds = blake2b(named, digest_size=32, person=b"number").digest()
        self._seeds = np.frombuffer(seeds, "<u8").astype(np.uint64).reshape(2, 2, 1)

    def numbers(self, numbers: Any) -> Hashes:
        # -0.0 + 0.0 is 0.0: the two zeros are one number.
        bits = np.ascontiguousarray(numbers + 0.0, np.float64).view(np.uint64)
        first, second = self._seeds
        return _mixed(_mixed(bits + first) ^ second)

    def strings(self, texts: list[str]) -> Hashes:
        made = np.array([self._string(text) for text in texts], np.uint64).reshape(-1, 2).T.copy()
        numbers = [(at, number) for at, text in enumerate(texts)
                   if (number := _spelled_number(text)) is not None]  # fmt: skip
        if numbers:
            made[:, [at for at, _ in numbers]] = self.numbers(np.array([n for _, n in numbers]))
        return made

    def _string(self, text: str) -> tuple[int, int]:
        hasher = self._strings.copy()
        hasher.update(text.encode("utf-8", "surrogatepass"))
        made = hasher.digest()
        return int.from_bytes(made[:8], "little"), int.from_bytes(made[8:], "little")


def _spelled_number(text: str) -> float | None:
    """The number that is spelled in just this way; None for 0700, 2E10, 1_000 and all words."""
    if len(text) > _LONGEST_NUMBER:
        return None
    try:
        number = float(text) + 0.0
    except ValueError:
        return None
    return None if isnan(number) or spell(number) != text else number


def _mixed(x: Hashes) -> Hashes:
    return mix_bits(x + np.uint64(STEP))
