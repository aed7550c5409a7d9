import numpy as np
import numpy.typing as npt

def normalise(
    joint: npt.NDArray[np.float64],
    log_prior: npt.NDArray[np.float64],
    lo: int,
    out: npt.NDArray[np.float64],
) -> int: ...
def choose(
    joint: npt.NDArray[np.float64],
    log_prior: npt.NDArray[np.float64],
    lo: int,
    out: npt.NDArray[np.int32],
) -> int: ...
