"""A thin wrapper of softmax.c; twin.py defines what it does."""
from libc.stdint cimport int32_t, int64_t

cdef extern from "softmax.h" nogil:
    int64_t softmax_rows(const double *joint, const double *prior, int64_t rows, int64_t classes, double *out)
    int64_t softmax_codes(const double *joint, const double *prior, int64_t rows, int64_t classes, int32_t *codes)


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
