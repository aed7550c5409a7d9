"""A thin wrapper of records.c; twin.py defines what it does."""
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy

import numpy as np

from satsuma.kernels.jsonl.records import Column, Records

cdef extern from "../csv/scan.h" nogil:
    ctypedef struct csv_symbols:
        int64_t used
        int64_t *ends
        uint8_t *arena

cdef extern from "records.h" nogil:
    enum: RECORDS_NUMBER
    enum: RECORDS_TRUTH
    ctypedef struct records_column:
        int kind
        double *number
        int32_t *code
        csv_symbols symbols
    ctypedef struct records_result:
        int64_t rows, lines, blank, first_blank
        int32_t *line
        records_column *column
        int64_t columns
        csv_symbols keys
    int records_read(const uint8_t *b, int64_t n, records_result *result)
    void records_free(records_result *result)


cdef list _words(csv_symbols *symbols):
    cdef int64_t k, start = 0
    out = []
    for k in range(symbols.used):
        out.append(PyUnicode_DecodeUTF8(<char *>symbols.arena + start, symbols.ends[k] - start, NULL))
        start = symbols.ends[k]
    return out


cdef _codes(const int32_t *at, int64_t rows):
    cdef int32_t[::1] made = np.empty(rows, np.int32)
    if rows:
        memcpy(&made[0], at, rows * sizeof(int32_t))
    return np.asarray(made)


cdef _numbers(const double *at, int64_t rows):
    cdef double[::1] made = np.empty(rows)
    if rows:
        memcpy(&made[0], at, rows * sizeof(double))
    return np.asarray(made)


cdef _column(records_column *c, int64_t rows):
    if not c.kind:
        return Column("", None, ())
    if c.kind == RECORDS_NUMBER:
        return Column("number", _numbers(c.number, rows), ())
    return Column("boolean" if c.kind == RECORDS_TRUTH else "word", _codes(c.code, rows), _words(&c.symbols))


def read(bytes text):
    if not text.endswith(b"\n") and text:
        text += b"\n"
    cdef const uint8_t *b = text
    cdef int64_t n = len(text), j
    cdef int status
    cdef records_result r
    with nogil:
        status = records_read(b, n, &r)
    try:
        if status < 0:
            raise MemoryError
        if status:
            return None
        names = _words(&r.keys)
        columns = {names[j]: _column(&r.column[j], r.rows) for j in range(r.columns)}
        return Records(_codes(r.line, r.rows), r.lines, r.blank, r.first_blank, columns)
    except UnicodeDecodeError:
        return None
    finally:
        records_free(&r)
