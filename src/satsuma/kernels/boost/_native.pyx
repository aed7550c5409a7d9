"""A thin wrapper of boost.h; twin.py and twin_boosted_tree.py define what it does."""
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

import numpy as np

cdef extern from "boost.h" nogil:
    ctypedef struct boost_loss:
        int kind, scores
        double quantile, slope_scale, curve_scale
    void boost_slopes(const boost_loss *loss, const double *scores, const double *target,
                      const uint64_t *hashes, uint64_t key, int64_t rows, int64_t lo, int64_t hi,
                      uint32_t *out)
    void boost_add(double *score, const uint16_t *leaf, const double *value, int64_t lo, int64_t hi)
    ctypedef struct boost_rules:
        int32_t leaves, depth
        double min_leaf, l2, min_gain, symbol_l2, symbol_smooth, symbol_least
    ctypedef struct boost_task:
        const uint8_t *records
        const uint8_t *across
        int64_t rows
        int32_t columns
        const int32_t *levels
        const int64_t *offset
        const uint8_t *symbols
        const int8_t *monotone
        const int32_t *used
        int32_t used_n
        const uint32_t *slopes
        const int32_t *weights
        double slope_unit, curve_unit, weight_unit
        boost_rules rules
    ctypedef struct boost_split:
        double gain
        int32_t column
        int64_t slope, curve
        uint64_t set[4]
    ctypedef struct boost_sums:
        int64_t slope, curve, weight
        double low, high
    void boost_best(const boost_task *task, const boost_sums *node, const int64_t *bins,
                    int32_t column, boost_split *best)
    ctypedef struct boost_tree:
        int32_t nodes
        int32_t *column
        int32_t *left
        double *value
        double *weight
        double *gain
        uint64_t *sets
    ctypedef struct boost_grower:
        pass
    boost_grower *boost_grower_new(const boost_task *task, int helpers)
    void boost_grower_free(boost_grower *grower)
    void boost_help(boost_grower *grower)
    void boost_begin(boost_grower *grower)
    void boost_end(boost_grower *grower)
    void boost_grow(boost_grower *grower, const uint32_t *rows, int64_t n, boost_tree *tree, uint16_t *leaf)
    void boost_count(const boost_task *task, const int32_t *slot, int64_t lo, int64_t hi,
                     int64_t *bins)
    ctypedef struct boost_forest:
        const int32_t *column
        const int32_t *left
        const uint64_t *sets
        const double *value
        const int64_t *first
        int64_t trees
    int boost_walk(const boost_forest *forest, const uint8_t *records, int64_t columns, int64_t lo,
                   int64_t hi, int64_t start, int64_t stop, int64_t scores, double *out)
    int boost_leaves(const boost_forest *forest, const uint8_t *records, int64_t columns,
                     int64_t lo, int64_t hi, int64_t tree, uint16_t *out)


def slopes(loss, const double[:, ::1] scores, const double[::1] target, const uint64_t[::1] hashes,
           uint64_t key, int64_t lo, int64_t hi, uint32_t[:, ::1] out):
    cdef boost_loss made
    cdef int64_t n = target.shape[0]
    made.kind, made.scores = loss.kind, loss.scores
    made.quantile, made.slope_scale, made.curve_scale = loss.quantile, loss.slope_scale, loss.curve_scale
    if not (0 <= lo <= hi <= n and scores.shape[1] == n and hashes.shape[0] == n
            and out.shape[1] == n and scores.shape[0] == out.shape[0] == made.scores):
        raise ValueError("scores, targets, hashes and slopes of the same rows")
    if lo < hi:
        with nogil:
            boost_slopes(&made, &scores[0, 0], &target[0], &hashes[0], key, n, lo, hi, &out[0, 0])


def add(double[::1] score, const uint16_t[::1] leaf, const double[::1] value, int64_t lo, int64_t hi):
    if not (0 <= lo <= hi <= score.shape[0] and leaf.shape[0] == score.shape[0]):
        raise ValueError("a leaf for each row")
    if lo < hi:
        if int(np.max(leaf[lo:hi])) >= value.shape[0]:
            raise ValueError("leaves that are not there")
        with nogil:
            boost_add(&score[0], &leaf[0], &value[0], lo, hi)


