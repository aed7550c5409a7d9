from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]

def from_sums(parts: Floats, out: Floats) -> bool: ...
def merge(held: Floats, out: Floats) -> None: ...
