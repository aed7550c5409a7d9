"""From log joints to probabilities and choices: compiled where it can be, else by the twin."""

import os

from satsuma.kernels.softmax import twin as softmax_twin

try:
    if os.environ.get("SATSUMA_KERNELS") == "twins":
        raise ImportError("the twins were asked for")
    from satsuma.kernels.softmax import _native as _softmax
except ImportError:
    normalise, choose = softmax_twin.normalise, softmax_twin.choose
    compiled = False
else:
    normalise, choose = _softmax.normalise, _softmax.choose
    compiled = True

__all__ = ["choose", "compiled", "normalise"]