cdef class Task:
    """Rows in codes, and the rules of a tree; the arrays are kept while they are looked at."""

    cdef boost_task task
    cdef boost_grower *grower
    cdef list held, tree
    cdef int helpers

    def __cinit__(self, coded, rules):
        cdef const uint8_t[:, ::1] records = coded.records
        cdef const uint8_t[:, ::1] across = coded.across
        cdef const int32_t[::1] levels = coded.levels
        cdef const int64_t[::1] offset = coded.offset
        cdef const uint8_t[::1] symbols = coded.symbols
        cdef const int8_t[::1] monotone = coded.monotone
        cdef const int32_t[::1] weights
        cdef int64_t n = records.shape[0], width = records.shape[1]
        cdef int64_t j
        if not (levels.shape[0] == symbols.shape[0] == monotone.shape[0] == width
                and offset.shape[0] == width + 1
                and (across.shape[0] == 0 or (across.shape[0] == width and across.shape[1] == n))):
            raise ValueError("codes and columns of the same rows")
        for j in range(width):
            if not 0 <= levels[j] <= 255 or offset[j + 1] - offset[j] != levels[j] + 1:
                raise ValueError("at most 255 levels a column, and a place for each in the bins")
        self.held = [records, across, levels, offset, symbols, monotone]
        self.task.records = &records[0, 0] if n and width else NULL
        self.task.across = &across[0, 0] if n and across.shape[0] else NULL
        self.task.rows, self.task.columns = n, <int32_t>width
        self.task.levels = &levels[0] if width else NULL
        self.task.offset = &offset[0]
        self.task.symbols = &symbols[0] if width else NULL
        self.task.monotone = &monotone[0] if width else NULL
        self.task.weights = NULL
        if coded.weights is not None:
            weights = coded.weights
            if weights.shape[0] != n:
                raise ValueError("a weight for each row")
            self.held.append(weights)
            self.task.weights = &weights[0] if n else NULL
        self.task.rules = boost_rules(rules.leaves, rules.depth, rules.min_leaf, rules.l2,
                                      rules.min_gain, rules.symbol_l2, rules.symbol_smooth,
                                      rules.symbol_least)

    def begin(self, used, slopes, units):
        """The columns, the slopes and their units of the next tree."""
        cdef const int32_t[::1] columns = used
        cdef const uint32_t[::1] steps = slopes
        cdef int64_t j
        if steps.shape[0] != self.task.rows:
            raise ValueError("a slope for each row")
        for j in range(columns.shape[0]):
            if not 0 <= columns[j] < self.task.columns:
                raise ValueError("columns that are not there")
        self.tree = [columns, steps]
        self.task.used = &columns[0] if columns.shape[0] else NULL
        self.task.used_n = <int32_t>columns.shape[0]
        self.task.slopes = &steps[0] if self.task.rows else NULL
        self.task.slope_unit, self.task.curve_unit, self.task.weight_unit = units

    def __dealloc__(self):
        if self.grower:
            boost_grower_free(self.grower)

    def gather(self, int helpers):
        """Be ready for so many threads that help."""
        if self.grower and helpers != self.helpers:
            boost_grower_free(self.grower)
            self.grower = NULL
        if not self.grower:
            self.grower = boost_grower_new(&self.task, helpers)
            self.helpers = helpers
        if not self.grower:
            raise MemoryError
        boost_begin(self.grower)

    def help(self):
        with nogil:
            boost_help(self.grower)

    def grow(self, const uint32_t[::1] rows, uint16_t[::1] leaf):
        """A tree of rows: its arrays."""
        cdef int64_t n = rows.shape[0], most = 2 * <int64_t>self.task.rules.leaves
        if not 0 < n <= self.task.rows or leaf.shape[0] != self.task.rows or not 1 <= self.task.rules.leaves <= 1 << 15:
            raise ValueError("rows to grow a tree from, of up to 32768 leaves")
        if int(np.max(rows)) >= self.task.rows or (self.task.used_n and self.task.across == NULL) or self.tree is None:
            raise IndexError("rows that are not there")
        column, left = np.empty(most, np.int32), np.empty(most, np.int32)
        value = np.empty(most)
        weight, gain, sets = np.empty(most), np.empty(most), np.empty((most, 4), np.uint64)
        cdef int32_t[::1] column_at = column, left_at = left
        cdef double[::1] value_at = value, weight_at = weight, gain_at = gain
        cdef uint64_t[:, ::1] sets_at = sets
        cdef boost_tree tree
        tree.column, tree.left = &column_at[0], &left_at[0]
        tree.value, tree.weight, tree.gain = &value_at[0], &weight_at[0], &gain_at[0]
        tree.sets = &sets_at[0, 0]
        with nogil:
            boost_grow(self.grower, &rows[0], n, &tree, &leaf[0])
            boost_end(self.grower)
        size = tree.nodes
        return (column[:size].copy(), left[:size].copy(), value[:size].copy(),
                weight[:size].copy(), gain[:size].copy(), sets[:size].copy())

    def end(self):
        boost_end(self.grower)

    def count(self, const int32_t[::1] slot, int64_t slots, int64_t lo, int64_t hi):
        """Sums of slopes and curvatures of rows by slot and bin."""
        if self.tree is None or slot.shape[0] != self.task.rows or not 0 <= lo <= hi <= self.task.rows:
            raise ValueError("a slot for each row")
        if lo < hi and int(np.max(slot[lo:hi])) >= slots:
            raise IndexError("slots that are not there")
        bins = np.zeros((slots, self.task.offset[self.task.columns], 2), np.int64)
        cdef int64_t[:, :, ::1] at = bins
        if lo < hi and bins.size:
            with nogil:
                boost_count(&self.task, &slot[0], lo, hi, &at[0, 0, 0])
        return bins

    def best(self, const int64_t[:, ::1] bins, sums):
        """The best division of a node by any of the columns; None where there is none."""
        if self.tree is None or bins.shape[0] != self.task.offset[self.task.columns] or bins.shape[1] != 2:
            raise ValueError("slope and curvature of each bin")
        cdef boost_sums node
        cdef boost_split best
        cdef int32_t k
        node.slope, node.curve, node.weight = sums.slope, sums.curve, sums.weight
        node.low, node.high = sums.low, sums.high
        best.gain, best.column = self.task.rules.min_gain, -1
        for k in range(self.task.used_n):
            boost_best(&self.task, &node, &bins[0, 0], self.task.used[k], &best)
        if best.column < 0:
            return None
        return (best.gain, best.column, best.slope, best.curve,
                np.array([best.set[0], best.set[1], best.set[2], best.set[3]], np.uint64))


