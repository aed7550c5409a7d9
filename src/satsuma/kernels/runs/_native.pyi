from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Whole: TypeAlias = npt.NDArray[np.int64]

def runs_of(
    column: npt.NDArray[Any],
    order: Whole,
    starts: Whole,
    weights: Floats | None,
    value: Floats,
    weight: Floats,
) -> Whole: ...
def add(
    value1: Floats, weight1: Floats, value2: Floats, weight2: Floats, value: Floats, weight: Floats
) -> int: ...
def side_by_side(value: Floats, weight: Floats, starts: Whole) -> tuple[Floats, Floats]: ...
def on_lattice(
    value: Floats, weight: Floats, first: float, scale: float
) -> tuple[Whole, Whole, Floats]: ...
