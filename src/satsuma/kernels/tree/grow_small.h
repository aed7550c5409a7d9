/* Subtrees of few rows, all whole: copied to where they lie close together, and grown without asking for memory.
   Included by grow_body.h, for each type of codes and counts. */

/* Whether small nodes can be grown here: whole rows of classes, or of numbers. */
ALWAYS int F(is_plain)(const tree_task *t) { return WHOLE || (t->plain && !t->classes); }

/* The rows of a bud, those that are there several times once. */
static int64_t F(copy_small)(grower *g, const tree_bud *b) {
    const tree_task *t = g->t;
    small_tree *s = &g->small;
    CODE *restrict codes = s->codes;
    const int64_t room = s->room, columns = t->columns;
    int64_t n = 0;
    for (int64_t i = 0; i < b->n; i++) {
        if (i + AHEAD < b->n) __builtin_prefetch(F(record)(t, b->rows[i + AHEAD]));
        uint32_t row = b->rows[i], times = b->share ? (uint32_t)b->share[i] : 1;
        if (n && s->row[n - 1] == row) {
            s->rows[n - 1].times += times;
            continue;
        }
        const CODE *r = F(record)(t, row);
        for (int64_t j = 0; j < columns; j++) codes[j * room + n] = r[j];
        s->row[n] = row;
        s->rows[n] = (small_row){(uint16_t)n, t->classes ? r[t->columns] : 0, times};
        n++;
    }
    for (int64_t i = 0; i < n && !t->classes; i++) {
        s->target[i] = t->target[s->row[i]];
        s->sum[i] = (double)s->rows[i].times * s->target[i];
    }
    return n;
}

/* What rows of a small node come to, where these are numbers. */
static void F(sum_small)(const small_tree *s, const small_row *rows, int64_t n, double *stats) {
    double w = 0, sum = 0, squares = 0, least = INFINITY, most = -INFINITY;
    for (int64_t i = 0; i < n; i++) {
        double y = s->target[rows[i].at], wy = s->sum[rows[i].at];
        w += (double)rows[i].times;
        sum += wy;
        squares += wy * y;
        least = y < least ? y : least;
        most = y > most ? y : most;
    }
    stats[0] = w, stats[1] = sum, stats[2] = squares, stats[3] = least, stats[4] = most;
}

/* Finds the threshold and the sides of a division by one. 0 if there is no memory. */
static int F(settle_small)(grower *g, const small_bud *b, int exactly, CELL *scratch, double tie, division *d) {
    const tree_task *t = g->t;
    small_tree *s = &g->small;
    const CODE *codes = (const CODE *)s->codes + d->column * s->room;
    const small_row *rows = s->rows + b->first;
    int64_t C = t->classes ? t->classes : 2, m = 0;
    const int32_t low = d->low, high = d->high, up_to = exactly ? low - 1 : low;
    CELL *left = scratch + C;
    for (int64_t c = 0; c < C; c++) left[c] = 0;
    for (int64_t i = 0; i < b->n; i++) {
        int32_t code = codes[rows[i].at];
        if (WHOLE) left[rows[i].label] += code <= up_to ? (CELL)rows[i].times : 0;
        if (!exactly || (code != low && code != high)) continue;
        double times = (double)rows[i].times;
        s->grains[m++] = (grain){raw_value(t, d->column, s->row[rows[i].at]), times, WHOLE ? 0 : s->sum[rows[i].at], rows[i].label, code};
    }
    F(whole) w = {.cells = scratch};
    g->there_n = 0;
    F(sum_up)(g, NULL, s->now, &w);
    if (!WHOLE) { /* of the column, in the order of its bins */
        for (int c = 0; c < 2; c++) left[c] = (CELL)d->below[c], w.cells[c] = (CELL)d->known[c];
        F(conclude)(g, &w);
    }
    if (exactly) return F(cut_grains)(g, s->grains, m, &w, left, tie, d);
    for (int64_t c = 0; c < C; c++) {
        g->sides[c] = (double)left[c];
        g->sides[C + c] = (double)(w.cells[c] - left[c]);
    }
    d->threshold = halfway(t->edges[d->column][low], t->edges[d->column][high]);
    return 1;
}

