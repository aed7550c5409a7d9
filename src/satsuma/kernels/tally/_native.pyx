"""A thin wrapper of tally.h; twin.py defines what it does."""
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_STRIDES, PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.float cimport DBL_MIN
from libc.math cimport INFINITY, hypot, isfinite, sqrt
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stddef cimport ptrdiff_t

import numpy as np

cdef extern from "tally.h" nogil:
    ctypedef struct tally_column:
        const char *at
        ptrdiff_t step
        char kind
    ctypedef struct tally_batch:
        const tally_column *columns
        int64_t width
        const tally_column *groups
        int64_t group_count
        const tally_column *weights
        int64_t start, n
    int64_t tally_fold_groups(const tally_column *codes, const tally_column *folds, int64_t start, int64_t n,
                              int64_t classes, int64_t folds_count, int32_t *out)
    int64_t tally_moments(const tally_batch *b, int level, double *total, double *parts)
    int64_t tally_counts(const tally_batch *b, const int64_t *levels, double *total, double *const *out)
    int64_t tally_bins(const tally_batch *b, const double *const *edges, const int64_t *edge_counts,
                       double *total, double *const *out)
    int64_t tally_scatter(const tally_batch *b, double *total, double *cross, double *shift)
    int64_t tally_pairs(const tally_batch *b, double *total, double *cross, double *shift)
    ctypedef struct tally_keyed:
        const tally_column *numbers
        int64_t width
        const uint64_t *by_column
        const tally_column *codes
        int64_t symbols
        const uint64_t *terms
        const int64_t *firsts
    int64_t tally_keys(const tally_keyed *k, int64_t start, int64_t n, uint64_t limit, int64_t *rows, uint64_t *keys)
    int PARTS

_KINDS = {(b"d", 8): b"d", (b"b", 1): b"b", (b"B", 1): b"B", (b"h", 2): b"h", (b"i", 4): b"i", (b"l", 4): b"i"}


cdef class Columns:
    """Arrays of one dimension, or those that one of two is made of, kept while they are looked at."""

    cdef Py_buffer *buffers
    cdef tally_column *at
    cdef int64_t width, held
    cdef readonly int64_t rows

    def __cinit__(self, arrays, int64_t rows):
        self.rows = rows
        self.width = len(arrays)
        self.buffers = <Py_buffer *>PyMem_Calloc(self.width + 1, sizeof(Py_buffer))
        self.at = <tally_column *>PyMem_Calloc(self.width + 1, sizeof(tally_column))
        if not (self.buffers and self.at):
            raise MemoryError
        cdef Py_buffer *held
        if isinstance(arrays, np.ndarray):
            self._take_all(arrays)
            return
        for array in arrays:
            held = self.buffers + self.held
            PyObject_GetBuffer(array, held, PyBUF_STRIDES | PyBUF_FORMAT)
            self.held += 1
            kind = _KINDS.get((held.format, held.itemsize))
            if held.ndim != 1 or held.shape[0] != rows or kind is None:
                raise ValueError("arrays of one dimension, of numbers or codes, of the same length")
            self.at[self.held - 1] = tally_column(<const char *>held.buf, held.strides[0], (<bytes>kind)[0])

    cdef int _take_all(self, array) except -1:
        cdef int64_t j
        cdef Py_buffer *held = self.buffers
        PyObject_GetBuffer(array, held, PyBUF_STRIDES | PyBUF_FORMAT)
        self.held = 1
        kind = _KINDS.get((held.format, held.itemsize))
        if held.ndim != 2 or held.shape[1] != self.rows or kind is None:
            raise ValueError("an array of two dimensions, of numbers or codes")
        for j in range(self.width):
            self.at[j] = tally_column(<const char *>held.buf + j * held.strides[0], held.strides[1], (<bytes>kind)[0])
        return 0

    def __dealloc__(self):
        cdef int64_t j
        for j in range(self.held):
            PyBuffer_Release(self.buffers + j)
        PyMem_Free(self.buffers)
        PyMem_Free(self.at)

    cdef int all_of(self, bint numbers) except -1:
        cdef int64_t j
        for j in range(self.width):
            if (self.at[j].kind == b"d") != numbers:
                raise TypeError("numbers where codes are wanted, or codes where numbers are")
        return 0


