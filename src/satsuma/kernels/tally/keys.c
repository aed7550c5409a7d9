/* Keys of rows: numbers that depend on what is in a row, of which the least are a sample. */
#include "tally.h"

#include <string.h>

#define ROWS 4096 /* whose keys stay in the first cache while column after column is read */
#define MISSING 0x7FF8000000000000ull

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__ELF__) && !defined(__SANITIZE_ADDRESS__)
#define HOTTEST __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define HOTTEST
#endif

/* One product of halves a cell, as in NH (Black et al. 1999), so that vectors can do it. */
ALWAYS static inline uint64_t term(double v, uint64_t key) {
    uint64_t bits;
    v += 0.0; /* -0.0 is 0.0 */
    memcpy(&bits, &v, sizeof bits);
    bits = v == v ? bits : MISSING;
    uint32_t low = (uint32_t)bits + (uint32_t)key, high = (uint32_t)(bits >> 32) + (uint32_t)(key >> 32);
    return (uint64_t)low * high;
}

ALWAYS static inline uint64_t stirred(uint64_t h) {
    h = (h ^ (h >> 33)) * 0xFF51AFD7ED558CCDull;
    h = (h ^ (h >> 33)) * 0xC4CEB9FE1A85EC53ull;
    return h ^ (h >> 33);
}

ALWAYS static inline void add_side_by_side(const char *restrict at, ptrdiff_t step, int64_t n, int64_t width,
                                           const uint64_t *restrict key, uint64_t *restrict h) {
    for (int64_t i = 0; i < n; i++, at += step) {
        const double *x = (const double *)at;
        uint64_t sum = 0;
        for (int64_t j = 0; j < width; j++) sum += term(x[j], key[j]);
        h[i] += sum;
    }
}

ALWAYS static inline void add_four(const double *restrict w, const double *restrict x, const double *restrict y,
                                   const double *restrict z, int64_t n, const uint64_t *key, uint64_t *restrict h) {
    const uint64_t a = key[0], b = key[1], c = key[2], d = key[3];
    for (int64_t i = 0; i < n; i++) h[i] += term(w[i], a) + term(x[i], b) + term(y[i], c) + term(z[i], d);
}

ALWAYS static inline void add_one(const char *restrict at, ptrdiff_t step, int64_t n, uint64_t key, uint64_t *restrict h) {
    if (step == (ptrdiff_t)sizeof(double)) {
        const double *x = (const double *)at;
        for (int64_t i = 0; i < n; i++) h[i] += term(x[i], key);
    } else {
        for (int64_t i = 0; i < n; i++, at += step) h[i] += term(*(const double *)at, key);
    }
}

ALWAYS static inline void add_apart(const tally_column *c, int64_t width, int64_t start, int64_t n,
                                    const uint64_t *key, uint64_t *restrict h) {
    int64_t j = 0, whole = 1;
    for (int64_t k = 0; k < width; k++) whole &= c[k].step == (ptrdiff_t)sizeof(double);
    for (; whole && j + 4 <= width; j += 4)
        add_four((const double *)c[j].at + start, (const double *)c[j + 1].at + start,
                 (const double *)c[j + 2].at + start, (const double *)c[j + 3].at + start, n, key + j, h);
    for (; j < width; j++) add_one(c[j].at + start * c[j].step, c[j].step, n, key[j], h);
}

static void add_codes(const tally_keyed *k, int64_t start, int64_t n, uint64_t *restrict h) {
    int32_t room[ROWS];
    for (int64_t j = 0; j < k->symbols; j++) {
        const int32_t *code = tally_codes_of(k->codes + j, start, n, room);
        const uint64_t *terms = k->terms + k->firsts[j];
        int64_t last = k->firsts[j + 1] - k->firsts[j] - 1;
        for (int64_t i = 0; i < n; i++) h[i] += terms[code[i] >= 0 && code[i] < last ? code[i] : last];
    }
}

HOTTEST int64_t tally_keys(const tally_keyed *k, int64_t start, int64_t n, uint64_t limit, int64_t *rows,
                           uint64_t *keys) {
    tally_batch numbers = {.columns = k->numbers, .width = k->width};
    int block = k->width > 1 && tally_is_block(&numbers);
    int64_t found = 0;
    uint64_t h[ROWS];
    for (int64_t lo = start; lo < start + n; lo += ROWS) {
        int64_t m = start + n - lo < ROWS ? start + n - lo : ROWS;
        memset(h, 0, (size_t)m * sizeof *h);
        if (block) add_side_by_side(k->numbers->at + lo * k->numbers->step, k->numbers->step, m, k->width, k->by_column, h);
        else add_apart(k->numbers, k->width, lo, m, k->by_column, h);
        add_codes(k, lo, m, h);
        for (int64_t i = 0; i < m; i++) h[i] = stirred(h[i]);
        for (int64_t i = 0; i < m; i++) {
            rows[found] = lo + i;
            keys[found] = h[i];
            found += h[i] <= limit;
        }
    }
    return found;
}
