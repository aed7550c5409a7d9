/* Rows sent down a tree. */
#include "trees.h"
#include <math.h>
#include <string.h>

#define LANES 16

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

static int any_infinite(const tree_column *c, int64_t start, int64_t n) {
    int found = 0;
    for (int64_t i = 0; i < n; i++) found |= fabs(number(c, start + i)) > 1.7976931348623157e308;
    return found;
}

/* Numbers that lie as in an array, row by row: looked through as one run. */
static HOT int any_infinite_run(const double *x, int64_t n) {
    int found = 0;
    for (int64_t i = 0; i < n; i++) found |= fabs(x[i]) > 1.7976931348623157e308;
    return found;
}

static int infinite(const tree_column *columns, int64_t width, int64_t start, int64_t n) {
    ptrdiff_t row = (ptrdiff_t)(width * 8);
    int block = width > 0;
    for (int64_t j = 0; j < width && block; j++)
        block = columns[j].kind == 'd' && columns[j].step == row && columns[j].at == columns[0].at + j * 8;
    if (block) return any_infinite_run((const double *)(columns[0].at + start * row), n * width);
    int found = 0;
    for (int64_t j = 0; j < width; j++)
        if (columns[j].kind == 'd') found |= any_infinite(columns + j, start, n);
    return found;
}

ALWAYS int32_t walk_one(const tree_flat *t, const tree_column *columns, int64_t row) {
    int32_t node = 0;
    while (t->column[node] >= 0) {
        int32_t to = step(t, columns, row, node);
        if (to == -1) return -1;
        if (to < 0) break;
        node = to;
    }
    return node;
}

/* Several rows step down together, so that none waits for the memory of another. */
static void walk_numbers(const tree_flat *t, const tree_column *columns, int64_t start, int64_t n, int32_t *out) {
    int64_t lo = 0;
    for (; lo + LANES <= n; lo += LANES) {
        int32_t at[LANES] = {0};
        int going = 1;
        while (going) {
            going = 0;
            for (int i = 0; i < LANES; i++) {
                int32_t node = at[i];
                if (node < 0 || t->column[node] < 0) continue;
                const tree_column *c = columns + t->column[node];
                double v = number(c, start + lo + i);
                int32_t to = t->branches[t->first[node] + (v > t->threshold[node])];
                at[i] = v == v ? to : -1;
                going = 1;
            }
        }
        for (int i = 0; i < LANES; i++) out[lo + i] = at[i];
    }
    for (; lo < n; lo++) out[lo] = walk_one(t, columns, start + lo);
}

int tree_walk(const tree_flat *t, const tree_column *columns, int64_t width, int64_t start, int64_t n, int32_t *node) {
    int found = 0;
    for (int64_t lo = 0; lo < n; lo += 1024) { /* what is looked through is still near when it is asked */
        int64_t m = n - lo < 1024 ? n - lo : 1024;
        found |= infinite(columns, width, start + lo, m);
        if (t->numbers_only) walk_numbers(t, columns, start + lo, m, node + lo);
        else for (int64_t i = 0; i < m; i++) node[lo + i] = walk_one(t, columns, start + lo + i);
    }
    return found;
}

static void add(const double *says, int64_t answers, double share, double *out) {
    for (int64_t k = 0; k < answers; k++) out[k] += share * says[k];
}

static void spread(const tree_flat *t, const tree_column *columns, int64_t row, const double *says,
                   int64_t answers, int32_t node, double share, double *out) {
    while (t->column[node] >= 0) {
        int32_t to = step(t, columns, row, node);
        if (to == -2) break;
        if (to >= 0) {
            node = to;
            continue;
        }
        int64_t last = -1; /* several values may lead to one node, in increasing order where new */
        for (int64_t k = t->first[node]; k < t->first[node + 1]; k++)
            if (t->branches[k] > last) {
                last = t->branches[k];
                spread(t, columns, row, says, answers, t->branches[k], share * t->share[last], out);
            }
        return;
    }
    add(says + node * answers, answers, share, out);
}

int tree_spread(const tree_flat *t, const tree_column *columns, int64_t row, const double *says, int64_t answers, double *out) {
    memset(out, 0, (size_t)answers * 8);
    spread(t, columns, row, says, answers, 0, 1.0, out);
    return 0;
}
