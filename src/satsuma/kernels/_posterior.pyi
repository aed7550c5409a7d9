from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from satsuma.kernels.posterior_twin import Packed

class Asked:
    def __init__(
        self, numbers: Sequence[npt.NDArray[Any]], codes: Sequence[npt.NDArray[Any]], packed: Packed
    ) -> None: ...
    def fill(self, lo: int, hi: int, out: npt.NDArray[np.float64], normalise: bool) -> int: ...
    def choose(self, lo: int, hi: int, out: npt.NDArray[np.int32]) -> int: ...
