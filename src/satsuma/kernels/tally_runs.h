/* The loops of tally_moments.c. The rows of a stretch are copied, as they lie in memory, to where the
   others of their group are; so the sums of a group stay in registers over a run of its rows. Columns
   are taken four at a time. Every sum goes over its rows in their order, however columns lie in memory.

   Each file that includes this makes its own RUNS_ADD; TARGET is the attribute that asks the compiler for
   the instructions of a machine. (target_clones comes too late: vectors are split before.) */
#include "tally_runs_of.h"

#define INLINE static inline __attribute__((always_inline)) TARGET
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi" /* nothing that takes a vector is called from outside */
#endif

typedef double vector __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t mask __attribute__((vector_size(32)));
#define ALL(x) ((vector){(x), (x), (x), (x)})
#define AT(x) (*(vector *)(x))
#define WHERE(which, x) ((vector)((mask)(x) & (which)))
#define ANY(which) ((which)[0] | (which)[1] | (which)[2] | (which)[3])
#ifdef __clang__
#define MIX(x, y, a, b, c, d) __builtin_shufflevector(x, y, a, b, c, d)
#else
#define MIX(x, y, a, b, c, d) __builtin_shuffle(x, y, (mask){a, b, c, d})
#endif
#ifndef LESSER
#define CHOOSE(which, x, y) ((vector)(((mask)(x) & (which)) | ((mask)(y) & ~(which))))
#define LESSER(x, y) CHOOSE((x) < (y), x, y)
#define GREATER(x, y) CHOOSE((x) > (y), x, y)
#endif

/* ---- rows to their places */

/* Four rows of four columns. */
INLINE void turn_four(vector w, vector x, vector y, vector z, const int32_t *place, double *out, int64_t wide) {
    vector p = MIX(w, x, 0, 4, 2, 6), q = MIX(w, x, 1, 5, 3, 7);
    vector r = MIX(y, z, 0, 4, 2, 6), s = MIX(y, z, 1, 5, 3, 7);
    AT(out + place[0] * wide) = MIX(p, r, 0, 1, 4, 5);
    AT(out + place[1] * wide) = MIX(q, s, 0, 1, 4, 5);
    AT(out + place[2] * wide) = MIX(p, r, 2, 3, 6, 7);
    AT(out + place[3] * wide) = MIX(q, s, 2, 3, 6, 7);
}

/* Columns that lie apart, each in one piece. How many of them, a multiple of four, are done. */
INLINE int64_t turn(const tally_column *c, int64_t d, int64_t start, int64_t n, const int32_t *place,
                    double *out, int64_t wide) {
    int64_t j = 0;
    for (int64_t k = 0; k < d; k++)
        if (c[k].step != (ptrdiff_t)sizeof(double)) return 0;
    for (; j + 4 <= d; j += 4) {
        const double *w = (const double *)c[j].at + start, *x = (const double *)c[j + 1].at + start;
        const double *y = (const double *)c[j + 2].at + start, *z = (const double *)c[j + 3].at + start;
        int64_t i = 0;
        for (; i + 4 <= n; i += 4)
            turn_four(AT(w + i), AT(x + i), AT(y + i), AT(z + i), place + i, out + j, wide);
        for (; i < n; i++) AT(out + place[i] * wide + j) = (vector){w[i], x[i], y[i], z[i]};
    }
    return j;
}

/* Columns that lie side by side. */
INLINE int64_t copy(const tally_column *c, int64_t d, int64_t start, int64_t n, const int32_t *place,
                    double *out, int64_t wide) {
    const char *at = c->at + start * c->step;
    int64_t whole = d / 4 * 4;
    for (int64_t i = 0; i < n; i++, at += c->step) {
        const double *from = (const double *)at;
        double *to = out + place[i] * wide;
        for (int64_t j = 0; j < whole; j += 4) AT(to + j) = AT(from + j);
    }
    return whole;
}

