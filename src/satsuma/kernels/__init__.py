"""Inner loops that need compiled speed, each beside a plain twin that defines it."""

import os
from importlib import import_module
from typing import Any

KERNELS = (
    "boost",
    "csv",
    "curves",
    "cuts",
    "descent",
    "jsonl",
    "kmeans",
    "nearest",
    "normal",
    "posterior",
    "rp0",
    "runs",
    "spelling",
    "tally",
    "tree",
)


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


def __getattr__(name: str) -> Any:
    # Whether all kernels are the compiled ones. They are imported where they are used, or here.
    if name == "compiled":
        return all(import_module(f"{__name__}.{each}").compiled for each in KERNELS)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
