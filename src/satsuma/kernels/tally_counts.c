/* Counts by group of codes, and of numbers between edges: each column a stretch of rows at a time. */
#include "tallies.h"

#include <stdlib.h>
#include <string.h>

#define STRETCH 4096 /* rows at a time, so that their groups stay near */
#define TURNS 4      /* tables that take turns, so that a row need not wait for the last */
#define SMALL 2048   /* cells of a table up to which it is worth it to have several */

/* A column's counts: tables of (groups + 1) by (levels + 1); the first of both takes what is left
   out or missing, so that nothing needs to be asked on the way. */
typedef struct {
    int64_t levels, cells, turns;
    uint32_t *whole;  /* without weights */
    double *weighted; /* with them */
} counter;

static int counter_init(counter *c, int64_t groups, int64_t levels, int weighted) {
    c->levels = levels;
    c->cells = (groups + 1) * (levels + 1);
    c->turns = c->cells <= SMALL ? TURNS : 1;
    size_t size = (size_t)(c->cells * c->turns);
    if (weighted) c->weighted = calloc(size, sizeof(double));
    else c->whole = calloc(size, sizeof(uint32_t));
    return !c->weighted && !c->whole;
}

/* ---- codes of a stretch of rows */

#define WIDEN(TYPE)                                                                                \
    for (int64_t i = 0; i < n; i++, at += c->step) out[i] = *(const TYPE *)at;                     \
    break

static const int32_t *codes_of(const tally_column *c, int64_t row, int64_t n, int32_t *out) {
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

/* The first row whose code is out of range, or n. */
HOT int64_t tally_first_wrong(const int32_t *code, int64_t n, int32_t levels) {
    int32_t low = 0, high = -1;
    for (int64_t i = 0; i < n; i++) low = code[i] < low ? code[i] : low;
    for (int64_t i = 0; i < n; i++) high = code[i] > high ? code[i] : high;
    if (low >= -1 && high < levels) return n;
    int64_t at = 0;
    while (code[at] >= -1 && code[at] < levels) at++;
    return at;
}

/* How many edges are at or below each number; -1 for a missing one. All rows take one step of the
   search before any takes the next, so that none waits for the last. */
HOT void tally_bin(const char *x, ptrdiff_t step, int64_t n, const double *edges, int64_t count, int32_t *out) {
    double v[STRETCH];
    for (int64_t i = 0; i < n; i++, x += step) v[i] = *(const double *)x;
    memset(out, 0, (size_t)n * sizeof(int32_t));
    int32_t left = (int32_t)count;
    for (; left > 1; left -= left / 2) {
        int32_t half = left / 2;
        for (int64_t i = 0; i < n; i++) out[i] += edges[out[i] + half - 1] <= v[i] ? half : 0;
    }
    if (left == 1)
        for (int64_t i = 0; i < n; i++) out[i] += edges[out[i]] <= v[i];
    for (int64_t i = 0; i < n; i++) out[i] = v[i] == v[i] ? out[i] : -1;
}

/* ---- into the tables */

static inline ALWAYS void count_rows(const int32_t *code, const int32_t *group, int64_t n, const counter *c, int64_t turns) {
    int64_t wide = c->levels + 1;
    for (int64_t i = 0; i < n; i++)
        c->whole[(i % turns) * c->cells + (group[i] + 1) * wide + code[i] + 1]++;
}

static inline ALWAYS void weigh_rows(const int32_t *code, const int32_t *group, const double *weight,
                                     int64_t n, const counter *c, int64_t turns) {
    int64_t wide = c->levels + 1;
    for (int64_t i = 0; i < n; i++)
        c->weighted[(i % turns) * c->cells + (group[i] + 1) * wide + code[i] + 1] += weight[i];
}

static void add(const int32_t *code, const int32_t *group, const double *weight, int64_t n, const counter *c) {
    if (weight && c->turns == TURNS) weigh_rows(code, group, weight, n, c, TURNS);
    else if (weight) weigh_rows(code, group, weight, n, c, 1);
    else if (c->turns == TURNS) count_rows(code, group, n, c, TURNS);
    else count_rows(code, group, n, c, 1);
}

static void counter_finish(const counter *c, int64_t groups, double *out) {
    for (int64_t g = 0; g < groups; g++)
        for (int64_t v = 0; v < c->levels; v++) {
            int64_t at = (g + 1) * (c->levels + 1) + v + 1;
            double sum = 0;
            for (int64_t t = 0; t < c->turns; t++, at += c->cells)
                sum += c->whole ? (double)c->whole[at] : c->weighted[at];
            out[g * c->levels + v] = sum;
        }
}

static int64_t add_all(const tally_batch *b, const double *const *edges, const tally_rows *rows, counter *counters) {
    int32_t room[STRETCH];
    for (int64_t i = 0; i < b->n; i += STRETCH) {
        int64_t n = b->n - i < STRETCH ? b->n - i : STRETCH;
        for (int64_t j = 0; j < b->width; j++) {
            const tally_column *c = b->columns + j;
            const int32_t *code = room;
            if (edges)
                tally_bin(c->at + (b->start + i) * c->step, c->step, n, edges[j], counters[j].levels - 1, room);
            else {
                code = codes_of(c, b->start + i, n, room);
                int64_t wrong = tally_first_wrong(code, n, (int32_t)counters[j].levels);
                if (wrong < n) return b->start + i + wrong;
            }
            add(code, rows->group + i, rows->weight ? rows->weight + i : NULL, n, counters + j);
        }
    }
    return TALLY_OK;
}

static int64_t count_all(const tally_batch *b, const int64_t *levels, const double *const *edges,
                         const int64_t *edge_counts, double *total, double *const *out) {
    tally_rows rows = {0};
    counter *counters = calloc((size_t)b->width + 1, sizeof(counter));
    int64_t status = counters ? TALLY_OK : TALLY_NO_MEMORY;
    for (int64_t j = 0; j < b->width && status == TALLY_OK; j++)
        if (counter_init(counters + j, b->group_count, edges ? edge_counts[j] + 1 : levels[j], b->weights != NULL))
            status = TALLY_NO_MEMORY;
    if (status == TALLY_OK) status = tally_rows_of(b, total, &rows);
    if (status == TALLY_OK) status = add_all(b, edges, &rows, counters);
    for (int64_t j = 0; j < b->width && counters; j++) {
        if (status == TALLY_OK) counter_finish(counters + j, b->group_count, out[j]);
        free(counters[j].whole);
        free(counters[j].weighted);
    }
    free(counters);
    tally_rows_free(&rows);
    return status;
}

int64_t tally_counts(const tally_batch *b, const int64_t *levels, double *total, double *const *out) {
    return count_all(b, levels, NULL, NULL, total, out);
}

int64_t tally_bins(const tally_batch *b, const double *const *edges, const int64_t *edge_counts,
                   double *total, double *const *out) {
    return count_all(b, NULL, edges, edge_counts, total, out);
}
