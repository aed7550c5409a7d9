/* Cross-products by group. Rows wait, on their side, until there are enough of their group; then
   all pairs of columns are multiplied, two by two, in vectors over the rows. */
#include "tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEAR (1 << 17) /* doubles that wait, over all groups, before they lie too far away */
#define PILOT 16       /* rows of a group that say where to shift it */
#define SOME 64        /* rows that are laid side by side at a time */
#define LINE 8         /* doubles of a cache line, where what waits begins: no vector lies across two */
#define AHEAD 512      /* doubles that a row is fetched before it is needed */
#define APART 8        /* doubles between columns that wait, lest all fall into the same part of the cache */

typedef double vector __attribute__((vector_size(32), aligned(8), may_alias));
typedef double wide __attribute__((vector_size(64), aligned(8), may_alias));
typedef int64_t mask __attribute__((vector_size(32)));
#define LOAD(at) (*(const vector *)(at))
#define LOAD8(at) (*(const wide *)(at))
#define TOTAL(v) (((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7])))

/* Columns are shifted, and one of ones is added: its products are the sums and the count. An even
   number of columns, the last of zeros where need be. Of rows that are not complete, each column has its
   own ones. */
typedef struct {
    int holed; /* whether it is these rows that wait, not those that are complete */
    int64_t columns, wait, step; /* step: wait + APART */
    double *waiting;  /* (groups, columns, step) */
    double *products; /* (groups, columns, columns), the lower half */
    int32_t *have;    /* (groups) */
    double *rows;     /* (SOME, width) */
} work;

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

#define TARGET
#define NAMED(name) name##_anywhere
#include "scatter_of.h"
#undef TARGET
#undef NAMED

#if defined(__GNUC__) && defined(__x86_64__)
#define TARGET __attribute__((target("avx2")))
#define NAMED(name) name##_avx2
#include "scatter_of.h"
#undef TARGET
#undef NAMED
#define TARGET __attribute__((target("avx512f")))
#define NAMED(name) name##_avx512
#include "scatter_of.h"
#endif

static void lay_and_finish(const tally_batch *b, const tally_rows *rows, const double *shift, work *k, int64_t e, double *cross) {
#if defined(__GNUC__) && defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) {
        lay_rows_avx512(b, rows, shift, k);
        finish_avx512(k, b->group_count, e, cross);
        return;
    }
    if (__builtin_cpu_supports("avx2")) {
        lay_rows_avx2(b, rows, shift, k);
        finish_avx2(k, b->group_count, e, cross);
        return;
    }
#endif
    lay_rows_anywhere(b, rows, shift, k);
    finish_anywhere(k, b->group_count, e, cross);
}

/* Products of e columns. */
static int64_t multiply_all(const tally_batch *b, int holed, int64_t e, double *total, double *cross, double *shift) {
    int64_t groups = b->group_count, even = e + e % 2;
    work k = {.holed = holed, .columns = even, .wait = 128};
    while (k.wait > 8 && groups * even * k.wait > NEAR) k.wait /= 2;
    k.step = k.wait + APART;
    char *room = calloc((size_t)(groups * even * k.step) + LINE, sizeof(double));
    k.waiting = (double *)(room + (LINE * sizeof(double) - (uintptr_t)room % (LINE * sizeof(double))));
    k.products = calloc((size_t)(groups * even * even) + 1, sizeof(double));
    k.have = calloc((size_t)groups + 1, sizeof(int32_t));
    k.rows = calloc((size_t)(SOME * b->width) + 1, sizeof(double));
    double *sum = calloc((size_t)(groups * b->width) + 1, sizeof(double));
    tally_rows rows = {0};
    int64_t status = room && k.products && k.have && k.rows && sum ? tally_rows_of(b, total, &rows) : TALLY_NO_MEMORY;
    if (status == TALLY_OK && holed && tally_shift(b, rows.group, shift, b->width)) status = TALLY_NO_MEMORY;
    if (status == TALLY_OK) {
        if (!holed) find_shift(b, rows.group, shift, sum, k.have);
        lay_and_finish(b, &rows, shift, &k, e, cross);
    }
    free(room);
    free(k.products);
    free(k.have);
    free(k.rows);
    free(sum);
    tally_rows_free(&rows);
    return status;
}

int64_t tally_scatter(const tally_batch *b, double *total, double *cross, double *shift) {
    return multiply_all(b, 0, b->width + 1, total, cross, shift);
}

int64_t tally_pairs(const tally_batch *b, double *total, double *cross, double *shift) {
    return multiply_all(b, 1, 2 * b->width, total, cross, shift);
}
