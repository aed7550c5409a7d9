/* The loops of kmeans_step. Products of rows and centres say which centre is nearest and which comes next;
   where they are too close to tell, sums of squares decide, in the order of the columns. So the answer depends
   neither on the machine nor on how products are rounded.

   Each file that includes this makes its own KMEANS_STEP; TARGET is the attribute that asks the compiler for the
   instructions of a machine, VEC is how many doubles go together, ADD_PRODUCT(s, x, y) is s + x * y.

   Bounds after Hamerly (2010). A missing cell is left out, for all centres alike; then the way between two centres
   says nothing of a row that lacks cells, and `near` is to be 0. */
#include "kmeans.h"

#include <math.h>
#include <stdlib.h>

#define NUMBER double
#define WHOLE int64_t
#include "../vectors.h"

#define WIDE 4                  /* vectors side by side, so that none waits for another */
#define LANES 64                /* rows of a tile */
#define SURE (1.0 + 1e-11)      /* bounds that rounding cannot cross */

/* Centres as the loops want them: an even number of them, the last one may be nowhere. */
typedef struct {
    int64_t k, width, symbols;
    double *factor;             /* (k, width): the numbers, then minus half the squares where cells may be missing */
    double *half;               /* (k): half the squares of the others */
    double *code;               /* (k, symbols) */
    double size, slack;
    int64_t *row;               /* the rows in the tile */
    double *tile, *square, *top, *next, *who;
} plan;

INLINE vector filled(double x) { return (vector){0} + x; }

/* The squared distance: the definition. */
INLINE double exact(const kmeans_rows *r, const kmeans_centres *c, int64_t row, int64_t at) {
    const double *a = r->number + row * r->numbers, *b = c->number + at * r->numbers;
    const int32_t *d = r->symbol + row * r->symbols, *e = c->symbol + at * r->symbols;
    double sum = 0.0;
    int64_t other = 0;
    for (int64_t j = 0; j < r->numbers; j++) {
        double x = a[j] - b[j];
        sum += isnan(x) ? 0.0 : x * x;
    }
    for (int64_t j = 0; j < r->symbols; j++) other += d[j] >= 0 && d[j] != e[j];
    return sum + (double)other;
}

/* The same, in whatever order is quick: for bounds. */
INLINE double quick(const kmeans_rows *r, const kmeans_centres *c, int64_t row, int64_t at) {
    const double *a = r->number + row * r->numbers, *b = c->number + at * r->numbers;
    const int32_t *d = r->symbol + row * r->symbols, *e = c->symbol + at * r->symbols;
    vector sum = filled(0.0);
    double rest = 0.0;
    int64_t other = 0, j = 0;
    for (; j + VEC <= r->numbers; j += VEC) {
        vector x = *(const loose *)(a + j) - *(const loose *)(b + j);
        x = (vector)((mask)x & (x == x));
        sum = ADD_PRODUCT(sum, x, x);
    }
    for (; j < r->numbers; j++) {
        double x = a[j] - b[j];
        rest += isnan(x) ? 0.0 : x * x;
    }
    for (int v = 0; v < VEC; v++) rest += sum[v];
    for (j = 0; j < r->symbols; j++) other += d[j] >= 0 && d[j] != e[j];
    return rest + (double)other;
}

INLINE int32_t decided(const kmeans_rows *r, const kmeans_centres *c, int64_t row) {
    double least = INFINITY;
    for (int64_t at = 0; at < c->k; at++) {
        double s = exact(r, c, row, at);
        least = s < least ? s : least;
    }
    for (int64_t at = 0; at < c->k; at++)
        if (exact(r, c, row, at) <= least * (1.0 + KMEANS_TIE)) return (int32_t)at;
    return 0;
}

