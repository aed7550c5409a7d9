import numpy as np
import numpy.typing as npt

from satsuma.kernels.rp0.twin import Division, Grown, Rows

def divide(rows: Rows, lo: int, hi: int, key: int, pairs: int) -> Division: ...
def grow(rows: Rows, lo: int, hi: int, key: int, pairs: int, most: int) -> Grown: ...
def walk(
    below: npt.NDArray[np.int32],
    pole_number: npt.NDArray[np.float64],
    pole_symbol: npt.NDArray[np.int32],
    rows: Rows,
) -> npt.NDArray[np.int32]: ...
def near(
    rows: Rows,
    asked: Rows,
    first: npt.NDArray[np.int64],
    last: npt.NDArray[np.int64],
    found: npt.NDArray[np.float64],
) -> None: ...
