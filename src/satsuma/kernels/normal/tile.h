/* The loops of normal.c: tiles of rows are turned on their side, (columns, rows), so that every loop
   runs over rows, four at a time. No sum runs across rows: what a row gets does not depend on its
   neighbours. Rows that are answered by several models are sorted by model first, some at a time.

   Each file that includes this makes its own NORMAL_ROWS; see posterior/tile.h. */
#include "normal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER double
#define WHOLE int64_t
#define VEC 4
#include "../vectors.h"

#define ALL(x) ((vector){(x), (x), (x), (x)})
#ifdef __clang__
#define MIX(x, y, a, b, c, d) __builtin_shufflevector(x, y, a, b, c, d)
#else
#define MIX(x, y, a, b, c, d) __builtin_shuffle(x, y, (mask){a, b, c, d})
#endif

#define TILE 64     /* rows */
#define STEPS (TILE / 4)
#define SOME 4096   /* rows that are sorted by model at a time: few enough to stay near */
#define NEAR 1e-9   /* scores nearer than this may come to equal probabilities */

typedef struct {
    const normal_asked *a;
    int block;          /* whether all columns lie side by side */
    vector *x;          /* (width, STEPS), shifted */
    vector *away;       /* (classes, STEPS): squares of distances, then scores */
    int32_t *order;     /* (SOME) */
    int64_t *start;     /* (models + 1) */
} work;

INLINE const double *row_at(const work *w, int64_t j, int64_t row) {
    return (const double *)(w->a->columns[j].at + row * w->a->columns[j].step);
}

/* Four rows of four columns that lie side by side. */
INLINE void turn_four(const double *const *row, int64_t j, const double *shift, vector *x) {
    vector s = *(const loose *)(shift + j);
    vector a = *(const loose *)(row[0] + j) - s, b = *(const loose *)(row[1] + j) - s;
    vector c = *(const loose *)(row[2] + j) - s, d = *(const loose *)(row[3] + j) - s;
    vector p = MIX(a, b, 0, 4, 2, 6), q = MIX(a, b, 1, 5, 3, 7), r = MIX(c, d, 0, 4, 2, 6), t = MIX(c, d, 1, 5, 3, 7);
    x[0 * STEPS] = MIX(p, r, 0, 1, 4, 5);
    x[1 * STEPS] = MIX(q, t, 0, 1, 4, 5);
    x[2 * STEPS] = MIX(p, r, 2, 3, 6, 7);
    x[3 * STEPS] = MIX(q, t, 2, 3, 6, 7);
}

/* The rows of a tile on their side: n of them from `first` on, or those that `order` names. */
INLINE void turn(const work *w, const double *shift, int64_t first, const int32_t *order, int64_t n) {
    int64_t width = w->a->width, done = 0;
    double *x = (double *)w->x;
    for (; w->block && done + 4 <= n; done += 4) {
        const double *row[4];
        int64_t j = 0;
        for (int k = 0; k < 4; k++) row[k] = row_at(w, 0, first + (order ? order[done + k] : done + k));
        for (; j + 4 <= width; j += 4) turn_four(row, j, shift, w->x + j * STEPS + done / 4);
        for (; j < width; j++)
            for (int k = 0; k < 4; k++) x[j * TILE + done + k] = row[k][j] - shift[j];
    }
    for (int64_t j = 0; done < n && j < width; j++)
        for (int64_t i = done; i < n; i++) x[j * TILE + i] = *row_at(w, j, first + (order ? order[i] : i)) - shift[j];
}

/* Four rows of a matrix times eight rows of the table; columns from `upto` on have zeros. */
INLINE void times(const double *matrix, int64_t upto, const vector *x, vector *out) {
    vector a0 = {0}, a1 = a0, b0 = a0, b1 = a0, c0 = a0, c1 = a0, d0 = a0, d1 = a0;
    for (int64_t j = 0; j < upto; j++, matrix += 4, x += STEPS) {
        vector y = x[0], z = x[1];
        a0 += matrix[0] * y, a1 += matrix[0] * z;
        b0 += matrix[1] * y, b1 += matrix[1] * z;
        c0 += matrix[2] * y, c1 += matrix[2] * z;
        d0 += matrix[3] * y, d1 += matrix[3] * z;
    }
    out[0] = a0, out[1] = a1, out[2] = b0, out[3] = b1, out[4] = c0, out[5] = c1, out[6] = d0, out[7] = d1;
}

INLINE void score_linear(const work *w, const normal_model *m, int64_t steps) {
    const normal_asked *a = w->a;
    vector out[8];
    for (int64_t c = 0; c < a->classes; c += 4)
        for (int64_t i = 0; i < steps; i += 2) {
            times(m->matrix + c * a->width, a->width, w->x + i, out);
            for (int64_t k = 0; k < 4 && c + k < a->classes; k++) {
                w->away[(c + k) * STEPS + i] = m->base[c + k] + out[2 * k];
                w->away[(c + k) * STEPS + i + 1] = m->base[c + k] + out[2 * k + 1];
            }
        }
}

INLINE void add_squares(const double *centre, const vector *out, vector *away) {
    vector sum = away[0], next = away[1];
    for (int k = 0; k < 4; k++) {
        vector p = out[2 * k] - centre[k], q = out[2 * k + 1] - centre[k];
        sum += p * p, next += q * q;
    }
    away[0] = sum, away[1] = next;
}

