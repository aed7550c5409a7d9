/* Cross-products by group. Rows wait, on their side, until there are enough of their group; then
   all pairs of columns are multiplied, two by two, in vectors over the rows. */
#include "tallies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEAR (1 << 17) /* doubles that wait, over all groups, before they lie too far away */
#define PILOT 16       /* rows of a group that say where to shift it */
#define SOME 64        /* rows that are laid side by side at a time */
#define APART 8        /* doubles between columns that wait, lest all fall into the same part of the cache */

typedef double vector __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t mask __attribute__((vector_size(32)));
#define LOAD(at) (*(const vector *)(at))
#define TOTAL(v) ((v[0] + v[2]) + (v[1] + v[3]))

/* Columns are shifted, and one of ones is added: its products are the sums and the count. An even
   number of columns, the last of zeros where need be. */
typedef struct {
    int64_t columns, wait, step; /* step: wait + APART */
    double *waiting;  /* (groups, columns, step) */
    double *products; /* (groups, columns, columns), the lower half */
    int32_t *have;    /* (groups) */
    double *rows;     /* (SOME, width) */
} work;

HOT void tally_multiply(const double *waiting, int64_t wait, int64_t step, int64_t columns, double *products) {
    for (int64_t j = 0; j < columns; j += 2)
        for (int64_t k = 0; k <= j; k += 2) {
            const double *a = waiting + j * step, *b = a + step, *c = waiting + k * step, *d = c + step;
            vector ac = {0}, ad = {0}, bc = {0}, bd = {0}, ac2 = {0}, ad2 = {0}, bc2 = {0}, bd2 = {0};
            for (int64_t i = 0; i < wait; i += 8) {
                vector x = LOAD(a + i), y = LOAD(b + i), z = LOAD(c + i), u = LOAD(d + i);
                ac += x * z, ad += x * u, bc += y * z, bd += y * u;
                x = LOAD(a + i + 4), y = LOAD(b + i + 4), z = LOAD(c + i + 4), u = LOAD(d + i + 4);
                ac2 += x * z, ad2 += x * u, bc2 += y * z, bd2 += y * u;
            }
            ac += ac2, ad += ad2, bc += bc2, bd += bd2;
            double *p = products + j * columns + k;
            p[0] += TOTAL(ac);
            p[1] += TOTAL(ad);
            p[columns] += TOTAL(bc);
            p[columns + 1] += TOTAL(bd);
        }
}

static void flush(work *k, int64_t g) {
    double *w = k->waiting + g * k->columns * k->step;
    for (int64_t j = 0; j < k->columns; j++)
        for (int64_t i = k->have[g]; i < k->wait; i++) w[j * k->step + i] = 0;
    tally_multiply(w, k->wait, k->step, k->columns, k->products + g * k->columns * k->columns);
    k->have[g] = 0;
}

static inline double number_at(const tally_batch *b, int64_t j, int64_t i) {
    return *(const double *)(b->columns[j].at + (b->start + i) * b->columns[j].step);
}

static int is_complete(const tally_batch *b, int64_t i) {
    for (int64_t j = 0; j < b->width; j++)
        if (number_at(b, j, i) != number_at(b, j, i)) return 0;
    return 1;
}

/* Where to shift each group: the mean of its first complete rows, so that no digits are lost. Others
   have no say in it: what they show may lie far away from all that is added up. */
static void find_shift(const tally_batch *b, const int32_t *group, double *shift, double *sum, int32_t *have) {
    int64_t d = b->width, wanting = b->group_count;
    for (int64_t i = 0; i < b->n && wanting; i++) {
        int64_t g = group[i];
        if (g < 0 || have[g] == PILOT || !is_complete(b, i)) continue;
        for (int64_t j = 0; j < d; j++) {
            double x = number_at(b, j, i), *first = shift + g * d + j;
            if (!have[g]) *first = x;
            sum[g * d + j] += x - *first;
        }
        wanting -= ++have[g] == PILOT;
    }
    for (int64_t g = 0; g < b->group_count; g++) {
        for (int64_t j = 0; have[g] && j < d; j++) {
            double mean = shift[g * d + j] + sum[g * d + j] / have[g];
            if (isfinite(mean)) shift[g * d + j] = mean;
        }
        have[g] = 0;
    }
}

