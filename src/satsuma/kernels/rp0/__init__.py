"""Rows parted by the nearer of two poles: compiled where it can be, else by the twin."""

import os
from typing import Any

from satsuma.kernels.rp0 import twin as rp0_twin

_kernels: Any = rp0_twin
try:
    if os.environ.get("SATSUMA_KERNELS") == "twins":
        raise ImportError("the twins were asked for")
    from satsuma.kernels.rp0 import _native as _rp0
except ImportError:
    compiled = False
else:
    _kernels = _rp0
    compiled = True

divide = _kernels.divide
grow = _kernels.grow
walk = _kernels.walk
near = _kernels.near
