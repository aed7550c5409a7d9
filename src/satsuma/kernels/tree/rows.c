/* Rows hashed, and cells put in bins. */
#include "tree.h"
#include <math.h>
#include <string.h>

#define TILE 128   /* rows of a tile: those of an array of 20 columns stay in the first cache */
#define GRID 1024
#define FEW 3      /* edges in a cell that are passed one by one */
#define SHORT 256
#define BLOCK 32   /* columns that are coded together */
#define START 0x9E3779B97F4A7C15ull
#define PRIME 0xD6E8FEB86659FD93ull
#define MISSING 0x7FF8000000000000ull

ALWAYS double number(const tree_column *c, int64_t i) { return *(const double *)(c->at + i * c->step); }
ALWAYS int32_t code(const tree_column *c, int64_t i) { return *(const int32_t *)(c->at + i * c->step); }

ALWAYS uint64_t stirred(uint64_t h, uint64_t bits) {
    h = (h ^ bits) * PRIME;
    return h ^ (h >> 32);
}

ALWAYS int hash_numbers(const char *restrict at, ptrdiff_t step, int64_t n, uint64_t *restrict h) {
    int infinite = 0;
    for (int64_t i = 0; i < n; i++) {
        double v = *(const double *)(at + i * step) + 0.0; /* -0.0 is 0.0 */
        uint64_t bits;
        memcpy(&bits, &v, sizeof bits);
        bits = v == v ? bits : MISSING;
        infinite |= (bits << 1) == 0xFFE0000000000000ull;
        h[i] = stirred(h[i], bits);
    }
    return infinite;
}

int tree_hash(const tree_column *columns, int64_t width, const uint64_t *const *spelled,
              const int64_t *values, int64_t start, int64_t n, uint64_t *out) {
    int infinite = 0;
    for (int64_t lo = 0; lo < n; lo += TILE) {
        int64_t m = n - lo < TILE ? n - lo : TILE;
        uint64_t h[TILE];
        for (int64_t i = 0; i < m; i++) h[i] = START;
        for (int64_t j = 0; j < width; j++) {
            const tree_column *c = columns + j;
            if (c->kind == 'd') {
                infinite |= hash_numbers(c->at + (start + lo) * c->step, c->step, m, h);
                continue;
            }
            for (int64_t i = 0; i < m; i++) {
                int32_t k = code(c, start + lo + i);
                h[i] = stirred(h[i], k >= 0 && k < values[j] ? spelled[j][k] : MISSING);
            }
        }
        for (int64_t i = 0; i < m; i++) out[lo + i] = stirred(h[i], 0);
    }
    return infinite;
}

/* The edges of a column under a uniform grid: a cell tells where to begin to look. */
typedef struct {
    double lo, scale;
    int crowded;             /* a cell holds more than FEW edges, or there are too many of them */
    uint16_t first[GRID + 1]; /* edges in cells before this one */
    double edges[SHORT];     /* a copy; above the last one there is nothing */
} grid;

ALWAYS int64_t cell_of(double lo, double scale, double v) {
    double t = (v - lo) * scale;
    t = t > 0 ? t : 0; /* not a number neither */
    return (int64_t)(t < GRID - 1 ? t : GRID - 1);
}

static void grid_of(const double *edges, int64_t count, grid *g) {
    double span = edges[count - 1] - edges[0];
    g->lo = edges[0];
    g->scale = span > 0 && span < INFINITY ? GRID / span : 0;
    if (!(g->scale < INFINITY)) g->scale = 0;
    int64_t e = 0;
    g->first[0] = 0;
    g->crowded = count > SHORT;
    for (int64_t c = 1; c <= GRID; c++) {
        while (e < count - 1 && cell_of(g->lo, g->scale, edges[e]) < c) e++;
        g->first[c] = (uint16_t)e;
        g->crowded |= g->first[c] - g->first[c - 1] > FEW;
    }
    if (count > SHORT) return;
    memcpy(g->edges, edges, (size_t)count * 8);
    g->edges[count - 1] = INFINITY;
}

/* The first edge that is not below v; the last one for all that is above. */
ALWAYS int64_t bin_of(const grid *g, const double *edges, double v) {
    int64_t c = cell_of(g->lo, g->scale, v), b = g->first[c], top = g->first[c + 1];
    while (top > b) {
        int64_t middle = (b + top) / 2;
        if (v > edges[middle]) b = middle + 1;
        else top = middle;
    }
    return b;
}

