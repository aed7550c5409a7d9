/* Rows hashed, and cells put in bins. */
#include "trees.h"
#include <math.h>
#include <string.h>

#define TILE 512
#define GRID 1024
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
    uint16_t first[GRID + 1]; /* edges in cells before this one */
} grid;

ALWAYS int64_t cell_of(const grid *g, double v) {
    double t = (v - g->lo) * g->scale;
    t = t > 0 ? t : 0; /* not a number neither */
    return (int64_t)(t < GRID - 1 ? t : GRID - 1);
}

static void grid_of(const double *edges, int64_t count, grid *g) {
    double span = edges[count - 1] - edges[0];
    g->lo = edges[0];
    g->scale = span > 0 && span < INFINITY ? GRID / span : 0;
    if (!(g->scale < INFINITY)) g->scale = 0;
    int64_t e = 0;
    for (int64_t c = 0; c < GRID; c++) {
        while (e < count - 1 && cell_of(g, edges[e]) < c) e++;
        g->first[c] = (uint16_t)e;
    }
    g->first[GRID] = (uint16_t)(count - 1);
}

/* The first edge that is not below v; the last one for all that is above. */
ALWAYS int64_t bin_of(const grid *g, const double *edges, double v) {
    int64_t c = cell_of(g, v), b = g->first[c], top = g->first[c + 1];
    while (top - b > 4) {
        int64_t middle = (b + top) / 2;
        if (v > edges[middle]) b = middle + 1;
        else top = middle;
    }
    while (b < top && v > edges[b]) b++;
    return b;
}

#define CODE_NUMBERS(NAME, TYPE)                                                                     \
    static void NAME(const tree_column *c, const double *edges, int32_t count, const grid *g,        \
                     int64_t start, int64_t n, TYPE *restrict out, int64_t stride, uint8_t *mixed) { \
        for (int64_t i = 0; i < n; i++) {                                                            \
            double v = number(c, start + i);                                                         \
            int64_t b = count;                                                                       \
            if (v == v) {                                                                            \
                b = bin_of(g, edges, v);                                                             \
                if (v != edges[b]) mixed[b] = 1;                                                     \
            } else mixed[b] = 1;                                                                     \
            out[i * stride] = (TYPE)b;                                                               \
        }                                                                                            \
    }                                                                                                \
    static void NAME##_symbols(const tree_column *c, int32_t count, int64_t start, int64_t n,        \
                               TYPE *restrict out, int64_t stride, uint8_t *mixed) {                 \
        for (int64_t i = 0; i < n; i++) {                                                            \
            int32_t k = code(c, start + i);                                                          \
            if (k < 0 || k >= count) k = count, mixed[count] = 1;                                    \
            out[i * stride] = (TYPE)k;                                                               \
        }                                                                                            \
    }

CODE_NUMBERS(code_bytes, uint8_t)
CODE_NUMBERS(code_words, uint16_t)

int tree_code(const tree_column *columns, int64_t width, const double *const *edges,
              const int32_t *levels, int64_t bins, int64_t start, int64_t n, void *out,
              int64_t stride, int size, uint8_t *mixed) {
    /* Tiles stay in the cache while all columns are read; grids are made once for all tiles. */
    for (int64_t j0 = 0; j0 < width; j0 += 32) {
        grid grids[32];
        int64_t some = width - j0 < 32 ? width - j0 : 32;
        for (int64_t j = 0; j < some; j++)
            if (edges[j0 + j]) grid_of(edges[j0 + j], levels[j0 + j], grids + j);
        for (int64_t lo = 0; lo < n; lo += TILE) {
            int64_t m = n - lo < TILE ? n - lo : TILE;
            for (int64_t j = j0; j < j0 + some; j++) {
                const tree_column *c = columns + j;
                uint8_t *mix = mixed + j * bins;
                if (size == 1) {
                    uint8_t *to = (uint8_t *)out + lo * stride + j;
                    if (edges[j]) code_bytes(c, edges[j], levels[j], grids + j - j0, start + lo, m, to, stride, mix);
                    else code_bytes_symbols(c, levels[j], start + lo, m, to, stride, mix);
                } else {
                    uint16_t *to = (uint16_t *)out + lo * stride + j;
                    if (edges[j]) code_words(c, edges[j], levels[j], grids + j - j0, start + lo, m, to, stride, mix);
                    else code_words_symbols(c, levels[j], start + lo, m, to, stride, mix);
                }
            }
        }
    }
    return 0;
}
