"""The switch between compiled kernels and their Python twins."""

import os
from importlib import import_module


def use_native(kernel: str) -> bool:
    """Whether the compiled kernel serves: it is there, and SATSUMA_KERNELS=twins is not set.

    Examples
    --------
    >>> use_native("none of that name")
    False
    """
    if os.environ.get("SATSUMA_KERNELS") == "twins":
        return False
    try:
        import_module(f"satsuma.kernels.{kernel}._native")
    except ImportError:
        return False
    return True
