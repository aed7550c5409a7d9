"""Inner loops that need compiled speed, each beside a plain twin that defines it."""

from satsuma.kernels import csv, posterior, tally, tree

#: Whether all kernels are the compiled ones.
compiled = csv.compiled and tally.compiled and posterior.compiled and tree.compiled

__all__ = ["compiled"]
