"""Arrays of other libraries, as NumPy has them."""

from typing import Any

import numpy as np

from satsuma.errors import DomainError
from satsuma.numerics.arrays import Array


def as_array(given: Any) -> Array:
    """What is given as an array of NumPy's, without a copy where that can be.

    Arrays of other libraries (PyTorch's tensors, CuPy's arrays) are taken by DLPack, and by way of
    the CPU from wherever they are.

    Examples
    --------
    >>> as_array([[1, 2]])
    array([[1, 2]])
    """
    own = type(given).__module__.partition(".")[0] == "numpy"
    if own or not hasattr(given, "__dlpack__"):
        return np.asarray(given)
    try:
        return np.from_dlpack(given)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        return _brought_here(given, error)


def _brought_here(given: Any, first: Exception) -> Array:
    """An array that is elsewhere, or of a type that DLPack does not know."""
    try:
        return np.from_dlpack(given, device="cpu")
    except (BufferError, RuntimeError, TypeError, ValueError):
        pass
    try:
        return np.asarray(given)
    except (BufferError, RuntimeError, TypeError, ValueError):
        raise DomainError(
            f"An array of {type(given).__module__.partition('.')[0]} cannot be brought to memory: "
            f"{first}. Detach it and bring it to the CPU first."
        ) from None
