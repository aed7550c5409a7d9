"""Rows of cells spelled as lines of text: compiled where it can be, else by the twin."""

from satsuma.kernels import use_native
from satsuma.kernels.spelling.twin import Column, Room, Spelled, number

if compiled := use_native("spelling"):
    from satsuma.kernels.spelling._native import lines
else:
    from satsuma.kernels.spelling.twin import lines

__all__ = ["Column", "Room", "Spelled", "compiled", "lines", "number"]
