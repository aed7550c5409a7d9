/* Thresholds between all values at small nodes: rows are sorted by each column once, and stay so on their way down.
   Included by grow_scores.h, for each type of codes and counts. */

/* Sorts the rows of a small subtree by a column, behind `from`; returns where they end. */
static int64_t F(sort_small)(grower *g, int64_t n, int32_t column, int64_t from) {
    const tree_task *t = g->t;
    small_tree *s = &g->small;
    const CODE *codes = (const CODE *)s->codes + column * s->room;
    int64_t *starts = g->starts, m = 0, levels = t->levels[column];
    grain *grains = s->grains;
    uint16_t *rank = s->rank + column * s->room;
    memset(starts, 0, (size_t)(levels + 1) * 8);
    for (int64_t i = 0; i < n; i++) starts[codes[i]]++;
    for (int64_t q = 0; q < levels; q++) {
        int64_t size = starts[q];
        starts[q] = m;
        m += size;
    }
    for (int64_t i = 0; i < n; i++)
        if (codes[i] < levels) grains[starts[codes[i]]++] = (grain){.value = raw_value(t, column, s->row[i]), .label = (int32_t)i};
    for (int64_t q = 0, at = 0; q < levels; at = starts[q++]) sort_grains(grains + at, grains + m, starts[q] - at);
    for (int64_t k = 0, distinct = 0; k < m; k++) {
        distinct += k && grains[k].value != grains[k - 1].value;
        s->sorted[from + k] = (uint16_t)grains[k].label;
        rank[grains[k].label] = (uint16_t)distinct;
    }
    return from + m;
}

/* All fine columns of a small subtree of n rows, sorted. 0 if there is no memory. */
static int F(sort_columns)(grower *g, int64_t n) {
    small_tree *s = &g->small;
    int64_t at = 0, width = g->t->columns;
    const F(small_row) *rows = s->rows;
    if (!sorted_room(s, n * width + 1)) return 0;
    for (int64_t i = 0; i < n; i++) s->label[i] = rows[i].label;
    for (int64_t i = 0; i < n && WHOLE; i++) s->times[i] = (int32_t)F(small_weight)(s, rows + i);
    for (int32_t j = 0; j < width; j++) {
        s->span[2 * j] = (int32_t)at;
        if (g->fine[j]) at = F(sort_small)(g, n, j, at);
        s->span[2 * j + 1] = (int32_t)at;
    }
    return 1;
}

/* What the part of a row that is at a node weighs. */
ALWAYS CELL F(sorted_weight)(const small_tree *s, uint16_t at) {
#if UNITS
    return s->times[at];
#else
    return s->part[at];
#endif
}

/* What a row adds to cells. */
ALWAYS void F(add_sorted)(const small_tree *s, uint16_t at, CELL *cells, int numbers) {
    CELL w = F(sorted_weight)(s, at);
    cells[s->label[at]] += w;
    if (numbers) cells[1] += (CELL)((double)w * s->target[at]);
}

/* What cuts between values of a sorted column gain; how many there are. With few channels they are compared side by
   side. */
ALWAYS int64_t F(sorted_few)(grower *g, int32_t column, const F(whole) *w, int64_t C, int measure) {
    const small_tree *s = &g->small;
    const uint16_t *rank = s->rank + column * s->room, *list = s->sorted + s->span[2 * column];
    int64_t m = s->span[2 * column + 1] - s->span[2 * column], cuts = 0;
    CELL left[4] = {0};
    for (int64_t k = 0; k + 1 < m; k++) {
        F(add_sorted)(s, list[k], left, measure == BY_VARIANCE);
        g->there[cuts] = (int32_t)k;
        for (int64_t c = 0; c < C; c++) g->before[c * g->room + cuts] = (double)left[c];
        cuts += rank[list[k]] != rank[list[k + 1]];
    }
    F(gains_side_by_side)(g, w, cuts, C, measure);
    return cuts;
}

/* The same for many classes, of which but one changes from row to row, and where logarithms are looked up. */
static int64_t F(sorted_many)(grower *g, int32_t column, const F(whole) *w, CELL *left, int measure) {
    const small_tree *s = &g->small;
    const uint16_t *rank = s->rank + column * s->room, *list = s->sorted + s->span[2 * column];
    int64_t m = s->span[2 * column + 1] - s->span[2 * column], cuts = 0;
    F(moving) at = F(at_start)(w, left, g->t->classes, measure);
    for (int64_t k = 0; k + 1 < m; k++) {
        F(move)(&at, w, left, s->label[list[k]], F(sorted_weight)(s, list[k]), measure);
        if (rank[list[k]] == rank[list[k + 1]]) continue;
        g->there[cuts] = (int32_t)k;
        g->gains[cuts++] = F(moved)(g->t, &at, w, measure);
    }
    return cuts;
}

/* The best threshold of a column at a small node, between any two of its values: d->low is the place of the last
   that is left of it. 0 if there is none. */
