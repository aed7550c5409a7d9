/* What the tallies of tallies.h share, and the moments. */
#include "tallies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PANEL 64  /* columns at a time, so that the sums of a group stay near */
#define BLOCK 128 /* rows packed at a time */
#define PILOT 64  /* values of a group that say where to shift it */

static inline int64_t code_at(const tally_column *c, int64_t row) {
    const char *at = c->at + row * c->step;
    switch (c->kind) {
    case 'b': return *(const int8_t *)at;
    case 'B': return *(const uint8_t *)at;
    case 'h': return *(const int16_t *)at;
    default: return *(const int32_t *)at;
    }
}

static inline double number_at(const tally_column *c, int64_t row) {
    return *(const double *)(c->at + row * c->step);
}

int64_t tally_fold_groups(const tally_column *codes, const tally_column *folds, int64_t n,
                          int64_t classes, int64_t folds_count, int32_t *out) {
    for (int64_t i = 0; i < n; i++) {
        int64_t c = code_at(codes, i), f = code_at(folds, i);
        if (c < -1 || c >= classes || f < -1 || f >= folds_count) return i;
        out[i] = c < 0 || f < 0 ? -1 : (int32_t)(f * classes + c);
    }
    return TALLY_OK;
}

void tally_rows_free(tally_rows *rows) {
    free(rows->group);
    free(rows->weight);
}

int64_t tally_rows_of(const tally_batch *b, double *total, tally_rows *out) {
    out->group = malloc((size_t)(b->n + 1) * sizeof(int32_t));
    out->weight = b->weights ? malloc((size_t)(b->n + 1) * sizeof(double)) : NULL;
    if (!out->group || (b->weights && !out->weight)) return TALLY_NO_MEMORY;
    for (int64_t i = 0; i < b->n; i++) {
        int64_t g = code_at(b->groups, b->start + i);
        if (g < -1 || g >= b->group_count) return b->start + i;
        double w = 1;
        if (b->weights) out->weight[i] = w = number_at(b->weights, b->start + i);
        out->group[i] = w == 0 ? -1 : (int32_t)g;
        if (g >= 0) total[g] += w;
    }
    return TALLY_OK;
}

/* Whether the columns are those of one array whose rows lie in one piece. */
int tally_is_block(const tally_batch *b) {
    for (int64_t j = 0; j < b->width; j++)
        if (b->columns[j].step != b->columns[0].step ||
            b->columns[j].at != b->columns[0].at + j * (ptrdiff_t)sizeof(double))
            return 0;
    return 1;
}

/* Some rows of some columns, as an array whose rows lie in one piece. */
void tally_pack(const tally_batch *b, int64_t first, int64_t width, int64_t row, int64_t n, double *out) {
    for (int64_t j = 0; j < width; j++) {
        const tally_column *c = b->columns + first + j;
        const char *at = c->at + (b->start + row) * c->step;
        for (int64_t i = 0; i < n; i++, at += c->step) out[i * width + j] = *(const double *)at;
    }
}

/* ---- where to shift each group and column: the mean of a few values, so that no digits are lost */

/* The first known value, for groups whose first few rows have none. */
static void shift_late(const tally_batch *b, const int32_t *group, int64_t j, double *shift, ptrdiff_t step) {
    for (int64_t i = 0; i < b->n; i++) {
        if (group[i] < 0) continue;
        double *s = shift + group[i] * step + j, x = number_at(b->columns + j, b->start + i);
        if (*s != *s && x == x) *s = x;
    }
}

static double mean_of(const tally_column *c, const int64_t *rows, int64_t n) {
    double first = NAN, sum = 0;
    int64_t known = 0;
    for (int64_t i = 0; i < n; i++) {
        double x = number_at(c, rows[i]);
        if (x != x) continue;
        if (!known++) first = x;
        sum += x - first;
    }
    double mean = known ? first + sum / (double)known : first;
    return isfinite(mean) ? mean : first;
}

