/* The parts of growing that depend on the type of codes (CODE) and of counts (CELL). WHOLE: counts
   are whole rows, so that a child's are its parent's less its sibling's. Included by grow.c. */

ALWAYS const CODE *F(record)(const tree_task *t, uint32_t row) {
    return (const CODE *)t->records + (int64_t)row * t->stride;
}

ALWAYS const CODE *F(across)(const tree_task *t, int32_t column) {
    return (const CODE *)t->across + (int64_t)column * t->rows;
}

ALWAYS double F(xlx)(CELL x) {
#if WHOLE
    return xlx_whole(x);
#else
    return xlx_real(x);
#endif
}

/* ---- counting */

ALWAYS void F(count_by)(const grower *g, const tree_bud *b, CELL *restrict cells, int64_t K) {
    const tree_task *t = g->t;
    int64_t d = t->columns, column = (int64_t)t->bins * K, n = b->n;
    for (int64_t i = 0; i < n; i++) {
        if (i + AHEAD < n) __builtin_prefetch(F(record)(t, b->rows[i + AHEAD]));
        uint32_t row = b->rows[i];
        const CODE *r = F(record)(t, row);
#if WHOLE
        CELL *to = cells + r[d];
        if (g->chosen_n == d)
            for (int64_t j = 0; j < d; j++, to += column) to[r[j] * K]++;
        else
            for (int64_t j = 0; j < g->chosen_n; j++, to += column) to[r[g->chosen[j]] * K]++;
#else
        double w = (t->weights ? t->weights[row] : 1) * (b->share ? b->share[i] : 1);
        double s = t->classes ? 0 : w * t->target[row];
        CELL *to = cells + (t->classes ? r[d] : 0);
        for (int64_t j = 0; j < g->chosen_n; j++, to += column) {
            int64_t at = r[g->chosen[j]] * K;
            to[at] += w;
            if (!t->classes) to[at + 1] += s;
        }
#endif
    }
}

static HOT void F(count)(const grower *g, const tree_bud *b, CELL *cells) {
    if (g->channels == 2) F(count_by)(g, b, cells, 2);
    else if (g->channels == 4) F(count_by)(g, b, cells, 4);
    else if (g->channels == 8) F(count_by)(g, b, cells, 8);
    else F(count_by)(g, b, cells, g->channels);
}

static CELL *F(counted)(const grower *g, const tree_bud *b) {
    CELL *cells = calloc((size_t)(g->chosen_n * g->t->bins * g->channels), sizeof(CELL));
    if (cells) F(count)(g, b, cells);
    return cells;
}

ALWAYS void F(count_small_by)(const small_tree *s, const small_row *rows, int64_t n, const CODE *codes, CELL *restrict cells, int64_t K) {
    for (int64_t i = 0; i < n; i++) {
        uint32_t code = codes[rows[i].at];
#if WHOLE
        cells[code * K + rows[i].label] += (CELL)rows[i].times;
#else
        cells[code * K] += (double)rows[i].times;
        cells[code * K + 1] += s->sum[rows[i].at];
#endif
        s->seen[code >> 6] |= (uint64_t)1 << (code & 63);
    }
}

/* What the rows at a small node come to by the bins of a column, which are listed; to be cleared. */
static const CELL *F(count_small)(grower *g, const small_bud *b, int32_t column) {
    small_tree *s = &g->small;
    const CODE *codes = (const CODE *)s->codes + column * s->room;
    const small_row *rows = s->rows + b->first;
    CELL *cells = s->cells;
    if (g->channels == 2) F(count_small_by)(s, rows, b->n, codes, cells, 2);
    else if (g->channels == 4) F(count_small_by)(s, rows, b->n, codes, cells, 4);
    else F(count_small_by)(s, rows, b->n, codes, cells, g->channels);
    int64_t n = 0, words = g->t->levels[column] / 64 + 1;
    for (int64_t k = 0; k < words; k++) {
        for (uint64_t left = s->seen[k]; left; left &= left - 1) g->there[n++] = (int32_t)(64 * k + __builtin_ctzll(left));
        s->seen[k] = 0;
    }
    g->there_n = n;
    return cells;
}

