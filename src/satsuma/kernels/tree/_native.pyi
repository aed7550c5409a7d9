from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from satsuma.kernels.tree.splits import Rules

_Array: TypeAlias = npt.NDArray[Any]

class Columns:
    def __init__(self, arrays: Sequence[_Array], rows: int) -> None: ...

class Pointers:
    def __init__(self, arrays: Sequence[_Array | None], dtype: type[np.generic]) -> None: ...

class Grown:
    @property
    def open_at(self) -> npt.NDArray[np.int64]: ...
    @property
    def open_rows(self) -> list[int]: ...
    def arrays(self) -> tuple[_Array, _Array, _Array, _Array, _Array, _Array]: ...

class Task:
    def __init__(
        self,
        records: _Array,
        across: _Array,
        raw: Columns,
        edges: Pointers,
        levels: _Array,
        forms: _Array,
        mixed: _Array,
        classes: int,
        target: _Array | None,
        weights: _Array | None,
        exact: bool,
        rules: Rules,
        tried: int,
    ) -> None: ...
    def grow(self, rows: npt.NDArray[np.uint32], seed: int, open_below: int) -> Grown: ...
    def grow_open(self, top: Grown, which: int) -> Grown: ...

class Walk:
    def __init__(self, flat: Sequence[_Array], columns: Columns) -> None: ...
    def ends(self, start: int, stop: int, out: npt.NDArray[np.int32]) -> bool: ...
    def spread(
        self,
        rows: npt.NDArray[np.int64],
        says: npt.NDArray[np.float64],
        out: npt.NDArray[np.float64],
    ) -> None: ...

def hash_rows(
    columns: Columns, spelled: Pointers, start: int, stop: int, out: npt.NDArray[np.uint64]
) -> bool: ...
def code_rows(
    columns: Columns,
    edges: Pointers,
    levels: npt.NDArray[np.int32],
    start: int,
    stop: int,
    out: _Array,
    across: _Array | None,
    mixed: npt.NDArray[np.uint8],
) -> None: ...
