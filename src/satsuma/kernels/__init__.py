"""Inner loops that need compiled speed, each beside a plain twin that defines it."""

from importlib import import_module
from typing import Any

KERNELS = (
    "csv",
    "curves",
    "kmeans",
    "nearest",
    "normal",
    "posterior",
    "rp0",
    "runs",
    "tally",
    "tree",
)


def __getattr__(name: str) -> Any:
    # Whether all kernels are the compiled ones. They are imported where they are used, or here.
    if name == "compiled":
        return all(import_module(f"{__name__}.{each}").compiled for each in KERNELS)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
