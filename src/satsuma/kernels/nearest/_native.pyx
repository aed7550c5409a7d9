"""A thin wrapper of nearest.c; twin.py defines what it does."""
from libc.stdint cimport int32_t, int64_t, uint8_t

cdef extern from "nearest.h" nogil:
    enum: NEAREST_TILE
    ctypedef struct nearest_rows:
        int64_t rows, numbers, symbols, whole
        const int64_t *name
        const double *number
        const int32_t *symbol
        const float *tile
        const uint8_t *byte
        int64_t sides
        const int64_t *side
        const float *box
        double p, apart
    ctypedef struct nearest_queries:
        int64_t count
        const double *number
        const int32_t *symbol
        const float *quick
        const uint8_t *byte
        const int64_t *left_out
    void nearest_find(const nearest_rows *r, const nearest_queries *q, int64_t k, double *sum, int64_t *row)


def find(packed, const double[:, ::1] number, const int32_t[:, ::1] symbol, const float[:, ::1] quick,
         const uint8_t[:, ::1] byte, const int64_t[::1] left_out, double[:, ::1] sums, int64_t[:, ::1] rows):
    """The nearest rows of each query, into `sums` and `rows`."""
    cdef const int64_t[::1] name = packed.name
    cdef const double[:, ::1] held = packed.number
    cdef const int32_t[:, ::1] coded = packed.symbol
    cdef const float[:, :, ::1] tile = packed.tile
    cdef const uint8_t[:, :, ::1] block = packed.byte
    cdef const float[:, :, ::1] box = packed.box
    cdef const int64_t[::1] side = packed.side
    cdef int64_t n = held.shape[0], d = held.shape[1], s = coded.shape[1], tiles = tile.shape[0]
    cdef int64_t count = number.shape[0], k = sums.shape[1]
    if coded.shape[0] != n or name.shape[0] != n or block.shape[0] != tiles or tiles * NEAREST_TILE < n:
        raise ValueError("rows")
    if tile.shape[1] != d or block.shape[1] != s or tile.shape[2] != NEAREST_TILE or block.shape[2] != NEAREST_TILE:
        raise ValueError("tiles")
    if box.shape[0] != max(0, 2 * tiles - 1) or box.shape[1] != 2 or box.shape[2] != side.shape[0]:
        raise ValueError("boxes")
    cdef int64_t at
    for at in range(side.shape[0]):
        if not (at == 0 or side[at - 1] < side[at]) or not 0 <= side[at] < d:
            raise ValueError("sides")
    if symbol.shape[0] != count or quick.shape[0] != count or byte.shape[0] != count:
        raise ValueError("queries")
    if number.shape[1] != d or quick.shape[1] != d or symbol.shape[1] != s or byte.shape[1] != s:
        raise ValueError("columns")
    if left_out.shape[0] != count or sums.shape[0] != count or rows.shape[0] != count or rows.shape[1] != k:
        raise ValueError("what is found")
    if not 0 <= packed.whole <= d:
        raise ValueError("whole")
    if not count or not k:
        return
    cdef nearest_rows r
    cdef nearest_queries q
    r.rows, r.numbers, r.symbols, r.whole, r.p, r.apart = n, d, s, packed.whole, packed.p, packed.apart
    r.name = &name[0] if n else NULL
    r.number = &held[0, 0] if n and d else NULL
    r.symbol = &coded[0, 0] if n and s else NULL
    r.tile = &tile[0, 0, 0] if tiles and d else NULL
    r.byte = &block[0, 0, 0] if tiles and s else NULL
    r.sides = side.shape[0]
    r.side = &side[0] if r.sides else NULL
    r.box = &box[0, 0, 0] if tiles and r.sides else NULL
    q.count, q.left_out = count, &left_out[0]
    q.number = &number[0, 0] if d else NULL
    q.symbol = &symbol[0, 0] if s else NULL
    q.quick = &quick[0, 0] if d else NULL
    q.byte = &byte[0, 0] if s else NULL
    with nogil:
        nearest_find(&r, &q, k, &sums[0, 0], &rows[0, 0])
