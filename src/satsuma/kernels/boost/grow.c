/* A tree grown from sums of slopes, the leaf that gains most first; threads share the rows and the columns. */
#include "grower.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALONE 50000       /* cells that one thread is done with before another has heard of them */
#define FEW_BINS 1000     /* bins likewise */
#define MANY_TILES 16     /* tiles that threads can share evenly */
#define TASK_CELLS 100000 /* cells of a task */

boost_grower *boost_grower_new(const boost_task *task, int helpers) {
    boost_grower *g = calloc(1, sizeof *g);
    if (!g) return NULL;
    g->task = task, g->helpers = helpers;
    size_t tiles = (size_t)(task->rows / BOOST_TILE + MANY_TILES + 1), cells = (size_t)(task->columns + 1) << 8;
    size_t most = (size_t)task->rules.leaves;
    g->entries = malloc((size_t)(task->rows + 1) * sizeof *g->entries);
    g->found = malloc((size_t)(task->columns + 1) * 2 * sizeof *g->found);
    g->partials = calloc((size_t)helpers + 1, sizeof *g->partials);
    g->leaves = malloc((most + 1) * sizeof *g->leaves);
    g->bins = malloc(most * (size_t)(task->offset[task->columns] + 1) * 16);
    g->spans = malloc(most * tiles * sizeof *g->spans);
    int whole = g->entries && g->found && g->partials && g->leaves && g->bins && g->spans;
    for (int k = 0; whole && k <= helpers; k++) {
        boost_partial *p = g->partials + k;
        p->sums = calloc(cells, 8), p->wide = calloc(cells, 16), p->aside = malloc(BOOST_TILE * sizeof *p->aside);
        whole = p->sums && p->wide && p->aside;
    }
    if (whole) return g;
    boost_grower_free(g);
    return NULL;
}

void boost_grower_free(boost_grower *g) {
    for (int k = 0; g->partials && k <= g->helpers; k++)
        free(g->partials[k].sums), free(g->partials[k].wide), free(g->partials[k].aside);
    free(g->entries), free(g->found), free(g->partials), free(g->leaves), free(g->bins), free(g->spans);
    free(g);
}

/* Few rows in smaller tiles. */
static void lay_tiles(boost_grower *g, const uint32_t *rows, int64_t n) {
    g->given = rows, g->n = n, g->tile = BOOST_TILE;
    while (g->tile > BOOST_LEAST_TILE && n / g->tile < MANY_TILES / 2) g->tile /= 2;
    g->tiles = (n + g->tile - 1) / g->tile;
}

/* Tiles in tasks, where a leaf has so many rows: neither many small tasks nor a few large ones. */
static void run_tiles(boost_grower *g, int job, int64_t rows, int64_t width) {
    int64_t each = rows * width / g->tiles + 1;
    g->step = TASK_CELLS / each + 1;
    boost_run(g, job, (g->tiles + g->step - 1) / g->step, rows * width < ALONE);
}

/* What all rows come to: the sum of the bins of a column, as the threads have them. */
static void total(const boost_grower *g, boost_sums *sums) {
    int32_t j = g->task->used[0];
    for (int k = 0; k <= g->helpers; k++)
        for (int32_t b = 0; b <= g->task->levels[j]; b++) {
            uint64_t v = g->partials[k].sums[(j << 8) + b], low = v & 0xFFFFFFFF;
            const int64_t *wide = g->partials[k].wide + 2 * ((j << 8) + b);
            sums->slope += ((int64_t)(v - low) >> 32) + wide[0];
            sums->curve += (int64_t)low + wide[1];
        }
}

