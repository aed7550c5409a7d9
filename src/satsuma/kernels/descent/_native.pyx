"""Sweeps of coordinate descent; twin.py defines what they do."""
from libc.math cimport fabs, sqrt
from libc.stdint cimport int64_t


def sweep(const double[:, ::1] gram, const double[::1] l1, const double[::1] l2, double[::1] slopes,
          double[::1] left, double tolerance, int64_t limit):
    """Move slope after slope to where the sum is least; how many sweeps it took."""
    cdef int64_t width = slopes.shape[0], done = 0, at, other
    cdef double most, bend, before, pull, size, now, change
    cdef bint whole = True
    if gram.shape[0] != width or gram.shape[1] != width or left.shape[0] != width:
        raise ValueError("columns")
    if l1.shape[0] != width or l2.shape[0] != width:
        raise ValueError("penalties")
    with nogil:
        while done < limit:
            most = 0.0
            for at in range(width):
                bend = gram[at, at] + l2[at]
                before = slopes[at]
                if (not whole and before == 0.0) or not bend > 0.0:
                    continue
                pull = left[at] + gram[at, at] * before
                size = fabs(pull) - l1[at]
                now = 0.0
                if size > 1e-12 * l1[at]:
                    now = (size if pull > 0.0 else -size) / bend
                if now != before:
                    change = now - before
                    slopes[at] = now
                    for other in range(width):
                        left[other] -= change * gram[at, other]
                    most = max(most, fabs(change) * sqrt(bend))
            done += 1
            if most <= tolerance:
                if whole:
                    break
                whole = True
            else:
                whole = False
    return done
