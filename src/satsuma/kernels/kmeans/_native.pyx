"""Steps of k-means and mini-batches; twin.py defines what they do."""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t


cdef extern from "kmeans.h" nogil:
    ctypedef struct kmeans_rows:
        int64_t rows, numbers, symbols
        const double *number
        const int32_t *symbol
        const double *weight
        const uint8_t *holed
    ctypedef struct kmeans_centres:
        int64_t k
        const double *number
        const int32_t *symbol
    ctypedef struct kmeans_moved:
        const double *drift
        const double *near
        double most, next
        int64_t farthest
    ctypedef struct kmeans_sums:
        double *weight
        double *known
        double *sum
        double *count
        const int64_t *offset
        int64_t levels
    ctypedef struct kmeans_online:
        int64_t k, batch
        double *number
        int32_t *symbol
        double *z
        double *lo
        double *hi
        const double *shift
        int ranged
        uint64_t seed
        int64_t seen
    int64_t kmeans_step(const kmeans_rows *r, const kmeans_centres *c, const kmeans_moved *v, int32_t *label,
                        double *up, double *low, const kmeans_sums *s)
    void kmeans_away(const kmeans_rows *r, const kmeans_centres *c, const int32_t *label, double *out)
    int kmeans_batches(const kmeans_rows *r, const kmeans_online *o)


cdef class _Rows:
    """Rows, and the arrays that hold them."""

    cdef kmeans_rows r
    cdef const double[:, ::1] number
    cdef const int32_t[:, ::1] symbol
    cdef const double[::1] weight
    cdef const uint8_t[::1] holed

    def __cinit__(self, const double[:, ::1] number, const int32_t[:, ::1] symbol, weight, holed=None):
        self.number, self.symbol = number, symbol
        cdef int64_t n = number.shape[0], d = number.shape[1], s = symbol.shape[1]
        if symbol.shape[0] != n:
            raise ValueError("rows")
        self.r.rows, self.r.numbers, self.r.symbols = n, d, s
        self.r.number = &number[0, 0] if n and d else NULL
        self.r.symbol = &symbol[0, 0] if n and s else NULL
        self.r.weight = NULL
        self.r.holed = NULL
        if weight is not None:
            self.weight = weight
            if self.weight.shape[0] != n:
                raise ValueError("weights")
            self.r.weight = &self.weight[0] if n else NULL
        if holed is not None:
            self.holed = holed
            if self.holed.shape[0] != d:
                raise ValueError("holes")
            self.r.holed = &self.holed[0] if d else NULL

    cdef kmeans_centres centres(self, const double[:, ::1] number, const int32_t[:, ::1] symbol) except *:
        cdef kmeans_centres c
        c.k = number.shape[0]
        if c.k < 1 or symbol.shape[0] != c.k or number.shape[1] != self.r.numbers or symbol.shape[1] != self.r.symbols:
            raise ValueError("centres")
        c.number = &number[0, 0] if self.r.numbers else NULL
        c.symbol = &symbol[0, 0] if self.r.symbols else NULL
        return c


cdef void labelled(const int32_t[::1] label, int64_t rows, int64_t k) except *:
    cdef int64_t i
    if label.shape[0] != rows:
        raise ValueError("labels")
    for i in range(rows):
        if not 0 <= label[i] < k:
            raise ValueError("labels")


