/* Moments by group: stretches of rows, each sorted by group. */
#define TARGET
#define RUNS_ADD tally_runs_anywhere
#include "tally_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PANEL 64    /* columns at a time */
#define CELLS 16384 /* of a stretch, so that they stay near */
#define LONGEST 512 /* rows of a stretch */

static void add_stretch(const tally_column *c, int64_t d, int block, int64_t start, int64_t n, tally_runs *r) {
#ifdef TALLY_AVX2
    if (__builtin_cpu_supports("avx2")) {
        tally_runs_avx2(c, d, block, start, n, r);
        return;
    }
#endif
    tally_runs_anywhere(c, d, block, start, n, r);
}

/* Each group keeps its order. */
static void sort_rows(const int32_t *group, const double *weight, int64_t n, tally_runs *r) {
    int32_t *count = r->edge + 1, at = 0;
    memset(r->edge, 0, (size_t)(r->groups + 2) * sizeof(int32_t));
    for (int64_t i = 0; i < n; i++) count[group[i] < 0 ? r->groups : group[i]]++;
    for (int64_t g = 0; g <= r->groups; g++) {
        int32_t here = count[g];
        count[g] = at;
        at += here;
    }
    /* Each count becomes the place of the next row of its group, and ends as that of the next group. */
    for (int64_t i = 0; i < n; i++) {
        r->place[i] = count[group[i] < 0 ? r->groups : group[i]]++;
        if (weight) r->weight[r->place[i]] = weight[i];
    }
}

static void begin(const double *parts, int64_t width, int64_t d, tally_runs *r) {
    int64_t wide = (d + 3) / 4 * 4;
    for (int64_t g = 0; g < r->groups; g++)
        for (int64_t j = 0; j < wide; j++) {
            double *s = r->held + (g * wide + j / 4 * 4) * PARTS + j % 4;
            for (int64_t part = 0; part < PARTS; part++) s[4 * part] = 0;
            s[4 * PART_LO] = INFINITY;
            s[4 * PART_HI] = -INFINITY;
            if (j < d) s[4 * PART_SHIFT] = parts[(g * PARTS + PART_SHIFT) * width + j];
        }
}

static void finish(double *parts, int64_t width, int64_t d, const tally_runs *r) {
    int64_t wide = (d + 3) / 4 * 4;
    for (int64_t g = 0; g < r->groups; g++)
        for (int64_t j = 0; j < d; j++)
            for (int64_t part = 0; part < PART_SHIFT; part++)
                parts[(g * PARTS + part) * width + j] = r->held[(g * wide + j / 4 * 4) * PARTS + 4 * part + j % 4];
}

static void add_panel(const tally_batch *b, const tally_rows *rows, int64_t j, int64_t most, tally_runs *r,
                      double *parts) {
    int64_t d = b->width - j < PANEL ? b->width - j : PANEL;
    begin(parts + j, b->width, d, r);
    int block = tally_is_block(b);
    for (int64_t i = 0; i < b->n; i += most) {
        int64_t n = b->n - i < most ? b->n - i : most;
        sort_rows(rows->group + i, rows->weight ? rows->weight + i : NULL, n, r);
        add_stretch(b->columns + j, d, block, b->start + i, n, r);
    }
    finish(parts + j, b->width, d, r);
}

static int64_t add_all(const tally_batch *b, const tally_rows *rows, double *parts) {
    int64_t k = b->group_count, wide = b->width < PANEL ? (b->width + 3) / 4 * 4 : PANEL;
    int64_t most = CELLS / wide < LONGEST ? CELLS / wide : LONGEST;
    if (most < k) most = k; /* to begin a stretch takes as long as there are groups */
    if (tally_shift(b, rows->group, parts + PART_SHIFT * b->width, PARTS * b->width)) return TALLY_NO_MEMORY;
    int32_t *places = malloc((size_t)(most + k + 2) * sizeof(int32_t));
    double *room = calloc((size_t)(most * (wide + 1) + k * wide * PARTS) + 1, sizeof(double));
    int64_t status = places && room ? TALLY_OK : TALLY_NO_MEMORY;
    if (status == TALLY_OK) {
        double *weight = rows->weight ? room + most * wide : NULL;
        tally_runs r = {k, places, places + most, room, weight, room + most * (wide + 1)};
        for (int64_t j = 0; j < b->width; j += PANEL) add_panel(b, rows, j, most, &r, parts);
    }
    free(places);
    free(room);
    return status;
}

int64_t tally_moments(const tally_batch *b, double *total, double *parts) {
    tally_rows rows = {0};
    int64_t status = tally_rows_of(b, total, &rows);
    if (status == TALLY_OK && b->width) status = add_all(b, &rows, parts);
    tally_rows_free(&rows);
    return status;
}
