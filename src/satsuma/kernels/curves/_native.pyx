"""A thin wrapper of curves.h; twin.py defines what it does."""
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_STRIDES, PyBuffer_Release, PyObject_GetBuffer
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int32_t, int64_t
from libc.stddef cimport ptrdiff_t

cdef extern from "curves.h" nogil:
    ctypedef struct curve_column:
        const char *at
        ptrdiff_t step
    ctypedef struct curve_set:
        int64_t columns, classes
        const double *origin
        const double *unit
        const int64_t *starts
        const double *edge
        const double *piece
        const int64_t *firsts
        const int32_t *first
        const double *low
        const double *scale
        int logs
    int64_t curves_rows(const curve_set *set, const curve_column *columns, int64_t lo, int64_t hi, double *out)


def add_rows(columns, packed, bint logs, double[:, ::1] out):
    cdef const double[::1] origin = packed.origin, unit = packed.unit, edge = packed.edge, low = packed.low, scale = packed.scale
    cdef const double[:, ::1] piece = packed.piece
    cdef const int64_t[::1] starts = packed.starts, firsts = packed.firsts
    cdef const int32_t[::1] first = packed.first
    cdef int64_t width = len(columns), classes = out.shape[1], curves = width * classes, k, found = 0, rows = out.shape[0]
    if not width or not classes or not rows:
        return 0
    if origin.shape[0] != width or unit.shape[0] != width or low.shape[0] != curves or scale.shape[0] != curves:
        raise ValueError("other columns were asked about than are known")
    if starts.shape[0] != curves + 1 or firsts.shape[0] != curves + 1 or piece.shape[1] != 5:
        raise ValueError("curves")
    if starts[curves] != edge.shape[0] or piece.shape[0] != edge.shape[0] or firsts[curves] != first.shape[0]:
        raise ValueError("pieces")
    for k in range(curves):
        # A search never leaves its curve: the last piece has no end.
        if starts[k + 1] <= starts[k] or edge[starts[k + 1] - 1] != float("inf") or firsts[k + 1] <= firsts[k]:
            raise ValueError("a curve without pieces")
        if first[firsts[k + 1] - 1] >= starts[k + 1] - starts[k]:
            raise ValueError("buckets")
    cdef Py_buffer *held = <Py_buffer *>PyMem_Calloc(width, sizeof(Py_buffer))
    cdef curve_column *at = <curve_column *>PyMem_Calloc(width, sizeof(curve_column))
    cdef int64_t got = 0
    cdef curve_set these = curve_set(width, classes, &origin[0], &unit[0], &starts[0], &edge[0], &piece[0, 0],
                                     &firsts[0], &first[0], &low[0], &scale[0], logs)
    try:
        if not held or not at:
            raise MemoryError
        for column in columns:
            PyObject_GetBuffer(column, &held[got], PyBUF_STRIDES | PyBUF_FORMAT)
            got += 1
            k = got - 1
            if held[k].ndim != 1 or held[k].itemsize != 8 or held[k].format[0] != b"d" or held[k].shape[0] != rows:
                raise TypeError("columns of float64, equally long")
            at[k] = curve_column(<const char *>held[k].buf, held[k].strides[0])
        with nogil:
            found = curves_rows(&these, at, 0, rows, &out[0, 0])
    finally:
        for k in range(got):
            PyBuffer_Release(&held[k])
        PyMem_Free(held)
        PyMem_Free(at)
    if found < 0:
        raise MemoryError
    return found
