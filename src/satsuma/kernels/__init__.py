"""Inner loops that need compiled speed, each beside a plain twin that defines it."""

from satsuma.kernels import csv, normal, posterior, softmax, tally

#: Whether all kernels are the compiled ones.
compiled = all(each.compiled for each in (csv, normal, posterior, softmax, tally))

__all__ = ["compiled"]
