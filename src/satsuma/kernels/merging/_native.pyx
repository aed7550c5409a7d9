"""Moments of parts to moments of the whole; twin.py defines what it does."""
from libc.math cimport isfinite
from libc.stdint cimport int64_t


cdef inline void _put(double[:, :, ::1] out, int64_t g, int64_t j, double weight, double mean, double rest,
                      double m2, double lo, double hi) noexcept nogil:
    cdef bint same = lo == hi
    out[0, g, j] = weight
    out[1, g, j] = lo if same else mean
    out[2, g, j] = 0 if same else rest
    out[3, g, j] = 0 if same else m2
    out[4, g, j] = lo
    out[5, g, j] = hi


cdef inline double _lost(double a, double b, double total) noexcept nogil:
    """What rounding took away from a sum."""
    cdef double from_b = total - a
    return (a - (total - from_b)) + (b - from_b)


def from_sums(const double[:, :, ::1] parts, double[:, :, ::1] out):
    cdef int64_t groups = parts.shape[0], width = parts.shape[2], g, j
    cdef double weight, summed, square, off, shift, m2
    cdef bint finite = True
    if parts.shape[1] != 6 or out.shape[0] != 6 or out.shape[1] != groups or out.shape[2] != width:
        raise ValueError("six parts, and room for six")
    with nogil:
        for g in range(groups):
            for j in range(width):
                weight, summed, square, shift = parts[g, 0, j], parts[g, 1, j], parts[g, 2, j], parts[g, 5, j]
                finite = finite and isfinite(weight) and isfinite(summed) and isfinite(square)
                off = summed / (weight if weight > 0 else 1)
                m2 = square - summed * off
                if m2 < 0:
                    m2 = 0
                _put(out, g, j, weight, shift + off, _lost(shift, off, shift + off), m2, parts[g, 3, j], parts[g, 4, j])
    return finite


def merge(const double[:, :, :, ::1] held, double[:, :, ::1] out):
    cdef int64_t count = held.shape[0], groups = held.shape[2], width = held.shape[3], g, j, t
    if count < 1 or held.shape[1] != 6 or out.shape[0] != 6 or out.shape[1] != groups or out.shape[2] != width:
        raise ValueError("six arrays of each part, and room for six")
    cdef double whole, some, near, off, m2, between, lo, hi, away
    with nogil:
        for g in range(groups):
            for j in range(width):
                whole = near = off = m2 = between = 0
                lo, hi = held[0, 4, g, j], held[0, 5, g, j]
                for t in range(count):
                    whole = whole + held[t, 0, g, j]
                some = whole if whole > 0 else 1
                for t in range(count):
                    near = near + held[t, 0, g, j] / some * held[t, 1, g, j]
                for t in range(count):
                    off = off + held[t, 0, g, j] / some * _away(held, t, g, j, near)
                    m2 = m2 + held[t, 3, g, j]
                    lo = held[t, 4, g, j] if held[t, 4, g, j] < lo else lo
                    hi = held[t, 5, g, j] if held[t, 5, g, j] > hi else hi
                for t in range(count):
                    if held[t, 0, g, j] > 0:
                        away = _away(held, t, g, j, near) - off
                        between = between + held[t, 0, g, j] * away * away
                _put(out, g, j, whole, near + off, _lost(near, off, near + off), m2 + between, lo, hi)


cdef inline double _away(const double[:, :, :, ::1] held, int64_t t, int64_t g, int64_t j, double near) noexcept nogil:
    if not held[t, 0, g, j] > 0:
        return 0
    return (held[t, 1, g, j] - near) + held[t, 2, g, j]
