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

/* ---- scores */

/* What all of a column's known rows come to, and how mixed they are. */
typedef struct {
    CELL *cells; /* of a bin, its channels */
    CELL weight;
    double disorder, mean;
} F(whole);

ALWAYS CELL F(weight)(const CELL *cells, int64_t C, int numbers) {
    if (numbers) return cells[0];
    CELL n = 0;
    for (int64_t c = 0; c < C; c++) n += cells[c];
    return n;
}

ALWAYS double F(disorder)(const CELL *cells, CELL n, int64_t C, int measure, double mean) {
    if (!(n > 0)) return 0;
    if (measure == BY_VARIANCE) {
        double away = (double)cells[1] - (double)n * mean;
        return -away * away / (double)n;
    }
    double sum = 0;
    if (measure == BY_GINI) {
        for (int64_t c = 0; c < C; c++) sum += (double)cells[c] * (double)cells[c];
        return (double)n - sum / (double)n;
    }
    for (int64_t c = 0; c < C; c++) sum += F(xlx)(cells[c]);
    return F(xlx)(n) - sum;
}

static void F(sum_up)(const grower *g, const CELL *cells, int64_t levels, const double *stats, F(whole) *w) {
    int64_t C = g->t->classes ? g->t->classes : 2;
    for (int64_t c = 0; c < C; c++) w->cells[c] = WHOLE ? (CELL)stats[c] : 0;
    for (int64_t b = 0; b < levels && !WHOLE; b++)
        for (int64_t c = 0; c < C; c++) w->cells[c] += cells[b * g->channels + c];
    w->weight = F(weight)(w->cells, C, !g->t->classes);
    w->mean = g->t->classes || !(w->weight > 0) ? 0 : (double)w->cells[1] / (double)w->weight;
    w->disorder = F(disorder)(w->cells, w->weight, C, g->t->measure, w->mean);
}

/* What a cut gains, by what is left of it; by the plain ratio, over what it tells of the branch. */
ALWAYS double F(cut)(const tree_task *t, const CELL *left, CELL nl, const F(whole) *w, int64_t C, int measure) {
    CELL nr = w->weight - nl;
    if (!(nl > 0 && nr > 0)) return -INFINITY;
    if ((double)nl + TREE_SLACK < t->min_leaf || (double)nr + TREE_SLACK < t->min_leaf) return -INFINITY;
    if (measure == BY_VARIANCE) {
        double l = (double)left[1] - (double)nl * w->mean, r = (double)(w->cells[1] - left[1]) - (double)nr * w->mean;
        return w->disorder + l * l / (double)nl + r * r / (double)nr;
    }
    double ls = 0, rs = 0;
    for (int64_t c = 0; c < C; c++) {
        CELL r = w->cells[c] - left[c];
        if (measure == BY_GINI) {
            ls += (double)left[c] * (double)left[c];
            rs += (double)r * (double)r;
        } else {
            ls += F(xlx)(left[c]);
            rs += F(xlx)(r);
        }
    }
    if (measure == BY_GINI) return w->disorder - ((double)nl - ls / (double)nl) - ((double)nr - rs / (double)nr);
    double gain = w->disorder - (F(xlx)(nl) - ls) - (F(xlx)(nr) - rs);
    return measure == BY_PLAIN_RATIO ? gain / (F(xlx)(w->weight) - F(xlx)(nl) - F(xlx)(nr)) : gain;
}

/* What each cut gains; the most of it. */
ALWAYS double F(gains_of)(grower *g, const CELL *cells, int64_t levels, const F(whole) *w, CELL *left, int64_t C, int64_t K, int measure) {
    int numbers = measure == BY_VARIANCE;
    double best = -INFINITY;
    CELL before = 0;
    for (int64_t c = 0; c < C; c++) left[c] = 0;
    for (int64_t b = 0; b < levels; b++) {
        const CELL *bin = cells + b * K;
        CELL here = F(weight)(bin, C, numbers);
        g->gains[b] = -INFINITY;
        if (!(here > 0)) continue;
        for (int64_t c = 0; c < C; c++) left[c] += bin[c];
        before += here;
        g->gains[b] = F(cut)(g->t, left, before, w, C, measure);
        best = g->gains[b] > best ? g->gains[b] : best;
    }
    return best;
}

