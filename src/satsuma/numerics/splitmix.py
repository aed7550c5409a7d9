"""Numbers of 64 bits that look like chance (splitmix64: Steele, Lea and Flood 2014)."""

import numpy as np

from satsuma.numerics.arrays import Hashes

#: What is added before the bits are mixed: 2**64 divided by the golden ratio.
STEP = 0x9E3779B97F4A7C15

#: All bits of a word.
WORD = (1 << 64) - 1

_FIRST, _SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def splitmix64(state: int) -> int:
    """A number of 64 bits that has little to do with another.

    Examples
    --------
    >>> hex(splitmix64(0))
    '0xe220a8397b1dcdaf'
    """
    z = (state + STEP) & WORD
    z = ((z ^ (z >> 30)) * _FIRST) & WORD
    z = ((z ^ (z >> 27)) * _SECOND) & WORD
    return z ^ (z >> 31)


def mix_bits(x: Hashes) -> Hashes:
    """Each number with its bits mixed: every bit moves about half of the others.

    Examples
    --------
    >>> [hex(each) for each in mix_bits(np.array([STEP], np.uint64))]
    ['0xe220a8397b1dcdaf']
    """
    with np.errstate(over="ignore"):
        x = (x ^ (x >> np.uint64(30))) * np.uint64(_FIRST)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(_SECOND)
        return x ^ (x >> np.uint64(31))