INLINE void score_squares(const work *w, const normal_model *m, int64_t steps) {
    const normal_asked *a = w->a;
    int64_t share = a->classes / a->sets;
    vector out[8];
    memset(w->away, 0, (size_t)(a->classes * STEPS) * sizeof(vector));
    for (int64_t s = 0; s < a->sets; s++)
        for (int64_t r = 0; r < a->rows; r += 4)
            for (int64_t i = 0; i < steps; i += 2) {
                /* a triangle: row r has nothing behind column r */
                times(m->matrix + (s * a->rows + r) * a->width, r + 4 < a->width ? r + 4 : a->width, w->x + i, out);
                for (int64_t c = s * share; c < (s + 1) * share; c++)
                    add_squares(m->centre + c * a->rows + r, out, w->away + c * STEPS + i);
            }
    for (int64_t c = 0; c < a->classes; c++)
        for (int64_t i = 0; i < steps; i++) w->away[c * STEPS + i] = m->base[c] - 0.5 * w->away[c * STEPS + i];
}

INLINE void put(const work *w, int64_t first, const int32_t *order, int64_t n, double *out) {
    const double *score = (const double *)w->away;
    int64_t classes = w->a->classes;
    for (int64_t i = 0; i < n; i++) {
        double *to = out + (first + (order ? order[i] : i)) * classes;
        for (int64_t c = 0; c < classes; c++) to[c] = score[c * TILE + i];
    }
}

INLINE void choose(const work *w, int64_t first, const int32_t *order, int64_t n, int32_t *codes) {
    vector tops[STEPS], rests[STEPS];
    mask whos[STEPS];
    for (int64_t i = 0; i * 4 < n; i++) {
        vector top = ALL(-INFINITY), rest = top;
        mask who = {0}, odd = {0};
        for (int64_t c = 0; c < w->a->classes; c++) {
            vector s = w->away[c * STEPS + i];
            mask up = s > top, next = ~up & (s > rest);
            odd |= s != s;
            rest = (vector)(((mask)top & up) | ((mask)s & next) | ((mask)rest & ~(up | next)));
            top = (vector)(((mask)s & up) | ((mask)top & ~up));
            who = (who & ~up) | (c & up);
        }
        tops[i] = top, rests[i] = rest, whos[i] = who | odd;
    }
    const double *top = (const double *)tops, *rest = (const double *)rests;
    const int64_t *who = (const int64_t *)whos;
    for (int64_t i = 0; i < n; i++)
        codes[first + (order ? order[i] : i)] = rest[i] < top[i] - NEAR && top[i] < INFINITY ? (int32_t)who[i] : -1;
}

/* n rows, all answered by one model. */
INLINE void answer(const work *w, const normal_model *m, int64_t first, const int32_t *order, int64_t n, double *out, int32_t *codes) {
    for (int64_t at = 0; at < n; at += TILE) {
        int64_t some = n - at < TILE ? n - at : TILE, steps = (some + 7) / 8 * 2;
        const int32_t *mine = order ? order + at : NULL;
        int64_t from = order ? first : first + at;
        turn(w, m->shift, from, mine, some);
        if (w->a->sets) score_squares(w, m, steps);
        else score_linear(w, m, steps);
        if (codes) choose(w, from, mine, some, codes);
        else put(w, from, mine, some, out);
    }
}

/* The rows of each model, in order: those of model m are order[start[m]] to order[start[m + 1]]. */
INLINE void sort_rows(const work *w, const int32_t *which, int64_t n) {
    int64_t models = w->a->model_count, *start = w->start;
    memset(start, 0, (size_t)(models + 2) * sizeof(int64_t));
    for (int64_t i = 0; i < n; i++) start[which[i] + 2]++; /* rows of -1 come first */
    for (int64_t m = 0; m <= models; m++) start[m + 1] += start[m];
    for (int64_t i = 0; i < n; i++) w->order[start[which[i] + 1]++] = (int32_t)i;
}

static int is_block(const normal_asked *a) {
    for (int64_t j = 0; j < a->width; j++)
        if (a->columns[j].step != a->columns->step || a->columns[j].at != a->columns->at + j * (ptrdiff_t)sizeof(double))
            return 0;
    return a->width > 0;
}

INLINE void answer_all(const work *w, int64_t lo, int64_t hi, double *out, int32_t *codes) {
    const normal_asked *a = w->a;
    if (!a->which) {
        answer(w, a->models, lo, NULL, hi - lo, out, codes);
        return;
    }
    for (int64_t first = lo; first < hi; first += SOME) {
        sort_rows(w, a->which + first, hi - first < SOME ? hi - first : SOME);
        for (int64_t m = 0; m < a->model_count; m++)
            answer(w, a->models + m, first, w->order + w->start[m], w->start[m + 1] - w->start[m], out, codes);
    }
}

TARGET int64_t NORMAL_ROWS(const normal_asked *a, int64_t lo, int64_t hi, double *out, int32_t *codes) {
    size_t vectors = (size_t)((a->width + a->classes) * STEPS + 1), models = (size_t)a->model_count + 2;
    char *room = calloc(1, vectors * sizeof(vector) + models * sizeof(int64_t) + SOME * sizeof(int32_t));
    if (!room) return NORMAL_NO_MEMORY;
    work w = {.a = a, .block = is_block(a)};
    /* Vectors want their own alignment, which calloc does not promise. */
    w.x = (vector *)(room + (sizeof(vector) - (uintptr_t)room % sizeof(vector)) % sizeof(vector));
    w.away = w.x + a->width * STEPS;
    w.start = (int64_t *)(w.away + a->classes * STEPS);
    w.order = (int32_t *)(w.start + models);
    answer_all(&w, lo, hi, out, codes);
    free(room);
    return 0;
}
