from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from satsuma.kernels.curves.twin import Packed

def add_rows(
    columns: Sequence[npt.NDArray[Any]], packed: Packed, logs: bool, out: npt.NDArray[np.float64]
) -> int: ...
