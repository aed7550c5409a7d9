"""The best cut of numbers by their classes: compiled where it can be, else by the twin."""

import os

from satsuma.kernels.cuts import twin as cuts_twin

try:
    if os.environ.get("SATSUMA_KERNELS") == "twins":
        raise ImportError("the twins were asked for")
    from satsuma.kernels.cuts import _native as _cuts
except ImportError:
    best = cuts_twin.best
    compiled = False
else:
    best = _cuts.best
    compiled = True
