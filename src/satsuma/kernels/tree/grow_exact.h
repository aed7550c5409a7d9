/* Thresholds between values, and not between bins alone. Included by grow_scores.h, for each type of codes and counts. */

ALWAYS grain F(grain_of)(const tree_task *t, int32_t column, uint32_t row, double weight) {
    return (grain){raw_value(t, column, row), weight, t->classes ? 0 : weight * t->target[row],
                   t->classes ? F(record)(t, row)[t->columns] : 0, F(across)(t, column)[row]};
}

/* The best cut between sorted values: the last on its left, and what it gains. `left`, what lies
   before all of them, becomes what lies before the cut; there is room for as much behind it. */
static int64_t F(scan)(grower *g, const grain *grains, int64_t m, CELL *left, const F(whole) *w, double tie, double *gain) {
    const tree_task *t = g->t;
    int64_t C = t->classes ? t->classes : 2, at = -1, distinct = 0;
    int measure = t->measure == BY_GAIN_RATIO ? BY_GAIN : t->measure, numbers = !t->classes;
    CELL *here = left + C;
    memcpy(here, left, (size_t)C * sizeof(CELL));
    F(moving) moving = {0};
    for (int64_t c = 0; c < C && !numbers; c++) {
        moving.nl += here[c];
        moving.ls += F(term)(here[c], measure);
        moving.rs += F(term)(w->cells[c] - here[c], measure);
    }
    for (int64_t i = 0; i < m; i++) { /* once to find the best cut */
        if (numbers) here[0] += (CELL)grains[i].weight, here[1] += (CELL)grains[i].sum;
        else F(move)(&moving, w, here, grains[i].label, (CELL)grains[i].weight, measure);
        if (i + 1 < m && grains[i + 1].value == grains[i].value) continue;
        if (i + 1 == m) g->gains[distinct] = -INFINITY;
        else g->gains[distinct] = numbers ? F(cut)(t, here, here[0], w, C, measure) : F(moved)(t, &moving, w, measure);
        distinct++;
    }
    at = first_best(g->gains, distinct, TREE_TIE * (measure == BY_PLAIN_RATIO ? 1 : tie));
    if (at < 0) at = 0; /* rounding may make every cut too light: the first will do */
    *gain = g->gains[at];
    for (int64_t i = 0;; i++) { /* and once to stop at it */
        if (numbers) left[0] += (CELL)grains[i].weight, left[1] += (CELL)grains[i].sum;
        else left[grains[i].label] += (CELL)grains[i].weight;
        if (i + 1 < m && grains[i + 1].value == grains[i].value) continue;
        if (!at--) return i;
    }
}

/* The best threshold of a column, between any two of its values; d->low and d->high are their bins.
   0 if there is none. */
static int F(search)(grower *g, const tree_bud *b, int32_t column, const F(whole) *w, CELL *left, double tie, division *d) {
    const tree_task *t = g->t;
    const CODE *codes = F(across)(t, column);
    int64_t C = t->classes ? t->classes : 2, m = 0, levels = t->levels[column];
    int64_t *starts = g->starts;
    grain *grains = g->grains;
    memset(starts, 0, (size_t)(levels + 1) * 8);
    for (int64_t i = 0; i < b->n; i++) starts[codes[b->rows[i]]]++;
    for (int64_t q = 0; q < levels; q++) {
        int64_t size = starts[q];
        starts[q] = m;
        m += size;
    }
    for (int64_t i = 0; i < b->n; i++) {
        uint32_t row = b->rows[i];
        if (codes[row] == levels) continue;
        double weight = part_weight(g, b, i);
        grains[starts[codes[row]]++] = F(grain_of)(t, column, row, weight);
    }
    for (int64_t q = 0, from = 0; q < levels; from = starts[q++]) sort_grains(grains + from, grains + m, starts[q] - from);
    if (!(m > 1 && grains[0].value < grains[m - 1].value)) return 0;
    for (int64_t c = 0; c < C; c++) left[c] = 0;
    int64_t at = F(scan)(g, grains, m, left, w, tie, &d->gain);
    if (!(d->gain > -INFINITY)) return 0;
    d->form = FORM_THRESHOLD;
    d->low = grains[at].bin;
    d->high = grains[at + 1].bin;
    d->count = 2;
    if (!is_ratio(t->measure)) return 1;
    double nl = (double)F(weight)(left, C, !t->classes);
    d->information = xlx_real(nl) + xlx_real((double)w->weight - nl);
    if (t->measure == BY_PLAIN_RATIO) d->gain *= xlx_real((double)w->weight) - d->information;
    return 1;
}

/* The exact threshold, from the values in the two bins about it. `left` has what lies before these,
   and room for as much again; grains, room for twice as many. */
static int F(cut_grains)(grower *g, grain *grains, int64_t m, const F(whole) *w, CELL *left, double tie, division *d) {
    const tree_task *t = g->t;
    int64_t C = t->classes ? t->classes : 2;
    double gain;
    if (!gains_for(g, m)) return 0;
    sort_grains(grains, grains + m, m);
    int64_t at = F(scan)(g, grains, m, left, w, tie, &gain);
    d->threshold = halfway(grains[at].value, grains[at + 1].value);
    for (int64_t c = 0; c < C; c++) {
        g->sides[c] = (double)left[c];
        g->sides[C + c] = (double)(w->cells[c] - left[c]);
    }
    return 1;
}

/* The same, of `rows`, those that lie there. */
static int F(refine)(grower *g, const tree_bud *b, const uint32_t *rows, int64_t n, CELL *scratch, double tie, division *d) {
    const tree_task *t = g->t;
    int64_t C = t->classes ? t->classes : 2, K = g->channels, m = 0;
    const CELL *mine = (const CELL *)b->cells + d->at * t->bins * K;
    const CODE *codes = F(across)(t, d->column);
    F(whole) w = {.cells = scratch};
    CELL *left = scratch + C;
    F(list_bins)(g, mine, t->levels[d->column]);
    F(sum_up)(g, mine, b->stats, &w);
    grain *grains = malloc((size_t)(2 * n + 1) * sizeof(grain));
    if (!grains) return 0;
    for (int64_t i = 0; i < n; i++) {
        uint32_t row = rows[i];
        if (codes[row] != d->low && codes[row] != d->high) continue;
        grains[m++] = F(grain_of)(t, d->column, row, WHOLE ? 1 : part_weight(g, b, i));
    }
    for (int64_t c = 0; c < C; c++) left[c] = 0;
    for (int64_t q = 0; q < d->low; q++)
        for (int64_t c = 0; c < C; c++) left[c] += mine[q * K + c];
    int ok = F(cut_grains)(g, grains, m, &w, left, tie, d);
    free(grains);
    return ok;
}
