/* The loops of posterior.c: the log joint of a tile of rows, laid out (classes, rows) so that every
   loop runs over rows, four at a time; the softmax follows while the tile is near, and the output is
   written once. No sum runs across rows: what a row gets depends neither on its neighbours nor on
   how the columns lie in memory.

   Each file that includes this makes its own POSTERIOR_ROWS and POSTERIOR_EACH; TARGET is the attribute that asks the
   compiler for the instructions of a machine. (target_clones comes too late: vectors are split before.) */
#include "posterior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER double
#define WHOLE int64_t
#define VEC 4
#include "../vectors.h"

typedef uint64_t bits __attribute__((vector_size(32)));
#define ALL(x) ((vector){(x), (x), (x), (x)})
#ifdef __clang__
#define MIX(x, y, a, b, c, d) __builtin_shufflevector(x, y, a, b, c, d)
#else
#define MIX(x, y, a, b, c, d) __builtin_shuffle(x, y, (mask){a, b, c, d})
#endif

#define TILE 64         /* rows, at the most */
#define NARROW 32       /* rows of a block, which is copied: the copy stays in the nearest cache */
#define STEPS (TILE / 4)
#define AHEAD 512       /* bytes that a column in one piece is fetched before it is needed */
#define SIDE 4          /* columns that are taken together */
#define SWEEP 32        /* columns that are turned on their side together: no more than stay near */
#define NEARBY (1 << 17) /* cells of a stretch of rows, so that they stay near */
#define LONGEST 4096    /* rows of a stretch */
#define NEAR 1e-9       /* classes nearer than this in the log joint may have equal probabilities */

typedef struct {
    vector *joint;      /* (classes, STEPS) */
    vector *base;       /* (classes, STEPS): the prior and the peaks of what is known */
    vector *said;       /* (TILE, padded / 4): what the symbols say */
    const loose *look[SWEEP];   /* the columns that are looked at, each in one piece */
    vector side[SWEEP][STEPS];  /* those that do not lie in one piece */
    vector top[STEPS], rest[STEPS];
    vector known[STEPS]; /* how many cells of each row are known; in use where the joint has heat */
    mask who[STEPS];
    uint32_t at[SIDE][TILE];
    int64_t steps;      /* vectors of a tile: rows / 4 */
    int holes;          /* whether `base` is in use */
} tile;

/* What a class makes of one column: with a scale of 0, nothing. */
typedef struct {
    vector mean, scale, peak;
} view;

/* exp(x) for x <= 0 (Moshier's Cephes), without a call or a branch; 0 below -708. */
INLINE vector exp_below(vector x) {
    mask real = x > ALL(-708.0);
    vector kept = CHOOSE(real, x, ALL(-708.0));
    vector n = kept * 1.4426950408889634 + 6755399441055744.0; /* 1.5 * 2^52: rounds to a whole */
    bits power = ((bits)n + 1023) << 52;
    n -= 6755399441055744.0;
    vector r = kept - n * 0.693145751953125 - n * 1.42860682030941723212e-6, q = r * r;
    vector p = ((1.26177193074810590878e-4 * q + 3.02994407707441961300e-2) * q + 1.0) * r;
    q = ((3.00198505138664455042e-6 * q + 2.52448340349684104192e-3) * q + 2.27265548208155028766e-1) * q + 2.0;
    return WHERE(real, (1.0 + 2.0 * p / (q - p)) * (vector)power);
}

/* ---- which rows */

/* The rows of a tile: those with the numbers that are listed, or all from the first on. */
typedef struct {
    int64_t first;
    const int32_t *listed;
} rows_of;

INLINE int64_t number_of(rows_of rows, int64_t i) {
    return rows.listed ? rows.listed[i] : rows.first + i;
}

INLINE const char *cell(const posterior_column *c, rows_of rows, int64_t i) {
    return c->at + number_of(rows, i) * c->step;
}

INLINE int in_one_piece(const posterior_column *c, rows_of rows, size_t size) {
    return !rows.listed && c->step == (ptrdiff_t)size;
}

/* ---- numbers */

/* So many columns at a time are too many for the machine to foresee what is read next. */
INLINE void fetch(const void *at, int64_t size) {
    for (int64_t i = 0; i < size; i += 64) __builtin_prefetch((const char *)at + AHEAD + i);
}

