"""Numbers in order, distinct, with what each weighs: compiled where it can be, else by the twin."""

import os
from typing import Any

from satsuma.kernels.runs import twin as runs_twin

_kernels: Any = runs_twin
try:
    if os.environ.get("SATSUMA_KERNELS") == "twins":
        raise ImportError("the twins were asked for")
    from satsuma.kernels.runs import _native as _runs
except ImportError:
    compiled = False
else:
    _kernels = _runs
    compiled = True

runs_of = _kernels.runs_of
add = _kernels.add
side_by_side = _kernels.side_by_side
on_lattice = _kernels.on_lattice
