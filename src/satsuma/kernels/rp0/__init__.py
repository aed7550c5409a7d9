"""Rows parted by the nearer of two poles: compiled where it can be, else by the twin."""

from satsuma.kernels import use_native
from satsuma.kernels.rp0.twin import Division, Grown, Rows, key_below

if compiled := use_native("rp0"):
    from satsuma.kernels.rp0._native import divide, grow, near, walk
else:
    from satsuma.kernels.rp0.twin import divide, grow, near, walk

__all__ = ["Division", "Grown", "Rows", "compiled", "divide", "grow", "key_below", "near", "walk"]