/* The best threshold of a column: d->low is the last bin on the left. */
static HOT void F(threshold)(grower *g, const CELL *cells, int64_t levels, const F(whole) *w, CELL *left, double tie, double floor, division *d) {
    int64_t C = g->t->classes ? g->t->classes : 2, K = g->channels;
    int measure = g->t->measure == BY_GAIN_RATIO ? BY_GAIN : g->t->measure;
    double most;
    if (measure == BY_GAIN && C == 2) most = F(gains_of)(g, cells, levels, w, left, 2, 2, BY_GAIN);
    else if (measure == BY_GAIN && C == 3) most = F(gains_of)(g, cells, levels, w, left, 3, 4, BY_GAIN);
    else most = F(gains_of)(g, cells, levels, w, left, C, K, measure);
    d->gain = -INFINITY;
    if (most < floor) return;
    int64_t low = first_best(g->gains, levels, TREE_TIE * (measure == BY_PLAIN_RATIO ? 1 : tie));
    if (low < 0) return;
    d->gain = g->gains[low];
    d->form = FORM_THRESHOLD;
    d->low = (int32_t)low;
    int64_t high = low + 1;
    while (!(F(weight)(cells + high * K, C, !g->t->classes) > 0)) high++;
    d->high = (int32_t)high;
    d->count = 2;
    if (!is_ratio(g->t->measure)) return;
    double nl = 0;
    for (int64_t b = 0; b <= low; b++) nl += (double)F(weight)(cells + b * K, C, !g->t->classes);
    d->information = xlx_real(nl) + xlx_real((double)w->weight - nl);
    if (measure == BY_PLAIN_RATIO) d->gain *= xlx_real((double)w->weight) - d->information;
}

static void F(multiway)(grower *g, const CELL *cells, int64_t levels, const F(whole) *w, double scale, division *d) {
    const tree_task *t = g->t;
    int64_t C = t->classes ? t->classes : 2, values = 0, enough = 0;
    double inside = 0;
    d->gain = -INFINITY;
    d->form = FORM_MULTIWAY;
    d->information = 0;
    for (int64_t b = 0; b < levels; b++) {
        const CELL *bin = cells + b * g->channels;
        CELL n = F(weight)(bin, C, !t->classes);
        if (!(n > 0)) continue;
        values++;
        enough += (double)n + TREE_SLACK >= t->min_leaf;
        inside += F(disorder)(bin, n, C, t->measure, w->mean);
        d->information += F(xlx)(n);
    }
    if (enough < 2 || (double)w->weight + TREE_SLACK < t->min_leaf * (double)values) return;
    d->count = (int32_t)values;
    d->gain = w->disorder - inside;
    if (t->measure == BY_VARIANCE) d->gain = sober(d->gain, scale, (double)w->weight, values);
}

/* What two sets of values gain by chance, see the twin. */
static double F(by_chance)(const grower *g, const CELL *cells, int64_t levels, const F(whole) *w) {
    int64_t C = g->t->classes;
    double roots = 0, n = (double)w->weight, scale = n;
    for (int64_t b = 0; b < levels; b++) roots += sqrt((double)F(weight)(cells + b * g->channels, C, 0));
    if (g->t->measure == BY_GINI) {
        scale = 0;
        for (int64_t c = 0; c < C; c++) scale = fmax(scale, 2 * (double)w->cells[c] * (n - (double)w->cells[c]) / n);
    }
    double part = fmin(g->t->copies * roots * roots / n / n, 1);
    return scale * fmax(part * (HALF_NORMAL + (1 - HALF_NORMAL) * part) - 1 / n, 0);
}

/* Two sets of values. Leaves g->order as it was cut behind d->low. */
static int F(subset)(grower *g, const CELL *cells, int64_t levels, const F(whole) *w, CELL *left, double tie, double scale, division *d) {
    const tree_task *t = g->t;
    int64_t C = t->classes ? t->classes : 2, K = g->channels, values = 0;
    int numbers = !t->classes, measure = t->measure == BY_GAIN_RATIO ? BY_GAIN : t->measure;
    int64_t from = numbers || C == 2 ? 1 : 0, to = numbers || C == 2 ? 2 : C, pick = -1;
    double best[2] = {-INFINITY, -INFINITY};
    tie = measure == BY_PLAIN_RATIO ? 1 : tie;
    d->gain = -INFINITY;
    d->form = FORM_SUBSET;
    d->count = 2;
    /* First the best of each order, then the first order that is as good as any. */
    for (int pass = 0; pass < 2; pass++)
        for (int64_t c = from; c < to && (pass == 0 || pick < 0); c++) {
            values = 0;
            for (int64_t b = 0; b < levels; b++) {
                CELL n = F(weight)(cells + b * K, C, numbers);
                if (n > 0) g->order[values++] = (ranked){(double)cells[b * K + c] / (double)n, b};
            }
            if (values < 2) return 1;
            qsort(g->order, (size_t)values, sizeof(ranked), by_part);
            for (int64_t k = 0; k < C; k++) left[k] = 0;
            for (int64_t v = 0; v < values - 1; v++) {
                for (int64_t k = 0; k < C; k++) left[k] += cells[g->order[v].at * K + k];
                g->gains[v] = F(cut)(t, left, F(weight)(left, C, numbers), w, C, measure);
            }
            int64_t at = first_best(g->gains, values - 1, TREE_TIE * tie);
            if (at < 0) continue;
            double top = -INFINITY;
            for (int64_t v = 0; v < values - 1; v++) top = g->gains[v] > top ? g->gains[v] : top;
            if (pass == 0) best[0] = top > best[0] ? top : best[0];
            else if (top >= best[0] - TREE_TIE * tie) pick = at, d->gain = g->gains[at];
        }
    if (pick < 0) return 1;
    d->low = (int32_t)pick;
    double nl = 0;
    for (int64_t v = 0; v <= pick; v++) nl += (double)F(weight)(cells + g->order[v].at * K, C, numbers);
    d->information = xlx_real(nl) + xlx_real((double)w->weight - nl);
    if (measure == BY_PLAIN_RATIO) d->gain *= xlx_real((double)w->weight) - d->information;
    if (numbers) d->gain = sober(d->gain, scale, (double)w->weight, values);
    else if (values > 2) d->gain -= F(by_chance)(g, cells, levels, w);
    return 1;
}

