"""Inner loops that need compiled speed, each beside a plain twin that defines it."""

from satsuma.kernels import csv, normal, posterior, tally

#: Whether all kernels are the compiled ones.
compiled = csv.compiled and tally.compiled and posterior.compiled and normal.compiled

__all__ = ["compiled"]
