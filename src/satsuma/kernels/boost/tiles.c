/* What threads do while a tree grows: tiles of rows divided, counted and named, and columns of bins finished. */
#include "grower.h"
#include <string.h>

#define ROOM 65536 /* rows whose sums fit into the halves of a word */
#define AHEAD 24   /* rows that are fetched before they are needed */

ALWAYS uint64_t spread(uint32_t packed) {
    return ((uint64_t)(int64_t)(int16_t)(packed >> 16) << 32) + (packed & 0xFFFF);
}

ALWAYS const uint8_t *record(const boost_task *t, uint32_t row) { return t->records + (int64_t)row * t->columns; }

ALWAYS void fetch(const boost_task *t, uint32_t row) {
    __builtin_prefetch(record(t, row));
    __builtin_prefetch(record(t, row) + t->columns - 1);
}

static void fetch_first(const boost_task *t, const boost_entry *rows, int64_t n) {
    for (int64_t i = 0; i < n && i < AHEAD; i++) fetch(t, rows[i].row);
}

ALWAYS void add_four(uint64_t *restrict sums, uint32_t codes, uint64_t v) {
    sums[codes & 255] += v, sums[256 + (codes >> 8 & 255)] += v;
    sums[512 + (codes >> 16 & 255)] += v, sums[768 + (codes >> 24)] += v;
}

