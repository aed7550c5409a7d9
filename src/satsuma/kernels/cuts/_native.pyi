import numpy as np
import numpy.typing as npt

def best(
    upto: npt.NDArray[np.float64],
    lo: int,
    hi: int,
    table: npt.NDArray[np.float64],
) -> int: ...