/* Four rows of four columns that lie side by side. */
INLINE void turn_four(const char *const *at, ptrdiff_t off, int64_t i, vector (*side)[STEPS]) {
    vector w = *(const loose *)(at[0] + off), x = *(const loose *)(at[1] + off);
    vector y = *(const loose *)(at[2] + off), z = *(const loose *)(at[3] + off);
    vector p = MIX(w, x, 0, 4, 2, 6), q = MIX(w, x, 1, 5, 3, 7);
    vector r = MIX(y, z, 0, 4, 2, 6), s = MIX(y, z, 1, 5, 3, 7);
    side[0][i] = MIX(p, r, 0, 1, 4, 5);
    side[1][i] = MIX(q, s, 0, 1, 4, 5);
    side[2][i] = MIX(p, r, 2, 3, 6, 7);
    side[3][i] = MIX(q, s, 2, 3, 6, 7);
}

INLINE void turn_column(const posterior_column *c, rows_of rows, int64_t from, int64_t n, double *out) {
    for (int64_t i = from; i < n; i++) out[i] = *(const double *)cell(c, rows, i);
}

/* How many columns, a multiple of four, lie side by side. */
INLINE int64_t side_by_side(const posterior_column *c, int64_t width) {
    int64_t k = width > 0;
    while (k < width && c[k].step == c->step && c[k].at == c->at + k * (ptrdiff_t)sizeof(double)) k++;
    return k / SIDE * SIDE;
}

/* Some columns of a tile, each in one piece: as they lie, where they do, else turned on their side.
   A block of them is read row by row, as it lies in memory. */
INLINE void turn(const posterior_column *c, int64_t width, rows_of rows, int64_t n, tile *t) {
    int64_t block = side_by_side(c, width), done = n / 4 * 4;
    for (int64_t i = 0; block && i < done; i += 4) {
        const char *at[4] = {cell(c, rows, i), cell(c, rows, i + 1), cell(c, rows, i + 2), cell(c, rows, i + 3)};
        for (int64_t k = 0; k < block; k += SIDE)
            turn_four(at, k * (ptrdiff_t)sizeof(double), i / 4, t->side + k);
    }
    for (int64_t k = 0; k < width; k++) {
        t->look[k] = (const loose *)t->side[k];
        if (in_one_piece(c + k, rows, sizeof(double)) && n == 4 * t->steps) {
            t->look[k] = (const loose *)((const double *)c[k].at + rows.first);
            fetch(t->look[k], n * (int64_t)sizeof(double));
        } else {
            turn_column(c + k, rows, k < block ? done : 0, n, (double *)t->side[k]);
        }
    }
    for (int64_t k = width; k % SIDE; k++) { /* a column of zeros, with a scale of 0, says nothing */
        memset(t->side[k], 0, sizeof t->side[k]);
        t->look[k] = (const loose *)t->side[k];
    }
}

/* From here on the tile adds up the peaks of each row by itself, in the same order. */
INLINE void start_base(const posterior_joint *j, int64_t column, tile *t) {
    if (t->holes) return;
    t->holes = 1;
    for (int64_t i = 0; i < t->steps; i++) t->known[i] = ALL((double)column);
    for (int64_t c = 0; c < j->classes; c++)
        for (int64_t i = 0; i < t->steps; i++) t->base[c * STEPS + i] = ALL(j->base[column * j->classes + c]);
}

INLINE view view_of(const posterior_joint *j, int64_t column, int64_t c) {
    int64_t at = column * j->classes + c;
    if (column >= j->numbers) return (view){ALL(0.0), ALL(0.0), ALL(0.0)};
    return (view){ALL(j->mean[at]), ALL(j->scale[at]), ALL(j->peak[at])};
}

INLINE vector squared(vector z, view v) {
    vector u = (z - v.mean) * v.scale;
    return u * u;
}

INLINE void add_plain(const loose *const *look, view v, view w, view x, view y, int64_t steps, vector *away) {
    for (int64_t i = 0; i < steps; i++)
        away[i] = away[i] + squared(look[0][i], v) + squared(look[1][i], w) + squared(look[2][i], x) +
                  squared(look[3][i], y);
}

INLINE void add_known(const loose *look, view v, int64_t steps, vector *away, vector *base) {
    for (int64_t i = 0; i < steps; i++) {
        vector z = look[i];
        mask known = z == z;
        away[i] += WHERE(known, squared(z, v));
        base[i] += WHERE(known, v.peak);
    }
}

INLINE void count_known(const posterior_joint *j, int64_t column, const loose *const *look, tile *t) {
    for (int64_t k = 0; k < SIDE && column + k < j->numbers; k++)
        for (int64_t i = 0; i < t->steps; i++) t->known[i] += WHERE(look[k][i] == look[k][i], ALL(1.0));
}