/* Two rows and four columns at a time, which the machine does side by side. */
HOT static void count_all(const boost_task *t, const boost_entry *rows, int64_t n, uint64_t *restrict sums) {
    int32_t columns = t->columns;
    fetch_first(t, rows, n);
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

HOT static void count_some(const boost_task *t, const boost_entry *rows, int64_t n, uint64_t *restrict sums) {
    fetch_first(t, rows, n);
    for (int64_t i = 0; i < n; i++) {
        if (i + AHEAD < n) fetch(t, rows[i + AHEAD].row);
        const uint8_t *r = record(t, rows[i].row);
        uint64_t v = spread(rows[i].slopes);
        for (int32_t k = 0; k < t->used_n; k++) sums[(t->used[k] << 8) + r[t->used[k]]] += v;
    }
}

static void count_weighted(const boost_task *t, const boost_entry *rows, int64_t n, int64_t *restrict wide) {
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

static void widen(const boost_task *t, boost_partial *p) {
    for (int32_t k = 0; k < t->used_n; k++) {
        int32_t j = t->used[k];
        for (int32_t b = 0; b <= t->levels[j]; b++) {
            uint64_t v = p->sums[(j << 8) + b];
            uint64_t low = v & 0xFFFFFFFF;
            p->wide[2 * ((j << 8) + b)] += (int64_t)(v - low) >> 32;
            p->wide[2 * ((j << 8) + b) + 1] += (int64_t)low;
            p->sums[(j << 8) + b] = 0;
        }
    }
    p->rows = 0, p->has_wide = 1;
}

static void count(boost_grower *g, boost_span span, boost_partial *p) {
    const boost_task *t = g->task;
    const boost_entry *rows = g->entries + span.lo;
    if (t->weights) {
        count_weighted(t, rows, span.n, p->wide);
        p->has_wide = 1;
        return;
    }
    if (p->rows + span.n > ROOM) widen(t, p);
    if (t->used_n == t->columns) count_all(t, rows, span.n, p->sums);
    else count_some(t, rows, span.n, p->sums);
    p->rows += span.n;
}

/* Rows with their slopes. */
static void root(boost_grower *g, int64_t tile, boost_partial *p) {
    int64_t lo = tile * g->tile, hi = lo + g->tile < g->n ? lo + g->tile : g->n;
    const uint32_t *slopes = g->task->slopes;
    for (int64_t i = lo; i < hi; i++) g->entries[i] = (boost_entry){g->given[i], slopes[g->given[i]]};
    boost_span span = {(uint32_t)lo, (uint32_t)(hi - lo)};
    g->leaves->spans[tile] = span;
    if (g->counted) count(g, span, p);
}

/* The rows of a leaf in a tile: those that go left to the front, where they are; the others behind them. */
static void divide(boost_grower *g, int64_t tile, boost_partial *p) {
    boost_span *span = g->left->spans + tile;
    boost_entry *rows = g->entries + span->lo, *aside = p->aside;
    const uint8_t *across = g->across, *goes_left = g->goes_left;
    int64_t n = span->n, l = 0;
    for (int64_t i = 0; i < n; i++) {
        boost_entry one = rows[i];
        memcpy(rows + l, &one, sizeof one), memcpy(aside + (i - l), &one, sizeof one);
        l += goes_left[across[one.row]];
    }
    int64_t r = n - l;
    memcpy(rows + l, aside, (size_t)r * sizeof *rows);
    if (g->task->weights)
        for (int64_t i = 0; i < l; i++) p->left_weight += g->task->weights[rows[i].row];
    p->lefts += l;
    span->n = (uint32_t)l;
    g->right->spans[tile] = (boost_span){span->lo + (uint32_t)l, (uint32_t)r};
    if (g->counted) count(g, g->counted->spans[tile], p);
}

/* The bins of a column: those of the small leaf from what the threads have, those of the large one by
   subtraction from their parent, where they stand; then the best division of each. */
static void finish(boost_grower *g, int32_t k) {
    const boost_task *t = g->task;
    int32_t j = t->used[k], size = t->levels[j] + 1;
    int64_t *bins = g->small->bins + 2 * t->offset[j];
    memset(bins, 0, (size_t)size * 16);
    for (int thread = 0; thread <= g->helpers; thread++) {
        boost_partial *p = g->partials + thread;
        uint64_t *sums = p->sums + (j << 8);
        if (p->rows)
            for (int32_t b = 0; b < size; b++) {
                uint64_t low = sums[b] & 0xFFFFFFFF;
                bins[2 * b] += (int64_t)(sums[b] - low) >> 32;
                bins[2 * b + 1] += (int64_t)low;
                sums[b] = 0;
            }
        if (p->has_wide) {
            int64_t *wide = p->wide + 2 * (j << 8);
            for (int32_t b = 0; b < 2 * size; b++) bins[b] += wide[b], wide[b] = 0;
        }
    }
    boost_split *found = g->found + 2 * k;
    found[0].gain = found[1].gain = t->rules.min_gain;
    found[0].column = found[1].column = -1;
    if (g->want_small) boost_best(t, &g->small->sums, g->small->bins, j, found);
    if (!g->large) return;
    int64_t *other = g->large->bins + 2 * t->offset[j];
    for (int32_t b = 0; b < 2 * size; b++) other[b] -= bins[b];
    if (g->want_large) boost_best(t, &g->large->sums, g->large->bins, j, found + 1);
}

static void name(boost_grower *g, int64_t tile) {
    for (int32_t k = 0; k < g->count; k++) {
        boost_span span = g->leaves[k].spans[tile];
        const boost_entry *rows = g->entries + span.lo;
        for (uint32_t i = 0; i < span.n; i++) g->leaf[rows[i].row] = (uint16_t)g->leaves[k].node;
    }
}

void boost_work(boost_grower *g, int64_t at, int thread) {
    boost_partial *p = g->partials + thread;
    if (g->job == BOOST_FINISH) {
        finish(g, (int32_t)at);
        return;
    }
    int64_t last = (at + 1) * g->step < g->tiles ? (at + 1) * g->step : g->tiles;
    for (int64_t tile = at * g->step; tile < last; tile++) {
        if (g->job == BOOST_ROOT) root(g, tile, p);
        else if (g->job == BOOST_DIVIDE) divide(g, tile, p);
        else if (g->job == BOOST_COUNT_ROWS) count(g, g->counted->spans[tile], p);
        else name(g, tile);
    }
}
