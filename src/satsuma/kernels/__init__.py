"""Inner loops that need compiled speed, each beside a plain twin that defines it."""

from satsuma.kernels import csv, curves, posterior, runs, softmax, tally

#: Whether all kernels are the compiled ones.
compiled = all(each.compiled for each in (csv, curves, posterior, runs, softmax, tally))

__all__ = ["compiled"]
