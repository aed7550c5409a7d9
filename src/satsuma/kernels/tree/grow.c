/* Growing a tree in memory: depth first, from records of codes and lists of the rows at a node. */
#include "tree.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TABLE 65536
#define AHEAD 16 /* rows that are fetched before they are used */
#define MANY (1 << 26) /* rows whose parts are beyond what an int32 counts */
#define HALF_NORMAL 0.6366197723675814 /* 2 / pi */

static double table[TABLE];

void tree_start(void) {
    if (table[2] > 0) return;
    for (int64_t k = TABLE - 1; k > 1; k--) table[k] = (double)k * log2((double)k);
}

ALWAYS double xlx_real(double x) { return x > 0 ? x * log2(x) : 0; }

/* The same without a branch, so that several go side by side; right to the last digits. */
ALWAYS double xlx_near(double x) {
    const double part = x + (x < 1e-300); /* nothing is taken for 1, whose logarithm is 0 */
    const uint64_t half = 0x3fe6a09e667f3bcdull, bias = 1023ull << 52; /* the root of 1/2; so that powers are not below 0 */
    uint64_t bits, power, whole;
    double m, k;
    memcpy(&bits, &part, 8);
    power = (bits - half + bias) >> 52;
    whole = 0x4330000000000000ull | power; /* the number itself, beside 2^52 */
    memcpy(&k, &whole, 8);
    bits -= (power << 52) - bias;
    memcpy(&m, &bits, 8);
    double f = (m - 1) / (m + 1), s = f * f, sum = 1.0 / 21;
    sum = ((((sum * s + 1.0 / 19) * s + 1.0 / 17) * s + 1.0 / 15) * s + 1.0 / 13) * s + 1.0 / 11;
    sum = ((((sum * s + 1.0 / 9) * s + 1.0 / 7) * s + 1.0 / 5) * s + 1.0 / 3) * s + 1;
    return x * ((k - 4503599627370496.0 - 1023) + sum * f * 2.8853900817779268); /* 2 / ln 2 */
}
ALWAYS double xlx_whole(int64_t k) { return k < TABLE ? table[k] : (double)k * log2((double)k); }

static uint64_t mixed_up(uint64_t x) { /* splitmix64 */
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

#include "grown.h"

/* A division that has been found. */
typedef struct {
    int32_t at, column, form, low, high, count; /* at: among the columns looked at */
    double gain, information, threshold;
    double below[2], up_to[2], known[2]; /* of numbers: weight and sum before the low bin, up to it, and in all bins */
} division;

/* A value inside a bin, and what its rows come to. */
typedef struct {
    double value, weight, sum;
    int32_t label, bin;
} grain;

/* Sorted by value: in runs by insertion, then merged. scratch has room for all. */
static void sort_grains(grain *a, grain *scratch, int64_t n) {
    for (int64_t lo = 0; lo < n; lo += 16) {
        int64_t hi = lo + 16 < n ? lo + 16 : n;
        for (int64_t i = lo + 1; i < hi; i++) {
            grain x = a[i];
            int64_t k = i;
            for (; k > lo && a[k - 1].value > x.value; k--) a[k] = a[k - 1];
            a[k] = x;
        }
    }
    grain *from = a, *to = scratch;
    for (int64_t run = 16; run < n; run *= 2) {
        for (int64_t lo = 0; lo < n; lo += 2 * run) {
            int64_t m = lo + run < n ? lo + run : n, hi = lo + 2 * run < n ? lo + 2 * run : n, i = lo, k = m;
            for (int64_t q = lo; q < hi; q++) to[q] = i < m && (k >= hi || from[i].value <= from[k].value) ? from[i++] : from[k++];
        }
        grain *swap = from;
        from = to;
        to = swap;
    }
    if (from != a) memcpy(a, from, (size_t)n * sizeof(grain));
}

static double halfway(double low, double high) {
    double middle = low * 0.5 + high * 0.5;
    return low <= middle && middle < high ? middle : low;
}

ALWAYS double raw_value(const tree_task *t, int32_t column, uint32_t row) {
    const tree_column *c = t->raw + column;
    return *(const double *)(c->at + (int64_t)row * c->step) + 0.0;
}

typedef struct {
    double part;
    int64_t at;
} ranked;

static int by_part(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->part != y->part) return x->part < y->part ? -1 : 1;
    return x->at < y->at ? -1 : 1;
}

