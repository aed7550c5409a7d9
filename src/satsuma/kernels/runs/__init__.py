"""Numbers in order, distinct, with what each weighs, and where to cut them.

Compiled where it can be, else by the twin.
"""

from satsuma.kernels import use_native

if compiled := use_native("runs"):
    from satsuma.kernels.runs._native import add, best_cut, on_lattice, runs_of, side_by_side
else:
    from satsuma.kernels.runs.twin import add, best_cut, on_lattice, runs_of, side_by_side

__all__ = ["add", "best_cut", "compiled", "on_lattice", "runs_of", "side_by_side"]
