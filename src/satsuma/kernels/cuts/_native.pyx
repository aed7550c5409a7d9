"""The best cut among several; twin.py defines what it does."""
from libc.math cimport INFINITY, log2
from libc.stdint cimport int64_t


cdef inline double logged(double x, const double[::1] table, bint whole) noexcept nogil:
    if whole:
        return table[<Py_ssize_t>x]
    return x * log2(x) if x > 0 else 0.0


def best(const double[:, ::1] upto, int64_t lo, int64_t hi, const double[::1] table):
    """Where to cut numbers so that least entropy is left, the first of several places; -1 for none."""
    cdef int64_t classes = upto.shape[1], i, c, at = -1
    cdef bint whole = table.shape[0] > 0
    cdef double least = INFINITY, l, r, all_left, all_right, sum_left, sum_right, left, total
    if not 0 <= lo <= hi < upto.shape[0]:
        raise ValueError(f"there are no numbers {lo} to {hi}")
    if whole:
        total = 0.0
        for c in range(classes):
            total += upto[hi, c] - upto[lo, c]
        if not total < table.shape[0]:
            raise ValueError("table")
    with nogil:
        for i in range(lo + 1, hi):
            all_left = all_right = sum_left = sum_right = 0.0
            for c in range(classes):
                l = upto[i, c] - upto[lo, c]
                r = upto[hi, c] - upto[i, c]
                if not r > 1e-12 * (upto[hi, c] - upto[lo, c]):
                    r = 0.0
                all_left += l
                all_right += r
                sum_left += logged(l, table, whole)
                sum_right += logged(r, table, whole)
            left = (logged(all_left, table, whole) - sum_left) + (logged(all_right, table, whole) - sum_right)
            if left < least:
                least = left
                at = i
    return at
