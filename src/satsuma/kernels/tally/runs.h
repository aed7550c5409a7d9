/* The loops of moments.c. Each group of a stretch is a run of rows, so that its sums stay in registers
   over all of them. Rows that lie in one piece are read where they are; of columns that lie apart the stretch
   is first copied, rows by columns, group by group. Every sum goes over its rows in their order, however they
   lie in memory and however wide vectors are.

   Each file that includes this makes its own RUNS_ADD; TARGET is the attribute that asks the compiler for
   the instructions of a machine, LANES and ACROSS say how wide its vectors are and of how many of them at a
   time it can hold the sums. (target_clones comes too late: vectors are split before.) */
#include "runs_of.h"

#define NUMBER double
#define WHOLE int64_t
#define VEC LANES
#include "../vectors.h"

typedef double four __attribute__((vector_size(32), aligned(8), may_alias));
typedef double part __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
#define AT(x) (*(part *)(x))
#define FOUR(x) (*(four *)(x))
#ifdef __clang__
#define MIX(x, y, a, b, c, d) __builtin_shufflevector(x, y, a, b, c, d)
#else
typedef int64_t places __attribute__((vector_size(32)));
#define MIX(x, y, a, b, c, d) __builtin_shuffle(x, y, (places){a, b, c, d})
#endif
#ifndef LESSER
#define LESSER(x, y) CHOOSE((x) < (y), x, y)
#define GREATER(x, y) CHOOSE((x) > (y), x, y)
#endif
#ifndef PLUS
#define PLUS(x, y) ((x) + (y))
#endif

/* ---- columns that lie apart, to rows in their places */

/* Four rows of four columns. */
INLINE void turn_four(four w, four x, four y, four z, const int32_t *place, double *out, int64_t wide) {
    four p = MIX(w, x, 0, 4, 2, 6), q = MIX(w, x, 1, 5, 3, 7);
    four r = MIX(y, z, 0, 4, 2, 6), s = MIX(y, z, 1, 5, 3, 7);
    FOUR(out + place[0] * wide) = MIX(p, r, 0, 1, 4, 5);
    FOUR(out + place[1] * wide) = MIX(q, s, 0, 1, 4, 5);
    FOUR(out + place[2] * wide) = MIX(p, r, 2, 3, 6, 7);
    FOUR(out + place[3] * wide) = MIX(q, s, 2, 3, 6, 7);
}

/* Columns that are each in one piece. How many of them, a multiple of four, are done. */
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
            turn_four(FOUR(w + i), FOUR(x + i), FOUR(y + i), FOUR(z + i), place + i, out + j, wide);
        for (; i < n; i++) FOUR(out + place[i] * wide + j) = (four){w[i], x[i], y[i], z[i]};
    }
    return j;
}

INLINE void copy(const tally_column *c, int64_t d, int64_t start, int64_t n, tally_runs *r, int64_t wide) {
    for (int64_t i = 0; i < n; i++) r->place[r->order[i]] = (int32_t)i;
    int64_t done = turn(c, d, start, n, r->place, r->sorted, wide);
    for (int64_t j = done; j < d; j++) {
        const char *at = c[j].at + start * c[j].step;
        for (int64_t i = 0; i < n; i++, at += c[j].step) r->sorted[r->place[i] * wide + j] = *(const double *)at;
    }
}

/* ---- a run of rows of one group */

typedef struct {
    vector weight, sum, square, lo, hi, shift;
} sums;

/* Rows of a run, and what will be read next. */
typedef struct {
    const char *at, *next;
    ptrdiff_t step, ahead;
    const int32_t *order;
    const double *weight;
    int64_t n;
    int in_place; /* rows are found by their order; else they are one behind the other */
} run;

INLINE sums take_up(const double *s) {
    return (sums){AT(s),
                  AT(s + PART_SUM * LANES),
                  AT(s + PART_SQUARE * LANES),
                  AT(s + PART_LO * LANES),
                  AT(s + PART_HI * LANES),
                  AT(s + PART_SHIFT * LANES)};
}

INLINE void put_down(double *s, sums x) {
    AT(s) = x.weight, AT(s + PART_SUM * LANES) = x.sum, AT(s + PART_SQUARE * LANES) = x.square;
    AT(s + PART_LO * LANES) = x.lo, AT(s + PART_HI * LANES) = x.hi;
}

INLINE void add_plain(sums *s, vector x) {
    vector v = x - s->shift;
    s->sum = PLUS(s->sum, v);
    s->square = PLUS(s->square, v * v);
    s->lo = LESSER(x, s->lo);
    s->hi = GREATER(x, s->hi);
}

