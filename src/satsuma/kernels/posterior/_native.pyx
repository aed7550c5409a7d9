"""A thin wrapper of posterior.c and softmax.c; twin.py defines what it does."""
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_STRIDES, PyBuffer_Release, PyObject_GetBuffer
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.math cimport isfinite, sqrt
from libc.stdint cimport int32_t, int64_t

cdef extern from "posterior.h" nogil:
    ctypedef struct posterior_column:
        const char *at
        Py_ssize_t step
        char kind
    ctypedef struct posterior_joint:
        int64_t classes, padded, numbers, symbols
        const posterior_column *number
        const posterior_column *symbol
        const double *mean
        const double *scale
        const double *peak
        const double *base
        const double *table
        const int64_t *starts
        double heat
    int64_t posterior_rows(const posterior_joint *j, int64_t lo, int64_t hi, int what, double *out, int32_t *codes)
    int64_t posterior_each(const posterior_joint *const *j, int64_t models, const int32_t *which, int64_t lo,
                           int64_t hi, int what, double *out, int32_t *codes)

cdef extern from "softmax.h" nogil:
    int64_t softmax_rows(const double *joint, const double *prior, int64_t rows, int64_t classes, double *out)
    int64_t softmax_codes(const double *joint, const double *prior, int64_t rows, int64_t classes, int32_t *codes)

def lay_out(const double[:] log_prior, gaussians, double half_log, out):
    """Write the mean, scale, peak and base of what is packed; see the twin."""
    cdef const double[:, :] mean, sd, log_sd
    mean, sd, log_sd = gaussians
    cdef double[:, ::1] means = out[0], scale = out[1], peak = out[2], base = out[3]
    cdef int64_t classes = sd.shape[0], width = sd.shape[1], g, j
    if (mean.shape[0] != classes or mean.shape[1] != width or log_sd.shape[0] != classes
            or log_sd.shape[1] != width):
        raise ValueError("a mean and a spread of each class and column")
    for part in out[:3]:
        if part.shape != (width, classes):
            raise ValueError("a place for each")
    if log_prior.shape[0] != classes or base.shape[0] != width + 1 or base.shape[1] != classes:
        raise ValueError("a place for each class")
    cdef double half = sqrt(0.5)
    for g in range(classes):
        base[0, g] = log_prior[g]
    for j in range(width):
        for g in range(classes):
            if isfinite(sd[g, j]):
                means[j, g] = mean[g, j]
                scale[j, g], peak[j, g] = half / sd[g, j], -log_sd[g, j] - half_log
            else:
                means[j, g] = scale[j, g] = peak[j, g] = 0
            base[j + 1, g] = base[j, g] + peak[j, g]


cdef dict _KINDS = {b"d": (8, b"d"), b"b": (1, b"b"), b"B": (1, b"B"), b"h": (2, b"h"), b"i": (4, b"i"), b"l": (4, b"i")}


cdef class Asked:
    """Columns that are asked about, and what is known of their likes, where C can see them."""

    cdef posterior_joint joint
    cdef posterior_column *columns
    cdef Py_buffer *held
    cdef Py_ssize_t held_count
    cdef int64_t rows
    cdef object packed, kept

    def __cinit__(self, numbers, codes, packed):
        cdef Py_ssize_t k, width = len(numbers), count = len(numbers) + len(codes)
        self.columns = <posterior_column *>PyMem_Calloc(count + 1, sizeof(posterior_column))
        self.held = <Py_buffer *>PyMem_Calloc(count + 1, sizeof(Py_buffer))
        if not self.columns or not self.held:
            raise MemoryError
        self.rows = -1
        for k, column in enumerate((*numbers, *codes)):
            self._hold(k, column, k < width)
        self._look(packed, width, count - width)

    cdef _hold(self, Py_ssize_t k, column, bint number):
        cdef Py_buffer *b = &self.held[k]
        PyObject_GetBuffer(column, b, PyBUF_STRIDES | PyBUF_FORMAT)
        self.held_count = k + 1
        size, kind = _KINDS.get(b.format, (0, b" "))
        if b.ndim != 1 or b.itemsize != size or (kind == b"d") != number:
            raise TypeError(f"column {k} is of a type that cannot be asked about")
        if self.rows >= 0 and b.shape[0] != self.rows:
            raise ValueError("columns must be equally long")
        self.rows = b.shape[0]
        self.columns[k] = posterior_column(<const char *>b.buf, b.strides[0], ord(kind))

    cdef _look(self, packed, Py_ssize_t width, Py_ssize_t symbols):
        cdef const double[::1] table = packed.table
        cdef const double[:, ::1] mean = packed.mean, scale = packed.scale, peak = packed.peak, base = packed.base
        cdef const int64_t[::1] starts = packed.starts
        cdef int64_t classes = base.shape[1], padded = packed.padded, k
        if classes < 1 or padded < classes or padded % 4:
            raise ValueError("classes")
        for part in (packed.mean, packed.scale, packed.peak):
            if part.shape != (width, classes):
                raise ValueError(f"{width} columns of numbers were asked about, {part.shape[0]} are known")
        if base.shape[0] != width + 1:
            raise ValueError("base")
        if starts.shape[0] != symbols + 1 or starts[0] != 0 or starts[symbols] != table.shape[0]:
            raise ValueError(f"{symbols} columns of symbols were asked about, {starts.shape[0] - 1} are known")
        for k in range(symbols):
            if starts[k + 1] - starts[k] < padded or (starts[k + 1] - starts[k]) % padded:
                raise ValueError("tables")
        self.packed = packed
        self.kept = (mean, scale, peak, base, table, starts)
        self.joint = posterior_joint(classes, padded, width, symbols, self.columns, self.columns + width,
                                     NULL, NULL, NULL, &base[0, 0], NULL, &starts[0], packed.heat)
        if width:
            self.joint.mean, self.joint.scale, self.joint.peak = &mean[0, 0], &scale[0, 0], &peak[0, 0]
        if symbols:
            self.joint.table = &table[0]

    def __dealloc__(self):
        cdef Py_ssize_t k
        for k in range(self.held_count):
            PyBuffer_Release(&self.held[k])
        PyMem_Free(self.held)
        PyMem_Free(self.columns)

    def fill(self, int64_t lo, int64_t hi, double[:, ::1] out, bint normalise):
        """Log joints, or probabilities, of rows lo to hi; how many rows got the prior."""
        cdef int64_t lost
        self._check(lo, hi, out.shape[0])
        if out.shape[1] != self.joint.classes:
            raise ValueError("the output is for another number of classes")
        if lo == hi:
            return 0
        with nogil:
            lost = posterior_rows(&self.joint, lo, hi, normalise, &out[0, 0], NULL)
        return _counted(lost)

    def choose(self, int64_t lo, int64_t hi, int32_t[::1] out):
        """The codes of the most probable classes of rows lo to hi; how many rows got the prior."""
        cdef int64_t lost
        self._check(lo, hi, out.shape[0])
        if lo == hi:
            return 0
        with nogil:
            lost = posterior_rows(&self.joint, lo, hi, 2, NULL, &out[0])
        return _counted(lost)

    cdef _check(self, int64_t lo, int64_t hi, int64_t room):
        if not 0 <= lo <= hi <= room or (self.rows >= 0 and hi > self.rows):
            raise ValueError(f"there are no rows {lo} to {hi}")