ALWAYS grain F(grain_of)(const tree_task *t, int32_t column, uint32_t row, double weight) {
    return (grain){raw_value(t, column, row), weight, t->classes ? 0 : weight * t->target[row],
                   t->classes ? F(record)(t, row)[t->columns] : 0, F(across)(t, column)[row]};
}

/* The best cut between sorted values: the last on its left, and what it gains. `left`, what lies
   before all of them, becomes what lies before the cut; there is room for as much behind it. */
static int64_t F(scan)(grower *g, const grain *grains, int64_t m, CELL *left, const F(whole) *w, double tie, double *gain) {
    const tree_task *t = g->t;
    int64_t C = t->classes ? t->classes : 2, at = -1, distinct = 0;
    int measure = t->measure == BY_GAIN_RATIO ? BY_GAIN : t->measure;
    for (int pass = 0; pass < 2; pass++) { /* once to find the best cut, once to stop at it */
        CELL *here = left;
        if (pass == 0) {
            here = left + C;
            memcpy(here, left, (size_t)C * sizeof(CELL));
        }
        distinct = 0;
        for (int64_t i = 0; i < m; i++) {
            if (t->classes) here[grains[i].label] += (CELL)grains[i].weight;
            else here[0] += (CELL)grains[i].weight, here[1] += (CELL)grains[i].sum;
            if (i + 1 < m && grains[i + 1].value == grains[i].value) continue;
            if (pass == 1 && distinct == at) return i;
            if (pass == 0) g->gains[distinct] = i + 1 < m ? F(cut)(t, here, F(weight)(here, C, !t->classes), w, C, measure) : -INFINITY;
            distinct++;
        }
        if (pass == 0) at = first_best(g->gains, distinct, TREE_TIE * (measure == BY_PLAIN_RATIO ? 1 : tie));
        if (at < 0) at = 0; /* rounding may make every cut too light: the first will do */
        *gain = g->gains[at];
    }
    return 0;
}

/* The best threshold of a column, between any two of its values; d->low and d->high are their bins. */
static void F(search)(grower *g, const tree_bud *b, int32_t column, const F(whole) *w, CELL *left, double tie, division *d) {
    const tree_task *t = g->t;
    const CODE *codes = F(across)(t, column);
    int64_t C = t->classes ? t->classes : 2, m = 0, levels = t->levels[column];
    int64_t *starts = g->starts;
    grain *grains = g->grains;
    d->gain = -INFINITY;
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
        double weight = (t->weights ? t->weights[row] : 1) * (b->share ? b->share[i] : 1);
        grains[starts[codes[row]]++] = F(grain_of)(t, column, row, weight);
    }
    for (int64_t q = 0, from = 0; q < levels; from = starts[q++]) sort_grains(grains + from, grains + m, starts[q] - from);
    if (!(m > 1 && grains[0].value < grains[m - 1].value)) return;
    for (int64_t c = 0; c < C; c++) left[c] = 0;
    int64_t at = F(scan)(g, grains, m, left, w, tie, &d->gain);
    d->form = FORM_THRESHOLD;
    d->low = grains[at].bin;
    d->high = grains[at + 1].bin;
    d->count = 2;
    if (!is_ratio(t->measure)) return;
    double nl = (double)F(weight)(left, C, !t->classes);
    d->information = xlx_real(nl) + xlx_real((double)w->weight - nl);
    if (t->measure == BY_PLAIN_RATIO) d->gain *= xlx_real((double)w->weight) - d->information;
}

