#include "rp0.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP 0x9E3779B97F4A7C15ULL

static const uint64_t SIDES[2] = {0xD1B54A32D192ED03ULL, 0xABC98388FB8FAC03ULL};

static uint64_t mixed(uint64_t state) {
    uint64_t z = state + STEP;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

static double away(double x, double y) {
    if (isnan(x))
        return isnan(y) ? 1.0 : fmax(y, 1 - y);
    return isnan(y) ? fmax(x, 1 - x) : fabs(x - y);
}

/* The sum over columns of differences to the power of p, in the order of the columns. */
static double sum_of(const rp0_rows *r, const double *x, const int32_t *s, const double *y, const int32_t *t) {
    double total = 0.0;
    int64_t differ = 0;
    if (r->p == 2 && r->whole) {
        for (int64_t j = 0; j < r->numbers; j++)
            total += (x[j] - y[j]) * (x[j] - y[j]);
    } else {
        for (int64_t j = 0; j < r->numbers; j++) {
            double d = away(x[j], y[j]);
            total += r->p == 2 ? d * d : r->p == 1 ? d : pow(d, r->p);
        }
    }
    for (int64_t j = 0; j < r->symbols; j++)
        differ += (s[j] != t[j]) | (s[j] < 0);
    return total + (double)differ;
}

/* Whether a row is nearer to the second pole. Both sums are made side by side. */
static int to_second(const rp0_rows *r, const rp0_poles *o, const double *x, const int32_t *s) {
    if (r->p != 2 || !r->whole)
        return sum_of(r, x, s, o->number[0], o->symbol[0]) > sum_of(r, x, s, o->number[1], o->symbol[1]);
    const double *a = o->number[0], *b = o->number[1];
    double first = 0.0, second = 0.0;
    for (int64_t j = 0; j < r->numbers; j++) {
        first += (x[j] - a[j]) * (x[j] - a[j]);
        second += (x[j] - b[j]) * (x[j] - b[j]);
    }
    int64_t differ[2] = {0, 0};
    for (int64_t j = 0; j < r->symbols; j++) {
        differ[0] += (s[j] != o->symbol[0][j]) | (s[j] < 0);
        differ[1] += (s[j] != o->symbol[1][j]) | (s[j] < 0);
    }
    return first + (double)differ[0] > second + (double)differ[1];
}

#ifdef __GNUC__
/* The sums to both poles, side by side. */
typedef double both __attribute__((vector_size(16)));
#define MINUS(x, pole, j) ((both){x, x} - pole[j])
#define ADD(sum, away) (sum += away * away)
#define BEYOND(sum) (sum[0] > sum[1])
#else
typedef struct {
    double of[2];
} both;
#define MINUS(x, pole, j) ((both){{x - pole[j].of[0], x - pole[j].of[1]}})
#define ADD(sum, away) (sum.of[0] += away.of[0] * away.of[0], sum.of[1] += away.of[1] * away.of[1])
#define BEYOND(sum) (sum.of[0] > sum.of[1])
#endif

/* Whether each of four rows of numbers alone is nearer to the second pole: sums that do not wait for each
   other. */
static void four_to_second(int64_t d, const both *pole, const double *x, uint8_t *side) {
    both one = {0}, two = {0}, three = {0}, four = {0};
    for (int64_t j = 0; j < d; j++) {
        both away = MINUS(x[j], pole, j);
        ADD(one, away);
        away = MINUS(x[d + j], pole, j);
        ADD(two, away);
        away = MINUS(x[2 * d + j], pole, j);
        ADD(three, away);
        away = MINUS(x[3 * d + j], pole, j);
        ADD(four, away);
    }
    side[0] = BEYOND(one);
    side[1] = BEYOND(two);
    side[2] = BEYOND(three);
    side[3] = BEYOND(four);
}

/* The side of each row, and how many are at the second. */
static int64_t sides_of(const rp0_rows *r, const rp0_poles *o, int64_t lo, int64_t hi, uint8_t *side) {
    int64_t i = lo, second = 0;
    if (r->p == 2 && r->whole && !r->symbols)
        for (; i + 4 <= hi; i += 4)
            four_to_second(r->numbers, (const both *)o->both, r->number + i * r->numbers, side + (i - lo));
    for (; i < hi; i++)
        side[i - lo] = (uint8_t)to_second(r, o, r->number + i * r->numbers, r->symbol + i * r->symbols);
    for (i = 0; i < hi - lo; i++)
        second += side[i];
    return second;
}

static void swap(const rp0_rows *r, int64_t i, int64_t j) {
    double *x = r->number + i * r->numbers, *y = r->number + j * r->numbers;
    for (int64_t c = 0; c < r->numbers; c++) {
        double kept = x[c];
        x[c] = y[c];
        y[c] = kept;
    }
    int32_t *s = r->symbol + i * r->symbols, *t = r->symbol + j * r->symbols;
    for (int64_t c = 0; c < r->symbols; c++) {
        int32_t kept = s[c];
        s[c] = t[c];
        t[c] = kept;
    }
    int64_t kept = r->row[i];
    r->row[i] = r->row[j];
    r->row[j] = kept;
}

/* Buffers of a division: the side of each row, rows on the wrong one, pairs, and copies of two poles. */
typedef struct {
    uint8_t *side;
    int64_t *pair, *left, *right;
    double *gap, *number, *both;
    int32_t *symbol;
} room;

static void give_back(room *m) {
    free(m->side);
    free(m->pair);
    free(m->left);
    free(m->right);
    free(m->gap);
    free(m->number);
    free(m->both);
    free(m->symbol);
}

static int take(room *m, const rp0_rows *r, int64_t n, int64_t pairs) {
    m->side = malloc((size_t)n + 1);
    m->pair = malloc((size_t)(2 * pairs + 1) * sizeof *m->pair);
    m->left = malloc((size_t)(n + 1) * sizeof *m->left);
    m->right = malloc((size_t)(n + 1) * sizeof *m->right);
    m->gap = malloc((size_t)(pairs + 1) * sizeof *m->gap);
    m->number = malloc((size_t)(2 * r->numbers + 1) * sizeof *m->number);
    m->both = malloc((size_t)(2 * r->numbers + 2) * sizeof *m->both);
    m->symbol = malloc((size_t)(2 * r->symbols + 1) * sizeof *m->symbol);
    if (m->side && m->pair && m->left && m->right && m->gap && m->number && m->both && m->symbol)
        return 0;
    give_back(m);
    return -1;
}

static void draw(const rp0_rows *r, int64_t lo, int64_t hi, uint64_t key, int64_t pairs, room *m) {
    uint64_t n = (uint64_t)(hi - lo);
    for (int64_t at = 0; at < pairs; at++) {
        uint64_t one = ((mixed(key + STEP * (uint64_t)(2 * at)) >> 32) * n) >> 32;
        uint64_t other = ((mixed(key + STEP * (uint64_t)(2 * at + 1)) >> 32) * (n - 1)) >> 32;
        int64_t i = lo + (int64_t)one, j = lo + (int64_t)(other + (other >= one));
        m->pair[2 * at] = i;
        m->pair[2 * at + 1] = j;
        m->gap[at] = sum_of(r, r->number + i * r->numbers, r->symbol + i * r->symbols, r->number + j * r->numbers,
                            r->symbol + j * r->symbols);
    }
}

/* Copies of the poles, since the rows move: a pole may, too. */
static rp0_poles copied(const rp0_rows *r, const int64_t pair[2], room *m) {
    rp0_poles o;
    for (int k = 0; k < 2; k++) {
        double *x = m->number + k * r->numbers;
        int32_t *s = m->symbol + k * r->symbols;
        memcpy(x, r->number + pair[k] * r->numbers, (size_t)r->numbers * sizeof *x);
        memcpy(s, r->symbol + pair[k] * r->symbols, (size_t)r->symbols * sizeof *s);
        o.number[k] = x;
        o.symbol[k] = s;
        for (int64_t j = 0; j < r->numbers; j++)
            m->both[2 * j + k] = x[j];
    }
    o.both = m->both;
    return o;
}

/* Rows on the wrong side change places: the first from the left with the first from the right, and so on.
   They are listed first, without a branch that could only be guessed. */
static void part(const rp0_rows *r, int64_t lo, int64_t middle, int64_t hi, room *m) {
    int64_t wrong = 0, found = 0;
    for (int64_t i = lo; i < middle; i++) {
        m->left[wrong] = i;
        wrong += m->side[i - lo];
    }
    for (int64_t j = hi - 1; found < wrong; j--) {
        m->right[found] = j;
        found += !m->side[j - lo];
    }
    for (int64_t k = 0; k < wrong; k++)
        swap(r, m->left[k], m->right[k]);
}

static int64_t divided(const rp0_rows *r, int64_t lo, int64_t hi, uint64_t key, int64_t pairs, room *m,
                       int64_t poles[2], double *gap) {
    if (hi - lo < 2)
        return lo;
    draw(r, lo, hi, key, pairs, m);
    for (int64_t tried = 0; tried < pairs; tried++) {
        int64_t far = 0;
        for (int64_t at = 1; at < pairs; at++)
            if (m->gap[at] > m->gap[far])
                far = at;
        if (!(m->gap[far] > 0))
            return lo;
        rp0_poles o = copied(r, m->pair + 2 * far, m);
        int64_t second = sides_of(r, &o, lo, hi, m->side);
        if (second > 0 && second < hi - lo) {
            poles[0] = r->row[m->pair[2 * far]];
            poles[1] = r->row[m->pair[2 * far + 1]];
            *gap = m->gap[far];
            part(r, lo, hi - second, hi, m);
            return hi - second;
        }
        m->gap[far] = -1.0;
    }
    return lo;
}

int64_t rp0_divide(const rp0_rows *r, int64_t lo, int64_t hi, uint64_t key, int64_t pairs, int64_t poles[2],
                   double *gap) {
    room m;
    if (take(&m, r, hi - lo, pairs))
        return -1;
    int64_t middle = divided(r, lo, hi, key, pairs, &m, poles, gap);
    give_back(&m);
    return middle;
}

typedef struct {
    int64_t lo, hi, above;
    uint64_t key;
    int side;
} place;

int rp0_grow(const rp0_rows *r, int64_t lo, int64_t hi, uint64_t key, int64_t pairs, int64_t most, rp0_grown *g) {
    room m;
    int64_t held = 1, space = 64;
    place *waiting = malloc((size_t)space * sizeof *waiting);
    if (!waiting)
        return -1;
    if (take(&m, r, hi - lo, pairs)) {
        free(waiting);
        return -1;
    }
    waiting[0] = (place){lo, hi, -1, key, 0};
    g->divisions = g->clusters = 0;
    while (held) {
        place w = waiting[--held];
        int64_t *poles = g->poles + 2 * g->divisions, middle = w.lo;
        if (w.hi - w.lo > most)
            middle = divided(r, w.lo, w.hi, w.key, pairs, &m, poles, g->gap + g->divisions);
        if (w.above >= 0)
            g->below[2 * w.above + w.side] = (int32_t)(middle > w.lo ? g->divisions : -1 - g->clusters);
        if (middle == w.lo) {
            g->start[g->clusters] = w.lo;
            g->key[g->clusters++] = w.key;
            continue;
        }
        if (held + 2 > space) {
            place *more = realloc(waiting, (size_t)(2 * space) * sizeof *waiting);
            if (!more) {
                free(waiting);
                give_back(&m);
                return -1;
            }
            waiting = more;
            space *= 2;
        }
        waiting[held++] = (place){middle, w.hi, g->divisions, mixed(w.key ^ SIDES[1]), 1};
        waiting[held++] = (place){w.lo, middle, g->divisions, mixed(w.key ^ SIDES[0]), 0};
        g->divisions++;
    }
    g->start[g->clusters] = hi;
    free(waiting);
    give_back(&m);
    return 0;
}

void rp0_walk(const rp0_rows *r, int64_t n, const int32_t *below, const double *pole_number,
              const int32_t *pole_symbol, int32_t *found) {
    int64_t d = r->numbers, e = r->symbols;
    for (int64_t i = 0; i < n; i++) {
        int32_t at = 0;
        do {
            rp0_poles o = {{pole_number + 2 * at * d, pole_number + (2 * at + 1) * d},
                           {pole_symbol + 2 * at * e, pole_symbol + (2 * at + 1) * e},
                           NULL};
            at = below[2 * at + to_second(r, &o, r->number + i * d, r->symbol + i * e)];
        } while (at >= 0);
        found[i] = -1 - at;
    }
}

static int same_cells(const rp0_rows *r, const double *x, const int32_t *s, const double *y, const int32_t *t) {
    for (int64_t j = 0; j < r->numbers; j++)
        if (!(x[j] == y[j] || (isnan(x[j]) && isnan(y[j]))))
            return 0;
    return !r->symbols || !memcmp(s, t, (size_t)r->symbols * sizeof *s);
}

/* The sums of four rows of numbers alone, none of them missing: sums that do not wait for each other. */
static void four_sums(int64_t d, const double *y, const double *x, double sum[4]) {
    double one = 0.0, two = 0.0, three = 0.0, four = 0.0;
    for (int64_t j = 0; j < d; j++) {
        one += (y[j] - x[j]) * (y[j] - x[j]);
        two += (y[d + j] - x[j]) * (y[d + j] - x[j]);
        three += (y[2 * d + j] - x[j]) * (y[2 * d + j] - x[j]);
        four += (y[3 * d + j] - x[j]) * (y[3 * d + j] - x[j]);
    }
    sum[0] = one;
    sum[1] = two;
    sum[2] = three;
    sum[3] = four;
}

/* The sums of up to four rows, from row `at` on; how many there are. */
static int64_t next_sums(const rp0_rows *r, int64_t at, int64_t last, const double *x, const int32_t *s, double sum[4]) {
    int64_t count = last - at < 4 ? last - at : 4;
    if (count == 4 && r->p == 2 && r->whole && !r->symbols) {
        four_sums(r->numbers, r->number + at * r->numbers, x, sum);
        return count;
    }
    for (int64_t l = 0; l < count; l++)
        sum[l] = sum_of(r, r->number + (at + l) * r->numbers, r->symbol + (at + l) * r->symbols, x, s);
    return count;
}

void rp0_near(const rp0_rows *r, const rp0_rows *asked, int64_t n, const int64_t *first, const int64_t *last, int64_t k,
              double *found) {
    for (int64_t i = 0; i < n; i++) {
        const double *x = asked->number + i * r->numbers;
        const int32_t *s = asked->symbol + i * r->symbols;
        double *best = found + i * k, sum[4];
        int left_out = 0;
        for (int64_t c = 0; c < k; c++)
            best[c] = INFINITY;
        for (int64_t at = first[i], count; at < last[i]; at += count) {
            count = next_sums(r, at, last[i], x, s, sum);
            for (int64_t l = 0; l < count; l++) {
                if (!(sum[l] < best[k - 1]))
                    continue;
                const double *y = r->number + (at + l) * r->numbers;
                if (!left_out && same_cells(r, x, s, y, r->symbol + (at + l) * r->symbols)) {
                    left_out = 1;
                    continue;
                }
                int64_t c = k - 1;
                for (; c > 0 && best[c - 1] > sum[l]; c--)
                    best[c] = best[c - 1];
                best[c] = sum[l];
            }
        }
    }
}