/* Bins and divisions of a leaf that was counted, and of another that is what is left of their parent's. */
static void finish(boost_grower *g, boost_leaf *small, boost_leaf *large, int want_small, int want_large) {
    const boost_task *t = g->task;
    g->small = small, g->large = large, g->want_small = want_small, g->want_large = want_large;
    boost_run(g, BOOST_FINISH, t->used_n, t->offset[t->columns] < FEW_BINS);
    for (int k = 0; k <= g->helpers; k++) g->partials[k].rows = 0, g->partials[k].has_wide = 0;
    for (int32_t k = 0; k < t->used_n; k++) {
        const boost_split *found = g->found + 2 * k;
        if (found[0].column >= 0 && found[0].gain > small->split.gain) small->split = found[0];
        if (large && found[1].column >= 0 && found[1].gain > large->split.gain) large->split = found[1];
    }
}

static int may_divide(const boost_task *t, const boost_leaf *leaf) {
    double weight = (double)leaf->sums.weight * t->weight_unit;
    return leaf->n > 1 && leaf->depth < t->rules.depth && weight >= 2 * t->rules.min_leaf * (1.0 - 1e-9);
}

static double value_of(const boost_task *t, const boost_sums *sums) {
    double w = -((double)sums->slope * t->slope_unit) / ((double)sums->curve * t->curve_unit + t->rules.l2);
    if (!(w > -INFINITY && w < INFINITY)) w = 0; /* nothing over nothing */
    w = w > sums->low ? w : sums->low;
    return w < sums->high ? w : sums->high;
}

static void plant(const boost_task *t, boost_tree *tree, boost_leaf *leaf) {
    int32_t node = tree->nodes++;
    leaf->node = node;
    tree->column[node] = tree->left[node] = -1;
    tree->value[node] = value_of(t, &leaf->sums);
    tree->weight[node] = (double)leaf->sums.weight * t->weight_unit;
    tree->gain[node] = 0;
    memset(tree->sets + 4 * node, 0, 32);
    leaf->split.column = -1, leaf->split.gain = t->rules.min_gain;
}

/* What the rows of both parts come to, now that they are apart. */
static void share_sums(const boost_task *t, boost_leaf *left, boost_leaf *right, const boost_split *split) {
    left->sums.slope = split->slope, left->sums.curve = split->curve;
    right->sums.slope -= split->slope, right->sums.curve -= split->curve;
    right->sums.weight -= left->sums.weight;
    int sign = t->monotone[split->column];
    if (!sign) return;
    double middle = (value_of(t, &left->sums) + value_of(t, &right->sums)) / 2;
    if (sign > 0) left->sums.high = right->sums.low = middle;
    else left->sums.low = right->sums.high = middle;
}

/* The rows of a leaf in two parts, the left of which takes its place. Of many rows, those of the part that seems to
   have fewer are counted on the way if asked for: which part that is makes no difference to any sum. */
static void divide(boost_grower *g, boost_leaf *left, boost_leaf *right, boost_split split, int count) {
    const boost_task *t = g->task;
    for (int b = 0; b < 256; b++) g->goes_left[b] = (uint8_t)(split.set[b >> 6] >> (b & 63) & 1);
    g->across = t->across + (int64_t)split.column * t->rows;
    boost_span *spans = right->spans;
    int64_t *bins = right->bins;
    *right = *left;
    right->spans = spans, right->bins = bins;
    g->left = left, g->right = right, g->counted = NULL;
    if (count && left->n * t->used_n >= ALONE) g->counted = 2 * split.curve <= left->sums.curve ? left : right;
    for (int k = 0; k <= g->helpers; k++) g->partials[k].lefts = g->partials[k].left_weight = 0;
    run_tiles(g, BOOST_DIVIDE, left->n, g->counted ? t->used_n / 2 + 1 : 3);
    left->n = left->sums.weight = 0;
    for (int k = 0; k <= g->helpers; k++)
        left->n += g->partials[k].lefts, left->sums.weight += g->partials[k].left_weight;
    right->n -= left->n;
    if (!t->weights) left->sums.weight = left->n;
    left->depth++, right->depth++;
    share_sums(t, left, right, &split);
}

