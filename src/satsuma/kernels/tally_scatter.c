/* Cross-products by group. Rows wait, on their side, until there are enough of their group; then
   all pairs of columns are multiplied, two by two, in vectors over the rows. */
#include "tallies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEAR (1 << 17) /* doubles that wait, over all groups, before they lie too far away */

typedef double vector __attribute__((vector_size(32), aligned(8), may_alias));
#define LOAD(at) (*(const vector *)(at))
#define TOTAL(v) ((v[0] + v[2]) + (v[1] + v[3]))

/* Columns are shifted, and one of ones is added: its products are the sums and the count. An even
   number of columns, the last of zeros where need be. */
typedef struct {
    int64_t columns, wait;
    double *waiting;  /* (groups, columns, wait) */
    double *products; /* (groups, columns, columns), the lower half */
    int32_t *have;    /* (groups) */
} work;

HOT void tally_multiply(const double *waiting, int64_t wait, int64_t columns, double *products) {
    for (int64_t j = 0; j < columns; j += 2)
        for (int64_t k = 0; k <= j; k += 2) {
            const double *a = waiting + j * wait, *b = a + wait, *c = waiting + k * wait, *d = c + wait;
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
    double *w = k->waiting + g * k->columns * k->wait;
    for (int64_t j = 0; j < k->columns; j++)
        for (int64_t i = k->have[g]; i < k->wait; i++) w[j * k->wait + i] = 0;
    tally_multiply(w, k->wait, k->columns, k->products + g * k->columns * k->columns);
    k->have[g] = 0;
}

/* Each side of a product takes the root of the weight. */
static void add_all(const tally_batch *b, const tally_rows *rows, const double *shift, work *k) {
    int64_t d = b->width, wait = k->wait;
    for (int64_t i = 0; i < b->n; i++) {
        int64_t g = rows->group[i];
        if (g < 0) continue;
        double *to = k->waiting + g * k->columns * wait + k->have[g];
        double root = rows->weight ? sqrt(rows->weight[i]) : 1.0;
        for (int64_t j = 0; j < d; j++) {
            const tally_column *c = b->columns + j;
            to[j * wait] = root * (*(const double *)(c->at + (b->start + i) * c->step) - shift[g * d + j]);
        }
        to[d * wait] = root;
        if (++k->have[g] == wait) flush(k, g);
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
    k.waiting = calloc((size_t)(groups * e * k.wait) + 1, sizeof(double));
    k.products = calloc((size_t)(groups * e * e) + 1, sizeof(double));
    k.have = calloc((size_t)groups + 1, sizeof(int32_t));
    tally_rows rows = {0};
    int64_t status = k.waiting && k.products && k.have ? tally_rows_of(b, total, &rows) : TALLY_NO_MEMORY;
    if (status == TALLY_OK) tally_leave_out(b, &rows);
    if (status == TALLY_OK && tally_shift(b, rows.group, shift, b->width)) status = TALLY_NO_MEMORY;
    if (status == TALLY_OK) {
        add_all(b, &rows, shift, &k);
        finish(&k, groups, b->width, cross);
    }
    free(k.waiting);
    free(k.products);
    free(k.have);
    tally_rows_free(&rows);
    return status;
}