INLINE void take(const tally_column *c, int64_t d, int block, int64_t start, int64_t n, const int32_t *place,
                 double *out, int64_t wide) {
    int64_t done = block ? copy(c, d, start, n, place, out, wide) : turn(c, d, start, n, place, out, wide);
    for (int64_t j = done; j < d; j++) {
        const char *at = c[j].at + start * c[j].step;
        for (int64_t i = 0; i < n; i++, at += c[j].step) out[place[i] * wide + j] = *(const double *)at;
    }
}

/* ---- a run of rows of one group */

typedef struct {
    vector weight, sum, square, lo, hi, shift;
} sums;

INLINE sums take_up(const double *s) {
    return (sums){AT(s), AT(s + 4), AT(s + 8), AT(s + 12), AT(s + 16), AT(s + 20)};
}

INLINE void put_down(double *s, sums x) {
    AT(s) = x.weight, AT(s + 4) = x.sum, AT(s + 8) = x.square, AT(s + 12) = x.lo, AT(s + 16) = x.hi;
}

INLINE void add_plain(sums *s, vector x) {
    vector v = x - s->shift;
    s->sum += v;
    s->square += v * v;
    s->lo = LESSER(x, s->lo);
    s->hi = GREATER(x, s->hi);
}

/* A missing value counts 0 and adds 0, and no comparison with it is true. */
INLINE void add_known(sums *s, vector x, double w) {
    vector v = x - s->shift;
    mask known = v == v;
    v = WHERE(known, v);
    s->weight += WHERE(known, ALL(w));
    s->sum += w * v;
    s->square += w * v * v;
    s->lo = LESSER(x, s->lo);
    s->hi = GREATER(x, s->hi);
}

/* Values that are missing are rare, and make the sum missing: then the run is added once more. */
INLINE void add_run(const double *x, int64_t wide, int64_t n, const double *weight, double *held, int pair,
                    const char *next, ptrdiff_t step) {
    double *more = held + 4 * PARTS;
    sums s = take_up(held), t = pair ? take_up(more) : s;
    if (!weight) {
        const double *at = x;
        for (int64_t i = 0; i < n; i++, at += wide, next += step) {
            __builtin_prefetch(next, 0, 2);
            add_plain(&s, AT(at));
            if (pair) add_plain(&t, AT(at + 4));
        }
        s.weight += (double)n;
        t.weight += (double)n;
        mask unknown = (s.sum != s.sum) | (t.sum != t.sum);
        if (!ANY(unknown)) n = 0;
        else s = take_up(held), t = pair ? take_up(more) : s;
    }
    for (int64_t i = 0; i < n; i++, x += wide) {
        double w = weight ? weight[i] : 1.0;
        add_known(&s, AT(x), w);
        if (pair) add_known(&t, AT(x + 4), w);
    }
    put_down(held, s);
    if (pair) put_down(more, t);
}

TARGET void RUNS_ADD(const tally_column *c, int64_t d, int block, int64_t start, int64_t n, tally_runs *r) {
    int64_t wide = (d + 3) / 4 * 4;
    /* What the next stretch will read; columns that lie apart are foreseen by the machine. */
    const char *ahead = block ? c->at + (start + n) * c->step : (const char *)r->sorted;
    ptrdiff_t step = block ? c->step : 0;
    take(c, d, block, start, n, r->place, r->sorted, wide);
    for (int64_t g = 0; g < r->groups; g++) {
        int64_t first = r->edge[g], count = r->edge[g + 1] - first, j = 0;
        const double *x = r->sorted + first * wide, *weight = r->weight ? r->weight + first : NULL;
        double *held = r->held + g * wide * PARTS;
        if (!count) continue;
        const char *next = ahead + first * step;
        for (; j + 8 <= wide; j += 8) add_run(x + j, wide, count, weight, held + j * PARTS, 1, next + j * 8, step);
        if (j < wide) add_run(x + j, wide, count, weight, held + j * PARTS, 0, next + j * 8, step);
    }
}