/* The best divisions of two new leaves. The bins of their parent become those of the one that is not counted. */
static void look(boost_grower *g, boost_leaf *left, boost_leaf *right) {
    int one = may_divide(g->task, left), two = may_divide(g->task, right);
    if (!g->counted) {
        if (!one && !two) return;
        g->counted = left->n <= right->n ? left : right;
        run_tiles(g, BOOST_COUNT_ROWS, g->counted->n, g->task->used_n);
    }
    if (g->counted == right) {
        finish(g, right, left, two, one);
        return;
    }
    int64_t *parent = left->bins;
    left->bins = right->bins, right->bins = parent;
    finish(g, left, right, one, two);
}

/* All rows, whose sums are known once they are counted, or added up. */
static void begin(boost_grower *g, const uint32_t *rows, int64_t n, boost_tree *tree) {
    const boost_task *t = g->task;
    boost_leaf *root = g->leaves;
    memset(root, 0, sizeof *root);
    root->n = n, root->bins = g->bins, root->spans = g->spans;
    root->sums.low = -INFINITY, root->sums.high = INFINITY, root->sums.weight = n;
    if (t->weights) {
        root->sums.weight = 0;
        for (int64_t i = 0; i < n; i++) root->sums.weight += t->weights[rows[i]];
    }
    tree->nodes = 0;
    lay_tiles(g, rows, n);
    int looks = t->rules.leaves > 1 && t->used_n > 0 && may_divide(t, root);
    g->counted = looks ? root : NULL;
    run_tiles(g, BOOST_ROOT, n, t->used_n);
    if (looks) total(g, &root->sums);
    else
        for (int64_t i = 0; i < n; i++) {
            uint32_t s = t->slopes[rows[i]];
            int64_t w = t->weights ? t->weights[rows[i]] : 1;
            root->sums.slope += (int16_t)(s >> 16) * w, root->sums.curve += (int64_t)(s & 0xFFFF) * w;
        }
    plant(t, tree, root);
    if (looks) finish(g, root, NULL, 1, 0);
}

void boost_grow(boost_grower *g, const uint32_t *rows, int64_t n, boost_tree *tree, uint16_t *leaf) {
    const boost_task *t = g->task;
    boost_leaf *leaves = g->leaves;
    begin(g, rows, n, tree);
    for (g->count = 1; g->count < t->rules.leaves;) {
        boost_leaf *best = leaves;
        for (int32_t k = 1; k < g->count; k++)
            if (leaves[k].split.gain > best->split.gain ||
                (leaves[k].split.gain == best->split.gain && leaves[k].node < best->node)) best = leaves + k;
        if (best->split.column < 0) break;
        boost_leaf *other = leaves + g->count;
        other->bins = g->bins + g->count * 2 * t->offset[t->columns], other->spans = g->spans + g->count * g->tiles;
        int32_t node = best->node;
        boost_split split = best->split;
        tree->column[node] = split.column, tree->gain[node] = split.gain, tree->left[node] = tree->nodes;
        memcpy(tree->sets + 4 * node, split.set, 32);
        g->count++;
        int more = g->count < t->rules.leaves;
        divide(g, best, other, split, more && best->depth + 1 < t->rules.depth);
        plant(t, tree, best), plant(t, tree, other);
        if (more) look(g, best, other);
    }
    g->leaf = leaf;
    run_tiles(g, BOOST_NAME, n, 4);
}

void boost_count(const boost_task *t, const int32_t *slot, int64_t lo, int64_t hi, int64_t *bins) {
    int64_t size = 2 * t->offset[t->columns];
    for (int64_t i = lo; i < hi; i++) {
        if (slot[i] < 0) continue;
        int64_t *at = bins + slot[i] * size;
        const uint8_t *r = t->records + i * t->columns;
        uint32_t s = t->slopes[i];
        int64_t w = t->weights ? t->weights[i] : 1, g = (int16_t)(s >> 16) * w, h = (int64_t)(s & 0xFFFF) * w;
        for (int32_t k = 0; k < t->used_n; k++) {
            int64_t *cell = at + 2 * (t->offset[t->used[k]] + r[t->used[k]]);
            cell[0] += g, cell[1] += h;
        }
    }
}