cdef class Forest:
    """Trees that are sound, and kept while they are walked."""

    cdef boost_forest forest
    cdef list held
    cdef int64_t nodes, width

    def __cinit__(self, trees, const int64_t[::1] first, int64_t width):
        cdef const int32_t[::1] column = trees.column, left = trees.left
        cdef const uint64_t[:, ::1] sets = trees.sets
        cdef const double[::1] value = trees.value
        cdef int64_t tree, node, size
        self.nodes, self.width = column.shape[0], width
        if not (left.shape[0] == sets.shape[0] == value.shape[0] == self.nodes
                and sets.shape[1] == 4 and first.shape[0] > 0 and first[0] == 0
                and first[first.shape[0] - 1] == self.nodes):
            raise ValueError("these arrays are no trees")
        for tree in range(first.shape[0] - 1):
            size = first[tree + 1] - first[tree]
            if not 1 <= size <= 1 << 16:
                raise ValueError("these arrays are no trees")
            for node in range(size):
                if left[first[tree] + node] < 0:
                    continue
                if not (node < left[first[tree] + node] < size - 1
                        and 0 <= column[first[tree] + node] < width):
                    raise ValueError("these arrays are no trees")
        self.held = [column, left, sets, value, first]
        if self.nodes:
            self.forest.column, self.forest.left = &column[0], &left[0]
            self.forest.sets, self.forest.value = &sets[0, 0], &value[0]
        self.forest.first, self.forest.trees = &first[0], first.shape[0] - 1

    def walk(self, const uint8_t[:, ::1] records, rows, trees, double[:, ::1] out):
        """Add what some trees say of some rows."""
        cdef int64_t lo, hi, start, stop
        lo, hi = rows
        start, stop = trees
        if not (0 <= lo <= hi <= records.shape[0] and 0 <= start <= stop <= self.forest.trees
                and records.shape[1] == self.width and out.shape[0] == hi - lo):
            raise ValueError("rows and trees that are there")
        cdef int64_t scores = out.shape[1]
        cdef const uint8_t *at = &records[0, 0] if hi > lo and self.width else NULL
        cdef int failed = 0
        if lo < hi and scores and start < stop:
            with nogil:
                failed = boost_walk(&self.forest, at, self.width, lo, hi, start, stop, scores,
                                    &out[0, 0])
        if failed:
            raise MemoryError

    def leaves(self, const uint8_t[:, ::1] records, int64_t tree, rows, uint16_t[::1] out):
        """The node in which each row ends."""
        cdef int64_t lo, hi
        lo, hi = rows
        if not (0 <= lo <= hi <= records.shape[0] and 0 <= tree < self.forest.trees
                and records.shape[1] == self.width and out.shape[0] == hi - lo):
            raise ValueError("rows and a tree that are there")
        cdef const uint8_t *at = &records[0, 0] if hi > lo and self.width else NULL
        cdef int failed = 0
        if lo < hi:
            with nogil:
                failed = boost_leaves(&self.forest, at, self.width, lo, hi, tree, &out[0])
        if failed:
            raise MemoryError
