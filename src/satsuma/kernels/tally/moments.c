/* Moments by group: stretches of rows, each sorted by group. */
#define TARGET
#define RUNS_ADD tally_runs_anywhere
#define LANES 2
#define ACROSS 2
#include "runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PANEL 64    /* columns at a time */
#define CELLS 16384 /* of a stretch, so that they stay near */
#define LONGEST 512 /* rows of a stretch */
#define WIDEST 8    /* doubles of a vector */

const double tally_one = 1;

/* Loops, and how wide their vectors are. */
typedef struct {
    tally_runs_add *add;
    int64_t lanes;
} loops;

static loops loops_of(int level) {
#ifdef TALLY_WIDER
    if (level >= 2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return (loops){tally_runs_avx512, 8};
    if (level >= 1 && __builtin_cpu_supports("avx2")) return (loops){tally_runs_avx2, 4};
#endif
    return (loops){tally_runs_anywhere, LANES};
}

_Static_assert(SORTED_ROWS >= LONGEST + 16, "room for a stretch, and for what is written behind it");

/* Each group keeps its order. Quarters of the rows take turns, so that a row need not wait for the last;
   without counts, vectors do. */
static void sort_rows(const int32_t *group, int64_t n, int32_t *count, tally_runs *r) {
#ifdef TALLY_WIDER
    if (!count) {
        tally_sort_avx512(group, n, r);
        return;
    }
#endif
    int64_t k = r->groups, quarter = n / 4;
    int32_t *a = count + 1, *b = a + k + 1, *c = b + k + 1, *d = c + k + 1, *order = r->order, at = 0;
    const int32_t *first = group, *second = first + quarter, *third = second + quarter, *fourth = third + quarter;
    memset(count, 0, (size_t)(4 * (k + 1)) * sizeof(int32_t));
    for (int64_t i = 0; i < quarter; i++) a[first[i]]++, b[second[i]]++, c[third[i]]++, d[fourth[i]]++;
    for (int64_t i = 4 * quarter; i < n; i++) d[group[i]]++;
    /* Each count becomes the place of the next row; those that are left out (-1) come last. */
    for (int64_t g = 0; g <= k; g++) {
        int64_t here = g < k ? g : -1;
        int32_t start = at;
        for (int32_t *turn = a; turn <= d; turn += k + 1) {
            int32_t many = turn[here];
            turn[here] = at;
            at += many;
        }
        if (g < k) r->first[g] = start, r->many[g] = at - start;
    }
    for (int64_t i = 0; i < quarter; i++) {
        int32_t row = (int32_t)i, more = (int32_t)quarter;
        order[a[first[i]]++] = row;
        order[b[second[i]]++] = row + more;
        order[c[third[i]]++] = row + 2 * more;
        order[d[fourth[i]]++] = row + 3 * more;
    }
    for (int64_t i = 4 * quarter; i < n; i++) order[d[group[i]]++] = (int32_t)i;
}

/* Where the sums of a group and a column are held. */
static double *held_at(const tally_runs *r, int64_t lanes, int64_t d, int64_t g, int64_t j) {
    int64_t wide = (d + lanes - 1) / lanes * lanes;
    return r->held + (g * wide + j / lanes * lanes) * PARTS + j % lanes;
}

static void begin(const double *parts, int64_t width, int64_t d, int64_t lanes, tally_runs *r) {
    int64_t wide = (d + lanes - 1) / lanes * lanes;
    memset(r->held, 0, (size_t)(r->groups * wide * PARTS) * sizeof(double));
    for (int64_t g = 0; g < r->groups; g++)
        for (int64_t j = 0; j < d; j++) {
            double *s = held_at(r, lanes, d, g, j);
            s[lanes * PART_LO] = INFINITY;
            s[lanes * PART_HI] = -INFINITY;
            s[lanes * PART_SHIFT] = parts[(g * PARTS + PART_SHIFT) * width + j];
        }
}

static void finish(double *parts, int64_t width, int64_t d, int64_t lanes, const tally_runs *r) {
    for (int64_t g = 0; g < r->groups; g++)
        for (int64_t j = 0; j < d; j++)
            for (int64_t part = 0; part < PART_SHIFT; part++)
                parts[(g * PARTS + part) * width + j] = held_at(r, lanes, d, g, j)[lanes * part];
}

/* Rows are counted with the first panel. */
static void add_panel(const tally_batch *b, const tally_rows *rows, int64_t j, int64_t most, int32_t *count,
                      loops with, tally_runs *r, double *total, double *parts) {
    int64_t d = b->width - j < PANEL ? b->width - j : PANEL;
    begin(parts + j, b->width, d, with.lanes, r);
    int block = tally_is_block(b);
    for (int64_t i = 0; i < b->n; i += most) {
        int64_t n = b->n - i < most ? b->n - i : most;
        r->weight = rows->weight ? rows->weight + i : NULL;
        sort_rows(rows->group + i, n, count, r);
        if (!j && !r->weight)
            for (int64_t g = 0; g < r->groups; g++) total[g] += r->many[g];
        with.add(b->columns + j, d, block, b->start + i, n, r);
    }
    finish(parts + j, b->width, d, with.lanes, r);
}

static int64_t add_all(const tally_batch *b, const tally_rows *rows, int level, double *total, double *parts) {
    int64_t k = b->group_count, wide = b->width < PANEL ? (b->width + WIDEST - 1) / WIDEST * WIDEST : PANEL;
    int64_t most = CELLS / wide < LONGEST ? CELLS / wide : LONGEST;
    if (most < k) most = k; /* to begin a stretch takes as long as there are groups */
    if (tally_shift(b, rows->group, parts + PART_SHIFT * b->width, PARTS * b->width)) return TALLY_NO_MEMORY;
    loops with = loops_of(level);
    int block = tally_is_block(b), quick = block && with.lanes == WIDEST && k <= SORTED_GROUPS;
    int64_t copied = block ? 0 : most * wide, listed = quick ? k * SORTED_ROWS : 2 * most;
    int32_t *places = malloc((size_t)(listed + 6 * (k + 1)) * sizeof(int32_t));
    double *room = calloc((size_t)(copied + k * PARTS * wide) + 1, sizeof(double));
    int64_t status = places && room ? TALLY_OK : TALLY_NO_MEMORY;
    if (status == TALLY_OK) {
        int32_t *first = places + listed, *many = first + k, *count = quick ? NULL : many + k;
        tally_runs r = {k, places, places + most, first, many, room, NULL, room + copied};
        for (int64_t j = 0; j < b->width; j += PANEL) add_panel(b, rows, j, most, count, with, &r, total, parts);
    }
    free(places);
    free(room);
    return status;
}

int64_t tally_moments(const tally_batch *b, int level, double *total, double *parts) {
    tally_rows rows = {0};
    int64_t status = tally_rows_of(b, b->weights || !b->width ? total : NULL, &rows);
    if (status == TALLY_OK && b->width) status = add_all(b, &rows, level, total, parts);
    tally_rows_free(&rows);
    return status;
}
