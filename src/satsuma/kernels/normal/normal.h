/* Scores of classes by their multivariate Gaussians. Defined by twin.py; NaN is missing, and
   makes all scores of its row NaN. */
#ifndef SATSUMA_NORMAL_H
#define SATSUMA_NORMAL_H
#include <stddef.h>
#include <stdint.h>

#define NORMAL_NO_MEMORY (-1)

typedef struct { /* a column of float64; step is in bytes */
    const char *at;
    ptrdiff_t step;
} normal_column;

/* One model. With sets of 0 the scores are linear in x - shift: `matrix` has a row for each class.
   Else each set whitens x - shift, for the classes that share it (all of them, or one each), and a
   score falls by half the square of the distance from the whitened mean, `centre`.

   Rows of a matrix come in fours, each column of the four in one piece: (rows / 4, width, 4). */
typedef struct {
    const double *shift;  /* (width) */
    const double *matrix; /* (1 or sets, rows / 4, width, 4) */
    const double *centre; /* (classes, rows) */
    const double *base;   /* (classes) */
} normal_model;

typedef struct {
    int64_t classes, width, sets, rows; /* rows: of a matrix, a multiple of 4 */
    const normal_column *columns;
    const normal_model *models;
    int64_t model_count;
    const int32_t *which; /* the model of each row; NULL for the first. A row of -1 is left as it is */
} normal_asked;

/* Rows lo..hi into `out` (rows, classes), or where `codes` is given the class with the highest score;
   -1 where another comes near, or where a score is no number. Both begin with row 0.
   0, or NORMAL_NO_MEMORY. */
int64_t normal_rows(const normal_asked *a, int64_t lo, int64_t hi, double *out, int32_t *codes);

/* What rows with gaps need. */
typedef struct {
    const double *precision; /* (1 or sets, width, width): the inverses of the covariances */
    const double *pull;      /* (classes, width): the means, less the shift, times these */
} normal_gaps;

/* Scores within this part of the highest may come to equal probabilities, where rows have gaps. */
#define NORMAL_NEAR_GAPS 1e-6

/* Of some rows, by the first model: the logarithms of the densities of what is known into `out`, (n, classes), 0 where
   nothing is; or where `codes` is given the class with the highest score, as above, -1 where nothing is known. A model
   that is linear has scores but for what all classes share, and one precision. 0, or NORMAL_NO_MEMORY. */
int64_t normal_with_gaps(const normal_asked *a, const normal_gaps *g, const int64_t *rows, int64_t n, double *out, int32_t *codes);

/* Two versions of normal_rows, which give the same bits; the machine decides. */
int64_t normal_rows_anywhere(const normal_asked *a, int64_t lo, int64_t hi, double *out, int32_t *codes);
#if defined(__GNUC__) && defined(__x86_64__)
#define NORMAL_AVX2
int64_t normal_rows_avx2(const normal_asked *a, int64_t lo, int64_t hi, double *out, int32_t *codes);
#endif
#endif
