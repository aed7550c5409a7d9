/* A tree grown from sums of slopes, the leaf that gains most first; threads share the rows and the columns. */
#include "boost.h"
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define TILE 16384    /* rows of a task */
#define ROOM 65536    /* rows whose sums fit into the halves of a word */
#define ALONE 200000 /* cells that one thread is done with before another has heard of them */
#define AHEAD 24      /* rows that are fetched before they are needed */

enum { PAIR, COUNT, FINISH, PART, MOVE, NAME };

/* A row and its slope and curvature, which go together to where the row goes. */
typedef struct {
    uint32_t row, slopes;
} entry;

/* What a thread adds up by itself: packed sums, and wide ones once these are full. */
typedef struct {
    uint64_t *sums;
    int64_t *wide;
    int64_t rows;
    int has_wide;
} heap;

typedef struct {
    int64_t lo, n;
    boost_sums sums;
    int32_t node, depth;
    int64_t *bins;
    boost_split split;
} leaf_of;

struct boost_crew {
    const boost_task *task;
    int helpers;
    /* tasks of a job: its number (16 bits), how many (24), the next (24) */
    _Atomic uint64_t deal;
    _Atomic int64_t pending;
    _Atomic int over, threads;
    /* the job */
    int job;
    const uint32_t *given;
    entry *entries, *rows; /* of all, and those of the job */
    int64_t n;
    entry *to, *spare;
    leaf_of *small, *large;
    int want_small, want_large;
    const uint8_t *across;
    uint8_t left[256];
    int64_t *lefts, *moved, *weigh;
    const leaf_of *leaves;
    uint16_t *leaf;
    boost_split *found; /* by column: of the small one, and of the large one */
    heap *heaps;
    leaf_of *tips;
    int64_t *pool; /* the bins of each leaf */
};

ALWAYS uint64_t spread(uint32_t packed) {
    return ((uint64_t)(int64_t)(int16_t)(packed >> 16) << 32) + (packed & 0xFFFF);
}

ALWAYS const uint8_t *record(const boost_task *t, uint32_t row) { return t->records + (int64_t)row * t->columns; }

ALWAYS void fetch(const boost_task *t, uint32_t row) {
    __builtin_prefetch(record(t, row));
    __builtin_prefetch(record(t, row) + t->columns - 1);
}

ALWAYS void add_four(uint64_t *restrict sums, uint32_t codes, uint64_t v) {
    sums[codes & 255] += v, sums[256 + (codes >> 8 & 255)] += v;
    sums[512 + (codes >> 16 & 255)] += v, sums[768 + (codes >> 24)] += v;
}

/* Two rows and four columns at a time, which the machine does side by side. */
HOT static void count_all(const boost_task *t, const entry *rows, int64_t n, uint64_t *restrict sums) {
    int32_t columns = t->columns;
    for (int64_t i = 0; i < n; i += 2) {
        int64_t k = i + 1 < n ? i + 1 : i;
        if (i + AHEAD + 1 < n) fetch(t, rows[i + AHEAD].row), fetch(t, rows[i + AHEAD + 1].row);
        const uint8_t *r = record(t, rows[i].row), *q = record(t, rows[k].row);
        uint64_t v = spread(rows[i].slopes), u = k > i ? spread(rows[k].slopes) : 0, *s = sums;
        int32_t j = 0;
        for (; j + 4 <= columns; j += 4, s += 1024) {
            uint32_t one, two;
            memcpy(&one, r + j, 4), memcpy(&two, q + j, 4);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
            one = __builtin_bswap32(one), two = __builtin_bswap32(two);
#endif
            add_four(s, one, v), add_four(s, two, u);
        }
        for (; j < columns; j++, s += 256) s[r[j]] += v, s[q[j]] += u;
    }
}

HOT static void count_some(const boost_task *t, const entry *rows, int64_t n, uint64_t *restrict sums) {
    for (int64_t i = 0; i < n; i++) {
        if (i + AHEAD < n) fetch(t, rows[i + AHEAD].row);
        const uint8_t *r = record(t, rows[i].row);
        uint64_t v = spread(rows[i].slopes);
        for (int32_t k = 0; k < t->used_n; k++) sums[(t->used[k] << 8) + r[t->used[k]]] += v;
    }
}