/* What SIDE columns take off the joint: the squares of their distances. */
INLINE void add_side(const posterior_joint *j, int64_t column, const loose *const *look, tile *t) {
    mask unknown = {0};
    for (int64_t k = 0; k < SIDE; k++)
        for (int64_t i = 0; i < t->steps; i++) unknown |= look[k][i] != look[k][i];
    if (unknown[0] | unknown[1] | unknown[2] | unknown[3]) start_base(j, column, t);
    if (t->holes && j->heat != 0.0) count_known(j, column, look, t);
    for (int64_t c = 0; c < j->classes; c++) {
        view v = view_of(j, column, c), w = view_of(j, column + 1, c);
        view x = view_of(j, column + 2, c), y = view_of(j, column + 3, c);
        vector *away = t->joint + c * STEPS, *base = t->base + c * STEPS;
        if (t->holes) {
            add_known(look[0], v, t->steps, away, base);
            add_known(look[1], w, t->steps, away, base);
            add_known(look[2], x, t->steps, away, base);
            add_known(look[3], y, t->steps, away, base);
        } else {
            add_plain(look, v, w, x, y, t->steps, away);
        }
    }
}

INLINE void add_numbers(const posterior_joint *j, rows_of rows, int64_t n, tile *t) {
    memset(t->joint, 0, (size_t)j->classes * STEPS * sizeof(vector));
    t->holes = 0;
    for (int64_t first = 0; first < j->numbers; first += SWEEP) {
        int64_t width = j->numbers - first < SWEEP ? j->numbers - first : SWEEP;
        turn(j->number + first, width, rows, n, t);
        for (int64_t k = 0; k < width; k += SIDE) add_side(j, first + k, t->look + k, t);
    }
    for (int64_t i = 0; !t->holes && i < t->steps; i++) t->known[i] = ALL((double)j->numbers);
    for (int64_t c = 0; c < j->classes; c++) {
        vector *a = t->joint + c * STEPS, all = ALL(j->base[j->numbers * j->classes + c]);
        for (int64_t i = 0; i < t->steps; i++) a[i] = (t->holes ? t->base[c * STEPS + i] : all) - a[i];
    }
}

/* ---- symbols */

#define PLACES(type)                                                            \
    for (int64_t i = 0; i < n; i++) {                                           \
        uint32_t u = (uint32_t)(*(const type *)cell(c, rows, i) + (int64_t)1);  \
        out[i] = u <= values ? u : 0;                                           \
    }                                                                           \
    break

/* The row of the table that each code stands for; 0 for one that stands for no value. */
INLINE void places(const posterior_column *c, rows_of rows, int64_t n, uint32_t values, uint32_t *out) {
    if (c->kind == 'i' && in_one_piece(c, rows, sizeof(int32_t))) {
        const int32_t *code = (const int32_t *)c->at + rows.first;
        fetch(code, n * (int64_t)sizeof(int32_t));
        for (int64_t i = 0; i < n; i++) {
            uint32_t u = (uint32_t)code[i] + 1;
            out[i] = u <= values ? u : 0;
        }
        return;
    }
    switch (c->kind) {
    case 'b': PLACES(int8_t);
    case 'B': PLACES(uint8_t);
    case 'h': PLACES(int16_t);
    default: PLACES(int32_t);
    }
}

/* Several columns at once: the sums are loaded and stored less often. */
INLINE void add_tables(const double *const *table, int64_t width, int64_t n, int64_t padded, tile *t) {
    for (int64_t i = 0; i < n; i++)
        for (int64_t c = 0; c < padded; c += 4) {
            vector sum = t->said[(i * padded + c) / 4];
            for (int64_t k = 0; k < width; k++)
                sum += *(const loose *)(table[k] + t->at[k][i] * padded + c);
            t->said[(i * padded + c) / 4] = sum;
        }
}

INLINE void add_symbols(const posterior_joint *j, rows_of rows, int64_t n, tile *t) {
    const double *table[SIDE];
    memset(t->said, 0, (size_t)(n * j->padded) * sizeof(double));
    for (int64_t column = 0; column < j->symbols; column += SIDE) {
        int64_t width = j->symbols - column < SIDE ? j->symbols - column : SIDE;
        for (int64_t k = 0; k < width; k++) {
            const int64_t *start = j->starts + column + k;
            table[k] = j->table + start[0];
            places(j->symbol + column + k, rows, n, (uint32_t)((start[1] - start[0]) / j->padded - 1), t->at[k]);
        }
        double *known = (double *)t->known;
        for (int64_t k = 0; j->heat != 0.0 && k < width; k++)
            for (int64_t i = 0; i < n; i++) known[i] += t->at[k][i] != 0;
        if (width == SIDE && j->padded == 4) add_tables(table, SIDE, n, 4, t);
        else add_tables(table, width, n, j->padded, t);
    }
    const double *said = (const double *)t->said;
    for (int64_t c = 0; c < j->classes; c++) {
        double *a = (double *)(t->joint + c * STEPS);
        for (int64_t i = 0; i < n; i++) a[i] += said[i * j->padded + c];
    }
}

