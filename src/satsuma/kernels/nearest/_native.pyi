import numpy as np
import numpy.typing as npt

from satsuma.kernels.nearest.twin import Packed

def find(
    packed: Packed,
    number: npt.NDArray[np.float64],
    symbol: npt.NDArray[np.int32],
    quick: npt.NDArray[np.float32],
    byte: npt.NDArray[np.uint8],
    left_out: npt.NDArray[np.int64],
    sums: npt.NDArray[np.float64],
    rows: npt.NDArray[np.int64],
) -> None: ...
