/* Divisions drawn at random: the best of one for each column that is looked at (Geurts, Ernst and Wehenkel 2006).
   Included by grow_body.h, for each type of codes and counts. */

/* What a row adds to cells. */
ALWAYS void F(add_row)(const grower *g, const tree_bud *b, int64_t i, CELL *cells) {
    const tree_task *t = g->t;
    uint32_t row = b->rows[i];
#if WHOLE
    cells[F(record)(t, row)[t->columns]]++;
#else
    double w = part_weight(g, b, i);
    if (t->classes) cells[F(record)(t, row)[t->columns]] += (CELL)w;
    else cells[0] += (CELL)w, cells[1] += (CELL)(w * t->target[row]);
#endif
}

/* Two sets of the values that rows have, in g->branch: the first is always in the first. 0 if there is but one. */
static int F(draw_sets)(grower *g, const tree_bud *b, int32_t column) {
    const CODE *codes = F(across)(g->t, column);
    int64_t levels = g->t->levels[column], first = -1, last = -1, others = 0;
    uint64_t drawn = drawn_for(b->path, column);
    for (int64_t v = 0; v < levels; v++) g->branch[v] = -1;
    for (int64_t i = 0; i < b->n; i++)
        if (codes[b->rows[i]] < levels) g->branch[codes[b->rows[i]]] = 0;
    for (int64_t v = 0; v < levels; v++) {
        if (g->branch[v] < 0) continue;
        if (first < 0) first = v;
        else others += g->branch[v] = (int32_t)(mixed_up(drawn + (uint64_t)v) & 1);
        last = v;
    }
    if (!others && first >= 0) g->branch[last] = 1;
    return first < last;
}

/* A threshold between the least and the greatest number; 0 if these are the same. */
static int F(draw_threshold)(grower *g, const tree_bud *b, int32_t column, division *d) {
    const CODE *codes = F(across)(g->t, column);
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < b->n; i++) {
        if (!WHOLE && codes[b->rows[i]] == g->t->levels[column]) continue;
        double value = raw_value(g->t, column, b->rows[i]);
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    if (!(low < high)) return 0;
    double part = (double)(drawn_for(b->path, column) >> 11) / 9007199254740992.0;
    double cut = low * (1 - part) + high * part;
    d->threshold = low <= cut && cut < high ? cut : low;
    return 1;
}

ALWAYS int64_t F(way_random)(const grower *g, const CODE *codes, const division *d, uint32_t row) {
    if (!WHOLE && codes[row] == g->t->levels[d->column]) return -1;
    if (d->form != FORM_THRESHOLD) return g->branch[codes[row]];
    return raw_value(g->t, d->column, row) > d->threshold;
}

/* The division that is drawn for a column, and what lies on its sides, in g->sides; 0 if there is none. */
static int F(draw)(grower *g, const tree_bud *b, int32_t column, CELL *scratch, division *d) {
    const tree_task *t = g->t;
    const CODE *codes = F(across)(t, column);
    int64_t C = t->classes ? t->classes : 2;
    CELL *left = scratch + C;
    F(whole) w = {.cells = scratch};
    d->column = column;
    d->count = 2;
    d->form = t->forms[column] == FORM_THRESHOLD ? FORM_THRESHOLD : FORM_SUBSET;
    if (!(d->form == FORM_THRESHOLD ? F(draw_threshold)(g, b, column, d) : F(draw_sets)(g, b, column))) return 0;
    for (int64_t c = 0; c < C; c++) left[c] = 0, w.cells[c] = WHOLE ? (CELL)b->stats[c] : 0;
    for (int64_t i = 0; i < b->n; i++) {
        int64_t way = F(way_random)(g, codes, d, b->rows[i]);
        if (!WHOLE && way >= 0) F(add_row)(g, b, i, w.cells);
        if (way == 0) F(add_row)(g, b, i, left);
    }
    F(conclude)(g, &w);
    CELL nl = F(weight)(left, C, !t->classes);
    d->gain = F(cut)(t, left, nl, &w, C, is_ratio(t->measure) ? BY_GAIN : t->measure);
    if (is_ratio(t->measure)) {
        double total = weight_of(t, b->stats);
        d->information = xlx_real(total) - xlx_real((double)nl) - xlx_real((double)(w.weight - nl)) - xlx_real(total - (double)w.weight);
    }
    for (int64_t c = 0; c < C; c++) {
        g->sides[c] = (double)left[c];
        g->sides[C + c] = (double)(w.cells[c] - left[c]);
    }
    return d->gain > -INFINITY;
}

/* The best of the divisions that are drawn, drawn once more: it leaves what it finds on its way. */
static int F(best_drawn)(grower *g, const tree_bud *b, CELL *scratch, division *best) {
    int64_t n = 0;
    for (int64_t q = 0; q < g->chosen_n; q++) n += F(draw)(g, b, g->chosen[q], scratch, g->found + n);
    return best_found(g, n, scale_of(g->t, b->stats), best) && F(draw)(g, b, best->column, scratch, best);
}

#if WHOLE
/* Rows to the buds of two branches, in place. */
static void F(send_drawn)(grower *g, const tree_bud *b, const division *d, tree_bud *buds) {
    const CODE *codes = F(across)(g->t, d->column);
    uint32_t *restrict rows = b->rows, *restrict aside = g->aside;
    int64_t nl = 0, nr = 0;
    for (int64_t i = 0; i < b->n; i++) {
        uint32_t row = rows[i];
        int right = F(way_random)(g, codes, d, row) != 0;
        rows[nl] = row;
        aside[nr] = row;
        nl += !right;
        nr += right;
    }
    memcpy(rows + nl, aside, (size_t)nr * sizeof(uint32_t));
    buds[0].n = nl;
    buds[1].n = nr;
}
#endif