/* ---- what follows */

/* The largest of each row. A row that is impossible for every class gets the prior; how many are. */
INLINE int64_t find_top(const posterior_joint *j, int64_t n, tile *t) {
    int64_t lost = 0;
    for (int64_t i = 0; i < t->steps; i++) {
        vector top = ALL(-INFINITY);
        for (int64_t c = 0; c < j->classes; c++) {
            vector a = t->joint[c * STEPS + i];
            top = CHOOSE(a > top, a, top);
        }
        t->top[i] = top;
    }
    double *top = (double *)t->top, *joint = (double *)t->joint;
    for (int64_t i = 0; i < n; i++) {
        if (top[i] != -INFINITY) continue;
        lost++;
        ((double *)t->known)[i] = 0.0;
        for (int64_t c = 0; c < j->classes; c++) {
            joint[c * TILE + i] = j->base[c];
            if (j->base[c] > top[i]) top[i] = j->base[c];
        }
    }
    return lost;
}

INLINE int64_t softmax(const posterior_joint *j, int64_t n, tile *t) {
    int64_t lost = find_top(j, n, t);
    for (int64_t i = 0; i < t->steps; i++) {
        vector sum = {0}, *a = t->joint + i, above = t->known[i] - 1.0;
        vector heat = 1.0 + j->heat * CHOOSE(above > 0.0, above, ALL(0.0));
        for (int64_t c = 0; c < j->classes; c++) {
            vector x = a[c * STEPS] - t->top[i];
            sum += a[c * STEPS] = exp_below(j->heat != 0.0 ? x / heat : x);
        }
        vector part = 1.0 / sum;
        for (int64_t c = 0; c < j->classes; c++) a[c * STEPS] *= part;
    }
    return lost;
}

/* The first of the largest in each row; whether the next came near, or a row has none. */
INLINE int choose(const posterior_joint *j, int64_t n, tile *t) {
    int near = 0;
    for (int64_t i = 0; i < t->steps; i++) {
        vector top = ALL(-INFINITY), rest = top;
        mask who = {0};
        for (int64_t c = 0; c < j->classes; c++) {
            vector a = t->joint[c * STEPS + i];
            mask up = a > top;
            rest = CHOOSE(up, top, CHOOSE(a > rest, a, rest));
            top = CHOOSE(up, a, top);
            who = (who & ~up) | (c & up);
        }
        t->who[i] = who;
        t->top[i] = top;
        t->rest[i] = rest;
    }
    const double *top = (const double *)t->top, *rest = (const double *)t->rest;
    for (int64_t i = 0; i < n; i++) near |= !(rest[i] < top[i] - NEAR);
    return near;
}

INLINE void put(const posterior_joint *j, rows_of rows, int64_t n, const tile *t, double *out) {
    const double *joint = (const double *)t->joint;
    for (int64_t i = 0; i < n; i++) {
        double *to = out + number_of(rows, i) * j->classes;
        for (int64_t c = 0; c < j->classes; c++) to[c] = joint[c * TILE + i];
    }
}

/* Near a tie the probabilities decide, so that the code is always that of the largest one. */
INLINE int64_t put_codes(const posterior_joint *j, rows_of rows, int64_t n, tile *t, int32_t *codes) {
    int64_t lost = 0, *who = (int64_t *)t->who;
    if (choose(j, n, t)) {
        const double *p = (const double *)t->joint;
        lost = softmax(j, n, t);
        for (int64_t i = 0; i < n; i++) {
            who[i] = 0;
            for (int64_t c = 1; c < j->classes; c++)
                if (p[c * TILE + i] > p[who[i] * TILE + i]) who[i] = c;
        }
    }
    for (int64_t i = 0; i < n; i++) codes[number_of(rows, i)] = (int32_t)who[i];
    return lost;
}

/* Listed rows are read out of order, so that the machine cannot foresee what is read next: rows of the
   next stretch, in theirs, are fetched meanwhile. */