ALWAYS int64_t F(way_small)(const grower *g, const CODE *codes, const division *d, int exactly, const small_row *row) {
    int32_t code = codes[row->at];
    if (d->form != FORM_THRESHOLD) return g->branch[code];
    if (exactly && (code == d->low || code == d->high)) return raw_value(g->t, d->column, g->small.row[row->at]) > d->threshold;
    return code > d->low;
}

/* Rows to the branches, in place and in order; how many go to each, in `to`. */
static void F(part_small)(grower *g, const small_bud *b, const division *d, int exactly, int64_t *to) {
    small_tree *s = &g->small;
    const CODE *codes = (const CODE *)s->codes + d->column * s->room;
    small_row *restrict rows = s->rows + b->first, *restrict aside = s->aside;
    if (d->count == 2) {
        int64_t nl = 0, nr = 0;
        for (int64_t i = 0; i < b->n; i++) {
            small_row row = rows[i];
            int right = F(way_small)(g, codes, d, exactly, &row) != 0;
            rows[nl] = row;
            aside[nr] = row;
            nl += !right;
            nr += right;
        }
        memcpy(rows + nl, aside, (size_t)nr * sizeof(small_row));
        to[0] = nl, to[1] = nr;
        return;
    }
    for (int64_t k = 0; k <= d->count; k++) to[k] = 0;
    for (int64_t i = 0; i < b->n; i++) to[g->branch[codes[rows[i].at]] + 1]++;
    for (int64_t k = 1; k < d->count; k++) to[k] += to[k - 1];
    for (int64_t i = 0; i < b->n; i++) aside[to[g->branch[codes[rows[i].at]]]++] = rows[i];
    memcpy(rows, aside, (size_t)b->n * sizeof(small_row));
    for (int64_t k = d->count - 1; k > 0; k--) to[k] -= to[k - 1];
}

/* Gives a node its branches, and puts them on the stack. */
static int F(branch_small)(grower *g, const small_bud *b, int64_t me, const division *d, const int64_t *to) {
    const tree_task *t = g->t;
    small_tree *s = &g->small;
    int64_t C = t->classes ? t->classes : 2, first = b->first;
    double known = 0;
    int32_t sides[2] = {0, 1};
    int threshold = d->form == FORM_THRESHOLD;
    g->out->column[me] = d->column;
    if (threshold) g->out->threshold[me] = d->threshold;
    if (!add_branches(g->out, me, threshold ? sides : g->branch, threshold ? 2 : t->levels[d->column])) return 0;
    if (!small_stats(s, stats_width(t), s->stack_n + d->count)) return 0;
    for (int64_t k = 0; k < d->count; k++) {
        int64_t place = s->stack_n + d->count - 1 - k; /* the first branch lies on top */
        double *stats = small_stats(s, stats_width(t), place), weight = 0;
        if (WHOLE) memcpy(stats, g->sides + k * C, (size_t)C * 8);
        else F(sum_small)(s, s->rows + first, to[k], stats);
        weight = weight_of(t, stats);
        s->stack[place] = (small_bud){first, to[k], b->depth + 1, me, mixed_up(b->path ^ (uint64_t)(k + 1)), (int32_t)k, weight};
        first += to[k];
        known += weight;
    }
    for (int64_t k = 0; k < d->count; k++) s->stack[s->stack_n + k].part /= known;
    s->stack_n += d->count;
    return 1;
}

/* The best division of two rows, which depends on which of them comes first in a column. -1 if it has to be found
   as that of many, 0 if there is none. */
