from collections.abc import Sequence

from satsuma.numerics.arrays import Array, Codes, Floats, Hashes, Integers

class Batch:
    def __init__(
        self,
        columns: Sequence[Array] | Array,
        groups: Array,
        group_count: int,
        weights: Floats | None = None,
    ) -> None: ...

class Keyed:
    def __init__(
        self,
        numbers: Sequence[Array] | Array,
        by_column: Hashes,
        codes: Sequence[Array],
        terms: Hashes,
        firsts: Integers,
        rows: int,
    ) -> None: ...

def keys(keyed: Keyed, start: int, stop: int, limit: int) -> tuple[Integers, Hashes]: ...
def fold_groups(
    codes: Array,
    folds: Array,
    classes: int,
    count: int,
    start: int,
    stop: int,
    out: Codes,
) -> None: ...
def moments(batch: Batch, start: int, stop: int, level: int = 2) -> tuple[Floats, Floats]: ...
def scatter(batch: Batch, start: int, stop: int) -> tuple[Floats, Floats, Floats]: ...
def pairs(batch: Batch, start: int, stop: int) -> tuple[Floats, Floats]: ...
def counts(
    batch: Batch, levels: Sequence[int], start: int, stop: int
) -> tuple[Floats, list[Floats]]: ...
def bins(
    batch: Batch, edges: Sequence[Floats], start: int, stop: int
) -> tuple[Floats, list[Floats]]: ...
def from_sums(parts: Floats, out: Floats) -> bool: ...
def merge(held: Floats, out: Floats) -> None: ...
def spreads(
    held: Sequence[Floats], m: float, floor: float, floor_of_one: float, out: Floats
) -> None: ...
