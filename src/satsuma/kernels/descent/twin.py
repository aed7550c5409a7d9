"""Sweeps of coordinate descent, in plain NumPy: the definition of the kernel."""

import math

import numpy as np

from satsuma.numerics.arrays import Floats


def sweep(  # noqa: PLR0917 - as the kernel has them
    gram: Floats,
    l1: Floats,
    l2: Floats,
    slopes: Floats,
    left: Floats,
    tolerance: float,
    limit: int,
) -> int:
    """Move slope after slope to where the sum is least, given the others; how many sweeps it took.

    Between sweeps over all slopes, those that are not 0 are swept over until they rest. `slopes`
    and `left`, what is left of c, are changed in place.
    """
    squares, done, whole = np.diagonal(gram).tolist(), 0, True
    bends, costs = (np.diagonal(gram) + l2).tolist(), l1.tolist()
    some = [at for at, bend in enumerate(bends) if bend > 0.0]
    while done < limit:
        most = 0.0
        for at in some if whole else np.flatnonzero(slopes).tolist():
            before = slopes.item(at)
            pull = left.item(at) + squares[at] * before
            size = abs(pull) - costs[at]
            # A pull that is what the slope costs but for rounding moves nothing.
            now = math.copysign(size, pull) / bends[at] if size > 1e-12 * costs[at] else 0.0
            if now != before:
                change = now - before
                slopes[at] = now
                left -= change * gram[at]
                most = max(most, abs(change) * math.sqrt(bends[at]))
        done += 1
        if most <= tolerance:
            if whole:
                break
            whole = True
        else:
            whole = False
    return done
