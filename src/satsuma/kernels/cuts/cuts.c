#include "cuts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline double looked_up(const double *table, double x) { return table[(int64_t)x]; }

static inline double computed(const double *table, double x) {
    (void)table;
    return x > 0 ? x * log2(x) : 0.0;
}

static inline double logged(const cuts_logs *logs, double x) {
    return logs->size ? looked_up(logs->table, x) : computed(NULL, x);
}

/* What is right of a place; differences of sums that are no whole numbers may be off by rounding. */
static inline double rest(double all, double left) {
    double right = all - left;
    return right > 1e-12 * all ? right : 0.0;
}

/* The loop of cuts_best, of which there is one for each way to a logarithm, and for two classes. */
#define BEST(NAME, LOGGED, CLASSES)                                                              \
    static int64_t NAME(const double *upto, int64_t classes, int64_t lo, int64_t hi,             \
                        const double *table) {                                                   \
        const double *low = upto + lo * (CLASSES), *high = upto + hi * (CLASSES);                \
        double least = INFINITY;                                                                 \
        int64_t at = -1;                                                                         \
        (void)classes;                                                                           \
        for (int64_t i = lo + 1; i < hi; i++) {                                                  \
            const double *here = upto + i * (CLASSES);                                           \
            double all_left = 0, all_right = 0, sum_left = 0, sum_right = 0;                     \
            for (int64_t k = 0; k < (CLASSES); k++) {                                            \
                double l = here[k] - low[k], r = high[k] - here[k];                              \
                r = r > 1e-12 * (high[k] - low[k]) ? r : 0.0;                                    \
                all_left += l;                                                                   \
                all_right += r;                                                                  \
                sum_left += LOGGED(table, l);                                                    \
                sum_right += LOGGED(table, r);                                                   \
            }                                                                                    \
            double left = (LOGGED(table, all_left) - sum_left) + (LOGGED(table, all_right) - sum_right); \
            if (left < least) {                                                                  \
                least = left;                                                                    \
                at = i;                                                                          \
            }                                                                                    \
        }                                                                                        \
        return at;                                                                               \
    }

BEST(best_of_two, looked_up, 2)
BEST(best_looked_up, looked_up, classes)
BEST(best_computed, computed, classes)

int64_t cuts_best(const double *upto, int64_t classes, int64_t lo, int64_t hi, const cuts_logs *logs) {
    if (!logs->size) return best_computed(upto, classes, lo, hi, NULL);
    return (classes == 2 ? best_of_two : best_looked_up)(upto, classes, lo, hi, logs->table);
}

/* Whether a cut tells more than its description takes (Fayyad and Irani 1993). */
static int pays(const double *low, const double *here, const double *high, int64_t classes, const cuts_logs *logs) {
    double n = 0, n1 = 0, n2 = 0, s = 0, s1 = 0, s2 = 0, k = 0, k1 = 0, k2 = 0;
    for (int64_t c = 0; c < classes; c++) {
        double all = high[c] - low[c], left = here[c] - low[c], right = rest(all, left);
        n += all, n1 += left, n2 += right;
        s += logged(logs, all), s1 += logged(logs, left), s2 += logged(logs, right);
        k += all > 0, k1 += left > 0, k2 += right > 0;
    }
    if (!(n > 1) || !(n1 > 0 && n2 > 0)) return 0;
    double before = logged(logs, n) - s, one = logged(logs, n1) - s1, two = logged(logs, n2) - s2;
    double told = k * log2(3.0) + log2(1.0 - 2.0 * pow(3.0, -k)); /* log2(3^k - 2), for any k */
    double delta = told - (k * before / n - k1 * one / n1 - k2 * two / n2);
    return (before - one - two) / n > (log2(n - 1.0) + delta) / n;
}

int64_t cuts_mdl(const double *upto, int64_t n, int64_t classes, const cuts_logs *logs, int64_t *places) {
    int64_t *stack = malloc((size_t)(2 * n + 2) * sizeof *stack), depth = 0, found = 0, lo = 0;
    if (!stack) return CUTS_NO_MEMORY;
    /* The ends of parts that are not cut yet wait on the stack, the leftmost on top. */
    for (stack[depth++] = n; depth;) {
        int64_t hi = stack[depth - 1], at = cuts_best(upto, classes, lo, hi, logs);
        if (at >= 0 && pays(upto + lo * classes, upto + at * classes, upto + hi * classes, classes, logs)) {
            stack[depth++] = at;
            continue;
        }
        lo = hi;
        if (--depth) places[found++] = hi;
    }
    free(stack);
    return found;
}

/* Halfway between numbers, but never on the greater one. */
static double halfway(double left, double right) {
    double middle = left / 2 + right / 2;
    return middle >= left && middle < right ? middle : left;
}