/* The best division of a node; 0 if there is none. */
static int F(best)(grower *g, const tree_bud *bud, CELL *scratch, division *best) {
    const tree_task *t = g->t;
    const CELL *cells = bud->cells;
    const double *stats = bud->stats;
    double tie = scale_of(t, stats), total = weight_of(t, stats);
    double floor = -INFINITY; /* what gains less than this can no longer win */
    int64_t C = t->classes ? t->classes : 2, n = 0;
    F(whole) w = {.cells = scratch};
    CELL *left = scratch + C;
    for (int64_t q = 0; q < g->chosen_n; q++) {
        int32_t column = g->chosen[q], form = t->forms[column];
        const CELL *mine = cells + q * t->bins * g->channels;
        if (!WHOLE || !q) F(sum_up)(g, mine, t->levels[column], stats, &w);
        if (!(w.weight > 0)) continue;
        double lost = total - (double)w.weight, scale = tie * (double)w.weight / total;
        division tried[2];
        int count = 0;
        if (g->fine[column]) F(search)(g, bud, column, &w, left, tie, tried + count++);
        else if (form == FORM_THRESHOLD) F(threshold)(g, mine, t->levels[column], &w, left, tie, floor, tried + count++);
        if (form == FORM_MULTIWAY || form == FORM_EITHER) F(multiway)(g, mine, t->levels[column], &w, scale, tried + count++);
        if (form == FORM_SUBSET || form == FORM_EITHER) F(subset)(g, mine, t->levels[column], &w, left, tie, scale, tried + count++);
        for (int k = 0; k < count; k++) {
            if (!(tried[k].gain > -INFINITY)) continue;
            tried[k].at = (int32_t)q;
            tried[k].column = column;
            tried[k].information = xlx_real(total) - tried[k].information - xlx_real(lost);
            g->found[n++] = tried[k];
            if (!is_ratio(t->measure)) floor = fmax(floor, tried[k].gain - 2 * TREE_TIE * tie);
        }
    }
    if (!n || !gains_for(g, n)) return 0;
    double sum = 0;
    for (int64_t k = 0; k < n; k++) sum += g->gains[k] = g->found[k].gain;
    if (is_ratio(t->measure)) {
        double least = t->measure == BY_GAIN_RATIO ? sum / (double)n - TREE_TIE * tie : -INFINITY;
        for (int64_t k = 0; k < n; k++)
            g->gains[k] = g->found[k].gain < least ? -INFINITY : g->found[k].gain / g->found[k].information;
        tie = 1;
    }
    int64_t at = first_best(g->gains, n, TREE_TIE * tie);
    if (at < 0) return 0;
    *best = g->found[at];
    return 1;
}

/* ---- dividing */

/* The branch of each bin, and what is known of each branch, for a division that is not refined. */
static void F(settle)(grower *g, const tree_bud *bud, CELL *scratch, double tie, division *d) {
    const tree_task *t = g->t;
    int64_t C = t->classes ? t->classes : 2, levels = t->levels[d->column], next = 0;
    const CELL *mine = (const CELL *)bud->cells + d->at * t->bins * g->channels;
    if (d->form == FORM_SUBSET) {
        F(whole) w = {.cells = scratch};
        F(sum_up)(g, mine, levels, bud->stats, &w);
        division again;
        F(subset)(g, mine, levels, &w, scratch + C, tie, 0, &again);
    }
    for (int64_t b = 0; b < levels; b++) {
        int here = F(weight)(mine + b * g->channels, C, !t->classes) > 0;
        if (d->form == FORM_THRESHOLD) g->branch[b] = b > d->low;
        else if (d->form == FORM_MULTIWAY) g->branch[b] = here ? (int32_t)next++ : -1;
        else g->branch[b] = here ? 1 : -1;
    }
    if (d->form == FORM_SUBSET) {
        for (int64_t v = 0; v <= d->low; v++) g->branch[g->order[v].at] = 0;
        int64_t first = 0;
        while (g->branch[first] < 0) first++;
        if (g->branch[first]) /* the first value is always in the first branch */
            for (int64_t b = 0; b < levels; b++) g->branch[b] = g->branch[b] < 0 ? -1 : 1 - g->branch[b];
    }
    for (int64_t k = 0; k < d->count * C; k++) g->sides[k] = 0;
    for (int64_t b = 0; b < levels; b++)
        if (g->branch[b] >= 0)
            for (int64_t c = 0; c < C; c++) g->sides[g->branch[b] * C + c] += (double)mine[b * g->channels + c];
    if (d->form == FORM_THRESHOLD) d->threshold = halfway(t->edges[d->column][d->low], t->edges[d->column][d->high]);
}