/* One row, on its side. Each side of a product takes the root of the weight. A row that is not
   complete is written over by the next one. */
static inline ALWAYS void add_row(const double *row, int64_t d, double root, const double *mean, double *at, work *k, int64_t g) {
    int64_t j = 0, step = k->step;
    mask unknown = {0};
    for (; j + 4 <= d; j += 4, at += 4 * step) {
        vector x = LOAD(row + j), v = root * (x - LOAD(mean + j));
        unknown |= x != x;
        at[0] = v[0], at[step] = v[1], at[2 * step] = v[2], at[3 * step] = v[3];
    }
    for (; j < d; j++, at += step) {
        unknown[0] |= -(int64_t)(row[j] != row[j]);
        *at = root * (row[j] - mean[j]);
    }
    *at = root;
    k->have[g] += !(unknown[0] | unknown[1] | unknown[2] | unknown[3]);
}

/* Columns that do not lie side by side are laid so, some rows at a time. */
HOT void tally_lay_rows(const tally_batch *b, const tally_rows *rows, const double *shift, work *k) {
    int64_t d = b->width;
    int block = d > 0 && tally_is_block(b);
    for (int64_t first = 0; first < b->n; first += SOME) {
        int64_t n = b->n - first < SOME ? b->n - first : SOME;
        for (int64_t j = 0; !block && j < d; j++) {
            const char *x = b->columns[j].at + (b->start + first) * b->columns[j].step;
            for (int64_t i = 0; i < n; i++, x += b->columns[j].step) k->rows[i * d + j] = *(const double *)x;
        }
        for (int64_t i = 0; i < n; i++) {
            int64_t g = rows->group[first + i];
            if (g < 0) continue;
            const double *row = k->rows + i * d;
            if (block) row = (const double *)(b->columns->at + (b->start + first + i) * b->columns->step);
            double root = rows->weight ? sqrt(rows->weight[first + i]) : 1.0;
            add_row(row, d, root, shift + g * d, k->waiting + g * k->columns * k->step + k->have[g], k, g);
            if (k->have[g] == k->wait) flush(k, g);
        }
    }
}

static void finish(work *k, int64_t groups, int64_t d, double *cross) {
    int64_t e = d + 1;
    for (int64_t g = 0; g < groups; g++) {
        if (k->have[g]) flush(k, g);
        const double *p = k->products + g * k->columns * k->columns;
        double *out = cross + g * e * e;
        for (int64_t i = 0; i < e; i++)
            for (int64_t j = 0; j <= i; j++) out[i * e + j] = out[j * e + i] = p[i * k->columns + j];
    }
}

int64_t tally_scatter(const tally_batch *b, double *total, double *cross, double *shift) {
    int64_t groups = b->group_count, e = b->width + 1 + (b->width + 1) % 2;
    work k = {.columns = e, .wait = 128};
    while (k.wait > 8 && groups * e * k.wait > NEAR) k.wait /= 2;
    k.step = k.wait + APART;
    k.waiting = calloc((size_t)(groups * e * k.step) + 1, sizeof(double));
    k.products = calloc((size_t)(groups * e * e) + 1, sizeof(double));
    k.have = calloc((size_t)groups + 1, sizeof(int32_t));
    k.rows = calloc((size_t)(SOME * b->width) + 1, sizeof(double));
    double *sum = calloc((size_t)(groups * b->width) + 1, sizeof(double));
    tally_rows rows = {0};
    int64_t status = k.waiting && k.products && k.have && k.rows && sum ? tally_rows_of(b, total, &rows) : TALLY_NO_MEMORY;
    if (status == TALLY_OK) {
        find_shift(b, rows.group, shift, sum, k.have);
        tally_lay_rows(b, &rows, shift, &k);
        finish(&k, groups, b->width, cross);
    }
    free(k.waiting);
    free(k.products);
    free(k.have);
    free(k.rows);
    free(sum);
    tally_rows_free(&rows);
    return status;
}