cdef class Batch:
    """Columns, the group of each row, and what each weighs: what the kernels take."""

    cdef Columns columns
    cdef Columns groups
    cdef Columns weights
    cdef int64_t group_count

    def __init__(self, columns, groups, int64_t group_count, weights=None):
        self.columns = Columns(columns, len(groups))
        self.groups = Columns([groups], len(groups))
        self.groups.all_of(False)
        self.group_count = group_count
        if weights is not None:
            self.weights = Columns([weights], len(groups))
            self.weights.all_of(True)

    cdef tally_batch rows(self, int64_t start, int64_t stop) except *:
        if not 0 <= start <= stop <= self.groups.rows:
            raise IndexError("rows that are not there")
        cdef tally_column *weights = NULL
        if self.weights is not None:
            weights = self.weights.at
        return tally_batch(self.columns.at, self.columns.width, self.groups.at, self.group_count, weights,
                           start, stop - start)


cdef class Keyed:
    """Columns of numbers and of codes, and by what each adds to the key of a row."""

    cdef Columns numbers
    cdef Columns codes
    cdef const uint64_t[::1] by_column
    cdef const uint64_t[::1] terms
    cdef const int64_t[::1] firsts
    cdef tally_keyed held
    cdef int64_t rows

    def __init__(self, numbers, const uint64_t[::1] by_column, codes, const uint64_t[::1] terms,
                 const int64_t[::1] firsts, int64_t rows):
        cdef int64_t j
        self.numbers, self.codes, self.rows = Columns(numbers, rows), Columns(codes, rows), rows
        self.numbers.all_of(True)
        self.codes.all_of(False)
        self.by_column, self.terms, self.firsts = by_column, terms, firsts
        if by_column.shape[0] != self.numbers.width or firsts.shape[0] != self.codes.width + 1 or firsts[0]:
            raise ValueError("a key for each column of numbers, and terms for each of codes")
        for j in range(self.codes.width):
            if firsts[j + 1] <= firsts[j] or firsts[j + 1] > terms.shape[0]:
                raise ValueError("at least one term for each column of codes")
        self.held = tally_keyed(self.numbers.at, self.numbers.width, NULL, self.codes.at, self.codes.width, NULL,
                                &firsts[0])
        if by_column.shape[0]:
            self.held.by_column = &by_column[0]
        if terms.shape[0]:
            self.held.terms = &terms[0]


cdef double *_start(array) except? NULL:
    """Where the first number of an array stands, which outlives its use and may have none."""
    cdef Py_buffer view
    PyObject_GetBuffer(array, &view, PyBUF_WRITABLE)
    cdef double *at = <double *>view.buf
    PyBuffer_Release(&view)
    return at


cdef int _check(int64_t status) except -1:
    if status == -2:
        raise MemoryError
    if status >= 0:
        raise IndexError(f"row {status} has a group or a code that is out of range")
    return 0


def fold_groups(codes, folds, int64_t classes, int64_t count, int64_t start, int64_t stop, int32_t[::1] out):
    cdef Columns both = Columns([codes, folds], len(codes))
    both.all_of(False)
    cdef int64_t status = -1
    if not 0 <= start <= stop <= both.rows or out.shape[0] != both.rows:
        raise IndexError("rows that are not there")
    if start < stop:
        with nogil:
            status = tally_fold_groups(both.at, both.at + 1, start, stop - start, classes, count, &out[start])
    _check(status)


def moments(Batch batch, int64_t start, int64_t stop, int level=2):
    batch.columns.all_of(True)
    cdef tally_batch b = batch.rows(start, stop)
    total, parts = np.zeros(batch.group_count), np.zeros((batch.group_count, PARTS, b.width))
    cdef double *t = _start(total)
    cdef double *p = _start(parts)
    cdef int64_t status
    with nogil:
        status = tally_moments(&b, level, t, p)
    _check(status)
    return total, parts


def scatter(Batch batch, int64_t start, int64_t stop):
    return _multiplied(batch, False, start, stop)


def pairs(Batch batch, int64_t start, int64_t stop):
    return _multiplied(batch, True, start, stop)[1:]


cdef _multiplied(Batch batch, bint holed, int64_t start, int64_t stop):
    batch.columns.all_of(True)
    cdef tally_batch b = batch.rows(start, stop)
    cdef int64_t e = 2 * b.width if holed else b.width + 1
    total = np.zeros(batch.group_count)
    cross = np.zeros((batch.group_count, e, e))
    shift = np.zeros((batch.group_count, b.width))
    cdef double *t = _start(total)
    cdef double *c = _start(cross)
    cdef double *s = _start(shift)
    cdef int64_t status
    with nogil:
        status = tally_pairs(&b, t, c, s) if holed else tally_scatter(&b, t, c, s)
    _check(status)
    return total, cross, shift