def step(const double[:, ::1] number, const int32_t[:, ::1] symbol, weight, const uint8_t[::1] holed,
         const double[:, ::1] at, const int32_t[:, ::1] mode, moved, int32_t[::1] label, double[::1] up,
         double[::1] low, sums):
    """The nearest centre of each row, into `label`; changes are added to the sums."""
    cdef _Rows rows = _Rows(number, symbol, weight, holed)
    cdef kmeans_centres c = rows.centres(at, mode)
    cdef kmeans_moved v
    cdef kmeans_sums s
    cdef const double[::1] drift, near
    cdef double[::1] total
    cdef double[:, ::1] known, added, count
    cdef const int64_t[::1] offset
    cdef int64_t j, n = rows.r.rows, d = rows.r.numbers, looked
    if label.shape[0] != n or up.shape[0] != n or low.shape[0] != n:
        raise ValueError("what is found")
    v.drift, v.near, v.most, v.next, v.farthest = NULL, NULL, 0.0, 0.0, 0
    if moved is not None:
        drift, near, v.most, v.next, v.farthest = moved
        if drift.shape[0] != c.k or near.shape[0] != c.k:
            raise ValueError("how far centres moved")
        labelled(label, n, c.k)
        v.drift, v.near = &drift[0], &near[0]
    s.weight, s.known, s.sum, s.count, s.offset, s.levels = NULL, NULL, NULL, NULL, NULL, 0
    if sums is not None:
        total, known, added, count, offset = sums
        if total.shape[0] != c.k or known.shape[0] != c.k or added.shape[0] != c.k or count.shape[0] != c.k:
            raise ValueError("sums")
        if known.shape[1] != d or added.shape[1] != d or offset.shape[0] != rows.r.symbols + 1:
            raise ValueError("sums")
        s.levels = count.shape[1]
        if offset[offset.shape[0] - 1] > s.levels:
            raise ValueError("values")
        in_range(symbol, offset)
        s.weight, s.offset = &total[0], &offset[0]
        s.known = &known[0, 0] if d else NULL
        s.sum = &added[0, 0] if d else NULL
        s.count = &count[0, 0] if s.levels else NULL
    with nogil:
        looked = kmeans_step(&rows.r, &c, &v, &label[0] if n else NULL, &up[0] if n else NULL,
                             &low[0] if n else NULL, &s)
    if looked < 0:
        raise MemoryError
    return looked


cdef void in_range(const int32_t[:, ::1] symbol, const int64_t[::1] offset) except *:
    """A code beyond the values of its column would be counted elsewhere."""
    cdef int64_t i, j
    cdef bint wrong = False
    for i in range(symbol.shape[0]):
        for j in range(symbol.shape[1]):
            wrong |= symbol[i, j] >= offset[j + 1] - offset[j]
    if wrong:
        raise ValueError("codes")


def away(const double[:, ::1] number, const int32_t[:, ::1] symbol, const double[:, ::1] at,
         const int32_t[:, ::1] mode, const int32_t[::1] label, double[::1] out):
    """The squared distance of each row from the centre with its label."""
    cdef _Rows rows = _Rows(number, symbol, None)
    cdef kmeans_centres c = rows.centres(at, mode)
    labelled(label, rows.r.rows, c.k)
    if out.shape[0] != rows.r.rows:
        raise ValueError("what is found")
    if rows.r.rows:
        with nogil:
            kmeans_away(&rows.r, &c, &label[0], &out[0])


def batches(const double[:, ::1] number, const int32_t[:, ::1] symbol, weight, int64_t batch, double[:, ::1] at,
            int32_t[:, ::1] mode, double[::1] z, double[::1] lo, double[::1] hi, shift, uint64_t seed, int64_t seen):
    """Assign the rows of a batch, then move the centres, one batch after the other; by range if without a shift."""
    cdef _Rows rows = _Rows(number, symbol, weight)
    cdef kmeans_online o
    cdef const double[::1] off
    cdef int64_t d = rows.r.numbers
    cdef int failed
    rows.centres(at, mode)
    o.k, o.batch, o.seed, o.seen = at.shape[0], batch, seed, seen
    if batch < 1 or z.shape[0] != o.k or lo.shape[0] != d or hi.shape[0] != d:
        raise ValueError("what centres have been given")
    o.number = &at[0, 0] if d else NULL
    o.symbol = &mode[0, 0] if rows.r.symbols else NULL
    o.z = &z[0]
    o.lo = &lo[0] if d else NULL
    o.hi = &hi[0] if d else NULL
    o.ranged, o.shift = shift is None, NULL
    if shift is not None:
        off = shift
        if off.shape[0] != d:
            raise ValueError("shift")
        o.shift = &off[0] if d else NULL
    with nogil:
        failed = kmeans_batches(&rows.r, &o)
    if failed:
        raise MemoryError