cdef class Each:
    """Several models that are asked about the same columns; each row is answered by one of them."""

    cdef list asked
    cdef const posterior_joint **joints
    cdef object kept
    cdef const int32_t[::1] which
    cdef int64_t models

    def __cinit__(self, asked, const int32_t[::1] which):
        cdef Asked first = asked[0], one
        self.asked, self.models, self.which = list(asked), len(asked), which
        self.joints = <const posterior_joint **>PyMem_Calloc(self.models, sizeof(posterior_joint *))
        if not self.joints:
            raise MemoryError
        for k, one in enumerate(self.asked):
            if (one.joint.classes, one.joint.numbers, one.joint.symbols, one.rows) != (
                first.joint.classes, first.joint.numbers, first.joint.symbols, first.rows
            ) or one.joint.padded != first.joint.padded:
                raise ValueError("models of different classes or columns")
            self.joints[k] = &one.joint

    def __dealloc__(self):
        PyMem_Free(self.joints)

    def fill(self, int64_t lo, int64_t hi, double[:, ::1] out, bint normalise):
        """Log joints, or probabilities, of rows lo to hi; how many rows got the prior."""
        cdef Asked first = self.asked[0]
        cdef int64_t lost
        self._check(first, lo, hi, out.shape[0])
        if out.shape[1] != first.joint.classes:
            raise ValueError("the output is for another number of classes")
        if lo == hi:
            return 0
        with nogil:
            lost = posterior_each(self.joints, self.models, &self.which[0], lo, hi, normalise, &out[0, 0], NULL)
        return _counted(lost)

    def choose(self, int64_t lo, int64_t hi, int32_t[::1] out):
        """The codes of the most probable classes of rows lo to hi; how many rows got the prior."""
        cdef int64_t lost
        self._check(self.asked[0], lo, hi, out.shape[0])
        if lo == hi:
            return 0
        with nogil:
            lost = posterior_each(self.joints, self.models, &self.which[0], lo, hi, 2, NULL, &out[0])
        return _counted(lost)

    cdef _check(self, Asked first, int64_t lo, int64_t hi, int64_t room):
        first._check(lo, hi, room)
        if hi > self.which.shape[0]:
            raise ValueError(f"there are no rows {lo} to {hi}")


cdef _counted(int64_t lost):
    if lost < 0:
        raise MemoryError
    return lost


def normalise(const double[:, ::1] joint, const double[::1] log_prior, int64_t lo, double[:, ::1] out):
    """Put the probabilities of rows from lo on into `out`; how many rows got the prior."""
    cdef int64_t rows = joint.shape[0], classes = joint.shape[1], lost
    _check(rows, classes, log_prior.shape[0], lo, out.shape[0])
    if out.shape[1] != classes:
        raise ValueError("the output is for another number of classes")
    if rows == 0:
        return 0
    with nogil:
        lost = softmax_rows(&joint[0, 0], &log_prior[0], rows, classes, &out[lo, 0])
    return lost


def choose(const double[:, ::1] joint, const double[::1] log_prior, int64_t lo, int32_t[::1] out):
    """Put the codes of the most probable classes into `out`; how many rows got the prior."""
    cdef int64_t rows = joint.shape[0], classes = joint.shape[1], lost
    _check(rows, classes, log_prior.shape[0], lo, out.shape[0])
    if rows == 0:
        return 0
    with nogil:
        lost = softmax_codes(&joint[0, 0], &log_prior[0], rows, classes, &out[lo])
    return lost


cdef _check(int64_t rows, int64_t classes, int64_t known, int64_t lo, int64_t room):
    if classes < 1 or known != classes:
        raise ValueError("classes")
    if lo < 0 or lo + rows > room:
        raise ValueError(f"there is no room for rows {lo} to {lo + rows}")
