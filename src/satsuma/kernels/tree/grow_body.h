/* The parts of growing that depend on the type of codes (CODE) and of counts (CELL). WHOLE: no row is divided.
   UNITS: counts are whole numbers, of rows or of equal parts of them, so that a child's are its parent's less its
   sibling's. Included by grow.c. */

ALWAYS const CODE *F(record)(const tree_task *t, uint32_t row) {
    return (const CODE *)t->records + (int64_t)row * t->stride;
}

ALWAYS const CODE *F(across)(const tree_task *t, int32_t column) {
    return (const CODE *)t->across + (int64_t)column * t->rows;
}

ALWAYS double F(xlx)(CELL x) {
#if UNITS
    return xlx_whole(x);
#else
    return xlx_real(x);
#endif
}

#include "grow_counts.h"
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

#include "grow_parts.h"

/* Counts for the branches where they come cheaper now: of two, the smaller one is counted. */
static int F(hand_down)(grower *g, tree_bud *b, tree_bud *buds) {
    if (!UNITS || g->t->random || g->chosen_n < g->t->columns) return 1;
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
        } else buds[k].stats = F(stats)(g, buds + k);
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

/* A row that is there several times, one after the other, becomes one that weighs as much. 0 if there is no memory. */
static int F(gather_copies)(grower *g, tree_bud *b) {
    const tree_task *t = g->t;
    int64_t n = 0;
    for (int64_t i = 0; i < b->n; i++) {
        if (n && b->rows[n - 1] == b->rows[i]) {
            b->share[n - 1] += 1;
            continue;
        }
        b->rows[n] = b->rows[i];
        b->share[n++] = 1;
    }
    int copies = n < b->n;
    b->n = n;
    if (!copies) return 1;
    double *weights = g->out->weights = malloc((size_t)(t->rows + 1) * 8);
    if (!weights) return 0;
    for (int64_t i = 0; i < n; i++) {
        weights[b->rows[i]] = (t->weights ? t->weights[b->rows[i]] : 1) * b->share[i];
        b->share[i] = 1;
    }
    g->weights = weights;
    return 1;
}

static int F(grow)(grower *g, tree_bud *bud) {
    const tree_task *t = g->t;
    int64_t C = t->classes ? t->classes : 2;
    CELL *scratch = malloc((size_t)(4 * C) * sizeof(CELL));
    if (!WHOLE && !bud->share) { /* from here on, rows are the bud's where it has shares */
        bud->share = malloc((size_t)(bud->n + 1) * 8);
        if (bud->share) g->out->rows = NULL;
        if (!bud->share || !F(gather_copies)(g, bud)) {
            free(scratch);
            return TREE_NO_MEMORY;
        }
    }
    if (!bud->stats) bud->stats = F(stats)(g, bud);
    int ok = scratch && bud->stats && push(g, bud);
    if (ok) memset(bud, 0, sizeof *bud);
    while (ok && g->stack_n) {
        tree_bud b = g->stack[--g->stack_n];
        int64_t me = add_node(g->out, &b);
        ok = me >= 0;
        if (ok && !is_leaf(t, b.stats, b.depth)) {
            if (b.n <= t->open_below) ok = leave_open(g->out, me, &b, g->weights);
            else if (b.n <= SMALL && !t->random) ok = F(grow_small)(g, &b, me, scratch);
            else ok = F(divide)(g, &b, me, scratch);
        }
        tree_bud_free(&b);
    }
    free(scratch);
    return ok ? 0 : TREE_NO_MEMORY;
}
