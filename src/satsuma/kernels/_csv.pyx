"""A thin wrapper of csvscan.c; csv_twin.py defines what it does."""
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int8_t, int64_t, uint8_t

from satsuma.kernels.csv_piece import REASONS, SYM, Bad, Piece, ended, room

cdef extern from "csvscan.h" nogil:
    ctypedef struct csv_dialect:
        uint8_t delimiter, quote, decimal, thousands
        int strip
        int64_t width
        const uint8_t *const *marks
        const int64_t *mark_sizes
        int64_t mark_count
    ctypedef struct csv_symbols:
        int64_t used
        int64_t *ends
        uint8_t *arena
    ctypedef struct csv_bad:
        int64_t start, stop, line, cells
        int reason
    ctypedef struct csv_place:
        int64_t line, start, stop
    ctypedef struct csv_result:
        int64_t rows, lines, blank, first_blank
        csv_bad *bad
        int64_t bad_count
        csv_symbols *symbols
        csv_place *failed
        csv_place *infinite
    int64_t csv_count_lines(const uint8_t *b, int64_t n)
    int64_t csv_record_end(const uint8_t *b, int64_t start, int64_t n, uint8_t delimiter, uint8_t quote)
    int64_t csv_cut(const uint8_t *b, int64_t n, uint8_t delimiter, uint8_t quote)
    int csv_scan(const uint8_t *b, int64_t n, const csv_dialect *d, const int8_t *kinds, void *const *out,
                 int keep_bad, csv_result *r)
    int csv_result_init(csv_result *r, int64_t width)
    void csv_result_free(csv_result *r, int64_t width)


cdef uint8_t _byte(text):
    return ord(text) if text else 0


def record_end(block, int64_t start, str delimiter, quote):
    cdef const uint8_t[::1] b = block
    if start >= b.shape[0]:
        return -1
    return csv_record_end(&b[0], start, b.shape[0], _byte(delimiter), _byte(quote))


def cut(block, str delimiter, quote):
    cdef const uint8_t[::1] b = block
    cdef uint8_t d = _byte(delimiter), q = _byte(quote)
    cdef int64_t n = b.shape[0], at
    if n == 0:
        return 0
    with nogil:
        at = csv_cut(&b[0], n, d, q)
    return at


cdef list _values(csv_symbols *symbols):
    cdef int64_t k, start = 0
    out = []
    for k in range(symbols.used):
        out.append(PyUnicode_DecodeUTF8(<char *>symbols.arena + start, symbols.ends[k] - start, NULL))
        start = symbols.ends[k]
    return out


def _cell(block, csv_place place, quote):
    text = bytes(block[place.start:place.stop]).decode()
    quoted = quote and place.start and block[place.start - 1] == ord(quote)
    return place.line, text.replace(quote * 2, quote) if quoted else text


def scan(block, dialect, const int8_t[::1] kinds, bint keep_bad=False):
    cdef int64_t given = len(block)
    block = ended(block)
    cdef int64_t width = dialect.width, j, k, size = len(block)
    if kinds.shape[0] != width:
        raise ValueError("one kind a column")
    if size == 0:
        return Piece(0, 0, [room(kind, 0) for kind in kinds], [[] for _ in range(width)])
    cdef const uint8_t[::1] b = block
    marks = [mark.encode() for mark in dialect.missing]
    cdef int64_t lines, count = len(marks)
    with nogil:
        lines = csv_count_lines(&b[0], size)
    columns = [room(kind, lines) for kind in kinds]
    cdef const uint8_t **mark_at = <const uint8_t **>PyMem_Calloc(count + 1, sizeof(uint8_t *))
    cdef int64_t *mark_sizes = <int64_t *>PyMem_Calloc(count + 1, sizeof(int64_t))
    cdef void **out = <void **>PyMem_Calloc(width + 1, sizeof(void *))
    cdef csv_result r
    cdef csv_dialect d
    cdef int status = csv_result_init(&r, width)
    try:
        if not (mark_at and mark_sizes and out) or status:
            raise MemoryError
        for k in range(count):
            mark_at[k] = <const uint8_t *><char *>marks[k]
            mark_sizes[k] = len(marks[k])
        for j in range(width):
            if columns[j] is not None and lines:
                out[j] = <void *><size_t>columns[j].ctypes.data
        d = csv_dialect(_byte(dialect.delimiter), _byte(dialect.quote), _byte(dialect.decimal),
                        _byte(dialect.thousands), dialect.strip, width, mark_at, mark_sizes, count)
        with nogil:
            status = csv_scan(&b[0], size, &d, &kinds[0], out, keep_bad, &r)
        if status == -2:
            raise OverflowError("a block of more than 2 GB")
        if status:
            raise MemoryError
        piece = Piece(r.rows, r.lines, columns, [[] for _ in range(width)], blank=r.blank, first_blank=r.first_blank)
        for j in range(width):
            if r.failed[j].line:
                piece.failed[j] = _cell(block, r.failed[j], dialect.quote)
                columns[j] = None
            elif columns[j] is not None:
                columns[j] = columns[j][:r.rows]
            if r.infinite[j].line:
                piece.infinite[j] = _cell(block, r.infinite[j], dialect.quote)
            if kinds[j] == SYM:
                piece.values[j] = _values(&r.symbols[j])
        for k in range(r.bad_count):
            piece.bad.append(Bad(r.bad[k].start, min(r.bad[k].stop, given), r.bad[k].line, r.bad[k].cells,
                                 REASONS[r.bad[k].reason]))
        return piece
    finally:
        PyMem_Free(mark_at)
        PyMem_Free(mark_sizes)
        PyMem_Free(out)
        csv_result_free(&r, width)