ALWAYS void F(clear_by)(CELL *restrict cells, const int32_t *restrict there, int64_t n, int64_t K) {
    for (int64_t k = 0; k < n; k++)
        for (int64_t c = 0; c < K; c++) cells[there[k] * K + c] = 0;
}

static void F(clear_small)(grower *g) {
    if (g->channels == 2) F(clear_by)(g->small.cells, g->there, g->there_n, 2);
    else if (g->channels == 4) F(clear_by)(g->small.cells, g->there, g->there_n, 4);
    else F(clear_by)(g->small.cells, g->there, g->there_n, g->channels);
}

/* What the rows at a node come to. */
static double *F(stats)(const tree_task *t, const tree_bud *b) {
    double *stats = calloc((size_t)stats_width(t), 8);
    if (!stats) return NULL;
    if (!t->classes) stats[3] = INFINITY, stats[4] = -INFINITY;
    for (int64_t i = 0; i < b->n; i++) {
        uint32_t row = b->rows[i];
        double w = (t->weights ? t->weights[row] : 1) * (b->share ? b->share[i] : 1);
        if (t->classes) {
            stats[F(record)(t, row)[t->columns]] += w;
            continue;
        }
        double y = t->target[row];
        stats[0] += w;
        stats[1] += w * y;
        stats[2] += w * y * y;
        stats[3] = y < stats[3] ? y : stats[3];
        stats[4] = y > stats[4] ? y : stats[4];
    }
    return stats;
}

#include "grow_scores.h"

/* ---- dividing */

/* The branch of each bin, and what is known of each branch, for a division that is not refined. */
static void F(settle)(grower *g, const CELL *mine, const double *stats, CELL *scratch, double tie, division *d) {
    const tree_task *t = g->t;
    int64_t C = t->classes ? t->classes : 2, levels = t->levels[d->column], next = 0;
    F(list_bins)(g, mine, levels);
    if (d->form == FORM_SUBSET) {
        F(whole) w = {.cells = scratch};
        F(sum_up)(g, mine, stats, &w);
        division again;
        F(subset)(g, mine, &w, scratch + C, tie, 0, &again);
    }
    for (int64_t b = 0; b < levels; b++) g->branch[b] = d->form == FORM_THRESHOLD ? b > d->low : -1;
    for (int64_t k = 0; k < g->there_n && d->form != FORM_THRESHOLD; k++) g->branch[g->there[k]] = d->form == FORM_MULTIWAY ? (int32_t)next++ : 1;
    if (d->form == FORM_SUBSET) {
        for (int64_t v = 0; v <= d->low; v++) g->branch[g->order[v].at] = 0;
        if (g->branch[g->there[0]]) /* the first value is always in the first branch */
            for (int64_t b = 0; b < levels; b++) g->branch[b] = g->branch[b] < 0 ? -1 : 1 - g->branch[b];
    }
    for (int64_t k = 0; k < d->count * C; k++) g->sides[k] = 0;
    for (int64_t k = 0; k < g->there_n; k++)
        for (int64_t c = 0; c < C; c++) g->sides[g->branch[g->there[k]] * C + c] += (double)mine[g->there[k] * g->channels + c];
    if (d->form == FORM_THRESHOLD) d->threshold = halfway(t->edges[d->column][d->low], t->edges[d->column][d->high]);
}

#include "grow_random.h"

