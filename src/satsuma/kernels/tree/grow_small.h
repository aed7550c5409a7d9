/* Subtrees of few rows: copied to where they lie close together, and grown without asking for memory at every node.
   Included by grow_body.h, for each type of codes and counts. */

/* The rows of a bud, those that are there several times once. */
static int64_t F(copy_small)(grower *g, const tree_bud *b) {
    const tree_task *t = g->t;
    small_tree *s = &g->small;
    CODE *restrict codes = s->codes;
    F(small_row) *rows = s->rows;
    const int64_t room = s->room, columns = t->columns;
    int64_t n = 0;
    for (int64_t i = 0; i < b->n; i++) {
        if (i + AHEAD < b->n) __builtin_prefetch(F(record)(t, b->rows[i + AHEAD]));
        uint32_t row = b->rows[i];
#if WHOLE
        if (n && s->row[n - 1] == row) {
            rows[n - 1].times++;
            continue;
        }
#endif
        const CODE *r = F(record)(t, row);
        for (int64_t j = 0; j < columns; j++) codes[j * room + n] = r[j];
        s->row[n] = row;
        rows[n] = (F(small_row)){(uint16_t)n, t->classes ? r[t->columns] : 0, WHOLE ? 1 : b->share[i]};
        n++;
    }
    for (int64_t i = 0; i < n && !WHOLE; i++) {
        s->weight[i] = (g->weights ? g->weights[s->row[i]] : 1) * g->unit;
        s->target[i] = t->classes ? 0 : t->target[s->row[i]];
    }
    return n;
}