static int F(best_of_two)(grower *g, const small_bud *b, CELL *scratch, division *d) {
    const tree_task *t = g->t;
    const small_tree *s = &g->small;
    const small_row *rows = s->rows + b->first;
    int64_t C = t->classes ? t->classes : 2, n = 0;
    for (int64_t q = 0; q < g->chosen_n; q++)
        if (is_ratio(t->measure) || t->forms[g->chosen[q]] != FORM_THRESHOLD) return -1;
    F(whole) w = {.cells = scratch};
    double gains[2];
    for (int first = 0; first < 2; first++) {
        CELL *left = scratch + C, times = (CELL)rows[first].times;
        for (int64_t c = 0; c < C; c++) left[c] = 0;
        if (WHOLE) left[rows[first].label] = times;
        else left[0] = times, left[1] = (CELL)s->sum[rows[first].at];
        if (first == 0) {
            g->there_n = 0;
            F(sum_up)(g, NULL, s->now, &w);
            if (!WHOLE) w.cells[0] = times + (CELL)rows[1].times, w.cells[1] = left[1] + (CELL)s->sum[rows[1].at], F(conclude)(g, &w);
        }
        gains[first] = F(cut)(t, left, times, &w, C, t->measure);
    }
    for (int64_t q = 0; q < g->chosen_n; q++) {
        const CODE *codes = (const CODE *)s->codes + g->chosen[q] * s->room;
        int32_t one = codes[rows[0].at], other = codes[rows[1].at];
        g->gains[q] = one == other ? -INFINITY : gains[one > other];
        n += one != other;
    }
    int64_t q = n ? first_best(g->gains, g->chosen_n, TREE_TIE * scale_of(t, s->now)) : -1;
    if (q < 0) return 0;
    const CODE *codes = (const CODE *)s->codes + g->chosen[q] * s->room;
    int32_t one = codes[rows[0].at], other = codes[rows[1].at];
    *d = (division){.at = (int32_t)q, .column = g->chosen[q], .form = FORM_THRESHOLD, .count = 2};
    d->low = one < other ? one : other;
    d->high = one < other ? other : one;
    for (int64_t c = 0; c < 2; c++) d->known[c] = (double)w.cells[c];
    return 1;
}

static int F(divide_small)(grower *g, const small_bud *b, int64_t me, CELL *scratch) {
    const tree_task *t = g->t;
    small_tree *s = &g->small;
    division d;
    int ok = 1, exactly = 0, found = 0;
    for (int64_t before = 0; !found && before < t->columns; before += t->tried) {
        choose(g, b->path, before);
        found = b->n == 2 ? F(best_of_two)(g, b, scratch, &d) : -1;
        if (found < 0) found = F(best)(g, NULL, b, scratch, &d);
    }
    if (!found) return 1;
    double tie = scale_of(t, s->now);
    if (d.form == FORM_THRESHOLD) {
        const uint8_t *mixed = t->mixed + (int64_t)d.column * t->bins;
        exactly = mixed[d.low] || mixed[d.high];
        ok = F(settle_small)(g, b, exactly, scratch, tie, &d);
    } else {
        F(settle)(g, F(count_small)(g, b, d.column), s->now, scratch, tie, &d);
        F(clear_small)(g);
    }
    if (!ok || !significant(g, d.count)) return ok;
    int64_t *to = (int64_t *)g->order; /* room for as many, and more */
    F(part_small)(g, b, &d, exactly, to);
    return F(branch_small)(g, b, me, &d, to);
}

/* Grows all that is below a node of few rows. 0 if there is no memory. */
static int F(grow_small)(grower *g, const tree_bud *b, int64_t me, CELL *scratch) {
    const tree_task *t = g->t;
    small_tree *s = &g->small;
    int64_t width = stats_width(t);
    if (!small_room(s, t, b->n, g->aside_n, sizeof(CODE), (size_t)g->channels * sizeof(CELL))) return 0;
    small_bud here = {.n = F(copy_small)(g, b), .depth = b->depth, .path = b->path};
    memcpy(s->now, b->stats, (size_t)width * 8);
    s->stack_n = 0;
    int ok = F(divide_small)(g, &here, me, scratch);
    while (ok && s->stack_n) {
        here = s->stack[--s->stack_n];
        memcpy(s->now, s->stats + s->stack_n * width, (size_t)width * 8);
        tree_bud node = {.up = here.up, .branch = here.branch, .part = here.part, .stats = s->now};
        me = add_node(g->out, &node);
        ok = me >= 0;
        if (ok && !is_leaf(t, s->now, here.depth)) ok = F(divide_small)(g, &here, me, scratch);
    }
    return ok;
}