int tally_shift(const tally_batch *b, const int32_t *group, double *shift, ptrdiff_t step) {
    int64_t k = b->group_count, pilot = k > 256 ? 8 : PILOT;
    int64_t *rows = malloc((size_t)(k * pilot + 1) * sizeof(int64_t)), *have = calloc((size_t)k + 1, sizeof(int64_t));
    if (rows && have) {
        for (int64_t i = 0; i < b->n; i++) {
            int32_t g = group[i];
            if (g >= 0 && have[g] < pilot) rows[g * pilot + have[g]++] = b->start + i;
        }
        for (int64_t j = 0; j < b->width; j++) {
            int late = 0;
            for (int64_t g = 0; g < k; g++) {
                double mean = mean_of(b->columns + j, rows + g * pilot, have[g]);
                late |= mean != mean && have[g] == pilot;
                shift[g * step + j] = mean;
            }
            if (late) shift_late(b, group, j, shift, step);
            for (int64_t g = 0; g < k; g++)
                if (shift[g * step + j] != shift[g * step + j]) shift[g * step + j] = 0;
        }
    }
    int failed = !rows || !have;
    free(rows);
    free(have);
    return failed;
}

/* ---- moments */

/* One row into the sums of its group. Nothing here branches on a value, so that it is done in
   vectors: a missing value counts 0 and adds 0, and no comparison with it is true. */
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

HOT void tally_add_rows(const char *x, ptrdiff_t step, const int32_t *group, const double *weight,
                        int64_t n, int64_t d, double *parts, int64_t width) {
    for (int64_t i = 0; i < n; i++, x += step) {
        if (group[i] < 0) continue;
        double *p = parts + group[i] * (int64_t)PARTS * width;
        add_row((const double *)x, weight ? weight[i] : 1.0, d, p + PART_WEIGHT * width,
                p + PART_SUM * width, p + PART_SQUARE * width, p + PART_LO * width,
                p + PART_HI * width, p + PART_SHIFT * width);
    }
}

static void add_packed(const tally_batch *b, const tally_rows *rows, int64_t first, int64_t d,
                       double *room, double *parts) {
    for (int64_t i = 0; i < b->n; i += BLOCK) {
        int64_t n = b->n - i < BLOCK ? b->n - i : BLOCK;
        tally_pack(b, first, d, i, n, room);
        tally_add_rows((const char *)room, d * (ptrdiff_t)sizeof(double), rows->group + i,
                       rows->weight ? rows->weight + i : NULL, n, d, parts + first, b->width);
    }
}

int64_t tally_moments(const tally_batch *b, double *total, double *parts) {
    int64_t k = b->group_count, width = b->width;
    tally_rows rows = {0};
    double *room = malloc(BLOCK * PANEL * sizeof(double));
    int64_t status = room ? tally_rows_of(b, total, &rows) : TALLY_NO_MEMORY;
    if (status == TALLY_OK && tally_shift(b, rows.group, parts + PART_SHIFT * width, PARTS * width))
        status = TALLY_NO_MEMORY;
    if (status == TALLY_OK) {
        for (int64_t g = 0; g < k; g++)
            for (int64_t j = 0; j < width; j++) {
                parts[(g * PARTS + PART_LO) * width + j] = INFINITY;
                parts[(g * PARTS + PART_HI) * width + j] = -INFINITY;
            }
        int block = tally_is_block(b);
        for (int64_t j = 0; j < width; j += PANEL) {
            int64_t d = width - j < PANEL ? width - j : PANEL;
            const tally_column *c = b->columns + j;
            if (block)
                tally_add_rows(c->at + b->start * c->step, c->step, rows.group, rows.weight, b->n, d,
                               parts + j, width);
            else
                add_packed(b, &rows, j, d, room, parts);
        }
    }
    free(room);
    tally_rows_free(&rows);
    return status;
}