static double bell_loss(const cuts_column *c, double *score) {
    double loss = 0;
    for (int64_t i = 0; i < c->rows; i++) {
        int64_t from = c->fold[i] * c->classes;
        double top = -INFINITY, sum = 0, right = 0;
        if (!(c->class_weight[from] >= 0)) continue; /* nothing was learned */
        for (int64_t k = 0; k < c->classes; k++) {
            double t = (c->value[i] - c->mean[from + k]) * c->scale[from + k];
            score[k] = c->base[from + k] - t * t;
            top = score[k] > top ? score[k] : top;
        }
        if (top > -INFINITY) {
            for (int64_t k = 0; k < c->classes; k++) {
                double odds = score[k] < top ? exp(score[k] - top) : 1.0;
                sum += odds;
                right = k == c->label[i] ? odds : right;
            }
            right /= sum;
        }
        loss -= c->weight[i] * log(right > c->least ? right : c->least);
    }
    return loss;
}

/* The log loss of an interval, whose rows weigh `held` and those learned from `seen`. */
static double interval_loss(const cuts_column *c, const double *total, double all, const double *seen, const double *held,
                            double parts) {
    double sum = 0, loss = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t k = 0; k < c->classes; k++) {
            double share = parts > 1 ? (seen[k] + c->m / parts) / (total[k] + c->m) : 1.0;
            double odds = total[k] > 0 ? share * (total[k] / all) : 0.0;
            if (!pass) sum += odds;
            else if (held[k] > 0) {
                double right = odds / sum;
                loss -= held[k] * log(right > c->least ? right : c->least);
            }
        }
    return loss;
}

typedef struct {
    double *upto, *value, *held; /* (rows + 1, classes), (rows), (classes) */
    int64_t *places;             /* (rows) */
} work;

/* The distinct numbers of all rows but those of a fold, and what those up to each weigh. */
static int64_t learned_from(const cuts_column *c, int64_t fold, const work *w) {
    int64_t n = 0, classes = c->classes;
    memset(w->upto, 0, (size_t)classes * sizeof(double));
    for (int64_t i = 0; i < c->rows; i++) {
        if (c->fold[i] == fold) continue;
        if (n && c->value[i] == w->value[n - 1]) {
            w->upto[n * classes + c->label[i]] += c->weight[i];
            continue;
        }
        const double *before = w->upto + n * classes;
        w->value[n++] = c->value[i];
        for (int64_t k = 0; k < classes; k++)
            w->upto[n * classes + k] = before[k] + (k == c->label[i] ? c->weight[i] : 0.0);
    }
    return n;
}

static double cut_loss(const cuts_column *c, int64_t fold, const work *w, const double *cuts, const double *counts,
                       int64_t found) {
    const double *total = c->class_weight + fold * c->classes;
    double loss = 0, all = 0;
    for (int64_t k = 0; k < c->classes; k++) all += total[k];
    for (int64_t j = 0, i = 0; j <= found; j++, counts += c->classes) {
        memset(w->held, 0, (size_t)c->classes * sizeof(double));
        for (; i < c->rows && (j == found || c->value[i] <= cuts[j]); i++)
            if (c->fold[i] == fold) w->held[c->label[i]] += c->weight[i];
        loss += interval_loss(c, total, all, counts, w->held, (double)(found + 1));
    }
    return loss;
}

static int64_t compare(const cuts_column *c, cuts_found *out, const work *w, double *score) {
    double *cuts = out->cuts, *counts = out->counts;
    out->bell = bell_loss(c, score);
    out->cut = 0;
    for (int64_t fold = 0; fold <= c->folds; fold++) {
        int64_t n = learned_from(c, fold, w), found = n ? cuts_mdl(w->upto, n, c->classes, &c->logs, w->places) : 0;
        if (found < 0) return found;
        for (int64_t j = 0; j <= found; j++) {
            int64_t lo = j ? w->places[j - 1] : 0, hi = j < found ? w->places[j] : n;
            if (j < found) cuts[j] = halfway(w->value[hi - 1], w->value[hi]);
            for (int64_t k = 0; k < c->classes; k++)
                counts[j * c->classes + k] = w->upto[hi * c->classes + k] - w->upto[lo * c->classes + k];
        }
        if (fold < c->folds && c->class_weight[fold * c->classes] >= 0)
            out->cut += cut_loss(c, fold, w, cuts, counts, found);
        out->found[fold] = found;
        cuts += found;
        counts += (found + 1) * c->classes;
    }
    return 0;
}

int64_t cuts_compare(const cuts_column *c, cuts_found *out) {
    size_t rows = (size_t)c->rows, classes = (size_t)c->classes;
    double *room = malloc(((rows + 1) * classes + rows + 2 * classes + 1) * sizeof *room);
    int64_t *places = malloc((rows + 1) * sizeof *places), status = CUTS_NO_MEMORY;
    if (room && places) {
        work w = {room, room + (rows + 1) * classes, NULL, places};
        w.held = w.value + rows;
        status = compare(c, out, &w, w.held + classes);
    }
    free(room);
    free(places);
    return status;
}