INLINE int laid_out(plan *p, const kmeans_rows *r, const kmeans_centres *c) {
    int64_t d = r->numbers, s = r->symbols, k = (c->k + 1) / 2 * 2, holed = 0, i, j;
    for (j = 0; j < d; j++) holed += r->holed[j] != 0;
    p->k = k, p->width = d + holed, p->symbols = s, p->size = 0.0;
    p->slack = 4e-12 + 1e-15 * (double)(p->width + s + 4);
    int64_t need = k * (p->width + 1 + s) + LANES * (p->width + s + 4);
    p->factor = calloc((size_t)need + 16, sizeof(double));
    p->row = malloc(LANES * sizeof(int64_t));
    if (!p->factor || !p->row) return 0;
    p->half = p->factor + k * p->width;
    p->code = p->half + k;
    p->tile = p->code + k * s;
    p->square = p->tile + LANES * (p->width + s);
    p->top = p->square + LANES, p->next = p->top + LANES, p->who = p->next + LANES;
    for (i = 0; i < k; i++) {
        double *f = p->factor + i * p->width, all = (double)s;
        for (j = 0; j < s; j++) p->code[i * s + j] = i < c->k ? c->symbol[i * s + j] : -2.0;
        if (i >= c->k) {
            p->half[i] = INFINITY;
            continue;
        }
        for (j = 0, holed = d; j < d; j++) {
            double m = c->number[i * d + j];
            f[j] = m;
            all += m * m;
            if (r->holed[j]) f[holed++] = -m * m / 2;
            else p->half[i] += m * m / 2;
        }
        p->size = all > p->size ? all : p->size;
    }
    return 1;
}

INLINE void into_tile(plan *p, const kmeans_rows *r, int64_t row, int64_t at) {
    const double *x = r->number + row * r->numbers;
    const int32_t *code = r->symbol + row * r->symbols;
    double *z = p->tile + at;
    p->row[at] = row;
    if (p->width == r->numbers) {
        for (int64_t j = 0; j < r->numbers; j++) z[j * LANES] = x[j];
    } else {
        double *known = z + r->numbers * LANES;
        for (int64_t j = 0; j < r->numbers; j++) {
            int there = !isnan(x[j]);
            z[j * LANES] = there ? x[j] : 0.0;
            if (!r->holed[j]) continue;
            *known = (double)there;
            known += LANES;
        }
    }
    z += p->width * LANES;
    for (int64_t j = 0; j < r->symbols; j++) z[j * LANES] = code[j];
}

/* The squares of the rows in the tile, and how many symbols each has. */
INLINE void squared(plan *p, int64_t numbers, int64_t rows) {
    for (int64_t q = 0; q < rows; q += VEC) {
        const double *z = p->tile + q;
        vector sum = filled(0.0), one = filled(1.0);
        for (int64_t j = 0; j < numbers; j++) {
            vector x = *(const loose *)(z + j * LANES);
            sum = ADD_PRODUCT(sum, x, x);
        }
        z += p->width * LANES;
        for (int64_t j = 0; j < p->symbols; j++) {
            vector x = *(const loose *)(z + j * LANES);
            sum += (vector)((mask)(x >= filled(0.0)) & (mask)one);
        }
        *(loose *)(p->square + q) = sum;
    }
}

/* The products of some rows and two centres, less half the squares of these, and half of what symbols agree. */
INLINE void products(const plan *p, int64_t c, int64_t q, vector *one, vector *two) {
    const double *f = p->factor + c * p->width, *g = f + p->width, *z = p->tile + q;
    for (int v = 0; v < WIDE; v++) one[v] = filled(-p->half[c]), two[v] = filled(-p->half[c + 1]);
    for (int64_t j = 0; j < p->width; j++, z += LANES)
        for (int v = 0; v < WIDE; v++) {
            vector x = *(const loose *)(z + VEC * v);
            one[v] = ADD_PRODUCT(one[v], x, filled(f[j]));
            two[v] = ADD_PRODUCT(two[v], x, filled(g[j]));
        }
    const double *a = p->code + c * p->symbols, *b = a + p->symbols;
    for (int64_t j = 0; j < p->symbols; j++, z += LANES)
        for (int v = 0; v < WIDE; v++) {
            vector x = *(const loose *)(z + VEC * v), half = filled(0.5);
            one[v] += (vector)((mask)(x == filled(a[j])) & (mask)half);
            two[v] += (vector)((mask)(x == filled(b[j])) & (mask)half);
        }
}

INLINE void compared(vector x, double c, vector *top, vector *next, vector *who) {
    mask better = x > *top, second = x > *next;
    *next = CHOOSE(better, *top, CHOOSE(second, x, *next));
    *top = CHOOSE(better, x, *top);
    *who = CHOOSE(better, filled(c), *who);
}