#if WHOLE
/* Rows to the buds of the branches, in place: those of the first stay, others wait aside. */
static void F(send)(grower *g, const tree_bud *b, const division *d, tree_bud *buds) {
    const CODE *codes = F(across)(g->t, d->column);
    uint32_t *restrict rows = b->rows, *restrict aside = g->aside;
    int64_t nl = 0, nr = 0, C = g->t->classes, count = d->count;
    if (count == 2) {
        for (int64_t i = 0; i < b->n; i++) {
            uint32_t row = rows[i];
            int right = g->branch[codes[row]] != 0;
            rows[nl] = row;
            aside[nr] = row;
            nl += !right;
            nr += right;
        }
        memcpy(rows + nl, aside, (size_t)nr * sizeof(uint32_t));
        buds[0].n = nl;
        buds[1].n = nr;
    } else {
        int64_t *at = (int64_t *)g->order; /* room for as many */
        for (int64_t k = 0, to = 0; k < count; k++) {
            at[k] = to;
            buds[k].n = 0;
            for (int64_t c = 0; c < C; c++) buds[k].n += (int64_t)g->sides[k * C + c];
            to += buds[k].n;
        }
        for (int64_t i = 0; i < b->n; i++) aside[at[g->branch[codes[rows[i]]]]++] = rows[i];
        memcpy(rows, aside, (size_t)b->n * sizeof(uint32_t));
    }
}

/* The same for a threshold that is still to be found, which takes only the rows in two bins. */
static int F(sift)(grower *g, const tree_bud *b, division *d, CELL *scratch, double tie, tree_bud *buds) {
    const CODE *codes = F(across)(g->t, d->column);
    uint32_t *restrict rows = b->rows, *restrict aside = g->aside, *restrict middle = g->aside + g->aside_n;
    int64_t nl = 0, nr = 0, nm = 0;
    const int low = d->low, high = d->high;
    for (int64_t i = 0; i < b->n; i++) {
        uint32_t row = rows[i];
        int code = codes[row];
        rows[nl] = row;
        aside[nr] = row;
        middle[nm] = row;
        nl += code < low;
        nr += code > high;
        nm += (code >= low) & (code <= high);
    }
    if (!F(refine)(g, b, middle, nm, scratch, tie, d)) return 0;
    for (int64_t i = 0; i < nm; i++) {
        if (raw_value(g->t, d->column, middle[i]) <= d->threshold) rows[nl++] = middle[i];
        else aside[nr++] = middle[i];
    }
    memcpy(rows + nl, aside, (size_t)nr * sizeof(uint32_t));
    buds[0].n = nl;
    buds[1].n = nr;
    return 1;
}

static int F(part)(grower *g, const tree_bud *b, division *d, int exactly, CELL *scratch, double tie, tree_bud *buds) {
    if (g->t->random) F(send_drawn)(g, b, d, buds);
    else if (!exactly) F(send)(g, b, d, buds);
    else if (!F(sift)(g, b, d, scratch, tie, buds)) return 0;
    uint32_t *at = b->rows;
    for (int64_t k = 0; k < d->count; at += buds[k++].n) buds[k].rows = at;
    return 1;
}
#else
/* The branch of a row, -1 where what is asked for is missing. */
ALWAYS int64_t F(way)(const grower *g, const CODE *codes, const division *d, int exactly, uint32_t row) {
    int64_t code = codes[row];
    if (g->t->random) return F(way_random)(g, codes, d, row);
    if (code == g->t->levels[d->column]) return -1;
    if (exactly && (code == d->low || code == d->high)) return raw_value(g->t, d->column, row) > d->threshold;
    return g->branch[code];
}

static void F(parts_of)(const grower *g, const division *d, tree_bud *buds) {
    int64_t C = g->t->classes ? g->t->classes : 2;
    double known = 0;
    for (int64_t k = 0; k < d->count; k++) {
        buds[k].part = 0;
        for (int64_t c = 0; c < (g->t->classes ? C : 1); c++) buds[k].part += g->sides[k * C + c];
        known += buds[k].part;
    }
    for (int64_t k = 0; k < d->count; k++) buds[k].part /= known;
}

