"""A thin wrapper of runs.h; twin.py defines what it does."""
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_STRIDES, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport int64_t
from libc.stddef cimport ptrdiff_t

import numpy as np

cdef extern from "runs.h" nogil:
    int64_t runs_sorted(const char *at, ptrdiff_t step, int64_t rows, const int64_t *order, const int64_t *starts,
                        int64_t groups, const double *weights, double *value, double *weight, int64_t *found)
    int64_t runs_added(const double *value1, const double *weight1, int64_t n1, const double *value2,
                       const double *weight2, int64_t n2, double *value, double *weight)
    int64_t runs_side_by_side(const double *value, const double *weight, const int64_t *starts, int64_t groups,
                              int64_t *at, double *value_out, double *weight_out)
    int64_t runs_on_lattice(const double *value, const double *weight, int64_t n, double first, double scale,
                            int64_t room, int64_t *cell, int64_t *start, double *amount)
    int RUNS_NO_ROW


def runs_of(column, const int64_t[::1] order, const int64_t[::1] starts, const double[::1] weights,
            double[::1] value, double[::1] weight):
    cdef int64_t n = order.shape[0], groups = starts.shape[0] - 1, status = 0, g
    cdef Py_buffer held
    cdef const double *each = NULL
    if groups < 0 or starts[0] != 0 or starts[groups] != n or value.shape[0] != n or weight.shape[0] != n:
        raise ValueError("a start of each group, and room for each row")
    for g in range(groups):
        if starts[g] > starts[g + 1]:
            raise ValueError("groups one behind the other")
    if weights is not None:
        if weights.shape[0] != n:
            raise ValueError("one weight a row")
        each = &weights[0] if n else NULL
    out = np.zeros(groups, np.int64)
    cdef int64_t[::1] found = out
    PyObject_GetBuffer(column, &held, PyBUF_STRIDES | PyBUF_FORMAT)
    try:
        if held.ndim != 1 or held.itemsize != 8 or held.format[0] != b"d":
            raise TypeError("a column of float64")
        if n:
            with nogil:
                status = runs_sorted(<const char *>held.buf, held.strides[0], held.shape[0], &order[0], &starts[0],
                                     groups, each, &value[0], &weight[0], &found[0])
    finally:
        PyBuffer_Release(&held)
    if status == RUNS_NO_ROW:
        raise IndexError("rows that are not there")
    if status < 0:
        raise MemoryError
    return out


def add(const double[::1] value1, const double[::1] weight1, const double[::1] value2, const double[::1] weight2,
        double[::1] value, double[::1] weight):
    cdef int64_t n1 = value1.shape[0], n2 = value2.shape[0], found
    if weight1.shape[0] != n1 or weight2.shape[0] != n2 or value.shape[0] != n1 + n2 or weight.shape[0] != n1 + n2:
        raise ValueError("one weight a value, and room for all")
    if not n1 or not n2:
        raise ValueError("two runs of some values")
    with nogil:
        found = runs_added(&value1[0], &weight1[0], n1, &value2[0], &weight2[0], n2, &value[0], &weight[0])
    return found


def side_by_side(const double[::1] value, const double[::1] weight, const int64_t[::1] starts):
    cdef int64_t n = value.shape[0], groups = starts.shape[0] - 1, found = 0, g
    if groups < 0 or starts[0] != 0 or starts[groups] != n or weight.shape[0] != n:
        raise ValueError("a start of each group, and one weight a value")
    for g in range(groups):
        if starts[g] > starts[g + 1]:
            raise ValueError("groups one behind the other")
    for g in range(n):
        if not value[g] - value[g] == 0:
            raise ValueError("finite numbers")
    values, weights, places = np.empty(n), np.empty((n, groups)), np.empty(groups, np.int64)
    cdef double[::1] v = values
    cdef double[:, ::1] w = weights
    cdef int64_t[::1] at = places
    if n:
        with nogil:
            found = runs_side_by_side(&value[0], &weight[0], &starts[0], groups, &at[0], &v[0], &w[0, 0])
    return values[:found], weights[:found]


def on_lattice(const double[::1] value, const double[::1] weight, double first, double scale):
    cdef int64_t n = value.shape[0], found
    if weight.shape[0] != n or not n or not 0 <= (value[n - 1] - first) * scale < 2.0**62:
        raise ValueError("one weight a value, and some of them")
    # Numbers in order leave no more cells than there are up to the last.
    cdef int64_t room = <int64_t>min(<double>n, (value[n - 1] - first) * scale + 2)
    cell, start, amount = np.empty(room, np.int64), np.empty(room, np.int64), np.empty((room, 4))
    cdef int64_t[::1] c = cell, s = start
    cdef double[:, ::1] a = amount
    with nogil:
        found = runs_on_lattice(&value[0], &weight[0], n, first, scale, room, &c[0], &s[0], &a[0, 0])
    if found < 0:
        raise ValueError("numbers in order")
    return cell[:found], start[:found], amount[:found]