static HOT int F(sorted_threshold)(grower *g, int32_t column, const F(whole) *w, CELL *left, double tie, division *d) {
    const tree_task *t = g->t;
    int64_t C = t->classes ? t->classes : 2, n;
    int measure = t->measure == BY_GAIN_RATIO ? BY_GAIN : t->measure;
    if (measure == BY_VARIANCE) n = F(sorted_few)(g, column, w, 2, BY_VARIANCE);
    else if (measure == BY_GINI && C == 2) n = F(sorted_few)(g, column, w, 2, BY_GINI);
    else if (measure == BY_GINI && C == 3) n = F(sorted_few)(g, column, w, 3, BY_GINI);
    else if (measure == BY_GAIN && C == 2 && !UNITS) n = F(sorted_few)(g, column, w, 2, BY_GAIN);
    else if (measure == BY_GAIN && C == 3 && !UNITS) n = F(sorted_few)(g, column, w, 3, BY_GAIN);
    else n = F(sorted_many)(g, column, w, left, measure);
    int64_t k = first_best(g->gains, n, TREE_TIE * (measure == BY_PLAIN_RATIO ? 1 : tie));
    if (k < 0) return 0;
    d->gain = g->gains[k];
    d->form = FORM_THRESHOLD;
    d->low = g->there[k];
    d->count = 2;
    if (!is_ratio(t->measure)) return 1;
    const small_tree *s = &g->small;
    double nl = 0;
    for (int64_t i = 0; i <= d->low; i++) nl += (double)F(sorted_weight)(s, s->sorted[s->span[2 * column] + i]);
    d->information = xlx_real(nl) + xlx_real((double)w->weight - nl);
    if (t->measure == BY_PLAIN_RATIO) d->gain *= xlx_real((double)w->weight) - d->information;
    return 1;
}

/* What is known of a sorted column at a small node. */
static void F(sum_sorted)(grower *g, int32_t column, F(whole) *w) {
    const small_tree *s = &g->small;
    const int32_t *span = s->span + 2 * column;
    for (int64_t c = 0; c < (g->t->classes ? g->t->classes : 2); c++) w->cells[c] = 0;
    for (int64_t k = span[0]; k < span[1]; k++) F(add_sorted)(s, s->sorted[k], w->cells, !g->t->classes);
    F(conclude)(g, w);
}

/* The threshold of a division that was found among sorted rows, its sides, and the branch of each row. */
static void F(settle_sorted)(grower *g, const small_bud *b, CELL *scratch, division *d) {
    const tree_task *t = g->t;
    small_tree *s = &g->small;
    const int32_t *span = s->span + 2 * d->column;
    const F(small_row) *rows = (const F(small_row) *)s->rows + b->first;
    const uint16_t *list = s->sorted + span[0];
    int64_t C = t->classes ? t->classes : 2;
    CELL *left = scratch + C;
    F(whole) w = {.cells = scratch};
    F(sum_sorted)(g, d->column, &w);
    for (int64_t c = 0; c < C; c++) left[c] = 0;
    if (!WHOLE)
        for (int64_t i = 0; i < b->n; i++) s->side[rows[i].at] = -1;
    for (int64_t k = 0; k < span[1] - span[0]; k++) {
        s->side[list[k]] = k > d->low;
        if (k <= d->low) F(add_sorted)(s, list[k], left, !t->classes);
    }
    for (int64_t c = 0; c < C; c++) {
        g->sides[c] = (double)left[c];
        g->sides[C + c] = (double)(w.cells[c] - left[c]);
    }
    d->threshold = halfway(raw_value(t, d->column, s->row[list[d->low]]), raw_value(t, d->column, s->row[list[d->low + 1]]));
}

/* The sorted rows of a node to those of its branches that can be divided, which are on the stack from `first` on: the
   first branch lies last. 0 if there is no memory. */
static int F(part_sorted)(grower *g, const division *d, int64_t first) {
    const tree_task *t = g->t;
    small_tree *s = &g->small;
    int64_t width = t->columns, from = s->span[0], size = s->span[2 * width - 1] - from, at = from;
    if (!sorted_room(s, from + d->count * (size + 1))) return 0;
    memcpy(s->block, s->sorted + from, (size_t)size * sizeof(uint16_t));
    for (int64_t place = first; place < first + d->count; place++) {
        const small_bud *bud = s->stack + place;
        if (bud->n < 2 || is_leaf(t, s->stats + place * stats_width(t), bud->depth)) continue;
        int32_t *spans = s->spans + place * 2 * width, branch = bud->branch;
        int32_t lost = g->divided[branch] > 0 ? -1 : branch; /* whose parts are here, too */
        for (int32_t j = 0; j < width; j++) {
            const uint16_t *list = s->block + s->span[2 * j] - from;
            int64_t n = s->span[2 * j + 1] - s->span[2 * j], m = 0;
            uint16_t *out = s->sorted + at;
            for (int64_t k = 0; k < n; k++) {
                int32_t side = s->side[list[k]];
                out[m] = list[k];
                m += (side == branch) | (side == lost);
            }
            spans[2 * j] = (int32_t)at;
            spans[2 * j + 1] = (int32_t)(at += m);
        }
    }
    return 1;
}
