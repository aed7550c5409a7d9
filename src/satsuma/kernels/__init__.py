"""Inner loops that need compiled speed, each beside a plain twin that defines it."""

from satsuma.kernels import csv, curves, cuts, nearest, posterior, runs, softmax, tally

_ALL = (csv, curves, cuts, nearest, posterior, runs, softmax, tally)

#: Whether all kernels are the compiled ones.
compiled = all(each.compiled for each in _ALL)

__all__ = ["compiled"]