/* Rows to the buds of the branches. Where the column is missing, parts of a row go to each. */
static int F(part)(grower *g, const tree_bud *b, division *d, int exactly, CELL *scratch, double tie, tree_bud *buds) {
    const CODE *codes = F(across)(g->t, d->column);
    int64_t n = b->n, lost = 0, count = d->count;
    if (exactly && !F(refine)(g, b, b->rows, n, scratch, tie, d)) return 0;
    F(parts_of)(g, d, buds);
    for (int64_t i = 0; i < n; i++) {
        int64_t way = F(way)(g, codes, d, exactly, b->rows[i]);
        if (way < 0) lost++;
        else buds[way].n++;
    }
    for (int64_t k = 0; k < count; k++) {
        buds[k].rows = malloc((size_t)(buds[k].n + lost + 1) * sizeof(uint32_t));
        buds[k].share = malloc((size_t)(buds[k].n + lost + 1) * 8);
        buds[k].n = 0;
        if (!buds[k].share) free(buds[k].rows);
        if (!buds[k].rows || !buds[k].share) return 0;
    }
    for (int64_t i = 0; i < n; i++) {
        uint32_t row = b->rows[i];
        int64_t way = F(way)(g, codes, d, exactly, row);
        double share = b->share ? b->share[i] : 1;
        for (int64_t k = way < 0 ? 0 : way; k < (way < 0 ? count : way + 1); k++) {
            double part = way < 0 ? nearbyint(share * buds[k].part * TREE_QUANTUM) / TREE_QUANTUM : share;
            if (!(part > 0)) continue;
            buds[k].rows[buds[k].n] = row;
            buds[k].share[buds[k].n++] = part;
        }
    }
    return 1;
}
#endif

/* Counts for the branches where they come cheaper now: of two, the smaller one is counted. */
static int F(hand_down)(grower *g, tree_bud *b, tree_bud *buds) {
    if (!WHOLE || g->t->random || g->chosen_n < g->t->columns) return 1;
    int small = buds[0].n > buds[1].n, need[2];
    for (int k = 0; k < 2; k++) need[k] = !is_leaf(g->t, buds[k].stats, buds[k].depth);
    if (!need[0] && !need[1]) return 1;
    CELL *cells = F(counted)(g, buds + small);
    if (!cells) return 0;
    if (need[1 - small]) {
        CELL *rest = b->cells;
        int64_t size = g->chosen_n * g->t->bins * g->channels;
        for (int64_t k = 0; k < size; k++) rest[k] -= cells[k];
        buds[1 - small].cells = rest;
        b->cells = NULL;
    }
    if (need[small]) buds[small].cells = cells;
    else free(cells);
    return 1;
}

/* Give a node its branches, and put their buds on the stack. */
static int F(branch_off)(grower *g, tree_bud *b, int64_t me, const division *d, tree_bud *buds) {
    const tree_task *t = g->t;
    int64_t C = stats_width(t);
    double known = 0;
    int32_t sides[2] = {0, 1};
    g->out->column[me] = d->column;
    if (d->form == FORM_THRESHOLD) g->out->threshold[me] = d->threshold;
    int ok = d->form == FORM_THRESHOLD ? add_branches(g->out, me, sides, 2)
                                       : add_branches(g->out, me, g->branch, t->levels[d->column]);
    for (int64_t k = 0; ok && k < d->count; k++) {
        buds[k].depth = b->depth + 1;
        buds[k].path = mixed_up(b->path ^ (uint64_t)(k + 1));
        buds[k].up = me;
        buds[k].branch = (int32_t)k;
        if (WHOLE) { /* nothing is missing: what is known is all */
            buds[k].stats = malloc((size_t)C * 8);
            if (buds[k].stats) memcpy(buds[k].stats, g->sides + k * C, (size_t)C * 8);
            buds[k].part = (double)buds[k].n;
        } else buds[k].stats = F(stats)(t, buds + k);
        known += (double)buds[k].n;
        ok = buds[k].stats != NULL;
    }
    for (int64_t k = 0; WHOLE && k < d->count; k++) buds[k].part /= known;
    if (ok && d->count == 2) ok = F(hand_down)(g, b, buds);
    for (int64_t k = d->count - 1; k >= 0; k--) {
        if (ok && push(g, buds + k)) memset(buds + k, 0, sizeof(tree_bud));
        else ok = 0;
    }
    return ok;
}

