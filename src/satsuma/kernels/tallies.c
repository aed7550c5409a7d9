/* What the tallies of tallies.h share: groups, weights, and where to shift. */
#include "tallies.h"

#include <math.h>
#include <stdlib.h>

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
