"""A thin wrapper of tree.h; twin.py, twin_grower.py and splits.py define what it does."""
from cpython.buffer cimport PyBUF_STRIDED_RO, PyBuffer_Release, PyObject_GetBuffer
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stddef cimport ptrdiff_t
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport malloc
from libc.string cimport memcpy, memset

import numpy as np

cdef extern from "tree.h" nogil:
    ctypedef struct tree_column:
        const char *at
        ptrdiff_t step
        char kind
    ctypedef struct tree_task:
        const void *records
        const void *across
        int64_t stride
        int size
        int64_t rows
        int32_t columns, bins, classes
        const int32_t *levels
        const int32_t *forms
        const uint8_t *mixed
        const double *const *edges
        const tree_column *raw
        const double *target
        const double *weights
        int plain, measure
        double min_leaf, min_split
        int64_t max_depth
        const double *critical
        double copies
        int every
        int64_t tried
        int random
        int64_t open_below
    ctypedef struct tree_bud:
        uint32_t *rows
        double *share
        int64_t n, depth
        uint64_t path
        int64_t up
        double part
    ctypedef struct tree_codes:
        void *out
        void *across
        int64_t stride, rows
        int size
    ctypedef struct tree_grown:
        uint32_t *rows
        int64_t nodes, led, width
        int32_t *column
        double *threshold
        double *share
        double *stats
        int64_t *first
        int32_t *branches
        tree_bud *open
        int64_t *open_at
        int64_t open_n
    ctypedef struct tree_step:
        pass
    ctypedef struct tree_flat:
        const int32_t *column
        const double *threshold
        const int64_t *first
        const int32_t *branches
        const double *share
        int64_t nodes, depth
        tree_step *steps
    void tree_steps(tree_flat *tree)
    int tree_hash(const tree_column *columns, int64_t width, const uint64_t *const *spelled,
                  const int64_t *values, int64_t start, int64_t n, uint64_t *out)
    int tree_code(const tree_column *columns, int64_t width, const double *const *edges,
                  const int32_t *levels, int64_t bins, int64_t start, int64_t n,
                  const tree_codes *to, uint8_t *mixed)
    void tree_start()
    int tree_grow(const tree_task *task, tree_bud *bud, tree_grown *out)
    void tree_grown_free(tree_grown *out)
    int tree_walk(const tree_flat *tree, const tree_column *columns, int64_t width, int64_t start,
                  int64_t n, int32_t *node)
    int tree_sound(const tree_flat *tree, const tree_column *columns, int64_t width, int64_t led,
                   int32_t *above)
    ctypedef struct tree_spreading:
        pass
    int tree_spread(const tree_flat *tree, const tree_column *columns, const int64_t *rows, int64_t n,
                    const double *says, int64_t answers, tree_spreading *spreading, double *out)
    void tree_spreading_free(tree_spreading *spreading)

tree_start()

#: Rows that are spread together.
cdef int64_t FEW = 4096


cdef void *_at(array) except? NULL:
    """Where an array begins. The caller keeps it, and has seen to its type and its layout."""
    cdef Py_buffer view
    PyObject_GetBuffer(array, &view, PyBUF_STRIDED_RO)
    PyBuffer_Release(&view)
    return view.buf


cdef class Columns:
    """Arrays of one dimension, float64 or int32, kept in place while they are looked at."""

    cdef tree_column *at
    cdef list held
    cdef readonly int64_t width, rows

    def __cinit__(self, arrays, int64_t rows):
        self.held = list(arrays)
        self.width, self.rows = len(self.held), rows
        self.at = <tree_column *>PyMem_Calloc(self.width + 1, sizeof(tree_column))
        if not self.at:
            raise MemoryError
        cdef int64_t j
        for j in range(self.width):
            array = self.held[j]
            if array.shape != (rows,) or array.dtype.char not in "di":
                raise ValueError("arrays of one dimension, float64 or int32, of the same length")
            self.at[j] = tree_column(<const char *>_at(array), array.strides[0],
                                     b"d"[0] if array.dtype.char == "d" else b"i"[0])

    def __dealloc__(self):
        PyMem_Free(self.at)

    cdef int has(self, int64_t start, int64_t stop) except -1:
        if not 0 <= start <= stop <= self.rows:
            raise IndexError("rows that are not there")
        return 0


cdef class Pointers:
    """An array for each column, or none."""

    cdef void **at
    cdef list held

    def __cinit__(self, arrays, dtype):
        self.held = [None if a is None else np.ascontiguousarray(a, dtype) for a in arrays]
        self.at = <void **>PyMem_Calloc(len(self.held) + 1, sizeof(void *))
        if not self.at:
            raise MemoryError
        for j, array in enumerate(self.held):
            if array is not None:
                self.at[j] = _at(array)

    def __dealloc__(self):
        PyMem_Free(self.at)


