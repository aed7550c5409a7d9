/* Counts by group of codes, and of numbers between edges: each column a stretch of rows at a time. */
#include "tally.h"

#include <stdlib.h>
#include <string.h>

#define STRETCH 4096 /* rows at a time, so that their groups stay near */
#define TURNS 4      /* tables that take turns, so that a row need not wait for the last */
#define SMALL 2048   /* cells of a table up to which it is worth it to have several */

/* The counts of a column, or of two at once: tables of (groups + 1) by (levels + 1) by (levels of the
   second + 1); the first of each takes what is left out or missing, so that nothing needs to be asked
   on the way. */
typedef struct {
    int64_t levels, second; /* second: 0 for no such column */
    int64_t cells, turns;
    uint32_t *whole;  /* without weights */
    double *weighted; /* with them */
} counter;

static int counter_init(counter *c, int64_t groups, int64_t levels, int64_t second, int weighted) {
    /* Weights are added up in the order of the rows; to count two columns at once would change it. */
    int pair = second && !weighted && (groups + 1) * (levels + 1) * (second + 1) <= SMALL;
    c->levels = levels;
    c->second = pair ? second : 0;
    c->cells = (groups + 1) * (levels + 1) * (c->second + 1);
    c->turns = c->cells <= SMALL ? TURNS : 1;
    size_t size = (size_t)(c->cells * c->turns);
    if (weighted) c->weighted = calloc(size, sizeof(double));
    else c->whole = calloc(size, sizeof(uint32_t));
    return !c->weighted && !c->whole;
}

/* ---- codes of a stretch of rows */

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

HOT void tally_places(const int32_t *group, const int32_t *code, const int32_t *other, int64_t n, int32_t levels,
                      int32_t second, int32_t *out) {
    for (int64_t i = 0; i < n; i++) out[i] = (group[i] + 1) * (levels + 1) + code[i] + 1;
    for (int64_t i = 0; second && i < n; i++) out[i] = out[i] * (second + 1) + other[i] + 1;
}

#define ADD(TABLE, TURNS_HERE, WHAT)                                                              \
    for (int64_t i = 0; i < n; i++) (TABLE)[(i % (TURNS_HERE)) * c->cells + place[i]] += (WHAT)

static void add(const int32_t *place, const double *weight, int64_t n, const counter *c) {
    if (weight && c->turns == TURNS) ADD(c->weighted, TURNS, weight[i]);
    else if (weight) ADD(c->weighted, 1, weight[i]);
    else if (c->turns == TURNS) ADD(c->whole, TURNS, 1);
    else ADD(c->whole, 1, 1);
}

/* What is in the tables of all turns, from a cell on: so many, so far apart. */
static double total(const counter *c, int64_t from, int64_t count, int64_t step) {
    double sum = 0;
    for (int64_t t = 0; t < c->turns; t++)
        for (int64_t k = 0; k < count; k++) {
            int64_t at = t * c->cells + from + k * step;
            sum += c->whole ? (double)c->whole[at] : c->weighted[at];
        }
    return sum;
}

static void counter_finish(const counter *c, int64_t groups, double *out, double *other) {
    int64_t wide = c->second + 1, size = (c->levels + 1) * wide;
    for (int64_t g = 0; g < groups; g++) {
        int64_t from = (g + 1) * size;
        for (int64_t v = 0; v < c->levels; v++) out[g * c->levels + v] = total(c, from + (v + 1) * wide, wide, 1);
        for (int64_t v = 0; v < c->second; v++) other[g * c->second + v] = total(c, from + v + 1, c->levels + 1, wide);
    }
}

/* The codes of a stretch of a column, once it is sure that they are in range; how many are before the
   first that is not. */
static int64_t look(const tally_batch *b, int64_t j, int64_t row, int64_t n, const double *const *edges,
                    int64_t levels, int32_t *room, const int32_t **out) {
    const tally_column *c = b->columns + j;
    *out = room;
    if (edges) {
        tally_bin(c->at + row * c->step, c->step, n, edges[j], levels - 1, room);
        return n;
    }
    *out = tally_codes_of(c, row, n, room);
    return tally_first_wrong(*out, n, (int32_t)levels);
}

static int64_t add_all(const tally_batch *b, const double *const *edges, const tally_rows *rows, counter *counters) {
    int32_t room[STRETCH], more[STRETCH], place[STRETCH];
    for (int64_t i = 0; i < b->n; i += STRETCH) {
        int64_t n = b->n - i < STRETCH ? b->n - i : STRETCH, row = b->start + i;
        for (int64_t j = 0; j < b->width; j++) {
            const counter *c = counters + j;
            const int32_t *code, *other = NULL;
            int64_t right = look(b, j, row, n, edges, c->levels, room, &code);
            if (right == n && c->second) right = look(b, ++j, row, n, edges, c->second, more, &other);
            if (right < n) return row + right;
            tally_places(rows->group + i, code, other, n, (int32_t)c->levels, (int32_t)c->second, place);
            add(place, rows->weight ? rows->weight + i : NULL, n, c);
        }
    }
    return TALLY_OK;
}

static int64_t levels_of(int64_t j, const int64_t *levels, const int64_t *edge_counts) {
    return levels ? levels[j] : edge_counts[j] + 1;
}

static int64_t count_all(const tally_batch *b, const int64_t *levels, const double *const *edges,
                         const int64_t *edge_counts, double *total, double *const *out) {
    tally_rows rows = {0};
    counter *counters = calloc((size_t)b->width + 1, sizeof(counter));
    int64_t status = counters ? TALLY_OK : TALLY_NO_MEMORY;
    for (int64_t j = 0; j < b->width && status == TALLY_OK; j++) {
        int64_t second = j + 1 < b->width ? levels_of(j + 1, levels, edge_counts) : 0;
        if (counter_init(counters + j, b->group_count, levels_of(j, levels, edge_counts), second, b->weights != NULL))
            status = TALLY_NO_MEMORY;
        if (counters[j].second) j++;
    }
    if (status == TALLY_OK) status = tally_rows_of(b, total, &rows);
    if (status == TALLY_OK) status = add_all(b, edges, &rows, counters);
    for (int64_t j = 0; j < b->width && counters; j++) {
        const counter *c = counters + j;
        if (c->second) j++;
        if (status == TALLY_OK) counter_finish(c, b->group_count, out[c - counters], out[j]);
        free(c->whole);
        free(c->weighted);
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
