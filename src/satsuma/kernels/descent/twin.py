"""Sweeps of coordinate descent, in plain NumPy: the definition of the kernel."""

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
    width, done, whole = len(slopes), 0, True
    while done < limit:
        most = 0.0
        for at in range(width):
            bend = gram[at, at] + l2[at]
            before = slopes[at]
            if (not whole and before == 0.0) or not bend > 0.0:
                continue
            pull = left[at] + gram[at, at] * before
            size = abs(pull) - l1[at]
            # A pull that is what the slope costs but for rounding moves nothing.
            now = np.copysign(size, pull) / bend if size > 1e-12 * l1[at] else 0.0
            if now != before:
                change = now - before
                slopes[at] = now
                left -= change * gram[at]
                most = max(most, abs(change) * np.sqrt(bend))
        done += 1
        if most <= tolerance:
            if whole:
                break
            whole = True
        else:
            whole = False
    return done
