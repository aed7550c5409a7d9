import numpy as np
import numpy.typing as npt

from satsuma.kernels.nearest.twin import Packed
from satsuma.numerics.arrays import Codes, Floats, Integers

def find(
    packed: Packed,
    number: Floats,
    symbol: Codes,
    quick: npt.NDArray[np.float32],
    byte: npt.NDArray[np.uint8],
    left_out: Integers,
    sums: Floats,
    rows: Integers,
) -> None: ...
