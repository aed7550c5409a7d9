"""Numbers in order, distinct, with what each weighs.

Compiled where it can be, else by the twin.
"""

from satsuma.kernels import use_native

if compiled := use_native("runs"):
    from satsuma.kernels.runs._native import add, on_lattice, runs_of, side_by_side
else:
    from satsuma.kernels.runs.twin import add, on_lattice, runs_of, side_by_side

__all__ = ["add", "compiled", "on_lattice", "runs_of", "side_by_side"]
