/* What columns say about the class of each row, and what follows. Defined by twin.py;
   NaN and a code that stands for no value are missing, and say nothing. */
#ifndef SATSUMA_POSTERIOR_H
#define SATSUMA_POSTERIOR_H
#include <stddef.h>
#include <stdint.h>

#define POSTERIOR_NO_MEMORY (-1)

/* kind: d float64, b int8, B uint8, h int16, i int32. step is in bytes. */
typedef struct {
    const char *at;
    ptrdiff_t step;
    char kind;
} posterior_column;

typedef struct {
    int64_t classes, padded;                 /* padded: the next multiple of 4 */
    int64_t numbers, symbols;
    const posterior_column *number, *symbol;
    const double *mean, *scale, *peak;       /* (numbers, classes) */
    const double *base;                      /* (numbers + 1, classes): log prior, and peaks so far */
    const double *table;                     /* (values + 1, padded) of each symbol; row 0 is zero */
    const int64_t *starts;                   /* where in `table` each symbol starts, and the end */
    double heat;                             /* what each known cell but the first adds to the temperature of 1 */
} posterior_joint;

enum { POSTERIOR_JOINT, POSTERIOR_PROBABILITIES, POSTERIOR_CODES };

/* Rows lo..hi into `out` (rows, classes), or into `codes` for POSTERIOR_CODES; both are those of
   row 0. How many rows are impossible for every class and got the prior; or POSTERIOR_NO_MEMORY. */
int64_t posterior_rows(const posterior_joint *j, int64_t lo, int64_t hi, int what, double *out, int32_t *codes);

/* The same, where each row is answered by one of several models of the same shape; `which` says by which.
   Nothing is written for a row of model -1. */
int64_t posterior_each(const posterior_joint *const *j, int64_t models, const int32_t *which, int64_t lo, int64_t hi,
                       int what, double *out, int32_t *codes);

/* Two versions of both, which give the same bits; the machine decides. */
int64_t posterior_rows_anywhere(const posterior_joint *j, int64_t lo, int64_t hi, int what, double *out, int32_t *codes);
int64_t posterior_each_anywhere(const posterior_joint *const *j, int64_t models, const int32_t *which, int64_t lo, int64_t hi,
                                int what, double *out, int32_t *codes);
#if defined(__GNUC__) && defined(__x86_64__)
#define POSTERIOR_AVX2
int64_t posterior_rows_avx2(const posterior_joint *j, int64_t lo, int64_t hi, int what, double *out, int32_t *codes);
int64_t posterior_each_avx2(const posterior_joint *const *j, int64_t models, const int32_t *which, int64_t lo, int64_t hi,
                            int what, double *out, int32_t *codes);
#endif
#endif