INLINE void scores(plan *p, int64_t rows) {
    for (int64_t q = 0; q < rows; q += VEC * WIDE) {
        vector top[WIDE], next[WIDE], who[WIDE], one[WIDE], two[WIDE];
        for (int v = 0; v < WIDE; v++) top[v] = next[v] = filled(-INFINITY), who[v] = filled(0.0);
        for (int64_t c = 0; c < p->k; c += 2) {
            products(p, c, q, one, two);
            for (int v = 0; v < WIDE; v++) {
                compared(one[v], (double)c, top + v, next + v, who + v);
                compared(two[v], (double)(c + 1), top + v, next + v, who + v);
            }
        }
        for (int v = 0; v < WIDE; v++) {
            *(loose *)(p->top + q + VEC * v) = top[v];
            *(loose *)(p->next + q + VEC * v) = next[v];
            *(loose *)(p->who + q + VEC * v) = who[v];
        }
    }
}

/* A row is counted for a centre, or with a negative weight taken from it. */
INLINE void counted(const kmeans_rows *r, const kmeans_sums *s, int64_t row, int64_t c, double w) {
    const double *x = r->number + row * r->numbers;
    const int32_t *code = r->symbol + row * r->symbols;
    double *sum = s->sum + c * r->numbers, *known = s->known + c * r->numbers;
    s->weight[c] += w;
    for (int64_t j = 0; j < r->numbers; j++) {
        int there = !isnan(x[j]);
        sum[j] += there ? w * x[j] : 0.0;
        known[j] += there ? w : 0.0;
    }
    for (int64_t j = 0; j < r->symbols; j++)
        if (code[j] >= 0) s->count[c * s->levels + s->offset[j] + code[j]] += w;
}

INLINE void settled(plan *p, const kmeans_rows *r, const kmeans_centres *c, int first, int64_t rows,
                    int32_t *label, double *up, double *low, const kmeans_sums *s) {
    squared(p, r->numbers, rows);
    scores(p, rows);
    for (int64_t q = 0; q < rows; q++) {
        int64_t row = p->row[q];
        double x2 = p->square[q], slack = p->slack * (x2 + p->size);
        int32_t at = (int32_t)p->who[q], before = label[row];
        if (!(p->top[q] - p->next[q] > slack)) at = decided(r, c, row);
        double here = x2 - 2 * p->top[q], there = x2 - 2 * p->next[q] - 2 * slack;
        up[row] = sqrt((here > 0.0 ? here : 0.0) + 2 * slack);
        low[row] = sqrt(there > 0.0 ? there : 0.0);
        label[row] = at;
        if (!s->weight || (!first && at == before)) continue;
        double w = r->weight ? r->weight[row] : 1.0;
        counted(r, s, row, at, w);
        if (!first) counted(r, s, row, before, -w);
    }
}

/* Whether bounds say that a row stays with its centre; they are brought up to date. */
INLINE int stays(const kmeans_rows *r, const kmeans_centres *c, const kmeans_moved *v, int64_t row,
                 int32_t at, double *up, double *low) {
    double u = *up + v->drift[at], l = *low - (at == v->farthest ? v->next : v->most);
    double bound = l > v->near[at] ? l : v->near[at];
    *low = l;
    *up = u;
    if (u * SURE < bound) return 1;
    *up = u = sqrt(quick(r, c, row, at));
    return u * SURE < bound;
}

TARGET int64_t KMEANS_STEP(const kmeans_rows *r, const kmeans_centres *c, const kmeans_moved *v, int32_t *label,
                           double *up, double *low, const kmeans_sums *s) {
    plan p;
    int64_t at = 0, looked = -1, i;
    int first = !v->drift;
    if (laid_out(&p, r, c)) {
        for (i = looked = 0; i < r->rows; i++) {
            if (!first && stays(r, c, v, i, label[i], up + i, low + i)) continue;
            into_tile(&p, r, i, at++);
            if (at < LANES) continue;
            settled(&p, r, c, first, LANES, label, up, low, s);
            looked += LANES;
            at = 0;
        }
        settled(&p, r, c, first, at, label, up, low, s);
        looked += at;
    }
    free(p.factor);
    free(p.row);
    return looked;
}
