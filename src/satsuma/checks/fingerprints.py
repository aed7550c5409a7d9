"""Fingerprints: whether a value is still what it was, to the last bit."""

from collections.abc import Mapping
from typing import Any, cast

import numpy as np


def fingerprint(value: Any) -> Any:
    """Something that is equal for equal values, and does not change when the value does.

    Examples
    --------
    >>> numbers = np.zeros(2)
    >>> before = fingerprint([numbers, {"m": 2.0}])
    >>> numbers[0] = -0.0
    >>> fingerprint([numbers, {"m": 2.0}]) == before
    False
    """
    if isinstance(value, np.ndarray):
        array = cast("np.ndarray[Any, Any]", value)
        held = tuple(map(fingerprint, array.flat)) if array.dtype == object else array.tobytes()
        return "array", array.dtype.str, array.shape, array.strides, held
    if isinstance(value, Mapping):
        pairs = cast("Mapping[Any, Any]", value).items()
        return "mapping", tuple((fingerprint(k), fingerprint(v)) for k, v in pairs)
    if isinstance(value, list | tuple):
        return "list", tuple(map(fingerprint, cast("list[Any]", value)))
    if hasattr(value, "get_params"):
        return type(value).__name__, fingerprint(vars(value))
    return type(value).__name__, repr(value)