static void count_weighted(const boost_task *t, const entry *rows, int64_t n, int64_t *restrict wide) {
    for (int64_t i = 0; i < n; i++) {
        const uint8_t *r = record(t, rows[i].row);
        uint32_t s = rows[i].slopes;
        int64_t w = t->weights[rows[i].row], g = (int16_t)(s >> 16) * w, h = (int64_t)(s & 0xFFFF) * w;
        for (int32_t k = 0; k < t->used_n; k++) {
            int64_t *at = wide + 2 * ((t->used[k] << 8) + r[t->used[k]]);
            at[0] += g, at[1] += h;
        }
    }
}

static void widen(const boost_task *t, heap *h) {
    for (int32_t k = 0; k < t->used_n; k++) {
        int32_t j = t->used[k];
        for (int32_t b = 0; b <= t->levels[j]; b++) {
            uint64_t v = h->sums[(j << 8) + b];
            uint64_t low = v & 0xFFFFFFFF;
            h->wide[2 * ((j << 8) + b)] += (int64_t)(v - low) >> 32;
            h->wide[2 * ((j << 8) + b) + 1] += (int64_t)low;
            h->sums[(j << 8) + b] = 0;
        }
    }
    h->rows = 0, h->has_wide = 1;
}

static void count(boost_crew *c, int64_t lo, int64_t hi, int thread) {
    const boost_task *t = c->task;
    heap *h = c->heaps + thread;
    if (t->weights) {
        count_weighted(t, c->rows + lo, hi - lo, h->wide);
        h->has_wide = 1;
        return;
    }
    if (h->rows + hi - lo > ROOM) widen(t, h);
    if (t->used_n == t->columns) count_all(t, c->rows + lo, hi - lo, h->sums);
    else count_some(t, c->rows + lo, hi - lo, h->sums);
    h->rows += hi - lo;
}

/* The bins of a column: those of the small child from what the threads have, those of the large one by
   subtraction from their parent, where they stand; then the best division of each. */
static void finish(boost_crew *c, int32_t k) {
    const boost_task *t = c->task;
    int32_t j = t->used[k], size = t->levels[j] + 1;
    int64_t *bins = c->small->bins + 2 * t->offset[j];
    memset(bins, 0, (size_t)size * 16);
    for (int thread = 0; thread <= c->helpers; thread++) {
        heap *h = c->heaps + thread;
        uint64_t *sums = h->sums + (j << 8);
        if (h->rows)
            for (int32_t b = 0; b < size; b++) {
                uint64_t low = sums[b] & 0xFFFFFFFF;
                bins[2 * b] += (int64_t)(sums[b] - low) >> 32;
                bins[2 * b + 1] += (int64_t)low;
                sums[b] = 0;
            }
        if (h->has_wide) {
            int64_t *wide = h->wide + 2 * (j << 8);
            for (int32_t b = 0; b < 2 * size; b++) bins[b] += wide[b], wide[b] = 0;
        }
    }
    boost_split *found = c->found + 2 * k;
    found[0].gain = found[1].gain = t->rules.min_gain;
    found[0].column = found[1].column = -1;
    if (c->want_small) boost_best(t, &c->small->sums, c->small->bins, j, found);
    if (!c->large) return;
    int64_t *other = c->large->bins + 2 * t->offset[j];
    for (int32_t b = 0; b < 2 * size; b++) other[b] -= bins[b];
    if (c->want_large) boost_best(t, &c->large->sums, c->large->bins, j, found + 1);
}

static void pair(boost_crew *c, int64_t lo, int64_t hi) {
    for (int64_t i = lo; i < hi; i++) c->entries[i] = (entry){c->given[i], c->task->slopes[c->given[i]]};
}

static void part(boost_crew *c, int64_t tile, int64_t lo, int64_t hi) {
    const entry *rows = c->rows;
    entry *restrict to = c->to + lo, *restrict spare = c->spare + lo;
    const uint8_t *restrict across = c->across, *restrict left = c->left;
    int64_t l = 0, r = 0;
    for (int64_t i = lo; i < hi; i++) {
        entry one = rows[i];
        int go = left[across[one.row]];
        to[l] = one, spare[r] = one;
        l += go, r += !go;
    }
    c->lefts[tile] = l;
    if (c->task->weights) {
        int64_t sum = 0;
        for (int64_t i = 0; i < l; i++) sum += c->task->weights[to[i].row];
        c->weigh[tile] = sum;
    }
}