#include "small_tree.h"

/* Everything that is used over and over while one tree grows. */
typedef struct {
    const tree_task *t;
    tree_grown *out;
    const double *weights; /* by row; NULL where all weigh 1 */
    double unit;        /* what a row counts for: where rows are divided, counts are of parts */
    int32_t channels;   /* of a bin */
    int32_t *chosen;    /* the columns that are looked at, in order */
    int64_t chosen_n;
    double *gains;      /* of cuts */
    int64_t gains_room;
    int32_t *there;     /* the bins of a column that have rows, in order */
    int64_t there_n;
    double *before;     /* (channels, room) up to each of them */
    int64_t room;       /* for bins, or for values of a small node */
    uint8_t *fine;      /* by column, whether all of its values are compared */
    int any_fine;
    grain *grains;      /* of rows, with room to sort them; only where columns are fine */
    int64_t *starts;    /* of bins, among these */
    int32_t *branch;    /* of each bin */
    double *sides;      /* (branches, channels) of what is known */
    double *parts;      /* of branches */
    double *divided;    /* what each branch gets of a row that is divided */
    ranked *order;
    division *found;
    uint32_t *aside;    /* room for all rows, twice: those that go right, those to be settled */
    int64_t aside_n;
    tree_bud *stack;
    int64_t stack_n, stack_room;
    small_tree small;
} grower;

/* What the part of a row that is at a node counts for. */
ALWAYS double part_weight(const grower *g, const tree_bud *b, int64_t i) {
    return (g->weights ? g->weights[b->rows[i]] : 1) * (b->share ? b->share[i] : 1) * g->unit;
}

static int is_ratio(int measure) { return measure == BY_GAIN_RATIO || measure == BY_PLAIN_RATIO; }

static int gains_for(grower *g, int64_t n) {
    if (n <= g->gains_room) return 1;
    if (!grow_array(&g->gains, n, 8)) return 0;
    g->gains_room = n;
    return 1;
}

