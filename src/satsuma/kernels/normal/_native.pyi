from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from satsuma.kernels.normal.twin import Packed

class Asked:
    def __init__(
        self,
        columns: Sequence[npt.NDArray[np.float64]],
        models: Sequence[Packed],
        which: npt.NDArray[np.int32] | None = None,
    ) -> None: ...
    def fill(self, lo: int, hi: int, out: npt.NDArray[np.float64]) -> None: ...
    def choose(self, lo: int, hi: int, out: npt.NDArray[np.int32]) -> None: ...