static void move(boost_crew *c, int64_t tile, int64_t lo, int64_t hi) {
    /* The lefts of all tiles go to the front of the rows, then the rights: each to a place known by now. */
    int64_t l = c->lefts[tile], before = c->moved[tile], all = c->moved[(c->n + TILE - 1) / TILE];
    memcpy(c->rows + before, c->to + lo, (size_t)l * sizeof(entry));
    memcpy(c->rows + all + (lo - before), c->spare + lo, (size_t)(hi - lo - l) * sizeof(entry));
}

static void name(boost_crew *c, const leaf_of *leaf) {
    const entry *rows = c->entries + leaf->lo;
    for (int64_t i = 0; i < leaf->n; i++) c->leaf[rows[i].row] = (uint16_t)leaf->node;
}

static void work(boost_crew *c, int64_t at, int thread) {
    int64_t lo = at * TILE, hi = lo + TILE < c->n ? lo + TILE : c->n;
    if (c->job == COUNT) count(c, lo, hi, thread);
    else if (c->job == FINISH) finish(c, (int32_t)at);
    else if (c->job == PART) part(c, at, lo, hi);
    else if (c->job == MOVE) move(c, at, lo, hi);
    else if (c->job == PAIR) pair(c, lo, hi);
    else name(c, c->leaves + at);
}

/* The next task of the job that is on, or of the last one if none is: -1 if there is none. Whoever has a task keeps
   the job from ending, so that all it reads of it holds. */
static int64_t next_task(boost_crew *c) {
    uint64_t deal = atomic_load_explicit(&c->deal, memory_order_acquire);
    while ((deal & 0xFFFFFF) < (deal >> 24 & 0xFFFFFF))
        if (atomic_compare_exchange_weak_explicit(&c->deal, &deal, deal + 1, memory_order_acq_rel, memory_order_acquire))
            return (int64_t)(deal & 0xFFFFFF);
    return -1;
}

static void run(boost_crew *c, int job, int64_t tasks, int alone) {
    c->job = job;
    if (alone || !c->helpers || tasks < 2) {
        for (int64_t at = 0; at < tasks; at++) work(c, at, 0);
        return;
    }
    uint64_t number = (atomic_load(&c->deal) >> 48) + 1;
    atomic_store(&c->pending, tasks);
    atomic_store_explicit(&c->deal, number << 48 | (uint64_t)tasks << 24, memory_order_release);
    for (int64_t at; (at = next_task(c)) >= 0;) {
        work(c, at, 0);
        atomic_fetch_sub_explicit(&c->pending, 1, memory_order_release);
    }
    for (int turn = 0; atomic_load_explicit(&c->pending, memory_order_acquire) > 0; turn++)
        if (turn > 1000) sched_yield();
}

void boost_help(boost_crew *c) {
    int me = atomic_fetch_add(&c->threads, 1);
    if (me > c->helpers) return;
    for (int turn = 0; !atomic_load_explicit(&c->over, memory_order_acquire); turn++) {
        int64_t at = next_task(c);
        if (at >= 0) {
            work(c, at, me);
            atomic_fetch_sub_explicit(&c->pending, 1, memory_order_release);
            turn = 0;
        } else if (turn > 1000) sched_yield();
    }
}

void boost_crew_begin(boost_crew *c) { atomic_store(&c->over, 0), atomic_store(&c->threads, 1); }
void boost_crew_end(boost_crew *c) { atomic_store(&c->over, 1); }

boost_crew *boost_crew_new(const boost_task *task, int helpers) {
    boost_crew *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->task = task, c->helpers = helpers;
    int64_t tiles = task->rows / TILE + 2, cells = (int64_t)(task->columns + 1) << 8;
    size_t room = (size_t)(task->rows + 1) * sizeof(entry);
    c->entries = malloc(room), c->to = malloc(room), c->spare = malloc(room);
    c->lefts = malloc((size_t)tiles * 8), c->moved = malloc((size_t)tiles * 8), c->weigh = malloc((size_t)tiles * 8);
    c->found = malloc((size_t)(task->columns + 1) * 2 * sizeof *c->found);
    c->heaps = calloc((size_t)helpers + 1, sizeof *c->heaps);
    int64_t most = task->rules.leaves;
    c->tips = malloc((size_t)(most + 1) * sizeof *c->tips);
    c->pool = malloc((size_t)most * (size_t)(task->offset[task->columns] + 1) * 16);
    int whole = c->tips && c->pool && c->entries && c->to && c->spare && c->lefts && c->moved && c->weigh && c->found && c->heaps;
    for (int k = 0; whole && k <= helpers; k++) {
        c->heaps[k].sums = calloc((size_t)cells, 8), c->heaps[k].wide = calloc((size_t)cells, 16);
        whole = c->heaps[k].sums && c->heaps[k].wide;
    }
    if (whole) return c;
    boost_crew_free(c);
    return NULL;
}

