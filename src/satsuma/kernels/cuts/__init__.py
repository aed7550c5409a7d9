"""Where to cut numbers, and whether intervals or Gaussians are less wrong about held-out rows.

Compiled where it can be, else by the twin.
"""

from satsuma.kernels import use_native
from satsuma.kernels.cuts.twin import Column, Compared, halfway

if compiled := use_native("cuts"):
    from satsuma.kernels.cuts._native import best_cut, compare, mdl_cuts
else:
    from satsuma.kernels.cuts.twin import best_cut, compare, mdl_cuts

__all__ = ["Column", "Compared", "best_cut", "compare", "compiled", "halfway", "mdl_cuts"]
