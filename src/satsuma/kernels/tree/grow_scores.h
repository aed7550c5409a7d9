/* What divisions of a node gain, and the best of them. Included by grow_body.h, for each type of codes and counts. */

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

/* Lists the bins that have rows. */
static void F(list_bins)(grower *g, const CELL *cells, int64_t levels) {
    int64_t C = g->t->classes ? g->t->classes : 2, n = 0;
    for (int64_t b = 0; b < levels; b++) {
        g->there[n] = (int32_t)b;
        n += F(weight)(cells + b * g->channels, C, !g->t->classes) > 0;
    }
    g->there_n = n;
}

/* The weight of a column's known rows, and how mixed they are, from their cells. */
static void F(conclude)(const grower *g, F(whole) *w) {
    int64_t C = g->t->classes ? g->t->classes : 2;
    w->weight = F(weight)(w->cells, C, !g->t->classes);
    w->mean = g->t->classes || !(w->weight > 0) ? 0 : (double)w->cells[1] / (double)w->weight;
    w->disorder = F(disorder)(w->cells, w->weight, C, g->t->measure, w->mean);
}

static void F(sum_up)(const grower *g, const CELL *cells, const double *stats, F(whole) *w) {
    int64_t C = g->t->classes ? g->t->classes : 2;
    for (int64_t c = 0; c < C; c++) {
        CELL sum = WHOLE ? (CELL)stats[c] : 0;
        for (int64_t k = 0; k < g->there_n && !WHOLE; k++) sum += cells[g->there[k] * g->channels + c];
        w->cells[c] = sum;
    }
    F(conclude)(g, w);
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

/* A cut that moves on: sums over the classes of what lies on its sides. */
typedef struct {
    double ls, rs;
    CELL nl;
} F(moving);

ALWAYS double F(term)(CELL x, int measure) { return measure == BY_GINI ? (double)x * (double)x : F(xlx)(x); }

ALWAYS F(moving) F(at_start)(const F(whole) *w, CELL *left, int64_t C, int measure) {
    F(moving) m = {0};
    for (int64_t c = 0; c < C; c++) {
        left[c] = 0;
        m.rs += F(term)(w->cells[c], measure);
    }
    return m;
}

/* One class more on the left. */
ALWAYS void F(move)(F(moving) *m, const F(whole) *w, CELL *left, int64_t c, CELL more, int measure) {
    CELL l = left[c], r = w->cells[c] - l;
    m->ls += F(term)(l + more, measure) - F(term)(l, measure);
    m->rs += F(term)(r - more, measure) - F(term)(r, measure);
    m->nl += more;
    left[c] = l + more;
}

/* As `cut`, of one that has moved so far. */
ALWAYS double F(moved)(const tree_task *t, const F(moving) *m, const F(whole) *w, int measure) {
    CELL nl = m->nl, nr = w->weight - nl;
    if (!(nl > 0 && nr > 0)) return -INFINITY;
    if ((double)nl + TREE_SLACK < t->min_leaf || (double)nr + TREE_SLACK < t->min_leaf) return -INFINITY;
    if (measure == BY_GINI) return w->disorder - ((double)nl - m->ls / (double)nl) - ((double)nr - m->rs / (double)nr);
    double gain = w->disorder - (F(xlx)(nl) - m->ls) - (F(xlx)(nr) - m->rs);
    return measure == BY_PLAIN_RATIO ? gain / (F(xlx)(w->weight) - F(xlx)(nl) - F(xlx)(nr)) : gain;
}

/* What a cut behind each bin with rows gains, where there are many classes: most have no row in a bin. */
static void F(gains_of_many)(grower *g, const CELL *cells, const F(whole) *w, CELL *left, int measure) {
    int64_t C = g->t->classes;
    F(moving) m = F(at_start)(w, left, C, measure);
    for (int64_t k = 0; k < g->there_n; k++) {
        const CELL *bin = cells + g->there[k] * g->channels;
        for (int64_t c = 0; c < C; c++)
            if (bin[c] != 0) F(move)(&m, w, left, c, bin[c], measure);
        g->gains[k] = F(moved)(g->t, &m, w, measure);
    }
}

/* What a cut behind each bin with rows gains. */
ALWAYS void F(gains_of)(grower *g, const CELL *cells, const F(whole) *w, CELL *left, int64_t C, int64_t K, int measure) {
    for (int64_t c = 0; c < C; c++) left[c] = 0;
    for (int64_t k = 0; k < g->there_n; k++) {
        const CELL *bin = cells + g->there[k] * K;
        for (int64_t c = 0; c < C; c++) left[c] += bin[c];
        g->gains[k] = F(cut)(g->t, left, F(weight)(left, C, measure == BY_VARIANCE), w, C, measure);
    }
}

ALWAYS double F(weight_before)(const grower *g, int64_t C, int64_t k, int numbers) {
    double n = g->before[k];
    for (int64_t c = 1; c < C && !numbers; c++) n += g->before[c * g->room + k];
    return n;
}

ALWAYS int F(is_light)(const grower *g, int64_t C, int64_t k, int numbers, double least) {
    return F(weight_before)(g, C, k, numbers) + TREE_SLACK < least;
}

/* What n cuts gain, by what lies before each, for few channels: all side by side. */
ALWAYS void F(gains_side_by_side)(grower *g, const F(whole) *w, int64_t n, int64_t C, int measure) {
    const int64_t room = g->room;
    const int numbers = measure == BY_VARIANCE;
    const double all = (double)w->weight, least = g->t->min_leaf, disorder = w->disorder, mean = w->mean;
    double *restrict before = g->before, *restrict gains = g->gains, of[4];
    for (int64_t c = 0; c < C; c++) of[c] = (double)w->cells[c];
    for (int64_t k = 0; k < n; k++) {
        double nl = before[k], ls = 0, rs = 0, gain;
        for (int64_t c = 1; c < C && !numbers; c++) nl += before[c * room + k];
        double nr = all - nl;
        if (numbers) {
            double l = before[room + k] - nl * mean, r = (of[1] - before[room + k]) - nr * mean;
            gain = disorder + l * l / nl + r * r / nr;
        } else {
            for (int64_t c = 0; c < C; c++) {
                double here = before[c * room + k], there = of[c] - here;
                ls += measure == BY_GINI ? here * here : xlx_near(here);
                rs += measure == BY_GINI ? there * there : xlx_near(there);
            }
            if (measure == BY_GINI) gain = disorder - (nl - ls / nl) - (nr - rs / nr);
            else gain = disorder - (xlx_near(nl) - ls) - (xlx_near(nr) - rs);
        }
        gains[k] = gain;
    }
    for (int64_t k = 0; k < n && F(is_light)(g, C, k, numbers, least); k++) gains[k] = -INFINITY;
    for (int64_t k = n - 1; k >= 0; k--) {
        double nr = all - F(weight_before)(g, C, k, numbers);
        if (nr > 0 && !(nr + TREE_SLACK < least)) break;
        gains[k] = -INFINITY;
    }
}

/* The same as gains_of for few channels. */
ALWAYS void F(gains_of_few)(grower *g, const CELL *cells, const F(whole) *w, int64_t C, int64_t K, int measure) {
    double *restrict before = g->before, left[4] = {0};
    const int32_t *restrict there = g->there;
    for (int64_t k = 0; k < g->there_n; k++)
        for (int64_t c = 0; c < C; c++) before[c * g->room + k] = left[c] += (double)cells[there[k] * K + c];
    F(gains_side_by_side)(g, w, g->there_n, C, measure);
}

/* The best threshold of a column: d->low is the last bin on the left. 0 if there is none. */
static HOT int F(threshold)(grower *g, const CELL *cells, const F(whole) *w, CELL *left, double tie, double floor, division *d) {
    int64_t C = g->t->classes ? g->t->classes : 2, K = g->channels, n = g->there_n;
    int measure = g->t->measure == BY_GAIN_RATIO ? BY_GAIN : g->t->measure;
    if (measure == BY_VARIANCE) F(gains_of_few)(g, cells, w, 2, 2, BY_VARIANCE);
    else if (measure == BY_GINI && C == 2) F(gains_of_few)(g, cells, w, 2, 2, BY_GINI);
    else if (measure == BY_GINI && C == 3) F(gains_of_few)(g, cells, w, 3, 4, BY_GINI);
    else if (measure == BY_GINI && C == 4) F(gains_of_few)(g, cells, w, 4, 4, BY_GINI);
    else if (measure == BY_GAIN && C == 2 && UNITS) F(gains_of)(g, cells, w, left, 2, 2, BY_GAIN);
    else if (measure == BY_GAIN && C == 3 && UNITS) F(gains_of)(g, cells, w, left, 3, 4, BY_GAIN);
    else if (measure == BY_GAIN && C == 2) F(gains_of_few)(g, cells, w, 2, 2, BY_GAIN);
    else if (measure == BY_GAIN && C == 3) F(gains_of_few)(g, cells, w, 3, 4, BY_GAIN);
    else if (C > 4) F(gains_of_many)(g, cells, w, left, measure);
    else F(gains_of)(g, cells, w, left, C, K, measure);
    double most = greatest(g->gains, n);
    if (most < floor || !(most > -INFINITY)) return 0;
    int64_t k = first_from(g->gains, n, most - TREE_TIE * (measure == BY_PLAIN_RATIO ? 1 : tie));
    d->gain = g->gains[k];
    d->form = FORM_THRESHOLD;
    d->low = g->there[k];
    d->high = g->there[k + 1];
    d->count = 2;
    if (measure == BY_VARIANCE)
        for (int c = 0; c < 2; c++) {
            d->below[c] = k ? g->before[c * g->room + k - 1] : 0;
            d->up_to[c] = g->before[c * g->room + k];
            d->known[c] = (double)w->cells[c];
        }
    if (!is_ratio(g->t->measure)) return 1;
    double nl = 0;
    for (int64_t b = 0; b <= k; b++) nl += (double)F(weight)(cells + g->there[b] * K, C, !g->t->classes);
    d->information = xlx_real(nl) + xlx_real((double)w->weight - nl);
    if (measure == BY_PLAIN_RATIO) d->gain *= xlx_real((double)w->weight) - d->information;
    return 1;
}

/* A branch for each value; 0 if that cannot be. */
static int F(multiway)(grower *g, const CELL *cells, const F(whole) *w, double scale, division *d) {
    const tree_task *t = g->t;
    int64_t C = t->classes ? t->classes : 2, values = g->there_n, enough = 0;
    double inside = 0;
    d->form = FORM_MULTIWAY;
    d->information = 0;
    for (int64_t k = 0; k < values; k++) {
        const CELL *bin = cells + g->there[k] * g->channels;
        CELL n = F(weight)(bin, C, !t->classes);
        enough += (double)n + TREE_SLACK >= t->min_leaf;
        inside += F(disorder)(bin, n, C, t->measure, w->mean);
        d->information += F(xlx)(n);
    }
    if (enough < 2 || (double)w->weight + TREE_SLACK < t->min_leaf * (double)values) return 0;
    d->count = (int32_t)values;
    d->gain = w->disorder - inside;
    if (t->measure == BY_VARIANCE) d->gain = sober(d->gain, scale, (double)w->weight, values);
    return d->gain > -INFINITY;
}

/* What two sets of values gain by chance, see the twin. */
static double F(by_chance)(const grower *g, const CELL *cells, const F(whole) *w) {
    int64_t C = g->t->classes;
    double roots = 0, n = (double)w->weight, scale = n;
    for (int64_t k = 0; k < g->there_n; k++) roots += sqrt((double)F(weight)(cells + g->there[k] * g->channels, C, 0));
    if (g->t->measure == BY_GINI) {
        scale = 0;
        for (int64_t c = 0; c < C; c++) scale = fmax(scale, 2 * (double)w->cells[c] * (n - (double)w->cells[c]) / n);
    }
    double part = fmin(g->t->copies * roots * roots / n / n, 1);
    return scale * fmax(part * (HALF_NORMAL + (1 - HALF_NORMAL) * part) - g->unit / n, 0);
}

/* Two sets of values; 0 if there are none. Leaves g->order as it was cut behind d->low. */
static int F(subset)(grower *g, const CELL *cells, const F(whole) *w, CELL *left, double tie, double scale, division *d) {
    const tree_task *t = g->t;
    int64_t C = t->classes ? t->classes : 2, K = g->channels, values = g->there_n;
    int numbers = !t->classes, measure = t->measure == BY_GAIN_RATIO ? BY_GAIN : t->measure;
    int64_t from = numbers || C == 2 ? 1 : 0, to = numbers || C == 2 ? 2 : C, pick = -1;
    double best[2] = {-INFINITY, -INFINITY};
    tie = measure == BY_PLAIN_RATIO ? 1 : tie;
    d->gain = -INFINITY;
    d->form = FORM_SUBSET;
    d->count = 2;
    if (values < 2) return 0;
    /* First the best of each order, then the first order that is as good as any. */
    for (int pass = 0; pass < 2; pass++)
        for (int64_t c = from; c < to && (pass == 0 || pick < 0); c++) {
            for (int64_t v = 0; v < values; v++) {
                int64_t b = g->there[v];
                g->order[v] = (ranked){(double)cells[b * K + c] / (double)F(weight)(cells + b * K, C, numbers), b};
            }
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
    if (pick < 0) return 0;
    d->low = (int32_t)pick;
    if (is_ratio(t->measure)) {
        double nl = 0;
        for (int64_t v = 0; v <= pick; v++) nl += (double)F(weight)(cells + g->order[v].at * K, C, numbers);
        d->information = xlx_real(nl) + xlx_real((double)w->weight - nl);
    }
    if (measure == BY_PLAIN_RATIO) d->gain *= xlx_real((double)w->weight) - d->information;
    if (numbers) d->gain = sober(d->gain, scale, (double)w->weight, values);
    else if (values > 2) d->gain -= F(by_chance)(g, cells, w);
    return d->gain > -INFINITY;
}

#include "grow_exact.h"
#include "grow_sorted.h"

/* The best division of a bud; 0 if there is none. Of a small one, whose columns are counted as they come, if that is
   given instead. */
static int F(best)(grower *g, const tree_bud *bud, const small_bud *small, CELL *scratch, division *best) {
    const tree_task *t = g->t;
    const CELL *cells = small ? NULL : bud->cells;
    const double *stats = small ? g->small.now : bud->stats;
    double tie = scale_of(t, stats), total = weight_of(t, stats);
    double floor = -INFINITY; /* what gains less than this can no longer win */
    int64_t C = t->classes ? t->classes : 2, n = 0;
    F(whole) w = {.cells = scratch};
    CELL *left = scratch + C;
    for (int64_t q = 0; q < g->chosen_n; q++) {
        int32_t column = g->chosen[q], form = t->forms[column];
        int sorted = small && g->fine[column];
        const CELL *mine = sorted ? NULL : small ? F(count_small)(g, small, column) : cells + q * t->bins * g->channels;
        if (!small) F(list_bins)(g, mine, t->levels[column]);
        if (!WHOLE && sorted) F(sum_sorted)(g, column, &w);
        else if (!WHOLE || !q) F(sum_up)(g, mine, stats, &w);
        if (!(w.weight > 0)) continue;
        double lost = total - (double)w.weight, scale = form == FORM_THRESHOLD ? 0 : tie * (double)w.weight / total;
        int64_t first = n;
        if (sorted) n += F(sorted_threshold)(g, column, &w, left, tie, g->found + n);
        else if (g->fine[column]) n += F(search)(g, bud, column, &w, left, tie, g->found + n);
        else if (form == FORM_THRESHOLD) n += F(threshold)(g, mine, &w, left, tie, floor, g->found + n);
        if (form == FORM_MULTIWAY || form == FORM_EITHER) n += F(multiway)(g, mine, &w, scale, g->found + n);
        if (form == FORM_SUBSET || form == FORM_EITHER) n += F(subset)(g, mine, &w, left, tie, scale, g->found + n);
        if (small && !sorted) F(clear_small)(g);
        for (int64_t k = first; k < n; k++) {
            division *d = g->found + k;
            d->at = (int32_t)q;
            d->column = column;
            if (is_ratio(t->measure)) d->information = xlx_real(total) - d->information - xlx_real(lost);
            else if (d->gain - 2 * TREE_TIE * tie > floor) floor = d->gain - 2 * TREE_TIE * tie;
        }
    }
    return best_found(g, n, tie, best);
}
