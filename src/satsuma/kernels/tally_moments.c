/* Moments by group: rows that lie in one piece are added a row at a time, in vectors over the
   columns; other columns one at a time, over stretches of rows that stay near. */
#include "tallies.h"

#include <math.h>
#include <stdlib.h>

#define PANEL 64     /* columns at a time, so that the sums of a group stay near */
#define STRETCH 4096 /* rows of a column at a time, so that their groups stay near */
#define TURNS 4      /* sums of a group that take turns, so that a row need not wait for the last */

/* ---- rows in one piece */

/* Nothing here branches on a value, so that it is done in vectors: a missing one counts 0 and adds
   0, and no comparison with it is true. */
static inline void add_row(const double *restrict x, double w, int64_t d, double *restrict count,
                           double *restrict sum, double *restrict square, double *restrict lo,
                           double *restrict hi, const double *restrict shift) {
    for (int64_t j = 0; j < d; j++) {
        double v = x[j] - shift[j], one = v == v ? w : 0.0;
        v = v == v ? v : 0.0;
        count[j] += one;
        sum[j] += w * v;
        square[j] += w * v * v;
        lo[j] = x[j] < lo[j] ? x[j] : lo[j];
        hi[j] = x[j] > hi[j] ? x[j] : hi[j];
    }
}

HOT void tally_add_rows(const char *x, ptrdiff_t step, const tally_rows *rows, int64_t n, int64_t d,
                        int64_t width, double *parts) {
    const double *weight = rows->weight;
    for (int64_t i = 0; i < n; i++, x += step) {
        if (rows->group[i] < 0) continue;
        double *p = parts + rows->group[i] * (int64_t)PARTS * width;
        /* To multiply by one costs less than a second loop that the compiler would branch in. */
        add_row((const double *)x, weight ? weight[i] : 1.0, d, p + PART_WEIGHT * width,
                p + PART_SUM * width, p + PART_SQUARE * width, p + PART_LO * width,
                p + PART_HI * width, p + PART_SHIFT * width);
    }
}

/* ---- columns that lie apart */

typedef struct {
    double weight, sum, square, shift, lo, hi, unused[2];
} sums; /* of a group, a line of memory */

static inline ALWAYS void add_cells(const char *x, ptrdiff_t step, const int32_t *group,
                                    const double *weight, int64_t n, int64_t k, sums *s) {
    for (int64_t i = 0; i < n; i++, x += step) {
        /* The group -1 stands before the others, and is never looked at. */
        sums *a = s + (i % TURNS) * (k + 1) + 1 + group[i];
        double value = *(const double *)x, v = value - a->shift, w = weight ? weight[i] : 1.0;
        double one = v == v ? w : 0.0;
        v = v == v ? v : 0.0;
        a->weight += one;
        a->sum += w * v;
        a->square += w * v * v;
        /* Seldom true, so that to ask costs less than to store. */
        if (value < a->lo) a->lo = value;
        if (value > a->hi) a->hi = value;
    }
}

HOT void tally_add_column(const char *x, ptrdiff_t step, const int32_t *group, const double *weight,
                          int64_t n, int64_t k, sums *s) {
    if (weight) add_cells(x, step, group, weight, n, k, s);
    else if (step == sizeof(double)) add_cells(x, sizeof(double), group, NULL, n, k, s);
    else add_cells(x, step, group, NULL, n, k, s);
}

static void begin(sums *s, int64_t k, int64_t width, const double *parts) {
    for (int64_t t = 0; t < TURNS; t++)
        for (int64_t g = -1; g < k; g++)
            s[t * (k + 1) + 1 + g] = (sums){.lo = INFINITY, .hi = -INFINITY, .shift = g < 0 ? 0 : parts[(g * PARTS + PART_SHIFT) * width]};
}

static void finish(const sums *s, int64_t k, int64_t width, double *parts) {
    for (int64_t g = 0; g < k; g++) {
        double *p = parts + g * PARTS * width;
        for (int64_t t = 0; t < TURNS; t++) {
            const sums *a = s + t * (k + 1) + 1 + g;
            p[PART_WEIGHT * width] += a->weight;
            p[PART_SUM * width] += a->sum;
            p[PART_SQUARE * width] += a->square;
            p[PART_LO * width] = a->lo < p[PART_LO * width] ? a->lo : p[PART_LO * width];
            p[PART_HI * width] = a->hi > p[PART_HI * width] ? a->hi : p[PART_HI * width];
        }
    }
}

static int64_t add_columns(const tally_batch *b, const tally_rows *rows, double *parts) {
    int64_t k = b->group_count, per = TURNS * (k + 1);
    sums *s = malloc((size_t)(per * b->width + 1) * sizeof(sums));
    if (!s) return TALLY_NO_MEMORY;
    for (int64_t j = 0; j < b->width; j++) begin(s + j * per, k, b->width, parts + j);
    for (int64_t i = 0; i < b->n; i += STRETCH) {
        int64_t n = b->n - i < STRETCH ? b->n - i : STRETCH;
        for (int64_t j = 0; j < b->width; j++) {
            const tally_column *c = b->columns + j;
            tally_add_column(c->at + (b->start + i) * c->step, c->step, rows->group + i,
                             rows->weight ? rows->weight + i : NULL, n, k, s + j * per);
        }
    }
    for (int64_t j = 0; j < b->width; j++) finish(s + j * per, k, b->width, parts + j);
    free(s);
    return TALLY_OK;
}

/* ---- both */

static int64_t add_all(const tally_batch *b, const tally_rows *rows, double *parts) {
    int64_t width = b->width;
    if (tally_shift(b, rows->group, parts + PART_SHIFT * width, PARTS * width)) return TALLY_NO_MEMORY;
    for (int64_t g = 0; g < b->group_count; g++)
        for (int64_t j = 0; j < width; j++) {
            parts[(g * PARTS + PART_LO) * width + j] = INFINITY;
            parts[(g * PARTS + PART_HI) * width + j] = -INFINITY;
        }
    if (width == 1 || !tally_is_block(b)) return add_columns(b, rows, parts);
    for (int64_t j = 0; j < width; j += PANEL) {
        const tally_column *c = b->columns + j;
        tally_add_rows(c->at + b->start * c->step, c->step, rows, b->n,
                       width - j < PANEL ? width - j : PANEL, width, parts + j);
    }
    return TALLY_OK;
}

int64_t tally_moments(const tally_batch *b, double *total, double *parts) {
    tally_rows rows = {0};
    int64_t status = tally_rows_of(b, total, &rows);
    if (status == TALLY_OK && b->width) status = add_all(b, &rows, parts);
    tally_rows_free(&rows);
    return status;
}
