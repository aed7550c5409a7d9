"""Powers of ten as the C code has them."""

import numpy as np
import numpy.typing as npt


def powers(least: int, count: int) -> npt.NDArray[np.uint64]:
    """Powers of ten, each as the 128 bits that it begins with, rounded up, in two halves.

    Examples
    --------
    >>> [f"{half:x}" for half in powers(-1, 2).ravel().tolist()]
    ['cccccccccccccccc', 'cccccccccccccccd', '8000000000000000', '0']
    """
    found = [_power(least + at) for at in range(count)]
    return np.array([divmod(each, 1 << 64) for each in found], np.uint64)


def _power(exponent: int) -> int:
    above, below = 10 ** max(0, exponent), 10 ** max(0, -exponent)
    shift = above.bit_length() - 128 if exponent >= 0 else -127 - below.bit_length()
    return -(-(above << max(0, -shift)) // (below << max(0, shift)))
