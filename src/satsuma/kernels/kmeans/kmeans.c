#define TARGET
#define KMEANS_STEP kmeans_step_anywhere
#define VEC 4
#define ADD_PRODUCT(s, x, y) ((s) + (x) * (y))
#include "tile.h"

#include <string.h>

int64_t kmeans_step(const kmeans_rows *r, const kmeans_centres *c, const kmeans_moved *v, int32_t *label,
                    double *up, double *low, const kmeans_sums *s) {
#ifdef KMEANS_WIDER
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return kmeans_step_avx512(r, c, v, label, up, low, s);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return kmeans_step_avx2(r, c, v, label, up, low, s);
#endif
    return kmeans_step_anywhere(r, c, v, label, up, low, s);
}

void kmeans_away(const kmeans_rows *r, const kmeans_centres *c, const int32_t *label, double *out) {
    for (int64_t i = 0; i < r->rows; i++) out[i] = exact(r, c, i, label[i]);
}

/* ---- mini-batches */

/* A number from 0 to below 1 for a row and a column (Steele, Lea and Flood 2014). */
static double chance(uint64_t seed, int64_t row, int64_t column) {
    uint64_t x = seed + (uint64_t)row * 0x9E3779B97F4A7C15u + (uint64_t)(column + 1) * 0xD1B54A32D192ED03u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

/* One batch: its rows and the centres, scaled, and room for the answers. */
typedef struct {
    double *number, *centre, *up, *low, *shift, *factor, *farthest;
    int32_t *label;
    uint8_t *holed;
} desk;

static void widen(const kmeans_rows *r, const kmeans_online *o) {
    double *restrict lo = o->lo, *restrict hi = o->hi;
    for (int64_t i = 0; i < r->rows; i++) {
        const double *x = r->number + i * r->numbers;
        if (r->weight && !(r->weight[i] > 0)) continue;
        for (int64_t j = 0; j < r->numbers; j++) {
            lo[j] = x[j] < lo[j] ? x[j] : lo[j];
            hi[j] = x[j] > hi[j] ? x[j] : hi[j];
        }
    }
}

/* Numbers as the distance sees them; in `farthest`, twice for each column, the ends of the range. */
static void scaled(const kmeans_rows *r, const kmeans_online *o, desk *t) {
    int64_t d = r->numbers;
    for (int64_t j = 0; j < d; j++) {
        int none = !(o->lo[j] <= o->hi[j]);
        t->shift[j] = none ? 0.0 : o->ranged ? o->lo[j] : o->shift[j];
        t->factor[j] = o->ranged && !none ? 1.0 / (o->hi[j] - o->lo[j] + 1e-7) : 1.0;
        t->farthest[2 * j] = none || o->ranged ? 0.0 : o->lo[j] - t->shift[j];
        t->farthest[2 * j + 1] = none || o->ranged ? 1.0 : o->hi[j] - t->shift[j];
        t->holed[j] = 0;
    }
    for (int64_t i = 0; i < r->rows; i++)
        for (int64_t j = 0; j < d; j++) {
            double x = (r->number[i * d + j] - t->shift[j]) * t->factor[j];
            t->number[i * d + j] = x;
            t->holed[j] |= isnan(x);
        }
    for (int64_t c = 0; c < o->k; c++)
        for (int64_t j = 0; j < d; j++) t->centre[c * d + j] = (o->number[c * d + j] - t->shift[j]) * t->factor[j];
}

/* The squared distance from a centre that may lack cells: as far away as can be. */
static double farther(const kmeans_rows *r, const kmeans_online *o, const desk *t, int64_t row, int64_t c) {
    const double *x = t->number + row * r->numbers, *m = t->centre + c * r->numbers;
    double sum = 0.0;
    int64_t other = 0;
    for (int64_t j = 0; j < r->numbers; j++) {
        double a = x[j] - t->farthest[2 * j], b = t->farthest[2 * j + 1] - x[j];
        double away = isnan(m[j]) ? (a > b ? a : b) : x[j] - m[j];
        sum += isnan(x[j]) ? 0.0 : away * away;
    }
    for (int64_t j = 0; j < r->symbols; j++) {
        int32_t code = r->symbol[row * r->symbols + j];
        other += code >= 0 && code != o->symbol[c * r->symbols + j];
    }
    return sum + (double)other;
}

static int any_hole(const kmeans_rows *r, const kmeans_online *o) {
    for (int64_t i = 0; i < o->k * r->numbers; i++)
        if (isnan(o->number[i])) return 1;
    for (int64_t i = 0; i < o->k * r->symbols; i++)
        if (o->symbol[i] < 0) return 1;
    return 0;
}

static int assign(const kmeans_rows *r, const kmeans_online *o, desk *t) {
    kmeans_rows near = *r;
    kmeans_centres c = {o->k, t->centre, o->symbol};
    kmeans_moved none = {0};
    kmeans_sums nothing = {0};
    near.number = t->number;
    near.holed = t->holed;
    if (!any_hole(r, o)) return kmeans_step(&near, &c, &none, t->label, t->up, t->low, &nothing) >= 0;
    for (int64_t i = 0; i < r->rows; i++) {
        double least = INFINITY;
        for (int64_t at = 0; at < o->k; at++) {
            double s = farther(r, o, t, i, at);
            least = s < least ? s : least;
        }
        t->label[i] = 0;
        while (farther(r, o, t, i, t->label[i]) > least * (1.0 + KMEANS_TIE)) t->label[i]++;
    }
    return 1;
}

static void move(const kmeans_rows *r, const kmeans_online *o, const int32_t *label, int64_t seen) {
    for (int64_t i = 0; i < r->rows; i++) {
        const double *x = r->number + i * r->numbers, w = r->weight ? r->weight[i] : 1.0;
        const int32_t *code = r->symbol + i * r->symbols, c = label[i];
        double *m = o->number + c * r->numbers;
        int32_t *mode = o->symbol + c * r->symbols;
        if (!(w > 0)) continue;
        o->z[c] += w;
        double share = w / o->z[c];
        for (int64_t j = 0; j < r->numbers; j++) {
            double to = isnan(m[j]) ? x[j] : m[j] + (x[j] - m[j]) * share;
            m[j] = isnan(x[j]) ? m[j] : to;
        }
        for (int64_t j = 0; j < r->symbols; j++)
            if (code[j] >= 0 && (mode[j] < 0 || chance(o->seed, seen + i, j) < share)) mode[j] = code[j];
    }
}

int kmeans_batches(const kmeans_rows *r, const kmeans_online *o) {
    int64_t d = r->numbers, most = o->batch < r->rows ? o->batch : r->rows, from, done = 1;
    desk t;
    t.number = malloc((size_t)(most * (d + 2) + o->k * d + 4 * d + 1) * sizeof(double));
    t.label = malloc((size_t)(most + 1) * sizeof(int32_t));
    t.holed = malloc((size_t)d + 1);
    if (t.number && t.label && t.holed) {
        t.up = t.number + most * d, t.low = t.up + most, t.centre = t.low + most;
        t.shift = t.centre + o->k * d, t.factor = t.shift + d, t.farthest = t.factor + d;
        for (from = 0; done && from < r->rows; from += most) {
            kmeans_rows part = *r;
            part.rows = r->rows - from < most ? r->rows - from : most;
            part.number = d ? r->number + from * d : NULL;
            part.symbol = r->symbols ? r->symbol + from * r->symbols : NULL;
            part.weight = r->weight ? r->weight + from : NULL;
            widen(&part, o);
            scaled(&part, o, &t);
            done = assign(&part, o, &t);
            if (done) move(&part, o, t.label, o->seen + from);
        }
    } else
        done = 0;
    free(t.number);
    free(t.label);
    free(t.holed);
    return done ? 0 : -1;
}
