from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from satsuma.kernels.tree.splits import Rules
from satsuma.numerics.arrays import Array, Codes, Floats, Hashes, Integers

class Columns:
    def __init__(self, arrays: Sequence[Array], rows: int) -> None: ...

class Pointers:
    def __init__(self, arrays: Sequence[Array | None], dtype: type[np.generic]) -> None: ...

class Grown:
    @property
    def open_at(self) -> Integers: ...
    @property
    def open_rows(self) -> list[int]: ...
    def arrays(self) -> tuple[Array, Array, Array, Array, Array, Array]: ...

class Task:
    def __init__(
        self,
        records: Array,
        across: Array,
        raw: Columns,
        edges: Pointers,
        levels: Array,
        forms: Array,
        mixed: Array,
        classes: int,
        target: Array | None,
        weights: Array | None,
        plain: bool,
        rules: Rules,
        tried: int,
    ) -> None: ...
    def grow(self, rows: npt.NDArray[np.uint32], seed: int, open_below: int) -> Grown: ...
    def grow_open(self, top: Grown, which: int) -> Grown: ...

class Walk:
    def __init__(self, flat: Sequence[Array], columns: Columns) -> None: ...
    def ends(self, start: int, stop: int, out: Codes) -> bool: ...
    def spread(self, rows: Integers, says: Floats, out: Floats) -> None: ...

def hash_rows(columns: Columns, spelled: Pointers, start: int, stop: int, out: Hashes) -> bool: ...
def code_rows(
    columns: Columns,
    edges: Pointers,
    levels: Codes,
    start: int,
    stop: int,
    out: Array,
    across: Array | None,
    mixed: npt.NDArray[np.uint8],
) -> None: ...