/* The exact threshold, from the values in the two bins about it: of `rows`, those that lie there. */
static int F(refine)(grower *g, const tree_bud *b, const uint32_t *rows, int64_t n, CELL *scratch, double tie, division *d) {
    const tree_task *t = g->t;
    int64_t C = t->classes ? t->classes : 2, K = g->channels, m = 0;
    const CELL *mine = (const CELL *)b->cells + d->at * t->bins * K;
    const CODE *codes = F(across)(t, d->column);
    F(whole) w = {.cells = scratch};
    CELL *left = scratch + C;
    F(sum_up)(g, mine, t->levels[d->column], b->stats, &w);
    grain *grains = malloc((size_t)(2 * n + 1) * sizeof(grain));
    if (!grains) return 0;
    for (int64_t i = 0; i < n; i++) {
        uint32_t row = rows[i];
        if (codes[row] != d->low && codes[row] != d->high) continue;
        double weight = (t->weights ? t->weights[row] : 1) * (b->share ? b->share[i] : 1);
        grains[m++] = F(grain_of)(t, d->column, row, weight);
    }
    if (!gains_for(g, m)) {
        free(grains);
        return 0;
    }
    sort_grains(grains, grains + n, m);
    for (int64_t c = 0; c < C; c++) left[c] = 0;
    for (int64_t q = 0; q < d->low; q++)
        for (int64_t c = 0; c < C; c++) left[c] += mine[q * K + c];
    double gain;
    int64_t at = F(scan)(g, grains, m, left, &w, tie, &gain);
    d->threshold = halfway(grains[at].value, grains[at + 1].value);
    free(grains);
    for (int64_t c = 0; c < C; c++) {
        g->sides[c] = (double)left[c];
        g->sides[C + c] = (double)(w.cells[c] - left[c]);
    }
    return 1;
}

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
    if (!exactly) F(send)(g, b, d, buds);
    else if (!F(sift)(g, b, d, scratch, tie, buds)) return 0;
    uint32_t *at = b->rows;
    for (int64_t k = 0; k < d->count; at += buds[k++].n) buds[k].rows = at;
    return 1;
}
#else
/* The branch of a row, -1 where what is asked for is missing. */
ALWAYS int64_t F(way)(const grower *g, const CODE *codes, const division *d, int exactly, uint32_t row) {
    int64_t code = codes[row];
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
    if (!WHOLE || g->chosen_n < g->t->columns) return 1;
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

/* Divide a bud, whose node is `me`, if that can be done. 0 if there is no memory. */
static int F(divide)(grower *g, tree_bud *b, int64_t me, CELL *scratch) {
    const tree_task *t = g->t;
    division d;
    choose(g, b->path);
    if (!b->cells && !(b->cells = F(counted)(g, b))) return 0;
    if (!F(best)(g, b, scratch, &d)) return 1;
    double tie = scale_of(t, b->stats);
    F(settle)(g, b, scratch, tie, &d);
    const uint8_t *mixed = t->mixed + (int64_t)d.column * t->bins;
    int exactly = d.form == FORM_THRESHOLD && (mixed[d.low] || mixed[d.high]);
    if (!exactly && !significant(g, d.count)) return 1;
    tree_bud *buds = calloc((size_t)d.count, sizeof(tree_bud));
    if (!buds) return 0;
    int ok = F(part)(g, b, &d, exactly, scratch, tie, buds);
    if (ok && significant(g, d.count)) ok = F(branch_off)(g, b, me, &d, buds);
    for (int64_t k = 0; k < d.count; k++) tree_bud_free(buds + k);
    free(buds);
    return ok;
}

static int F(grow)(grower *g, tree_bud *bud) {
    const tree_task *t = g->t;
    int64_t C = t->classes ? t->classes : 2;
    CELL *scratch = malloc((size_t)(4 * C) * sizeof(CELL));
    if (!WHOLE && !bud->share) { /* from here on, rows are the bud's where it has shares */
        bud->share = malloc((size_t)(bud->n + 1) * 8);
        for (int64_t i = 0; bud->share && i < bud->n; i++) bud->share[i] = 1;
        if (!bud->share) return TREE_NO_MEMORY;
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
            else ok = F(divide)(g, &b, me, scratch);
        }
        tree_bud_free(&b);
    }
    free(scratch);
    return ok ? 0 : TREE_NO_MEMORY;
}