/* A missing value counts 0 and adds 0, and no comparison with it is true. */
INLINE void add_known(sums *s, vector x, double w) {
    vector v = x - s->shift;
    mask known = v == v;
    v = WHERE(known, v);
    s->weight += WHERE(known, (vector){0} + w);
    s->sum += w * v;
    s->square += w * v * v;
    s->lo = LESSER(x, s->lo);
    s->hi = GREATER(x, s->hi);
}

#ifndef READ_SOME
INLINE vector read_some(const double *x, int64_t n) {
    vector made = {0};
    for (int64_t k = 0; k < n; k++) made[k] = x[k];
    return made;
}
#define SOME int64_t
#define SOME_OF(n) (n)
#define READ_SOME(x, some) read_some(x, some)
#endif

/* Only the last vector may be short; nothing behind the last column is read. */
INLINE vector read(const double *x, int k, int many, int is_short, SOME some) {
    return is_short && k == many - 1 ? READ_SOME(x + k * LANES, some) : (vector)AT(x + k * LANES);
}

INLINE const double *row_of(const run *r, int64_t i) {
    return (const double *)(r->at + (r->in_place ? r->order[i] : i) * r->step);
}

/* Values that are missing are rare, and make the sum missing: then the run is added once more. */
INLINE void add_run(const run *r, double *held, int many, int is_short, int64_t last) {
    sums s[ACROSS];
    SOME some = SOME_OF(last);
    EACH(k, many) s[k] = take_up(held + k * LANES * PARTS);
    if (!r->weight) {
        const char *next = r->next;
        for (int64_t i = 0; i < r->n; i++, next += r->ahead) {
            const double *x = row_of(r, i);
            EACH(k, many) {
                if (k * LANES % 8 == 0) __builtin_prefetch(next + 8 * k * LANES, 0, 2);
                add_plain(s + k, read(x, k, many, is_short, some));
            }
        }
        mask unknown = {0};
        EACH(k, many) {
            s[k].weight += (double)r->n;
            unknown |= s[k].sum != s[k].sum;
        }
        int64_t any = 0;
        for (int64_t k = 0; k < LANES; k++) any |= unknown[k];
        if (!any) {
            EACH(k, many) put_down(held + k * LANES * PARTS, s[k]);
            return;
        }
        EACH(k, many) s[k] = take_up(held + k * LANES * PARTS);
    }
    for (int64_t i = 0; i < r->n; i++) {
        const double *x = row_of(r, i);
        double w = r->weight ? r->weight[r->order[i]] : 1.0;
        EACH(k, many) add_known(s + k, read(x, k, many, is_short, some), w);
    }
    EACH(k, many) put_down(held + k * LANES * PARTS, s[k]);
}

/* All columns of a run, as many vectors at a time as there is room for. */
INLINE void add_columns(run r, double *held, int64_t d) {
    while (d > 0) {
        int64_t vectors = (d + LANES - 1) / LANES, many = vectors < ACROSS ? vectors : ACROSS, last = d % LANES;
        if (vectors > ACROSS || !last) {
            if (many == 1) add_run(&r, held, 1, 0, 0);
            if (many == 2) add_run(&r, held, 2, 0, 0);
#if ACROSS > 2
            if (many == 3) add_run(&r, held, 3, 0, 0);
#endif
#if ACROSS > 3
            if (many == 4) add_run(&r, held, 4, 0, 0);
#endif
        } else {
            if (many == 1) add_run(&r, held, 1, 1, last);
            if (many == 2) add_run(&r, held, 2, 1, last);
#if ACROSS > 2
            if (many == 3) add_run(&r, held, 3, 1, last);
#endif
#if ACROSS > 3
            if (many == 4) add_run(&r, held, 4, 1, last);
#endif
        }
        r.at += 8 * many * LANES, r.next += 8 * many * LANES;
        held += many * LANES * PARTS;
        d -= many * LANES;
    }
}

TARGET void RUNS_ADD(const tally_column *c, int64_t d, int block, int64_t start, int64_t n, tally_runs *r) {
    int64_t wide = (d + LANES - 1) / LANES * LANES;
    int64_t ahead = 0;
    if (!block) copy(c, d, start, n, r, wide);
    for (int64_t g = 0; g < r->groups; g++) {
        int64_t first = r->first[g];
        run each = {.order = r->order + first, .weight = r->weight, .n = r->many[g]};
        double *held = r->held + g * wide * PARTS;
        if (!each.n) continue;
        if (block) {
            each.in_place = 1, each.step = each.ahead = c->step;
            each.at = c->at + start * c->step;
            each.next = each.at + (n + ahead) * c->step; /* of the next stretch */
            ahead += each.n;
            add_columns(each, held, d);
        } else { /* columns that lie apart are foreseen by the machine */
            each.in_place = 0, each.step = 8 * wide, each.ahead = 0;
            each.at = each.next = (const char *)(r->sorted + first * wide);
            add_columns(each, held, wide);
        }
    }
}