ALWAYS double greatest(const double *gains, int64_t n) {
    double best[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    int64_t k = 0;
    for (; k + 4 <= n; k += 4)
        for (int j = 0; j < 4; j++) best[j] = gains[k + j] > best[j] ? gains[k + j] : best[j];
    for (; k < n; k++) best[0] = gains[k] > best[0] ? gains[k] : best[0];
    for (int j = 1; j < 4; j++) best[0] = best[j] > best[0] ? best[j] : best[0];
    return best[0];
}

ALWAYS int64_t first_from(const double *gains, int64_t n, double least) {
    for (int64_t k = 0; k < n; k++)
        if (gains[k] >= least) return k;
    return -1;
}

/* The first of those that are as good as the best, but for rounding; -1 if all are impossible. */
static int64_t first_best(const double *gains, int64_t n, double tie) {
    double best = greatest(gains, n);
    return best > -INFINITY ? first_from(gains, n, best - tie) : -1;
}

/* The best of the divisions that have been found; 0 if there is none. */
static int best_found(grower *g, int64_t n, double tie, division *best) {
    const tree_task *t = g->t;
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

/* What is drawn for a column at a node. */
static uint64_t drawn_for(uint64_t path, int32_t column) {
    return mixed_up((path ^ 0x5851F42D4C957F2Dull) + (uint64_t)column);
}

/* Which columns a node looks at, after so many others in vain: drawn by its way from the root, not by the order of
   growing. */
static void choose(grower *g, uint64_t path, int64_t before) {
    int64_t d = g->t->columns, few = g->t->tried < d - before ? g->t->tried : d - before;
    for (int64_t j = 0; j < d; j++) g->chosen[j] = (int32_t)j;
    g->chosen_n = few;
    if (few >= d) return;
    for (int64_t k = 0; k < before + few; k++) {
        path = mixed_up(path);
        int64_t q = k + (int64_t)(path % (uint64_t)(d - k));
        int32_t swap = g->chosen[k];
        g->chosen[k] = g->chosen[q];
        g->chosen[q] = swap;
    }
    if (before) memmove(g->chosen, g->chosen + before, (size_t)few * sizeof(int32_t));
    for (int64_t k = 1; k < few; k++) { /* few of them: sorted by insertion */
        int32_t x = g->chosen[k];
        int64_t q = k;
        for (; q > 0 && g->chosen[q - 1] > x; q--) g->chosen[q] = g->chosen[q - 1];
        g->chosen[q] = x;
    }
}

static int significant(const grower *g, int64_t branches) {
    const tree_task *t = g->t;
    if (!t->critical) return 1;
    int64_t C = t->classes, seen = 0;
    double n = 0, statistic = 0;
    for (int64_t b = 0; b < branches; b++)
        for (int64_t c = 0; c < C; c++) n += g->sides[b * C + c];
    for (int64_t c = 0; c < C; c++) {
        double of_class = 0;
        for (int64_t b = 0; b < branches; b++) of_class += g->sides[b * C + c];
        if (!(of_class > 0)) continue;
        seen++;
        for (int64_t b = 0; b < branches; b++) {
            double of_branch = 0;
            for (int64_t k = 0; k < C; k++) of_branch += g->sides[b * C + k];
            double expected = of_branch * of_class / n, away = g->sides[b * C + c] - expected;
            statistic += away * away / expected;
        }
    }
    int64_t freedom = (branches - 1) * (seen - 1);
    return freedom > 0 && statistic / g->unit > t->critical[freedom];
}

/* As in the adjusted R², each of many values takes a degree of freedom. */
static double sober(double gain, double scale, double known, int64_t values) {
    if (values <= 2) return gain;
    if (!(known > (double)values)) return -INFINITY;
    return scale - (scale - gain) * (known - 2) / (known - (double)values);
}

static int64_t stats_width(const tree_task *t) { return t->classes ? t->classes : 5; }

static double weight_of(const tree_task *t, const double *stats) {
    if (!t->classes) return stats[0];
    double n = 0;
    for (int32_t c = 0; c < t->classes; c++) n += stats[c];
    return n;
}

/* What ties at a node are measured by. */
static double scale_of(const tree_task *t, const double *stats) {
    if (t->classes) return weight_of(t, stats);
    double left = stats[0] > 0 ? stats[2] - stats[1] * stats[1] / stats[0] : 0;
    return left > 0 ? left : 0;
}

static int is_leaf(const tree_task *t, const double *stats, int64_t depth) {
    if (depth >= t->max_depth || weight_of(t, stats) < t->min_split) return 1;
    if (!t->classes) return !(stats[3] < stats[4]);
    int32_t seen = 0;
    for (int32_t c = 0; c < t->classes; c++) seen += stats[c] > 0;
    return seen < 2;
}

/* Whether bins of a column hold several values, and these are to be compared. */
static int is_fine(const tree_task *t, int32_t column) {
    if (!t->every || t->forms[column] != FORM_THRESHOLD) return 0;
    for (int32_t b = 0; b < t->levels[column]; b++)
        if (t->mixed[(int64_t)column * t->bins + b]) return 1;
    return 0;
}

/* The branch that most of what is known goes to, the first of several. */
static int64_t heaviest(const double *parts, int64_t count) {
    int64_t most = 0;
    for (int64_t k = 1; k < count; k++)
        if (parts[k] > parts[most]) most = k;
    return most;
}

/* The share of each branch in what is known, and what it gets of a row that is divided: parts that add up to one. */
static void parts_of(grower *g, int64_t count) {
    int64_t C = g->t->classes ? g->t->classes : 2;
    double known = 0;
    for (int64_t k = 0; k < count; k++) known += g->parts[k] = weight_of(g->t, g->sides + k * C);
    double sum = 0, before = 0;
    for (int64_t k = 0; k < count; k++) {
        sum += g->parts[k] /= known;
        double end = k + 1 < count ? nearbyint(sum * TREE_QUANTUM) : TREE_QUANTUM;
        g->divided[k] = (end - before) / TREE_QUANTUM;
        before = end;
    }
}

static int push(grower *g, const tree_bud *b) {
    if (g->stack_n == g->stack_room) {
        int64_t room = 2 * g->stack_room + 64;
        if (!grow_array(&g->stack, room, sizeof(tree_bud))) return 0;
        g->stack_room = room;
    }
    g->stack[g->stack_n++] = *b;
    return 1;
}

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define F(name) JOIN(name, SUFFIX)

#define SUFFIX byte_whole
#define CODE uint8_t
#define CELL int32_t
#define WHOLE 1
#define UNITS 1
#include "grow_body.h"
#undef SUFFIX
#undef CODE
#define SUFFIX word_whole
#define CODE uint16_t
#include "grow_body.h"
#undef SUFFIX
#undef CODE
#undef WHOLE
#undef UNITS
#define SUFFIX byte_parts
#define CODE uint8_t
#define WHOLE 0
#define UNITS 1
#include "grow_body.h"
#undef SUFFIX
#undef CODE
#define SUFFIX word_parts
#define CODE uint16_t
#include "grow_body.h"
#undef SUFFIX
#undef CELL
#undef WHOLE
#undef UNITS
#define UNITS 0
#define SUFFIX word_real
#define CELL double
#define WHOLE 0
#include "grow_body.h"
#undef SUFFIX
#undef CODE
#define SUFFIX byte_real
#define CODE uint8_t
#include "grow_body.h"

/* How a tree grows: from whole rows, from parts of rows that are counted, or from weights that are added up. */
static int grow_any(grower *g, tree_bud *bud, int parts) {
    const tree_task *t = g->t;
    int whole = t->plain && t->classes;
    if (t->size == 1) return whole ? grow_byte_whole(g, bud) : parts ? grow_byte_parts(g, bud) : grow_byte_real(g, bud);
    return whole ? grow_word_whole(g, bud) : parts ? grow_word_parts(g, bud) : grow_word_real(g, bud);
}

int tree_grow(const tree_task *task, tree_bud *bud, tree_grown *out) {
    const int countable = task->classes && !task->plain && !task->weights && bud->n < MANY;
    const double unit = bud->unit > 0 ? bud->unit : countable ? TREE_QUANTUM : 1;
    tree_task counted = *task, *t = &counted;
    counted.min_leaf *= unit, counted.min_split *= unit, counted.copies *= unit;
    int64_t most = t->bins > 2 ? t->bins : 2, C = t->classes ? t->classes : 2;
    grower g = {.t = t, .out = out, .unit = unit, .weights = bud->weights ? bud->weights : t->weights};
    g.channels = (int32_t)(C <= 2 ? 2 : C <= 4 ? 4 : C <= 8 ? 8 : C);
    out->width = stats_width(t);
    out->unit = unit;
    g.chosen = malloc((size_t)(t->columns + 1) * 4);
    g.branch = malloc((size_t)most * 4);
    g.sides = malloc((size_t)(most * C) * 8);
    g.parts = malloc((size_t)most * 8);
    g.divided = malloc((size_t)most * 8);
    g.order = malloc((size_t)(most + 1) * sizeof(ranked));
    g.found = malloc((size_t)(2 * t->columns + 1) * sizeof(division));
    g.aside_n = bud->n;
    g.aside = malloc((size_t)(2 * bud->n + 2) * sizeof(uint32_t));
    g.fine = malloc((size_t)(t->columns + 1));
    int status = TREE_NO_MEMORY;
    for (int32_t j = 0; g.fine && j < t->columns; j++) g.any_fine |= g.fine[j] = (uint8_t)is_fine(t, j);
    if (g.any_fine) {
        g.grains = malloc((size_t)(2 * bud->n + 1) * sizeof(grain));
        g.starts = malloc((size_t)(t->bins + 1) * 8);
    }
    g.room = g.any_fine && most < SMALL ? SMALL : most;
    g.there = malloc((size_t)g.room * sizeof(int32_t));
    g.before = malloc((size_t)(4 * g.room) * 8);
    int exact = !g.any_fine || (g.grains && g.starts && gains_for(&g, bud->n + 1));
    if (exact && g.fine && g.aside && g.chosen && g.branch && g.sides && g.parts && g.divided && g.order && g.found && g.there && g.before && gains_for(&g, most > t->columns ? most : t->columns)) {
        status = grow_any(&g, bud, unit > 1);
    }
    while (g.stack_n) tree_bud_free(g.stack + --g.stack_n);
    tree_bud_free(bud);
    free(g.chosen);
    free(g.branch);
    free(g.sides);
    free(g.parts);
    free(g.divided);
    free(g.order);
    free(g.found);
    free(g.there);
    free(g.before);
    free(g.gains);
    free_small(&g.small);
    free(g.fine);
    free(g.grains);
    free(g.starts);
    free(g.aside);
    free(g.stack);
    return status;
}
