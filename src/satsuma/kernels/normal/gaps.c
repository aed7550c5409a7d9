/* Rows with gaps: the Gaussian of the columns that are known, from what all columns have. */
#include "normal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__ELF__) && !defined(__SANITIZE_ADDRESS__)
#define HOT __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define HOT
#endif
#define ALWAYS static inline __attribute__((always_inline))
#define LOG_2_PI 1.8378770664093454836

typedef struct {
    double *x;      /* (width, and 4 more): the row, shifted, 0 where it has gaps */
    double *white;  /* (rows of a matrix) */
    double *pull;   /* (gaps): the row times the precision */
    double *lower;  /* (gaps, gaps): the precision between the gaps, factored */
    double *solved; /* (gaps) */
    int64_t *gaps;
} room;

ALWAYS double dot(const double *a, const double *b, int64_t n) {
    double sum[4] = {0};
    int64_t j = 0;
    for (; j + 4 <= n; j += 4)
        for (int k = 0; k < 4; k++) sum[k] += a[j + k] * b[j + k];
    for (; j < n; j++) sum[0] += a[j] * b[j];
    return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

/* The row times a triangle, whose rows lie in fours. */
ALWAYS void whiten(const double *matrix, int64_t rows, int64_t width, const double *x, double *white) {
    for (int64_t r = 0; r < rows; r += 4, matrix += 4 * width) {
        double sum[4] = {0};
        int64_t upto = r + 4 < width ? r + 4 : width;
        for (int64_t j = 0; j < upto; j++)
            for (int k = 0; k < 4; k++) sum[k] += matrix[4 * j + k] * x[j];
        for (int k = 0; k < 4; k++) white[r + k] = sum[k];
    }
}

/* Cholesky's factor of the precision between gaps; returns the logarithm of the determinant. */
static double factor(const double *precision, int64_t width, const int64_t *gaps, int64_t m, double *lower) {
    double product = 1, volume = 0;
    for (int64_t i = 0; i < m; i++)
        for (int64_t k = 0; k <= i; k++) {
            double sum = precision[gaps[i] * width + gaps[k]];
            for (int64_t j = 0; j < k; j++) sum -= lower[i * m + j] * lower[k * m + j];
            if (k < i) {
                lower[i * m + k] = sum * lower[k * m + k];
                continue;
            }
            product *= sum;
            if (!(product > 1e-200 && product < 1e200)) volume += log(product), product = 1;
            lower[i * m + i] = 1 / sqrt(sum); /* upside down: it is only divided by */
        }
    return volume + log(product);
}

/* What the gaps add to the square of a distance that they take for known. */
static double square_of_gaps(const double *lower, const double *pull, const double *centre, const int64_t *gaps, int64_t m, double *solved) {
    double square = 0;
    for (int64_t i = 0; i < m; i++) {
        double sum = pull[i] - centre[gaps[i]];
        for (int64_t j = 0; j < i; j++) sum -= lower[i * m + j] * solved[j];
        solved[i] = sum * lower[i * m + i];
        square += solved[i] * solved[i];
    }
    return square;
}

/* The row, and where its gaps are; how many. */
static int64_t look(const normal_asked *a, int64_t row, const room *r) {
    int64_t m = 0;
    for (int64_t j = 0; j < a->width; j++) {
        double x = *(const double *)(a->columns[j].at + row * a->columns[j].step) - a->models->shift[j];
        r->x[j] = x == x ? x : 0;
        r->gaps[m] = j;
        m += x != x;
    }
    return m;
}

static HOT void score_gaps(const normal_asked *a, const normal_gaps *g, const int64_t *rows, int64_t n, const room *r, double *out) {
    const normal_model *model = a->models;
    int64_t width = a->width, share = a->classes / a->sets;
    for (int64_t i = 0; i < n; i++, out += a->classes) {
        int64_t m = look(a, rows[i], r);
        for (int64_t s = 0; s < a->sets; s++) {
            const double *precision = g->precision + s * width * width;
            whiten(model->matrix + s * a->rows * width, a->rows, width, r->x, r->white);
            for (int64_t k = 0; k < m; k++) r->pull[k] = dot(precision + r->gaps[k] * width, r->x, width);
            double volume = factor(precision, width, r->gaps, m, r->lower);
            for (int64_t c = s * share; c < (s + 1) * share; c++) {
                const double *centre = model->centre + c * a->rows;
                double square = 0, part[4] = {0};
                for (int64_t j = 0; j < a->rows; j += 4)
                    for (int k = 0; k < 4; k++) {
                        double away = r->white[j + k] - centre[j + k];
                        part[k] += away * away;
                    }
                square = (part[0] + part[2]) + (part[1] + part[3]);
                square -= square_of_gaps(r->lower, r->pull, g->pull + c * width, r->gaps, m, r->solved);
                out[c] = m < width ? model->base[c] + 0.5 * ((double)m * LOG_2_PI - volume - square) : 0;
            }
        }
    }
}

int64_t normal_with_gaps(const normal_asked *a, const normal_gaps *g, const int64_t *rows, int64_t n, double *out) {
    size_t width = (size_t)a->width, all = 4 * width + width * width + (size_t)a->rows + 8;
    double *made = calloc(all, sizeof(double));
    int64_t *gaps = calloc(width + 1, sizeof(int64_t));
    if (made && gaps) {
        room r = {made, made + width + 4, NULL, NULL, NULL, gaps};
        r.pull = r.white + a->rows;
        r.solved = r.pull + width;
        r.lower = r.solved + width;
        score_gaps(a, g, rows, n, &r, out);
    }
    int64_t status = made && gaps ? 0 : NORMAL_NO_MEMORY;
    free(made);
    free(gaps);
    return status;
}
