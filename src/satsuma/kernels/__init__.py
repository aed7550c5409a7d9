"""Inner loops that need compiled speed, each beside a plain twin that defines it."""

from satsuma.kernels import csv, curves, nearest, posterior, runs, tally

#: Whether all kernels are the compiled ones.
compiled = all(each.compiled for each in (csv, tally, posterior, runs, curves, nearest))

__all__ = ["compiled"]