def hash_rows(Columns columns, Pointers spelled, int64_t start, int64_t stop, uint64_t[::1] out):
    columns.has(start, stop)
    if len(spelled.held) != columns.width or out.shape[0] != stop - start:
        raise ValueError("one list of values a column, one place a row")
    sizes = np.array([0 if s is None else len(s) for s in spelled.held] + [0], np.int64)
    cdef const int64_t[::1] values = sizes
    cdef int infinite = 0
    if stop > start:
        with nogil:
            infinite = tree_hash(columns.at, columns.width, <const uint64_t *const *>spelled.at,
                                 &values[0], start, stop - start, &out[0])
    return bool(infinite)


def code_rows(Columns columns, Pointers edges, const int32_t[::1] levels, int64_t start,
              int64_t stop, out, across, uint8_t[:, ::1] mixed):
    columns.has(start, stop)
    cdef int size = out.itemsize
    cdef int64_t stride = out.shape[1]
    if (len(edges.held) != columns.width or levels.shape[0] != columns.width or out.shape[0] != columns.rows
            or not out.flags.c_contiguous or stride < columns.width or mixed.shape[0] != columns.width):
        raise ValueError("one list of edges a column, one place a cell")
    if across is not None and not (across.flags.c_contiguous and across.dtype == out.dtype
                                   and across.shape == (columns.width, columns.rows)):
        raise ValueError("one row a column")
    for j in range(columns.width):
        if not 0 <= levels[j] < min(mixed.shape[1], 1 << (8 * size)):
            raise ValueError("more bins than there is room for")
        if edges.held[j] is not None and (levels[j] != len(edges.held[j]) or levels[j] < 1):
            raise ValueError("a bin for each edge")
        if (edges.held[j] is None) == (columns.at[j].kind == b"d"[0]):
            raise ValueError("numbers have edges, and codes have none")
    if not columns.width or stop == start:
        return
    cdef tree_codes to = tree_codes(_at(out), NULL, stride, columns.rows, size)
    if across is not None:
        to.across = _at(across)
    with nogil:
        tree_code(columns.at, columns.width, <const double *const *>edges.at, &levels[0],
                  mixed.shape[1], start, stop - start, &to, &mixed[0, 0])


cdef class Grown:
    """A tree, with the buds that were left open."""

    cdef tree_grown grown

    def __cinit__(self):
        memset(&self.grown, 0, sizeof(tree_grown))

    def __dealloc__(self):
        tree_grown_free(&self.grown)

    @property
    def open_at(self):
        """The nodes of the open buds."""
        return _copied(self.grown.open_at, self.grown.open_n, np.int64)

    @property
    def open_rows(self):
        """How many rows each open bud has."""
        return [self.grown.open[k].n for k in range(self.grown.open_n)]

    def arrays(self):
        """Column, threshold, first, branches, share and stats, by node."""
        cdef tree_grown *g = &self.grown
        n = g.nodes
        return (_copied(g.column, n, np.int32), _copied(g.threshold, n, np.float64),
                _copied(g.first, n + 1, np.int64), _copied(g.branches, g.led, np.int32),
                _copied(g.share, n, np.float64),
                _copied(g.stats, n * g.width, np.float64).reshape(n, g.width))


cdef _copied(void *at, int64_t n, dtype):
    made = np.empty(n, dtype)
    if n:
        memcpy(_at(made), at, n * made.itemsize)
    return made


