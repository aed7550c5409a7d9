"""A thin wrapper of cuts.h; twin.py defines what it does."""
from libc.stdint cimport int32_t, int64_t

import numpy as np

from satsuma.kernels.cuts.twin import Compared

cdef extern from "cuts.h" nogil:
    ctypedef struct cuts_logs:
        const double *table
        int64_t size
    ctypedef struct cuts_column:
        int64_t rows, classes, folds
        const double *value
        const int32_t *label
        const int32_t *fold
        const double *weight
        const double *mean
        const double *scale
        const double *base
        const double *class_weight
        double m, least
        cuts_logs logs
    ctypedef struct cuts_found:
        double bell, cut
        double *cuts
        double *counts
        int64_t *found
    int64_t cuts_best(const double *upto, int64_t classes, int64_t lo, int64_t hi, const cuts_logs *logs)
    int64_t cuts_mdl(const double *upto, int64_t n, int64_t classes, const cuts_logs *logs, int64_t *places)
    int64_t cuts_compare(const cuts_column *c, cuts_found *out)


cdef cuts_logs logs_of(const double[::1] table):
    cdef cuts_logs logs
    logs.size = table.shape[0]
    logs.table = &table[0] if logs.size else NULL
    return logs


cdef void check_table(double total, const double[::1] table) except *:
    """Raise where sums lead beyond a table of logarithms."""
    if table.shape[0] and not 0 <= total < table.shape[0]:
        raise ValueError("table")


def best_cut(const double[:, ::1] upto, int64_t lo, int64_t hi, const double[::1] table):
    cdef int64_t classes = upto.shape[1], c, found
    cdef cuts_logs logs = logs_of(table)
    cdef double total = 0.0
    if not 0 <= lo <= hi < upto.shape[0]:
        raise ValueError(f"there are no numbers {lo} to {hi}")
    for c in range(classes):
        total += upto[hi, c] - upto[lo, c]
    check_table(total, table)
    if hi - lo < 2 or not classes:
        return -1
    with nogil:
        found = cuts_best(&upto[0, 0], classes, lo, hi, &logs)
    return found


def mdl_cuts(const double[:, ::1] upto, const double[::1] table):
    cdef int64_t n = upto.shape[0] - 1, classes = upto.shape[1], c, found
    cdef cuts_logs logs = logs_of(table)
    cdef double total = 0.0
    out = np.empty(max(n, 1), np.int64)
    cdef int64_t[::1] places = out
    if n < 2 or not classes:
        return out[:0]
    for c in range(classes):
        total += upto[n, c]
    check_table(total, table)
    with nogil:
        found = cuts_mdl(&upto[0, 0], n, classes, &logs, &places[0])
    if found < 0:
        raise MemoryError
    return out[:found].copy()


def compare(column):
    cdef const double[::1] value = column.value, weight = column.weight, table = column.table
    cdef const int32_t[::1] label = column.label, fold = column.fold
    cdef const double[:, ::1] mean = column.mean, scale = column.scale, base = column.base
    cdef const double[:, ::1] class_weight = column.class_weight
    cdef cuts_column c
    cdef cuts_found out
    cdef int64_t i, status
    cdef double total = 0.0
    c.rows, c.folds, c.classes = value.shape[0], mean.shape[0], mean.shape[1]
    shape = (c.folds, c.classes)
    if column.scale.shape != shape or column.base.shape != shape or class_weight.shape[0] != c.folds + 1 \
            or class_weight.shape[1] != c.classes or not c.folds or not c.classes:
        raise ValueError("Gaussians for each fold and class")
    if label.shape[0] != c.rows or fold.shape[0] != c.rows or weight.shape[0] != c.rows:
        raise ValueError("a label, a fold and a weight for each row")
    for i in range(c.rows):
        if not 0 <= label[i] < c.classes or not 0 <= fold[i] < c.folds or not weight[i] > 0:
            raise ValueError("a label, a fold and a weight that there is")
        if value[i] != value[i] or (i and value[i] < value[i - 1]):
            raise ValueError("numbers in order")
        total += weight[i]
    check_table(total, table)
    cuts = np.empty((c.folds + 1) * max(c.rows, 1))
    counts = np.empty(((c.folds + 1) * (c.rows + 1), c.classes))
    found = np.zeros(c.folds + 1, np.int64)
    cdef double[::1] cuts_room = cuts
    cdef double[:, ::1] counts_room = counts
    cdef int64_t[::1] found_room = found
    c.value = &value[0] if c.rows else NULL
    c.label = &label[0] if c.rows else NULL
    c.fold = &fold[0] if c.rows else NULL
    c.weight = &weight[0] if c.rows else NULL
    c.mean, c.scale, c.base, c.class_weight = &mean[0, 0], &scale[0, 0], &base[0, 0], &class_weight[0, 0]
    c.m, c.least, c.logs = column.m, column.least, logs_of(table)
    out.cuts, out.counts, out.found = &cuts_room[0], &counts_room[0, 0], &found_room[0]
    with nogil:
        status = cuts_compare(&c, &out)
    if status < 0:
        raise MemoryError
    each_cuts, each_counts, at, edge = [], [], 0, 0
    for size in found.tolist():
        each_cuts.append(cuts[at:at + size].copy())
        each_counts.append(counts[edge:edge + size + 1].copy())
        at += size
        edge += size + 1
    return Compared(out.bell, out.cut, each_cuts, each_counts)
