/* What the tallies of tally.h share: groups, weights, and where to shift. */
#include "tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PILOT 64     /* values of a group that say where to shift it */
#define STRETCH 4096 /* rows at a time, so that their groups stay near */
#define TURNS 4

static inline double number_at(const tally_column *c, int64_t row) {
    return *(const double *)(c->at + row * c->step);
}

/* The first row whose code is out of range, or n. */
HOT int64_t tally_first_wrong(const int32_t *code, int64_t n, int32_t levels) {
    int32_t low = 0, high = -1;
    for (int64_t i = 0; i < n; i++) {
        low = code[i] < low ? code[i] : low;
        high = code[i] > high ? code[i] : high;
    }
    if (low >= -1 && high < levels) return n;
    int64_t at = 0;
    while (code[at] >= -1 && code[at] < levels) at++;
    return at;
}

#define WIDEN(TYPE)                                                            \
    for (int64_t i = 0; i < n; i++, at += c->step) out[i] = *(const TYPE *)at; \
    break

/* Codes in one piece: as they lie, if they do, else copied. */
const int32_t *tally_codes_of(const tally_column *c, int64_t row, int64_t n, int32_t *out) {
    const char *at = c->at + row * c->step;
    if (c->kind == 'i' && c->step == sizeof(int32_t)) return (const int32_t *)at;
    switch (c->kind) {
    case 'b': WIDEN(int8_t);
    case 'B': WIDEN(uint8_t);
    case 'h': WIDEN(int16_t);
    default: WIDEN(int32_t);
    }
    return out;
}

int64_t tally_fold_groups(const tally_column *codes, const tally_column *folds, int64_t start, int64_t n,
                          int64_t classes, int64_t folds_count, int32_t *out) {
    int32_t mine[STRETCH], theirs[STRETCH];
    for (int64_t i = 0; i < n; i += STRETCH) {
        int64_t here = n - i < STRETCH ? n - i : STRETCH, wrong;
        const int32_t *c = tally_codes_of(codes, start + i, here, mine);
        const int32_t *f = tally_codes_of(folds, start + i, here, theirs);
        if ((wrong = tally_first_wrong(c, here, (int32_t)classes)) < here) return start + i + wrong;
        if ((wrong = tally_first_wrong(f, here, (int32_t)folds_count)) < here) return start + i + wrong;
        for (int64_t r = 0; r < here; r++) out[i + r] = (c[r] | f[r]) < 0 ? -1 : f[r] * (int32_t)classes + c[r];
    }
    return TALLY_OK;
}

void tally_rows_free(tally_rows *rows) {
    free(rows->room);
    free(rows->weight);
}

/* Groups that take turns, so that a row need not wait for the last. */
static int count_rows(const int32_t *group, int64_t n, int64_t k, double *total) {
    uint32_t *count = calloc((size_t)(TURNS * (k + 1)), sizeof(uint32_t));
    if (!count) return 1;
    for (int64_t i = 0; i < n; i++) count[(i % TURNS) * (k + 1) + 1 + group[i]]++;
    for (int64_t g = 0; g < k; g++)
        for (int64_t t = 0; t < TURNS; t++) total[g] += (double)count[t * (k + 1) + 1 + g];
    free(count);
    return 0;
}

int64_t tally_rows_of(const tally_batch *b, double *total, tally_rows *out) {
    int as_they_are = !b->weights && tally_codes_of(b->groups, b->start, 0, NULL);
    out->room = as_they_are ? NULL : malloc((size_t)(b->n + 1) * sizeof(int32_t));
    out->weight = b->weights ? malloc((size_t)(b->n + 1) * sizeof(double)) : NULL;
    if ((!out->room && !as_they_are) || (b->weights && !out->weight)) return TALLY_NO_MEMORY;
    out->group = tally_codes_of(b->groups, b->start, b->n, out->room);
    int64_t wrong = tally_first_wrong(out->group, b->n, (int32_t)b->group_count);
    if (wrong < b->n) return b->start + wrong;
    if (!b->weights) return total && count_rows(out->group, b->n, b->group_count, total) ? TALLY_NO_MEMORY : TALLY_OK;
    for (int64_t i = 0; i < b->n; i++) {
        double w = out->weight[i] = number_at(b->weights, b->start + i);
        int32_t g = out->group[i];
        out->room[i] = w == 0 ? -1 : g;
        if (g >= 0) total[g] += w;
    }
    out->group = out->room;
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
        int64_t wanting = k;
        for (int64_t i = 0; wanting && i < b->n; i++) {
            int32_t g = group[i];
            if (g < 0 || have[g] == pilot) continue;
            rows[g * pilot + have[g]++] = b->start + i;
            wanting -= have[g] == pilot;
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