INLINE void fetch_rows(const posterior_joint *j, int64_t row, int64_t n) {
    int64_t block = side_by_side(j->number, j->numbers), k = 0;
    const posterior_column *c = j->number;
    for (; k < block; k += 8)
        for (int64_t i = 0; i < n; i++) __builtin_prefetch(c[k].at + (row + i) * c[k].step, 0, 2);
    for (k = block; k < j->numbers + j->symbols; k++)
        for (int64_t i = 0; i < n * c[k].step; i += 64) __builtin_prefetch(c[k].at + row * c[k].step + i, 0, 2);
}

INLINE int64_t all_tiles(const posterior_joint *j, rows_of rows, int64_t count, int64_t ahead, int what,
                         double *out, int32_t *codes, tile *t) {
    int64_t lost = 0, most = side_by_side(j->number, j->numbers) ? NARROW : TILE;
    t->steps = most / 4;
    for (int64_t at = 0; at < count; at += most) {
        int64_t n = count - at < most ? count - at : most;
        rows_of these = {rows.first + at, rows.listed ? rows.listed + at : NULL};
        if (rows.listed) fetch_rows(j, ahead + at, n);
        add_numbers(j, these, n, t);
        if (j->symbols) add_symbols(j, these, n, t);
        if (what == POSTERIOR_CODES) {
            lost += put_codes(j, these, n, t, codes);
        } else {
            if (what == POSTERIOR_PROBABILITIES) lost += softmax(j, n, t);
            put(j, these, n, t, out);
        }
    }
    return lost;
}

/* Vectors want their own alignment, which malloc does not promise. */
INLINE tile *tile_in(char *room, const posterior_joint *j) {
    tile *t = (tile *)(room + (sizeof(vector) - (uintptr_t)room % sizeof(vector)));
    t->joint = (vector *)(t + 1);
    t->base = t->joint + j->classes * STEPS;
    t->said = t->base + j->classes * STEPS;
    return t;
}

INLINE char *room_for(const posterior_joint *j) {
    size_t parts = (size_t)(2 * j->classes * STEPS + j->padded * STEPS);
    return calloc(1, sizeof(tile) + parts * sizeof(vector) + sizeof(vector));
}

TARGET int64_t POSTERIOR_ROWS(const posterior_joint *j, int64_t lo, int64_t hi, int what, double *out, int32_t *codes) {
    char *room = room_for(j);
    if (!room) return POSTERIOR_NO_MEMORY;
    int64_t lost = all_tiles(j, (rows_of){lo, NULL}, hi - lo, 0, what, out, codes, tile_in(room, j));
    free(room);
    return lost;
}

/* ---- each row by a model of its own */

/* The rows of a stretch by model, in order; `edge` is where each model ends. */
INLINE void sort_rows(const int32_t *which, int64_t models, int64_t lo, int64_t n, int32_t *edge, int32_t *rows) {
    int32_t at = 0;
    memset(edge, 0, (size_t)models * sizeof(int32_t));
    for (int64_t i = lo; i < lo + n; i++)
        if (which[i] >= 0 && which[i] < models) edge[which[i]]++;
    for (int64_t m = 0; m < models; m++) {
        int32_t here = edge[m];
        edge[m] = at;
        at += here;
    }
    for (int64_t i = lo; i < lo + n; i++)
        if (which[i] >= 0 && which[i] < models) rows[edge[which[i]]++] = (int32_t)i;
}

TARGET int64_t POSTERIOR_EACH(const posterior_joint *const *j, int64_t models, const int32_t *which, int64_t lo,
                              int64_t hi, int what, double *out, int32_t *codes) {
    int64_t width = (*j)->numbers + (*j)->symbols + 1, most = NEARBY / width < LONGEST ? NEARBY / width : LONGEST;
    if (most < models * TILE) most = models * TILE; /* so that tiles are not mostly empty */
    char *room = room_for(*j);
    int32_t *rows = malloc((size_t)(most + models) * sizeof(int32_t)), *edge = rows + most;
    int64_t lost = room && rows ? 0 : POSTERIOR_NO_MEMORY;
    for (int64_t at = lo; lost != POSTERIOR_NO_MEMORY && at < hi; at += most) {
        sort_rows(which, models, at, hi - at < most ? hi - at : most, edge, rows);
        for (int64_t m = 0; m < models; m++) {
            int64_t first = m ? edge[m - 1] : 0;
            rows_of mine = {0, rows + first};
            lost += all_tiles(j[m], mine, edge[m] - first, at + most + first, what, out, codes, tile_in(room, *j));
        }
    }
    free(room);
    free(rows);
    return lost;
}
