"""A thin wrapper of scan.c; twin.py defines what it does."""
from cpython.buffer cimport PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from cpython.unicode cimport PyUnicode_AsUTF8AndSize, PyUnicode_DecodeUTF8
from libc.stdint cimport int8_t, int64_t, uint8_t, uint64_t

from satsuma.kernels.csv.piece import REASONS, SKIP, SYM, TIME, WRITTEN, Bad, Piece, ended, most_rows, room
from satsuma.kernels.csv.written_numbers import NumberFormat
from satsuma.kernels.csv.written_times import month_names

cdef extern from "scan.h" nogil:
    ctypedef struct csv_format:
        uint8_t decimal, thousands
        int percent
        int whole
        const uint8_t *before
        const uint8_t *after
        const uint8_t *pattern
        const uint8_t *names
        int64_t before_size, after_size, pattern_size
    ctypedef struct csv_dialect:
        uint8_t delimiter, quote, decimal, thousands
        int strip
        int64_t width
        const uint8_t *const *marks
        const int64_t *mark_sizes
        int64_t mark_count
        const csv_format *formats
        const uint8_t *const *more_marks
        const int64_t *more_sizes
        int64_t more_count
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
        uint64_t *met
    int64_t csv_count_lines(const uint8_t *b, int64_t n)
    int64_t csv_record_end(const uint8_t *b, int64_t start, int64_t n, uint8_t delimiter, uint8_t quote)
    int64_t csv_cut(const uint8_t *b, int64_t n, uint8_t delimiter, uint8_t quote, int64_t *lines)
    int csv_scan(const uint8_t *b, int64_t n, const csv_dialect *d, const int8_t *kinds, void *const *out,
                 int64_t room, int keep_bad, csv_result *r)
    int csv_result_init(csv_result *r, const csv_dialect *d, const int8_t *kinds)
    void csv_result_free(csv_result *r, int64_t width)
    int csv_know(csv_result *r, int64_t j, const uint8_t *s, int64_t n)


cdef uint8_t _byte(text):
    return ord(text) if text else 0


def count_lines(block):
    cdef const uint8_t[::1] b = block
    cdef int64_t n = b.shape[0], lines
    if n == 0:
        return 0
    with nogil:
        lines = csv_count_lines(&b[0], n)
    return lines


def record_end(block, int64_t start, str delimiter, quote):
    cdef const uint8_t[::1] b = block
    if start >= b.shape[0]:
        return -1
    return csv_record_end(&b[0], start, b.shape[0], _byte(delimiter), _byte(quote))


def cut(block, str delimiter, quote):
    cdef const uint8_t[::1] b = block
    cdef uint8_t d = _byte(delimiter), q = _byte(quote)
    cdef int64_t n = b.shape[0], at, lines
    if n == 0:
        return 0, 0
    with nogil:
        at = csv_cut(&b[0], n, d, q, &lines)
    return at, lines


cdef list _values(csv_symbols *symbols, int64_t known):
    cdef int64_t k, start = symbols.ends[known - 1] if known else 0
    out = []
    for k in range(known, symbols.used):
        out.append(PyUnicode_DecodeUTF8(<char *>symbols.arena + start, symbols.ends[k] - start, NULL))
        start = symbols.ends[k]
    return out


cdef int _know(csv_result *r, int64_t j, values) except -1:
    cdef Py_ssize_t size
    cdef const char *text
    for value in values:
        text = PyUnicode_AsUTF8AndSize(value, &size)
        if csv_know(r, j, <const uint8_t *>text, size):
            raise MemoryError
    return 0


cdef void *_memory(column, int kind, int64_t rows) except NULL:
    """Where the first row of a column stands; the column outlives its use."""
    cdef Py_buffer view
    PyObject_GetBuffer(column, &view, PyBUF_WRITABLE)
    cdef bint fits = view.itemsize == (4 if kind == SYM else 8) and view.len >= rows * view.itemsize
    cdef void *at = view.buf
    PyBuffer_Release(&view)
    if not fits:
        raise ValueError("a column of another kind or size")
    return at


cdef const uint8_t *_text(str text, int64_t *size, list kept):
    """The bytes of a text, which `kept` keeps."""
    cdef bytes encoded = text.encode()
    kept.append(encoded)
    size[0] = len(encoded)
    return <const uint8_t *><char *>encoded


