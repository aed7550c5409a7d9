"""Inner loops that need compiled speed, each beside a plain twin that defines it."""

from satsuma.kernels.csv import compiled

__all__ = ["compiled"]