cdef class Task:
    """Rows in codes, and the rules that a tree is grown by."""

    cdef tree_task task
    cdef list held
    cdef Columns raw
    cdef Pointers edges

    def __init__(self, records, across, Columns raw, Pointers edges, levels, forms, mixed, int32_t classes,
                 target, weights, bint plain, rules, int64_t tried):
        cdef tree_task *t = &self.task
        self.raw, self.edges = raw, edges
        levels, forms = np.ascontiguousarray(levels, np.int32), np.ascontiguousarray(forms, np.int32)
        mixed = np.ascontiguousarray(mixed, np.uint8)
        columns = raw.width
        if (records.ndim != 2 or not records.flags.c_contiguous or records.shape[0] != raw.rows
                or records.shape[1] <= columns or records.dtype.char not in "BH"
                or levels.shape != (columns,) or forms.shape != (columns,)
                or mixed.shape[0] != columns or len(edges.held) != columns or raw.rows >= 1 << 32):
            raise ValueError("records of codes and a class, and what is known of each column")
        if (across.shape != (columns, raw.rows) or not across.flags.c_contiguous
                or across.dtype != records.dtype):
            raise ValueError("the same codes column by column")
        if columns and not 0 <= levels.max() < mixed.shape[1]:
            raise ValueError("a bin for the missing")
        for j in range(columns):
            numbers = edges.held[j] is not None
            if numbers != (raw.at[j].kind == b"d"[0]) or numbers != (forms[j] == 0):
                raise ValueError("thresholds are for numbers")
        critical = None if rules.critical is None else np.ascontiguousarray(rules.critical, np.float64)
        self.held = [records, across, levels, forms, mixed, critical]
        for given in (target, weights):
            if given is not None:
                given = np.ascontiguousarray(given, np.float64)
                if given.shape != (raw.rows,):
                    raise ValueError("a number for each row")
            self.held.append(given)
        t.records, t.across = _at(records), _at(across)
        t.stride, t.size = records.shape[1], records.itemsize
        t.rows, t.columns, t.bins, t.classes = raw.rows, columns, mixed.shape[1], classes
        t.levels, t.forms, t.mixed = <int32_t *>_at(levels), <int32_t *>_at(forms), <uint8_t *>_at(mixed)
        t.edges, t.raw = <const double *const *>edges.at, raw.at
        t.critical = NULL if critical is None else <double *>_at(critical)
        t.target = NULL if target is None else <double *>_at(self.held[6])
        t.weights = NULL if weights is None else <double *>_at(self.held[7])
        t.plain, t.measure = plain, rules.measure
        t.min_leaf, t.min_split, t.max_depth = rules.min_leaf, rules.min_split, rules.max_depth
        t.copies, t.every, t.random = rules.copies, rules.every, rules.random
        t.tried = tried

    def grow(self, const uint32_t[::1] rows, uint64_t seed, int64_t open_below):
        """Grow from some rows; nodes of at most `open_below` of them are left open."""
        cdef tree_bud bud
        cdef int64_t n = rows.shape[0], k
        for k in range(n):
            if rows[k] >= self.task.rows:
                raise IndexError("a row that is not there")
        memset(&bud, 0, sizeof(bud))
        bud.rows = <uint32_t *>malloc((n + 1) * sizeof(uint32_t))
        if not bud.rows:
            raise MemoryError
        if n:
            memcpy(bud.rows, &rows[0], n * sizeof(uint32_t))
        bud.n, bud.path, bud.up, bud.part = n, seed, -1, 1.0
        return self._grown(&bud, open_below, bud.rows)

    def grow_open(self, Grown top, int64_t which):
        """Grow what was left open; once only."""
        if not 0 <= which < top.grown.open_n or not top.grown.open[which].rows:
            raise IndexError("a bud that is not there")
        return self._grown(&top.grown.open[which], 0, NULL)

    cdef Grown _grown(self, tree_bud *bud, int64_t open_below, uint32_t *rows):
        cdef Grown out = Grown()
        out.grown.rows = rows
        cdef tree_task task = self.task
        cdef int status
        task.open_below = open_below
        with nogil:
            status = tree_grow(&task, bud, &out.grown)
        if status:
            raise MemoryError
        return out


cdef class Walk:
    """A tree and columns, to see where rows end."""

    cdef tree_flat tree
    cdef list held
    cdef Columns columns

    def __init__(self, flat, Columns columns):
        cdef tree_flat *t = &self.tree
        kinds = (np.int32, np.float64, np.int64, np.int32, np.float64)
        arrays = [np.ascontiguousarray(a, kind) for a, kind in zip(flat, kinds)]
        column, threshold, first, branches, share = arrays
        n = len(column)
        if len(threshold) != n or len(first) != n + 1 or len(share) != n or n >= 1 << 31:
            raise ValueError("these arrays are no tree")
        self.held, self.columns = arrays, columns
        t.column, t.threshold = <int32_t *>_at(column), <double *>_at(threshold)
        t.first, t.branches = <int64_t *>_at(first), <int32_t *>_at(branches)
        t.share, t.nodes = <double *>_at(share), n
        above = np.empty(n, np.int32)
        if not tree_sound(t, columns.at, columns.width, len(branches), <int32_t *>_at(above)):
            raise ValueError("these arrays are no tree")
        numbers = [columns.at[j].kind == b"d"[0] for j in range(columns.width)]
        if np.array([*numbers, True])[column].all():  # -1, a leaf, is the last
            t.steps = <tree_step *>PyMem_Calloc(n, sizeof(tree_step) + sizeof(int32_t))
            if not t.steps:
                raise MemoryError
            tree_steps(t)

    def __dealloc__(self):
        PyMem_Free(self.tree.steps)

    def ends(self, int64_t start, int64_t stop, int32_t[::1] out):
        """The node where each row ends, or -1 less that which it is spread from; if a number is infinite."""
        self.columns.has(start, stop)
        if out.shape[0] != stop - start:
            raise ValueError("one place a row")
        cdef int found = 0
        if stop > start:
            with nogil:
                found = tree_walk(&self.tree, self.columns.at, self.columns.width, start, stop - start, &out[0])
        return bool(found)

    def spread(self, const int64_t[::1] rows, const double[:, ::1] says, double[:, ::1] out):
        """The average of what nodes say over those that some rows are spread over."""
        cdef int64_t k, some, n = rows.shape[0], answers = says.shape[1]
        cdef int ok = 1
        cdef tree_spreading spreading
        if (says.shape[0] != self.tree.nodes or out.shape[0] != n or out.shape[1] != answers):
            raise ValueError("an answer for each node, and a place for each row")
        if not n or not answers:
            return
        for k in range(n):
            if not 0 <= rows[k] < self.columns.rows:
                raise IndexError("a row that is not there")
        memset(&spreading, 0, sizeof(spreading))
        k = 0
        with nogil:
            while ok and k < n:
                some = min(FEW, n - k)
                ok = tree_spread(&self.tree, self.columns.at, &rows[k], some, &says[0, 0], answers, &spreading,
                                 &out[k, 0])
                k += some
            tree_spreading_free(&spreading)
        if not ok:
            raise MemoryError