cdef int _take_formats(csv_format *formats, const int8_t[::1] kinds, given, whole, list kept) except -1:
    cdef int64_t j, unused
    for j in range(kinds.shape[0]):
        formats[j].whole = j in whole
        if kinds[j] != WRITTEN and kinds[j] != TIME:
            continue
        form = given[j]
        if isinstance(form, NumberFormat) != (kinds[j] == WRITTEN):
            raise ValueError("a format of another kind")
        if kinds[j] == TIME:
            formats[j].pattern = _text(form.pattern, &formats[j].pattern_size, kept)
            formats[j].names = _text("".join([name + "\0" for name in month_names(form)]), &unused, kept)
            continue
        formats[j].decimal, formats[j].thousands = _byte(form.decimal), _byte(form.thousands)
        formats[j].percent = form.percent
        formats[j].before = _text(form.before, &formats[j].before_size, kept)
        formats[j].after = _text(form.after, &formats[j].after_size, kept)
    return 0


def _cell(block, csv_place place, quote):
    text = bytes(block[place.start:place.stop]).decode()
    quoted = quote and place.start and block[place.start - 1] == ord(quote)
    return place.line, text.replace(quote * 2, quote) if quoted else text


def scan(block, dialect, const int8_t[::1] kinds, bint keep_bad=False, *, known=None, out=None):
    cdef int64_t given = len(block)
    block = ended(block)
    cdef int64_t width = dialect.width, j, k, size = len(block), rows
    if kinds.shape[0] != width:
        raise ValueError("one kind a column")
    if size == 0:
        return Piece(0, 0, [room(kind, 0) for kind in kinds], [[] for _ in range(width)])
    cdef const uint8_t[::1] b = block
    if out is None:
        rows = most_rows(count_lines(block), size, width)
        out = [room(kind, rows) for kind in kinds]
    else:
        rows = min([len(column) for column in out if column is not None], default=size)
    columns = list(out)
    marks = [mark.encode() for mark in (*dialect.missing, *dialect.number_missing)]
    cdef int64_t count = len(marks), common = len(dialect.missing)
    if count - common > 64:
        raise ValueError("more than 64 marks of missing numbers")
    cdef const uint8_t **mark_at = <const uint8_t **>PyMem_Calloc(count + 1, sizeof(uint8_t *))
    cdef int64_t *mark_sizes = <int64_t *>PyMem_Calloc(count + 1, sizeof(int64_t))
    cdef void **into = <void **>PyMem_Calloc(width + 1, sizeof(void *))
    cdef csv_format *formats = <csv_format *>PyMem_Calloc(width + 1, sizeof(csv_format))
    cdef csv_result r
    cdef list kept = []
    cdef csv_dialect d = csv_dialect(
        _byte(dialect.delimiter), _byte(dialect.quote), _byte(dialect.decimal), _byte(dialect.thousands),
        dialect.strip, width, mark_at, mark_sizes, common if mark_at and mark_sizes else 0, formats,
        mark_at + common, mark_sizes + common, count - common if mark_at and mark_sizes else 0)
    for k in range(d.mark_count + d.more_count):
        mark_at[k] = <const uint8_t *><char *>marks[k]
        mark_sizes[k] = len(marks[k])
    cdef int status = csv_result_init(&r, &d, &kinds[0])
    try:
        if not (mark_at and mark_sizes and into and formats) or status:
            raise MemoryError
        _take_formats(formats, kinds, dialect.formats, dialect.whole, kept)
        for j in range(width):
            if kinds[j] == SYM and known is not None:
                _know(&r, j, known[j])
            if columns[j] is not None:
                into[j] = _memory(columns[j], kinds[j], rows)
            elif kinds[j] != SKIP:
                raise ValueError("a column without room")
        with nogil:
            status = csv_scan(&b[0], size, &d, &kinds[0], into, rows, keep_bad, &r)
        if status == -2:
            raise OverflowError("a block of more than 2 GB")
        if status == -3:
            raise ValueError(f"a block of more than {rows} rows")
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
            if r.met[j]:
                piece.met[j] = tuple([mark for k, mark in enumerate(dialect.number_missing) if r.met[j] >> k & 1])
            if kinds[j] == SYM:
                piece.values[j] = _values(&r.symbols[j], 0 if known is None else len(known[j]))
        for k in range(r.bad_count):
            piece.bad.append(Bad(r.bad[k].start, min(r.bad[k].stop, given), r.bad[k].line, r.bad[k].cells,
                                 REASONS[r.bad[k].reason]))
        return piece
    finally:
        PyMem_Free(mark_at)
        PyMem_Free(mark_sizes)
        PyMem_Free(into)
        PyMem_Free(formats)
        csv_result_free(&r, width)