#include "grow_small.h"

/* The best division of a bud by the columns that are chosen, its branches settled. -1 if there is no memory, 0 if
   there is none. */
static int F(found)(grower *g, tree_bud *b, CELL *scratch, division *d) {
    const tree_task *t = g->t;
    if (t->random) return F(best_drawn)(g, b, scratch, d);
    if (!b->cells && !(b->cells = F(counted)(g, b))) return -1;
    if (!F(best)(g, b, NULL, scratch, d)) {
        free(b->cells);
        b->cells = NULL;
        return 0;
    }
    F(settle)(g, (const CELL *)b->cells + d->at * t->bins * g->channels, b->stats, scratch, scale_of(t, b->stats), d);
    return 1;
}

/* Divide a bud, whose node is `me`, if that can be done. 0 if there is no memory. */
static int F(divide)(grower *g, tree_bud *b, int64_t me, CELL *scratch) {
    const tree_task *t = g->t;
    division d;
    int found = 0, exactly = 0;
    for (int64_t before = 0; !found && before < t->columns; before += t->tried) {
        choose(g, b->path, before);
        found = F(found)(g, b, scratch, &d);
    }
    if (found < 1) return found == 0;
    if (!t->random && d.form == FORM_THRESHOLD) {
        const uint8_t *mixed = t->mixed + (int64_t)d.column * t->bins;
        exactly = mixed[d.low] || mixed[d.high];
    }
    if (!exactly && !significant(g, d.count)) return 1;
    tree_bud *buds = calloc((size_t)d.count, sizeof(tree_bud));
    if (!buds) return 0;
    int ok = F(part)(g, b, &d, exactly, scratch, scale_of(t, b->stats), buds);
    if (ok && significant(g, d.count)) ok = F(branch_off)(g, b, me, &d, buds);
    for (int64_t k = 0; k < d.count; k++) tree_bud_free(buds + k);
    free(buds);
    return ok;
}

/* A row that is there several times, one after the other, becomes one that counts so often. */
static void F(gather_copies)(tree_bud *b) {
    int64_t n = 0;
    for (int64_t i = 0; i < b->n; i++) {
        if (n && b->rows[n - 1] == b->rows[i]) {
            b->share[n - 1] += 1;
            continue;
        }
        b->rows[n] = b->rows[i];
        b->share[n++] = 1;
    }
    b->n = n;
}

static int F(grow)(grower *g, tree_bud *bud) {
    const tree_task *t = g->t;
    int64_t C = t->classes ? t->classes : 2;
    CELL *scratch = malloc((size_t)(4 * C) * sizeof(CELL));
    if (!WHOLE && !bud->share) { /* from here on, rows are the bud's where it has shares */
        bud->share = malloc((size_t)(bud->n + 1) * 8);
        if (!bud->share) {
            free(scratch);
            return TREE_NO_MEMORY;
        }
        F(gather_copies)(bud);
        g->out->rows = NULL;
    }
    if (!bud->stats) bud->stats = F(stats)(t, bud);
    int ok = scratch && bud->stats && push(g, bud);
    if (ok) memset(bud, 0, sizeof *bud);
    while (ok && g->stack_n) {
        tree_bud b = g->stack[--g->stack_n];
        int64_t me = add_node(g->out, &b);
        ok = me >= 0;
        if (ok && !is_leaf(t, b.stats, b.depth)) {
            if (b.n <= t->open_below) ok = leave_open(g->out, me, &b);
            else if (b.n <= SMALL && !t->random && !g->any_fine && F(is_plain)(t)) ok = F(grow_small)(g, &b, me, scratch);
            else ok = F(divide)(g, &b, me, scratch);
        }
        tree_bud_free(&b);
    }
    free(scratch);
    return ok ? 0 : TREE_NO_MEMORY;
}