#define CODE_NUMBERS(NAME, TYPE)                                                                     \
    static void NAME(const tree_column *c, const double *edges, int32_t count, const grid *g,        \
                     int64_t start, int64_t n, TYPE *restrict out, uint8_t *mixed) {                 \
        for (int64_t i = 0; i < n; i++) {                                                            \
            double v = number(c, start + i);                                                         \
            int64_t b = v == v ? bin_of(g, edges, v) : count;                                        \
            if (b == count || v != edges[b]) mixed[b] = 1;                                           \
            out[i] = (TYPE)b;                                                                        \
        }                                                                                            \
    }                                                                                                \
    /* Few edges in every cell: they are passed without a branch, whose way could not be foreseen. */ \
    static void NAME##_fast(const tree_column *c, const double *restrict edges, int32_t count,       \
                            const grid *restrict g, int64_t start, int64_t n, TYPE *restrict out,    \
                            uint8_t *restrict mixed) {                                               \
        const char *restrict at = c->at + start * c->step;                                           \
        const double lo = g->lo, scale = g->scale;                                                   \
        ptrdiff_t step = c->step;                                                                    \
        for (int64_t i = 0; i < n; i++) {                                                            \
            double v = *(const double *)(at + i * step);                                             \
            int64_t b = g->first[cell_of(lo, scale, v)];                                             \
            for (int k = 0; k < FEW; k++) b += v > g->edges[b];                                      \
            if (!(v == v)) b = count, mixed[count] = 1;                                              \
            else if (v != edges[b]) mixed[b] = 1;                                                    \
            out[i] = (TYPE)b;                                                                        \
        }                                                                                            \
    }                                                                                                \
    static void NAME##_symbols(const tree_column *c, int32_t count, int64_t start, int64_t n,        \
                               TYPE *restrict out, uint8_t *mixed) {                                 \
        for (int64_t i = 0; i < n; i++) {                                                            \
            int32_t k = code(c, start + i);                                                          \
            if (k < 0 || k >= count) k = count, mixed[count] = 1;                                    \
            out[i] = (TYPE)k;                                                                        \
        }                                                                                            \
    }                                                                                                \
    static void NAME##_column(const tree_column *c, int64_t j, const double *edges, int32_t count,   \
                              const grid *g, int64_t start, int64_t n, const tree_codes *to,         \
                              uint8_t *mixed) {                                                      \
        TYPE made[TILE], *out = (TYPE *)to->out + start * to->stride + j;                            \
        if (!edges) NAME##_symbols(c, count, start, n, made, mixed);                                 \
        else if (g->crowded) NAME(c, edges, count, g, start, n, made, mixed);                        \
        else NAME##_fast(c, edges, count, g, start, n, made, mixed);                                 \
        for (int64_t i = 0; i < n; i++) out[i * to->stride] = made[i];                               \
        if (to->across) memcpy((TYPE *)to->across + j * to->rows + start, made, (size_t)n * sizeof(TYPE)); \
    }

CODE_NUMBERS(code_bytes, uint8_t)
CODE_NUMBERS(code_words, uint16_t)

int tree_code(const tree_column *columns, int64_t width, const double *const *edges,
              const int32_t *levels, int64_t bins, int64_t start, int64_t n, const tree_codes *to,
              uint8_t *mixed) {
    /* Tiles stay in the cache while all columns are read; grids are made once for all tiles. */
    for (int64_t j0 = 0; j0 < width; j0 += BLOCK) {
        grid grids[BLOCK];
        int64_t some = width - j0 < BLOCK ? width - j0 : BLOCK;
        for (int64_t j = 0; j < some; j++)
            if (edges[j0 + j]) grid_of(edges[j0 + j], levels[j0 + j], grids + j);
        for (int64_t lo = start; lo < start + n; lo += TILE) {
            int64_t m = start + n - lo < TILE ? start + n - lo : TILE;
            for (int64_t j = j0; j < j0 + some; j++) {
                uint8_t *mix = mixed + j * bins;
                if (to->size == 1) code_bytes_column(columns + j, j, edges[j], levels[j], grids + j - j0, lo, m, to, mix);
                else code_words_column(columns + j, j, edges[j], levels[j], grids + j - j0, lo, m, to, mix);
            }
        }
    }
    return 0;
}