void boost_crew_free(boost_crew *c) {
    for (int k = 0; c->heaps && k <= c->helpers; k++) free(c->heaps[k].sums), free(c->heaps[k].wide);
    free(c->entries), free(c->to), free(c->spare), free(c->lefts), free(c->moved), free(c->weigh), free(c->found), free(c->heaps);
    free(c->tips), free(c->pool);
    free(c);
}

/* What all rows come to: the sum of the bins of a column, as the threads have them. */
static void total(const boost_crew *c, boost_sums *sums) {
    int32_t j = c->task->used[0];
    for (int k = 0; k <= c->helpers; k++)
        for (int32_t b = 0; b <= c->task->levels[j]; b++) {
            uint64_t v = c->heaps[k].sums[(j << 8) + b], low = v & 0xFFFFFFFF;
            const int64_t *wide = c->heaps[k].wide + 2 * ((j << 8) + b);
            sums->slope += ((int64_t)(v - low) >> 32) + wide[0];
            sums->curve += (int64_t)low + wide[1];
        }
}

/* Bins and divisions of one leaf counted anew, and of another that is what is left of their parent's. */
static void look(boost_crew *c, leaf_of *small, leaf_of *large, int want_small, int want_large) {
    const boost_task *t = c->task;
    c->rows = c->entries + small->lo, c->n = small->n;
    c->small = small, c->large = large, c->want_small = want_small, c->want_large = want_large;
    int64_t bins = t->offset[t->columns];
    run(c, COUNT, (small->n + TILE - 1) / TILE, small->n * t->used_n < ALONE);
    if (!large) total(c, &small->sums);
    run(c, FINISH, t->used_n, bins < 2000);
    for (int k = 0; k <= c->helpers; k++) c->heaps[k].rows = 0, c->heaps[k].has_wide = 0;
    small->split.gain = t->rules.min_gain, small->split.column = -1;
    if (large) large->split.gain = t->rules.min_gain, large->split.column = -1;
    for (int32_t k = 0; k < t->used_n; k++) {
        if (c->found[2 * k].column >= 0 && c->found[2 * k].gain > small->split.gain) small->split = c->found[2 * k];
        if (large && c->found[2 * k + 1].column >= 0 && c->found[2 * k + 1].gain > large->split.gain)
            large->split = c->found[2 * k + 1];
    }
}

static int may_divide(const boost_task *t, const leaf_of *leaf) {
    double weight = (double)leaf->sums.weight * t->weight_unit;
    return leaf->n > 1 && leaf->depth < t->rules.depth && weight >= 2 * t->rules.min_leaf * (1.0 - 1e-9);
}

static double value_of(const boost_task *t, const boost_sums *sums) {
    double w = -((double)sums->slope * t->slope_unit) / ((double)sums->curve * t->curve_unit + t->rules.l2);
    if (!(w > -INFINITY && w < INFINITY)) w = 0; /* nothing over nothing */
    w = w > sums->low ? w : sums->low;
    return w < sums->high ? w : sums->high;
}

static void plant(const boost_task *t, boost_tree *tree, leaf_of *leaf) {
    int32_t node = tree->nodes++;
    leaf->node = node;
    tree->column[node] = tree->left[node] = -1;
    tree->value[node] = value_of(t, &leaf->sums);
    tree->weight[node] = (double)leaf->sums.weight * t->weight_unit;
    tree->gain[node] = 0;
    memset(tree->sets + 4 * node, 0, 32);
    leaf->split.column = -1, leaf->split.gain = t->rules.min_gain;
}

