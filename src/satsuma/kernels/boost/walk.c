/* Rows sent down trees, by their codes. */
#include "boost.h"
#include <stdlib.h>
#include <string.h>

#define ROWS 8     /* rows on their way at a time */
#define BLOCK 2048 /* rows whose codes stay in the cache while all trees pass */
#define FEW 64     /* fewer rows are there before a table is laid out */

/* Of each node, its column, and where each code leads; a leaf leads to itself. */
typedef struct {
    int32_t nodes, depth;
    uint16_t *column, *next;
} table_of;

static void laid_out(const boost_forest *f, int64_t tree, table_of *t) {
    int64_t first = f->first[tree];
    t->nodes = (int32_t)(f->first[tree + 1] - first), t->depth = 0;
    uint16_t *depth = t->column + t->nodes; /* room for it is behind the columns */
    depth[0] = 0;
    for (int32_t k = 0; k < t->nodes; k++) {
        uint16_t *next = t->next + 256 * k;
        int32_t left = f->left[first + k];
        t->column[k] = left < 0 ? 0 : (uint16_t)f->column[first + k];
        if (left < 0) {
            for (int b = 0; b < 256; b++) next[b] = (uint16_t)k;
            continue;
        }
        depth[left] = depth[left + 1] = (uint16_t)(depth[k] + 1);
        if (depth[k] + 1 > t->depth) t->depth = depth[k] + 1;
        const uint64_t *set = f->sets + 4 * (first + k);
        for (int b = 0; b < 256; b++) next[b] = (uint16_t)(left + !(set[b >> 6] >> (b & 63) & 1));
    }
}

ALWAYS void ends(const table_of *t, const uint8_t *records, int64_t columns, int64_t n, uint16_t *restrict at) {
    int64_t i = 0;
    for (; i + ROWS <= n; i += ROWS) {
        uint32_t node[ROWS] = {0};
        const uint8_t *r = records + i * columns;
        for (int32_t d = 0; d < t->depth; d++)
            for (int k = 0; k < ROWS; k++) node[k] = t->next[node[k] << 8 | r[k * columns + t->column[node[k]]]];
        for (int k = 0; k < ROWS; k++) at[i + k] = (uint16_t)node[k];
    }
    for (; i < n; i++) {
        uint32_t node = 0;
        for (int32_t d = 0; d < t->depth; d++) node = t->next[node << 8 | records[i * columns + t->column[node]]];
        at[i] = (uint16_t)node;
    }
}

static int64_t largest(const boost_forest *f, int64_t from, int64_t to) {
    int64_t most = 1;
    for (int64_t k = from; k < to; k++)
        if (f->first[k + 1] - f->first[k] > most) most = f->first[k + 1] - f->first[k];
    return most;
}

static int table_room(table_of *t, int64_t most) {
    t->column = malloc((size_t)most * 4), t->next = malloc((size_t)most * 512);
    return t->column && t->next;
}

/* Few rows, node by node. */
static void walk_few(const boost_forest *f, const uint8_t *records, int64_t columns, int64_t lo, int64_t hi,
                     int64_t from, int64_t to, int64_t scores, double *out) {
    for (int64_t i = lo; i < hi; i++) {
        const uint8_t *r = records + i * columns;
        for (int64_t tree = from; tree < to; tree++) {
            int64_t first = f->first[tree], node = first;
            while (f->left[node] >= 0) {
                uint8_t code = r[f->column[node]];
                node = first + f->left[node] + !(f->sets[4 * node + (code >> 6)] >> (code & 63) & 1);
            }
            out[(i - lo) * scores + tree % scores] += f->value[node];
        }
    }
}

HOT int boost_walk(const boost_forest *f, const uint8_t *records, int64_t columns, int64_t lo, int64_t hi, int64_t from,
                   int64_t to, int64_t scores, double *out) {
    if (hi - lo < FEW) {
        walk_few(f, records, columns, lo, hi, from, to, scores, out);
        return 0;
    }
    table_of t;
    uint16_t at[BLOCK];
    int fine = table_room(&t, largest(f, from, to));
    for (int64_t tree = from; fine && tree < to; tree++) {
        const double *value = f->value + f->first[tree];
        laid_out(f, tree, &t);
        int64_t score = tree % scores;
        for (int64_t b = lo; b < hi; b += BLOCK) {
            int64_t n = hi - b < BLOCK ? hi - b : BLOCK;
            ends(&t, records + b * columns, columns, n, at);
            double *restrict to_add = out + (b - lo) * scores + score;
            for (int64_t i = 0; i < n; i++) to_add[i * scores] += value[at[i]];
        }
    }
    free(t.column), free(t.next);
    return fine ? 0 : -1;
}

HOT int boost_leaves(const boost_forest *f, const uint8_t *records, int64_t columns, int64_t lo, int64_t hi,
                     int64_t tree, uint16_t *out) {
    table_of t;
    int fine = table_room(&t, largest(f, tree, tree + 1));
    if (fine) {
        laid_out(f, tree, &t);
        ends(&t, records + lo * columns, columns, hi - lo, out);
    }
    free(t.column), free(t.next);
    return fine ? 0 : -1;
}
