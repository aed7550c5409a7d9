/* Rows sent down a tree. */
#include "walk.h"
#include <math.h>
#include <string.h>

#define LANES 16
#define TILE 256

/* Whether one of some numbers is infinite. */
static HOT int infinite_in_run(const double *x, int64_t n) {
    int found = 0;
    for (int64_t i = 0; i < n; i++) found |= fabs(x[i]) > 1.7976931348623157e308;
    return found;
}

static int infinite_in_column(const tree_column *c, int64_t start, int64_t n) {
    int found = 0;
    for (int64_t i = 0; i < n; i++) found |= fabs(number(c, start + i)) > 1.7976931348623157e308;
    return found;
}

/* Whether columns lie as in an array, row by row. */
static int is_block(const tree_column *columns, int64_t width) {
    for (int64_t j = 0; j < width; j++)
        if (columns[j].kind != 'd' || columns[j].step != width * 8 || columns[j].at != columns[0].at + j * 8) return 0;
    return width > 0;
}

static int infinite(const tree_column *columns, int64_t width, int block, int64_t start, int64_t n) {
    if (block) return infinite_in_run((const double *)columns[0].at + start * width, n * width);
    int found = 0;
    for (int64_t j = 0; j < width; j++)
        if (columns[j].kind == 'd') found |= infinite_in_column(columns + j, start, n);
    return found;
}

ALWAYS int32_t walk_one(const tree_flat *t, const tree_column *columns, int64_t row) {
    int32_t node = 0;
    while (t->column[node] >= 0) {
        int32_t to = step(t, columns, row, node);
        if (to == -1) return -1 - node;
        if (to < 0) break;
        node = to;
    }
    return node;
}

void tree_steps(tree_flat *t) {
    int32_t *deep = (int32_t *)(t->steps + t->nodes);
    t->depth = 0;
    memset(deep, 0, (size_t)t->nodes * sizeof(int32_t));
    for (int32_t k = 0; k < t->nodes; k++) { /* a node comes before its branches */
        tree_step *s = t->steps + k;
        *s = (tree_step){INFINITY, 0, {k, k}};
        if (t->column[k] < 0) continue;
        const int32_t *led = t->branches + t->first[k];
        *s = (tree_step){t->threshold[k], t->column[k], {led[0], led[1]}};
        for (int side = 0; side < 2; side++) deep[led[side]] = deep[k] + 1;
        t->depth = deep[k] + 1 > t->depth ? deep[k] + 1 : t->depth;
    }
}

/* Several rows step down together, so that none waits for the memory of another, and without a
   branch: leaves lead to themselves, and rows stay where what is asked for is missing. */
ALWAYS void walk_lanes(const tree_flat *t, const tree_column *columns, int64_t width, int block, int64_t start, int64_t n, int32_t *out) {
    for (int64_t lo = 0; lo < n; lo += LANES) {
        int32_t at[LANES] = {0};
        int64_t lanes = n - lo < LANES ? n - lo : LANES;
        const double *x = (const double *)columns[0].at + (start + lo) * width;
        for (int64_t d = 0; d < t->depth; d++) {
            int32_t moved = 0;
            for (int64_t i = 0; i < lanes; i++) {
                const tree_step *s = t->steps + at[i];
                double v = block ? x[i * width + s->column] : number(columns + s->column, start + lo + i);
                int32_t to = v == v ? s->led[v > s->threshold] : at[i];
                moved |= to ^ at[i];
                at[i] = to;
            }
            if (!moved) break;
        }
        for (int64_t i = 0; i < lanes; i++) out[lo + i] = t->column[at[i]] < 0 ? at[i] : -1 - at[i];
    }
}

int tree_walk(const tree_flat *t, const tree_column *columns, int64_t width, int64_t start, int64_t n, int32_t *node) {
    int found = 0, block = is_block(columns, width);
    for (int64_t lo = 0; lo < n; lo += TILE) { /* what is looked through is still near when it is asked */
        int64_t m = n - lo < TILE ? n - lo : TILE;
        found |= infinite(columns, width, block, start + lo, m);
        if (!t->steps || !width)
            for (int64_t i = 0; i < m; i++) node[lo + i] = walk_one(t, columns, start + lo + i);
        else if (block) walk_lanes(t, columns, width, 1, start + lo, m, node + lo);
        else walk_lanes(t, columns, width, 0, start + lo, m, node + lo);
    }
    return found;
}

/* As flaw in the twin, which says why not. */
int tree_sound(const tree_flat *t, const tree_column *columns, int64_t width, int64_t led, int32_t *above) {
    if (t->nodes < 1 || t->first[0] != 0 || t->first[t->nodes] != led) return 0;
    memset(above, 0xff, (size_t)t->nodes * sizeof(int32_t));
    for (int64_t k = 0; k < t->nodes; k++) {
        int64_t from = t->first[k], to = t->first[k + 1];
        int32_t asks = t->column[k];
        if (from < 0 || to < from || to > led || asks < -1 || asks >= width) return 0;
        int threshold = asks >= 0 && columns[asks].kind == 'd';
        if ((asks < 0 && to != from) || (threshold && to - from != 2)) return 0;
        int32_t last = (int32_t)k;
        for (int64_t i = from; i < to; i++) {
            int32_t child = t->branches[i];
            if (child == -1 && !threshold) continue;
            if (child <= k || child >= t->nodes) return 0;
            if (above[child] == k && !threshold) continue; /* several values lead to it */
            if (above[child] != -1 || child <= last) return 0;
            above[child] = (int32_t)k;
            last = child;
        }
        if (asks >= 0 && last == k) return 0;
    }
    return 1;
}