/* What rows of a small node come to. */
static void F(sum_small)(const grower *g, const F(small_row) *rows, int64_t n, double *stats) {
    const small_tree *s = &g->small;
    if (g->t->classes) {
        for (int32_t c = 0; c < g->t->classes; c++) stats[c] = 0;
        for (int64_t i = 0; i < n; i++) stats[rows[i].label] += (double)F(small_weight)(s, rows + i);
        return;
    }
    double w = 0, sum = 0, squares = 0, least = INFINITY, most = -INFINITY;
    for (int64_t i = 0; i < n; i++) {
        double here = (double)F(small_weight)(s, rows + i), y = s->target[rows[i].at], wy = here * y;
        w += here;
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
    const F(small_row) *rows = (const F(small_row) *)s->rows + b->first;
    int64_t C = t->classes ? t->classes : 2, m = 0;
    const int32_t low = d->low, high = d->high, up_to = exactly ? low - 1 : low;
    CELL *left = scratch + C;
    F(whole) w = {.cells = scratch};
    for (int64_t c = 0; c < C; c++) left[c] = 0;
    for (int64_t i = 0; i < b->n; i++) {
        int32_t code = codes[rows[i].at];
        CELL here = F(small_weight)(s, rows + i);
        if (WHOLE) left[rows[i].label] += code <= up_to ? here : 0;
        if (!exactly || (code != low && code != high)) continue;
        double sum = t->classes ? 0 : (double)here * s->target[rows[i].at];
        s->grains[m++] = (grain){raw_value(t, d->column, s->row[rows[i].at]), (double)here, sum, rows[i].label, code};
    }
    if (WHOLE) {
        F(sum_up)(g, NULL, s->now, &w);
    } else if (!t->classes) { /* of the column, in the order of its bins */
        for (int c = 0; c < 2; c++) left[c] = (CELL)(exactly ? d->below[c] : d->up_to[c]), w.cells[c] = (CELL)d->known[c];
        F(conclude)(g, &w);
    } else {
        const CELL *mine = F(count_small)(g, b, d->column);
        F(sum_up)(g, mine, s->now, &w);
        for (int64_t k = 0; k < g->there_n && g->there[k] <= up_to; k++)
            for (int64_t c = 0; c < C; c++) left[c] += mine[g->there[k] * g->channels + c];
        F(clear_small)(g);
    }
    if (exactly) return F(cut_grains)(g, s->grains, m, &w, left, tie, d);
    for (int64_t c = 0; c < C; c++) {
        g->sides[c] = (double)left[c];
        g->sides[C + c] = (double)(w.cells[c] - left[c]);
    }
    d->threshold = halfway(t->edges[d->column][low], t->edges[d->column][high]);
    return 1;
}

/* The branch of a row, -1 where what is asked for is missing. */
ALWAYS int64_t F(way_small)(const grower *g, const CODE *codes, const division *d, int exactly, const F(small_row) *row) {
    if (d->form == FORM_THRESHOLD && g->fine[d->column]) return g->small.side[row->at];
    int32_t code = codes[row->at];
    if (!WHOLE && code == g->t->levels[d->column]) return -1;
    if (d->form != FORM_THRESHOLD) return g->branch[code];
    if (exactly && (code == d->low || code == d->high)) return raw_value(g->t, d->column, g->small.row[row->at]) > d->threshold;
    return code > d->low;
}

#if WHOLE
/* Rows to the branches, in place and in order: where those of each begin and end. 0 if there is no memory. */
static int F(part_small)(grower *g, const small_bud *b, const division *d, int exactly, int64_t *from, int64_t *to) {
    small_tree *s = &g->small;
    const CODE *codes = (const CODE *)s->codes + d->column * s->room;
    F(small_row) *restrict rows = (F(small_row) *)s->rows + b->first, *restrict aside = s->aside;
    int64_t nl = 0, nr = 0, at = 0;
    for (int64_t i = 0; i < b->n && g->any_fine; i++) s->side[rows[i].at] = (int32_t)F(way_small)(g, codes, d, exactly, rows + i);
    if (d->count == 2) {
        for (int64_t i = 0; i < b->n; i++) {
            F(small_row) row = rows[i];
            int right = F(way_small)(g, codes, d, exactly, &row) != 0;
            rows[nl] = row;
            aside[nr] = row;
            nl += !right;
            nr += right;
        }
        memcpy(rows + nl, aside, (size_t)nr * sizeof(F(small_row)));
        from[0] = b->first, from[1] = to[0] = b->first + nl, to[1] = b->first + b->n;
        return 1;
    }
    for (int64_t k = 0; k < d->count; k++) to[k] = 0;
    for (int64_t i = 0; i < b->n; i++) to[g->branch[codes[rows[i].at]]]++;
    for (int64_t k = 0; k < d->count; at += to[k], to[k] = from[k], k++) from[k] = b->first + at;
    for (int64_t i = 0; i < b->n; i++) aside[to[g->branch[codes[rows[i].at]]]++ - b->first] = rows[i];
    memcpy(rows, aside, (size_t)b->n * sizeof(F(small_row)));
    return 1;
}
#else
/* Rows to the branches, in order, those of the first branch last: where those of each begin and end. Whole rows are
   divided as in `part`. 0 if there is no memory. */
static int F(part_small)(grower *g, const small_bud *b, const division *d, int exactly, int64_t *from, int64_t *to) {
    small_tree *s = &g->small;
    const CODE *codes = (const CODE *)s->codes + d->column * s->room;
    F(small_row) *restrict aside = s->aside;
    int64_t lost = 0, most = heaviest(g->parts, d->count), at = b->first;
    memcpy(aside, (F(small_row) *)s->rows + b->first, (size_t)b->n * sizeof(F(small_row)));
    for (int64_t k = 0; k < d->count; k++) to[k] = 0;
    for (int64_t i = 0; i < b->n; i++) {
        int64_t way = F(way_small)(g, codes, d, exactly, aside + i);
        if (way < 0 && aside[i].share < 1) way = most;
        s->ways[i] = (int32_t)way;
        if (g->any_fine) s->side[aside[i].at] = (int32_t)way;
        if (way < 0) lost++;
        else to[way]++;
    }
    int64_t need = b->first + b->n + (d->count - 1) * lost;
    if (need > s->rows_room) {
        if (!grow_array(&s->rows, 2 * need, sizeof(F(small_row)))) return 0;
        s->rows_room = 2 * need;
    }
    for (int64_t k = d->count - 1; k >= 0; k--) { /* each has room for what is divided */
        from[k] = at;
        at += to[k] + lost;
        to[k] = from[k];
    }
    F(small_row) *restrict rows = s->rows;
    for (int64_t i = 0; i < b->n; i++) {
        if (s->ways[i] >= 0) {
            rows[to[s->ways[i]]++] = aside[i];
            continue;
        }
        for (int64_t k = 0; k < d->count; k++) {
            F(small_row) row = aside[i];
            row.share = g->divided[k];
            if (row.share > 0) rows[to[k]++] = row;
        }
    }
    return 1;
}
#endif

/* Gives a node its branches, and puts them on the stack. */
static int F(branch_small)(grower *g, const small_bud *b, int64_t me, const division *d, const int64_t *from, const int64_t *to) {
    const tree_task *t = g->t;
    small_tree *s = &g->small;
    int64_t C = t->classes ? t->classes : 2;
    int32_t sides[2] = {0, 1};
    int threshold = d->form == FORM_THRESHOLD;
    g->out->column[me] = d->column;
    if (threshold) g->out->threshold[me] = d->threshold;
    if (!add_branches(g->out, me, threshold ? sides : g->branch, threshold ? 2 : t->levels[d->column])) return 0;
    if (!small_stats(s, stats_width(t), s->stack_n + d->count)) return 0;
    for (int64_t k = 0; k < d->count; k++) {
        int64_t place = s->stack_n + d->count - 1 - k; /* the first branch lies on top */
        double *stats = small_stats(s, stats_width(t), place);
        if (WHOLE) memcpy(stats, g->sides + k * C, (size_t)C * 8);
        else F(sum_small)(g, (const F(small_row) *)s->rows + from[k], to[k] - from[k], stats);
        s->stack[place] = (small_bud){from[k], to[k] - from[k], b->depth + 1, me, mixed_up(b->path ^ (uint64_t)(k + 1)), (int32_t)k, g->parts[k]};
    }
    s->stack_n += d->count;
    return !g->any_fine || F(part_sorted)(g, d, s->stack_n - d->count);
}

/* The best division of two rows, which depends on which of them comes first in a column. -1 if it has to be found
   as that of many, 0 if there is none. */
static int F(best_of_two)(grower *g, const small_bud *b, CELL *scratch, division *d) {
    const tree_task *t = g->t;
    const small_tree *s = &g->small;
    const F(small_row) *rows = (const F(small_row) *)s->rows + b->first;
    int64_t C = t->classes ? t->classes : 2, n = 0;
    if (!t->plain || g->any_fine || is_ratio(t->measure)) return -1;
    for (int64_t q = 0; q < g->chosen_n; q++)
        if (t->forms[g->chosen[q]] != FORM_THRESHOLD) return -1;
    F(whole) w = {.cells = scratch};
    double gains[2];
    for (int first = 0; first < 2; first++) {
        CELL *left = scratch + C, here = F(small_weight)(s, rows + first), other = F(small_weight)(s, rows + 1);
        for (int64_t c = 0; c < C; c++) left[c] = 0;
        left[rows[first].label] = here;
        if (!WHOLE) left[1] = (CELL)((double)here * s->target[rows[first].at]);
        if (first == 0) {
            g->there_n = 0;
            F(sum_up)(g, NULL, s->now, &w);
            if (!WHOLE) w.cells[0] = here + other, w.cells[1] = left[1] + (CELL)((double)other * s->target[rows[1].at]), F(conclude)(g, &w);
        }
        gains[first] = F(cut)(t, left, here, &w, C, t->measure);
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
    const F(small_row) *low = rows + (one > other);
    d->up_to[0] = (double)F(small_weight)(s, low);
    d->up_to[1] = d->up_to[0] * s->target[low->at];
    for (int64_t c = 0; c < 2; c++) d->known[c] = (double)w.cells[c];
    return 1;
}

static int F(divide_small)(grower *g, const small_bud *b, int64_t me, CELL *scratch) {
    const tree_task *t = g->t;
    small_tree *s = &g->small;
    division d;
    int ok = 1, exactly = 0, found = 0;
#if !WHOLE
    const F(small_row) *rows = (const F(small_row) *)s->rows + b->first;
    for (int64_t i = 0; i < b->n && g->any_fine; i++) {
        if (UNITS) s->times[rows[i].at] = (int32_t)F(small_weight)(s, rows + i);
        else s->part[rows[i].at] = (double)F(small_weight)(s, rows + i);
    }
#endif
    for (int64_t before = 0; !found && before < t->columns; before += t->tried) {
        choose(g, b->path, before);
        found = b->n == 2 ? F(best_of_two)(g, b, scratch, &d) : -1;
        if (found < 0) found = F(best)(g, NULL, b, scratch, &d);
    }
    if (!found) return 1;
    double tie = scale_of(t, s->now);
    if (d.form == FORM_THRESHOLD && g->fine[d.column]) {
        F(settle_sorted)(g, b, scratch, &d);
    } else if (d.form == FORM_THRESHOLD) {
        const uint8_t *mixed = t->mixed + (int64_t)d.column * t->bins;
        exactly = mixed[d.low] || mixed[d.high];
        ok = F(settle_small)(g, b, exactly, scratch, tie, &d);
    } else {
        F(settle)(g, F(count_small)(g, b, d.column), s->now, scratch, tie, &d);
        F(clear_small)(g);
    }
    if (!ok || !significant(g, d.count)) return ok;
    int64_t *from = (int64_t *)g->order, *to = from + d.count; /* room for as many, and more */
    parts_of(g, d.count);
    return F(part_small)(g, b, &d, exactly, from, to) && F(branch_small)(g, b, me, &d, from, to);
}

/* Grows all that is below a node of few rows. 0 if there is no memory. */
static int F(grow_small)(grower *g, const tree_bud *b, int64_t me, CELL *scratch) {
    const tree_task *t = g->t;
    small_tree *s = &g->small;
    int64_t width = stats_width(t);
    if (!small_room(s, t, b->n, g->aside_n, g->any_fine, sizeof(CODE), (size_t)g->channels * sizeof(CELL), sizeof(F(small_row)))) return 0;
    small_bud here = {.n = F(copy_small)(g, b), .depth = b->depth, .path = b->path};
    memcpy(s->now, b->stats, (size_t)width * 8);
    s->stack_n = 0;
    int ok = (!g->any_fine || F(sort_columns)(g, here.n)) && F(divide_small)(g, &here, me, scratch);
    while (ok && s->stack_n) {
        here = s->stack[--s->stack_n];
        memcpy(s->now, s->stats + s->stack_n * width, (size_t)width * 8);
        if (g->any_fine) memcpy(s->span, s->spans + s->stack_n * 2 * t->columns, (size_t)t->columns * 2 * sizeof(int32_t));
        tree_bud node = {.up = here.up, .branch = here.branch, .part = here.part, .stats = s->now};
        me = add_node(g->out, &node);
        ok = me >= 0;
        if (ok && !is_leaf(t, s->now, here.depth)) ok = F(divide_small)(g, &here, me, scratch);
    }
    return ok;
}
