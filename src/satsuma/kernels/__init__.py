"""Inner loops that need compiled speed, each beside a plain twin that defines it."""

from satsuma.kernels import csv, posterior, softmax, tally

#: Whether all kernels are the compiled ones.
compiled = csv.compiled and tally.compiled and posterior.compiled and softmax.compiled

__all__ = ["compiled"]
