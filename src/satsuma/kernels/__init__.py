"""Inner loops that need compiled speed, each beside a plain twin that defines it."""

from satsuma.kernels import csv, nearest, posterior, tally

#: Whether all kernels are the compiled ones.
compiled = all(kernel.compiled for kernel in (csv, nearest, posterior, tally))

__all__ = ["compiled"]
