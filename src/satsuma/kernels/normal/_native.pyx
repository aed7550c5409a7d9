"""A thin wrapper of normal.c; twin.py defines what it does."""
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_STRIDES, PyBuffer_Release, PyObject_GetBuffer
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport int32_t, int64_t

cdef extern from "normal.h" nogil:
    ctypedef struct normal_column:
        const char *at
        Py_ssize_t step
    ctypedef struct normal_model:
        const double *shift
        const double *matrix
        const double *centre
        const double *base
    ctypedef struct normal_asked:
        int64_t classes, width, sets, rows
        const normal_column *columns
        const normal_model *models
        int64_t model_count
        const int32_t *which
    ctypedef struct normal_gaps:
        const double *precision
        const double *pull
    int64_t normal_with_gaps(const normal_asked *a, const normal_gaps *g, const int64_t *rows, int64_t n,
                             double *out, int32_t *codes)
    int64_t normal_rows(const normal_asked *a, int64_t lo, int64_t hi, double *out, int32_t *codes)


cdef class Asked:
    """Columns that are asked about, and the models that answer, where C can see them."""

    cdef normal_asked asked
    cdef normal_column *columns
    cdef normal_model *models
    cdef Py_buffer *held
    cdef Py_ssize_t held_count
    cdef int64_t rows
    cdef list kept

    def __cinit__(self, columns, models, which=None):
        cdef Py_ssize_t k, width = len(columns), count = len(models)
        self.columns = <normal_column *>PyMem_Calloc(width + 1, sizeof(normal_column))
        self.models = <normal_model *>PyMem_Calloc(count + 1, sizeof(normal_model))
        self.held = <Py_buffer *>PyMem_Calloc(width + 1, sizeof(Py_buffer))
        if not self.columns or not self.held or not self.models:
            raise MemoryError
        if not width or not count:
            raise ValueError("there must be a column and a model")
        for k in range(width):
            self._hold(k, columns[k])
        self.kept = []
        self.asked.width, self.asked.columns = width, self.columns
        self.asked.models, self.asked.model_count = self.models, count
        for k in range(count):
            self._look(k, models[k], models[0])
        self._assign(which)

    cdef _hold(self, Py_ssize_t k, column):
        cdef Py_buffer *b = &self.held[k]
        PyObject_GetBuffer(column, b, PyBUF_STRIDES | PyBUF_FORMAT)
        self.held_count = k + 1
        if b.ndim != 1 or b.itemsize != 8 or b.format != b"d":
            raise TypeError(f"column {k} is of a type that cannot be asked about")
        if k and b.shape[0] != self.rows:
            raise ValueError("columns must be equally long")
        self.rows = b.shape[0]
        self.columns[k] = normal_column(<const char *>b.buf, b.strides[0])

    cdef _look(self, Py_ssize_t k, model, first):
        cdef const double[::1] shift = model.shift, base = model.base
        cdef const double[:, :, :, ::1] matrix = model.matrix
        cdef const double[:, ::1] centre = model.centre
        cdef int64_t sets = model.sets, classes = base.shape[0], rows = 4 * matrix.shape[1]
        cdef int64_t least = self.asked.width if sets else classes
        if (sets, base.shape[0], model.matrix.shape) != (first.sets, len(first.base), first.matrix.shape):
            raise ValueError("models of different shapes")
        if shift.shape[0] != self.asked.width or matrix.shape[2] != self.asked.width or matrix.shape[3] != 4:
            raise ValueError(f"{self.asked.width} columns were asked about, {shift.shape[0]} are known")
        if matrix.shape[0] != max(sets, 1) or rows < least or classes < 1 or (sets and classes % sets):
            raise ValueError("matrix")
        if centre.shape[0] != classes or centre.shape[1] != rows:
            raise ValueError("centre")
        self.asked.classes, self.asked.sets, self.asked.rows = classes, sets, rows
        self.models[k] = normal_model(&shift[0], &matrix[0, 0, 0, 0], &centre[0, 0], &base[0])
        self.kept.append((shift, matrix, centre, base))

    cdef _assign(self, which):
        cdef const int32_t[::1] codes
        cdef Py_ssize_t i
        if which is None:
            return
        codes = which
        if codes.shape[0] != self.rows:
            raise ValueError("a model for each row")
        for i in range(codes.shape[0]):
            if codes[i] < -1 or codes[i] >= self.asked.model_count:
                raise IndexError(f"row {i} is to be answered by a model that is not there")
        self.kept.append(codes)
        if codes.shape[0]:
            self.asked.which = &codes[0]

    def __dealloc__(self):
        cdef Py_ssize_t k
        for k in range(self.held_count):
            PyBuffer_Release(&self.held[k])
        PyMem_Free(self.held)
        PyMem_Free(self.columns)
        PyMem_Free(self.models)

    def fill(self, int64_t lo, int64_t hi, double[:, ::1] out):
        """The scores of rows lo to hi."""
        cdef int64_t status = 0
        self._check(lo, hi, out.shape[0])
        if out.shape[1] != self.asked.classes:
            raise ValueError("the output is for another number of classes")
        if lo < hi:
            with nogil:
                status = normal_rows(&self.asked, lo, hi, &out[0, 0], NULL)
        if status:
            raise MemoryError

    def choose(self, int64_t lo, int64_t hi, int32_t[::1] out):
        """The class with the highest score of rows lo to hi; -1 where it is not clear."""
        cdef int64_t status = 0
        self._check(lo, hi, out.shape[0])
        if lo < hi:
            with nogil:
                status = normal_rows(&self.asked, lo, hi, NULL, &out[0])
        if status:
            raise MemoryError

    def fill_gaps(self, const double[:, :, ::1] precision, const double[:, ::1] pull, const int64_t[::1] rows,
                  int64_t lo, int64_t hi, double[:, ::1] out):
        """The densities of what is known of the rows that `rows` names from lo to hi."""
        if not self.asked.sets or out.shape[1] != self.asked.classes:
            raise ValueError("a precision for each matrix, and a pull for each class")
        self._with_gaps(precision, pull, rows, lo, hi, out.shape[0], &out[lo, 0] if lo < out.shape[0] else NULL, NULL)

    def choose_gaps(self, const double[:, :, ::1] precision, const double[:, ::1] pull, const int64_t[::1] rows,
                    int64_t lo, int64_t hi, int32_t[::1] out):
        """The class with the highest score of the rows that `rows` names from lo to hi; -1 where it is not clear."""
        self._with_gaps(precision, pull, rows, lo, hi, out.shape[0], NULL, &out[lo] if lo < out.shape[0] else NULL)

    cdef _with_gaps(self, const double[:, :, ::1] precision, const double[:, ::1] pull, const int64_t[::1] rows,
                    int64_t lo, int64_t hi, int64_t room, double *out, int32_t *codes):
        cdef int64_t k, status = 0, width = self.asked.width
        if not 0 <= lo <= hi <= rows.shape[0] or room != rows.shape[0]:
            raise ValueError(f"there are no rows {lo} to {hi}")
        if (precision.shape[0] != max(self.asked.sets, 1) or precision.shape[1] != width
                or precision.shape[2] != width or pull.shape[0] != self.asked.classes or pull.shape[1] != width):
            raise ValueError("a precision for each matrix, and a pull for each class")
        for k in range(lo, hi):
            if not 0 <= rows[k] < self.rows:
                raise IndexError("a row that is not there")
        cdef normal_gaps gaps
        if lo < hi:
            gaps = normal_gaps(&precision[0, 0, 0], &pull[0, 0])
            with nogil:
                status = normal_with_gaps(&self.asked, &gaps, &rows[lo], hi - lo, out, codes)
        if status:
            raise MemoryError

    cdef _check(self, int64_t lo, int64_t hi, int64_t room):
        if not 0 <= lo <= hi <= room or hi > self.rows:
            raise ValueError(f"there are no rows {lo} to {hi}")