def counts(Batch batch, levels, int64_t start, int64_t stop):
    batch.columns.all_of(False)
    return _counted(batch, None, np.asarray(levels, np.int64), start, stop)


def bins(Batch batch, edges, int64_t start, int64_t stop):
    batch.columns.all_of(True)
    return _counted(batch, edges, np.array([len(each) for each in edges], np.int64), start, stop)


cdef _counted(Batch batch, edges, sizes, int64_t start, int64_t stop):
    cdef tally_batch b = batch.rows(start, stop)
    cdef const int64_t[::1] size = sizes
    if size.shape[0] != b.width:
        raise ValueError("one entry a column")
    total = np.zeros(batch.group_count)
    out = [np.zeros((batch.group_count, n + (edges is not None))) for n in sizes.tolist()]
    cdef double *t = _start(total)
    cdef double **to = <double **>PyMem_Calloc(b.width + 1, sizeof(double *))
    cdef double **cut = <double **>PyMem_Calloc(b.width + 1, sizeof(double *))
    cdef Columns held
    cdef int64_t j, status
    cdef bint codes = edges is None
    try:
        if not (to and cut):
            raise MemoryError
        for j in range(b.width):
            to[j] = _start(out[j])
            if edges is not None:
                held = Columns([edges[j]], size[j])
                held.all_of(True)
                if held.at[0].step != sizeof(double) and size[j] > 1:
                    raise ValueError("edges that lie in one piece")
                cut[j] = <double *>held.at[0].at
        with nogil:
            if codes:
                status = tally_counts(&b, &size[0] if size.shape[0] else NULL, t, to)
            else:
                status = tally_bins(&b, <const double *const *>cut, &size[0] if size.shape[0] else NULL, t, to)
        _check(status)
        return total, out
    finally:
        PyMem_Free(to)
        PyMem_Free(cut)


def keys(Keyed keyed, int64_t start, int64_t stop, uint64_t limit):
    if not 0 <= start <= stop <= keyed.rows:
        raise IndexError("rows that are not there")
    rows, found = np.empty(stop - start + 1, np.int64), np.empty(stop - start + 1, np.uint64)
    cdef int64_t *r = <int64_t *>_start(rows)
    cdef uint64_t *f = <uint64_t *>_start(found)
    cdef int64_t many
    with nogil:
        many = tally_keys(&keyed.held, start, stop - start, limit, r, f)
    return rows[:many].copy(), found[:many].copy()


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


def spreads(held, double m, double floor, double floor_of_one, double[:, ::1] out):
    cdef const double[:, ::1] weight, mean, squares, lo, hi
    weight, mean, squares, lo, hi = held
    cdef int64_t groups = out.shape[0], width = out.shape[1], g, j
    for part in held:
        if part.shape != (groups, width):
            raise ValueError("five arrays, and room for one")
    cdef double total, middle, away, m2, least, most, whole, own, part_of, sd
    with nogil:
        for j in range(width):
            total = middle = m2 = 0
            least, most = INFINITY, -INFINITY
            for g in range(groups):
                total = total + weight[g, j]
                least = lo[g, j] if lo[g, j] < least else least
                most = hi[g, j] if hi[g, j] > most else most
            for g in range(groups):
                middle = middle + weight[g, j] / total * mean[g, j]
            for g in range(groups):
                away = mean[g, j] - middle if weight[g, j] > 0 else 0
                m2 = m2 + (squares[g, j] + weight[g, j] * away * away)
            whole = _sd(total, m2, least, most)
            for g in range(groups):
                own = _sd(weight[g, j], squares[g, j], lo[g, j], hi[g, j])
                if m:
                    part_of = sqrt(m / (_freedom(weight[g, j]) + m))
                    own = hypot(sqrt(1 - part_of * part_of) * own, part_of * whole)
                sd = _larger(own, sqrt(floor if lo[g, j] < hi[g, j] else floor_of_one) * whole)
                out[g, j] = _larger(sd, DBL_MIN) if weight[g, j] > 0 and least < most else INFINITY


cdef double _sd(double weight, double m2, double lo, double hi) noexcept nogil:
    cdef double sd = sqrt(m2 / _freedom(weight))
    if not lo < hi:
        return 0
    return sd if 0 < sd < INFINITY else hi / 4 - lo / 4


cdef double _freedom(double weight) noexcept nogil:
    return _larger(weight - 1, weight / 2)


cdef double _larger(double a, double b) noexcept nogil:
    """Not a number where one of them is none."""
    return a if a >= b or a != a else b
