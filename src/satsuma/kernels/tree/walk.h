/* A step of a row down a tree. */
#ifndef SATSUMA_WALK_H
#define SATSUMA_WALK_H
#include "tree.h"

ALWAYS double number(const tree_column *c, int64_t i) { return *(const double *)(c->at + i * c->step); }
ALWAYS int32_t code(const tree_column *c, int64_t i) { return *(const int32_t *)(c->at + i * c->step); }

/* The node that a row goes on to from one that asks; -1: missing, -2: none is for it. */
ALWAYS int32_t step(const tree_flat *t, const tree_column *columns, int64_t row, int32_t node) {
    const tree_column *c = columns + t->column[node];
    const int32_t *led = t->branches + t->first[node];
    if (c->kind == 'd') {
        double v = number(c, row);
        return v == v ? led[v > t->threshold[node]] : -1;
    }
    int32_t k = code(c, row);
    if (k == -1) return -1;
    if (k < 0 || k >= t->first[node + 1] - t->first[node] || led[k] < 0) return -2;
    return led[k];
}
#endif
