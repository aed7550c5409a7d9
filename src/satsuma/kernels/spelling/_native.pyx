"""A thin wrapper of spelling.c; twin.py defines what it does."""
from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_FromStringAndSize
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free

from satsuma.kernels.spelling.powers import powers
from satsuma.kernels.spelling.twin import Room, Spelled

cdef extern from "spelling.h" nogil:
    enum: SPELLING_LEAST
    enum: SPELLING_POWERS
    ctypedef struct spelling_text:
        const char *at
        int64_t size
    ctypedef struct spelling_column:
        spelling_text before
        const double *number
        int64_t step
        const int32_t *code
        const char *text
        const int64_t *edge
        int64_t strings
    ctypedef const uint64_t (*spelling_powers)[2]
    int64_t spelling_size(int64_t rows, int64_t columns, const spelling_column *c, spelling_text end,
                          spelling_text missing)
    int64_t spelling_lines(int64_t rows, int64_t columns, const spelling_column *c, spelling_text end,
                           spelling_text missing, spelling_powers powers, char *out)


cdef uint64_t[:, ::1] _powers = powers(SPELLING_LEAST, SPELLING_POWERS)


cdef spelling_text _text(bytes given):
    cdef spelling_text made
    made.at, made.size = PyBytes_AS_STRING(given), PyBytes_GET_SIZE(given)
    return made


cdef int64_t _numbers(spelling_column *c, column) except -1:
    cdef const double[:] each = column
    c.number = &each[0] if each.shape[0] else NULL
    c.step = each.strides[0] // <int64_t>sizeof(double)
    if each.strides[0] % <int64_t>sizeof(double):
        raise ValueError("numbers that are not aligned")
    return each.shape[0]


cdef int64_t _strings(spelling_column *c, column) except -1:
    cdef const int32_t[::1] codes = column.codes
    cdef const int64_t[::1] edges = column.edges
    cdef bytes text = column.text
    cdef int64_t i, strings = edges.shape[0] - 1
    if strings < 1 or edges[0] != 0 or edges[strings] != PyBytes_GET_SIZE(text):
        raise ValueError("edges of at least one string")
    for i in range(strings):
        if edges[i] > edges[i + 1]:
            raise ValueError("edges in order")
    for i in range(codes.shape[0]):
        if not -1 <= codes[i] < strings:
            raise ValueError(f"there is no string {codes[i]}")
    c.code = &codes[0] if codes.shape[0] else NULL
    c.text, c.edge, c.strings = PyBytes_AS_STRING(text), &edges[0], strings
    return codes.shape[0]


def lines(columns, before, bytes end, bytes missing, room=None):
    cdef list held = list(columns), starts = list(before)
    cdef int64_t rows = -1, there, size, j, count = len(held)
    cdef spelling_column *c
    cdef spelling_text last, absent
    cdef bytearray memory
    cdef char *out
    if len(starts) != count:
        raise ValueError("something before each cell")
    if not count:
        return memoryview(b"")
    c = <spelling_column *>calloc(count, sizeof(spelling_column))
    if c == NULL:
        raise MemoryError
    try:
        for j in range(count):
            c[j].before = _text(starts[j])
            there = _strings(&c[j], held[j]) if isinstance(held[j], Spelled) else _numbers(&c[j], held[j])
            if rows not in (-1, there):
                raise ValueError("columns of as many rows")
            rows = there
        if not rows:
            return memoryview(b"")
        last, absent = _text(end), _text(missing)
        size = spelling_size(rows, count, c, last, absent)
        memory = (Room() if room is None else room).memory
        if len(memory) < size:
            memory = PyByteArray_FromStringAndSize(NULL, size)
            if room is not None:
                room.memory = memory
        out = PyByteArray_AS_STRING(memory)
        with nogil:
            size = spelling_lines(rows, count, c, last, absent, <spelling_powers>&_powers[0, 0], out)
        return memoryview(memory)[:size]
    finally:
        free(c)