/* The rows of a leaf in two parts; the left one stays in its place. */
static void divide(boost_crew *c, leaf_of *leaf, leaf_of *other) {
    const boost_task *t = c->task;
    const boost_split *s = &leaf->split;
    for (int b = 0; b < 256; b++) c->left[b] = (uint8_t)(s->set[b >> 6] >> (b & 63) & 1);
    c->across = t->across + (int64_t)s->column * t->rows;
    c->rows = c->entries + leaf->lo, c->n = leaf->n;
    int64_t tiles = (leaf->n + TILE - 1) / TILE, before = 0, weight = 0;
    int alone = leaf->n < ALONE / 8;
    run(c, PART, tiles, alone);
    for (int64_t k = 0; k < tiles; k++) {
        c->moved[k] = before, before += c->lefts[k];
        if (t->weights) weight += c->weigh[k];
    }
    c->moved[tiles] = before;
    run(c, MOVE, tiles, alone);
    *other = *leaf;
    other->lo = leaf->lo + before, other->n = leaf->n - before, leaf->n = before;
    leaf->sums.slope = s->slope, leaf->sums.curve = s->curve;
    other->sums.slope -= s->slope, other->sums.curve -= s->curve;
    leaf->sums.weight = t->weights ? weight : leaf->n;
    other->sums.weight -= leaf->sums.weight;
    leaf->depth++, other->depth++;
    int sign = t->monotone[s->column];
    if (!sign) return;
    double middle = (value_of(t, &leaf->sums) + value_of(t, &other->sums)) / 2;
    if (sign > 0) leaf->sums.high = other->sums.low = middle;
    else leaf->sums.low = other->sums.high = middle;
}

void boost_grow(boost_crew *c, const uint32_t *rows, int64_t n, boost_tree *tree, uint16_t *leaf) {
    const boost_task *t = c->task;
    int64_t bins = t->offset[t->columns];
    int32_t most = t->rules.leaves, count = 1;
    leaf_of *leaves = c->tips;
    int64_t *pool = c->pool;
    leaf_of *root = leaves;
    memset(root, 0, sizeof *root);
    root->n = n, root->bins = pool, root->sums.low = -INFINITY, root->sums.high = INFINITY;
    root->sums.weight = n;
    if (t->weights) {
        root->sums.weight = 0;
        for (int64_t i = 0; i < n; i++) root->sums.weight += t->weights[rows[i]];
    }
    tree->nodes = 0;
    c->given = rows, c->n = n;
    run(c, PAIR, (n + TILE - 1) / TILE, n < ALONE / 8);
    int looked = most > 1 && t->used_n > 0 && may_divide(t, root);
    if (looked) look(c, root, NULL, 1, 0);
    else
        for (int64_t i = 0; i < n; i++) {
            uint32_t s = t->slopes[rows[i]];
            int64_t w = t->weights ? t->weights[rows[i]] : 1;
            root->sums.slope += (int16_t)(s >> 16) * w, root->sums.curve += (int64_t)(s & 0xFFFF) * w;
        }
    boost_split first = root->split;
    plant(t, tree, root);
    if (looked) root->split = first;
    while (count < most) {
        leaf_of *best = leaves;
        for (int32_t k = 1; k < count; k++)
            if (leaves[k].split.gain > best->split.gain ||
                (leaves[k].split.gain == best->split.gain && leaves[k].node < best->node)) best = leaves + k;
        if (best->split.column < 0) break;
        leaf_of *other = leaves + count;
        int32_t node = best->node;
        boost_split split = best->split;
        tree->column[node] = split.column, tree->gain[node] = split.gain, tree->left[node] = tree->nodes;
        memcpy(tree->sets + 4 * node, split.set, 32);
        divide(c, best, other);
        plant(t, tree, best), plant(t, tree, other);
        other->bins = pool + count * 2 * bins;
        count++;
        if (count == most) break;
        leaf_of *small = best->n <= other->n ? best : other, *large = small == best ? other : best;
        int one = may_divide(t, small), two = may_divide(t, large);
        if (!one && !two) continue;
        /* The bins of the parent become those of the large one. */
        int64_t *parent = best->bins, *fresh = other->bins;
        large->bins = parent, small->bins = fresh;
        look(c, small, large, one, two);
    }
    c->leaves = leaves, c->leaf = leaf, c->n = n;
    run(c, NAME, count, n < ALONE / 8);
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
