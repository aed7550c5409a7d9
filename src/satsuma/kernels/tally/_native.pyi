from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Array: TypeAlias = npt.NDArray[Any]

class Batch:
    def __init__(
        self,
        columns: Sequence[Array] | Array,
        groups: Array,
        group_count: int,
        weights: Floats | None = None,
    ) -> None: ...

def fold_groups(
    codes: Array,
    folds: Array,
    classes: int,
    count: int,
    start: int,
    stop: int,
    out: npt.NDArray[np.int32],
) -> None: ...
def moments(batch: Batch, start: int, stop: int, level: int = 2) -> tuple[Floats, Floats]: ...
def scatter(batch: Batch, start: int, stop: int) -> tuple[Floats, Floats, Floats]: ...
def counts(
    batch: Batch, levels: Sequence[int], start: int, stop: int
) -> tuple[Floats, list[Floats]]: ...
def bins(
    batch: Batch, edges: Sequence[Floats], start: int, stop: int
) -> tuple[Floats, list[Floats]]: ...
