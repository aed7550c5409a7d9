"""A thin wrapper of rp0.c; twin.py defines what it does."""
from libc.stdint cimport int32_t, int64_t, uint64_t

import numpy as np

from satsuma.kernels.rp0.twin import Division, Grown

cdef extern from "rp0.h" nogil:
    ctypedef struct rp0_rows:
        int64_t numbers, symbols
        double *number
        int32_t *symbol
        int64_t *row
        double p
        int whole
    ctypedef struct rp0_grown:
        int32_t *below
        int64_t *poles
        double *gap
        int64_t *start
        uint64_t *key
        int64_t divisions, clusters
    int64_t rp0_divide(const rp0_rows *r, int64_t lo, int64_t hi, uint64_t key, int64_t pairs, int64_t *poles,
                       double *gap)
    int rp0_grow(const rp0_rows *r, int64_t lo, int64_t hi, uint64_t key, int64_t pairs, int64_t most, rp0_grown *g)
    void rp0_walk(const rp0_rows *r, int64_t n, const int32_t *below, const double *pole_number,
                  const int32_t *pole_symbol, int32_t *found)
    void rp0_near(const rp0_rows *r, const rp0_rows *asked, int64_t n, const int64_t *first, const int64_t *last,
                  int64_t k, double *found)


cdef bint _whole(const double[:, ::1] number, int64_t lo, int64_t hi) noexcept nogil:
    cdef int64_t i, j
    for i in range(lo, hi):
        for j in range(number.shape[1]):
            if number[i, j] != number[i, j]:
                return False
    return True


cdef rp0_rows _rows(const double[:, ::1] number, const int32_t[:, ::1] symbol, const int64_t[::1] row,
                    double p) except *:
    cdef rp0_rows r
    cdef int64_t n = row.shape[0]
    if number.shape[0] != n or symbol.shape[0] != n:
        raise ValueError("rows")
    r.numbers, r.symbols, r.p, r.whole = number.shape[1], symbol.shape[1], p, False
    r.number = <double *>&number[0, 0] if n and r.numbers else NULL
    r.symbol = <int32_t *>&symbol[0, 0] if n and r.symbols else NULL
    r.row = <int64_t *>&row[0] if n else NULL
    return r


cdef void _check(int64_t n, int64_t lo, int64_t hi, int64_t pairs) except *:
    if not 0 <= lo <= hi <= n or hi - lo >= 1 << 31 or not 1 <= pairs < 1 << 31:
        raise ValueError(f"there are no rows {lo} to {hi}, or no {pairs} pairs of them")


def divide(rows, int64_t lo, int64_t hi, uint64_t key, int64_t pairs):
    """Part rows lo to hi by the farthest of some pairs that leaves rows on both sides."""
    cdef double[:, ::1] number = rows.number  # to be written to
    cdef int32_t[:, ::1] symbol = rows.symbol
    cdef int64_t[::1] row = rows.row
    cdef rp0_rows r = _rows(number, symbol, row, rows.p)
    cdef int64_t[2] poles = [-1, -1]
    cdef double gap = 0.0
    cdef int64_t middle
    _check(number.shape[0], lo, hi, pairs)
    with nogil:
        r.whole = _whole(number, lo, hi)
        middle = rp0_divide(&r, lo, hi, key, pairs, poles, &gap)
    if middle < 0:
        raise MemoryError
    return Division(middle, (poles[0], poles[1]), gap)


def grow(rows, int64_t lo, int64_t hi, uint64_t key, int64_t pairs, int64_t most):
    """Divide rows lo to hi again and again while more than `most` lie together."""
    cdef double[:, ::1] number = rows.number  # to be written to
    cdef int32_t[:, ::1] symbol = rows.symbol
    cdef int64_t[::1] row = rows.row
    cdef rp0_rows r = _rows(number, symbol, row, rows.p)
    cdef int64_t size = hi - lo + 2
    cdef rp0_grown g
    cdef int failed
    _check(number.shape[0], lo, hi, pairs)
    # Room for the worst; what is not written to takes no memory.
    below, poles, gap = np.empty((size, 2), np.int32), np.empty((size, 2), np.int64), np.empty(size)
    start, keys = np.empty(size, np.int64), np.empty(size, np.uint64)
    cdef int32_t[:, ::1] b = below
    cdef int64_t[:, ::1] o = poles
    cdef double[::1] a = gap
    cdef int64_t[::1] s = start
    cdef uint64_t[::1] k = keys
    g.below, g.poles, g.gap, g.start, g.key = &b[0, 0], &o[0, 0], &a[0], &s[0], &k[0]
    with nogil:
        r.whole = _whole(number, lo, hi)
        failed = rp0_grow(&r, lo, hi, key, pairs, most, &g)
    if failed:
        raise MemoryError
    m, c = g.divisions, g.clusters
    return Grown(below[:m].copy(), poles[:m].copy(), gap[:m].copy(), start[:c + 1].copy(), keys[:c].copy())


def walk(const int32_t[:, ::1] below, const double[:, :, ::1] pole_number, const int32_t[:, :, ::1] pole_symbol, rows):
    """The cluster of each row: from the first division down, always to the nearer pole."""
    cdef const double[:, ::1] number = rows.number
    cdef rp0_rows r = _rows(number, rows.symbol, rows.row, rows.p)
    cdef int64_t n = number.shape[0], m = below.shape[0], i, j
    cdef bint whole = True
    out = np.zeros(n, np.int32)
    if not n or not m:
        return out
    if pole_number.shape[0] != m or pole_symbol.shape[0] != m or below.shape[1] != 2:
        raise ValueError("poles")
    if pole_number.shape[1] != 2 or pole_symbol.shape[1] != 2:
        raise ValueError("poles")
    if pole_number.shape[2] != r.numbers or pole_symbol.shape[2] != r.symbols:
        raise ValueError("columns")
    for i in range(m):
        for j in range(2):
            if below[i, j] >= m or 0 <= below[i, j] <= i:
                raise ValueError("a division stands before those below it")
    cdef int32_t[::1] found = out
    with nogil:
        for i in range(m):
            whole = whole and _whole(pole_number[i], 0, 2)
        r.whole = whole and _whole(number, 0, n)
        rp0_walk(&r, n, &below[0, 0], &pole_number[0, 0, 0] if r.numbers else NULL,
                 &pole_symbol[0, 0, 0] if r.symbols else NULL, &found[0])
    return out


def near(rows, asked, const int64_t[::1] first, const int64_t[::1] last, double[:, ::1] found):
    """The sums of the rows first[i] to last[i] nearest to the row i that is asked about, in order."""
    cdef const double[:, ::1] number = rows.number, queries = asked.number
    cdef rp0_rows r = _rows(number, rows.symbol, rows.row, rows.p), q = _rows(queries, asked.symbol, asked.row, rows.p)
    cdef int64_t n = queries.shape[0], k = found.shape[1], lo = number.shape[0], hi = 0, i
    if first.shape[0] != n or last.shape[0] != n or found.shape[0] != n or k < 1:
        raise ValueError("a range, and room for what is found, for each row")
    if q.numbers != r.numbers or q.symbols != r.symbols:
        raise ValueError("columns")
    for i in range(n):
        if not 0 <= first[i] <= last[i] <= number.shape[0]:
            raise ValueError(f"there are no rows {first[i]} to {last[i]}")
        lo, hi = min(lo, first[i]), max(hi, last[i])
    if not n:
        return
    with nogil:
        r.whole = _whole(number, lo, hi) and _whole(queries, 0, n)
        rp0_near(&r, &q, n, &first[0], &last[0], k, &found[0, 0])
