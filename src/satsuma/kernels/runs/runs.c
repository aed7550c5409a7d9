#include "runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double value, weight;
} pair;

enum { BITS = 11, LOW_HALF = (1 << BITS) - 1, CELLS = 1 << 2 * BITS };

/* Cells of equal width; where differences leave the range of floats, by their bits. */
typedef struct {
    double low, scale;
    uint64_t first;
    int shift;
} cells;

/* The bits of a float, such that whole numbers have the order of the floats. */
static uint64_t bits_of(double x) {
    const uint64_t top = UINT64_C(1) << 63;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits & top ? ~bits : bits | top;
}

static cells cells_between(double low, double high) {
    cells c = {low, (CELLS - 1) / (high - low), 0, 0};
    if (c.scale > 0 && c.scale < INFINITY) return c;
    c.scale = 0;
    c.first = bits_of(low);
    while ((bits_of(high) - c.first) >> c.shift >= CELLS) c.shift++;
    return c;
}

static inline uint32_t cell_of(const cells *c, double x) {
    return c->scale > 0 ? (uint32_t)((x - c->low) * c->scale) : (uint32_t)((bits_of(x) - c->first) >> c->shift);
}

/* Sort by counting: numbers go to their cells in two passes, half the bits of the cell in each
   (Knuth 1973). What shares a cell is sorted in the same way, or by insertion where it is little.
   Stable, so that weights are summed in the order of the rows. b is room for as many as a has. */
#define SORT(NAME, TYPE, KEY)                                                                  \
    static void NAME(TYPE *a, TYPE *b, int64_t n) {                                            \
        if (n < 48) {                                                                          \
            for (int64_t i = 1, j; i < n; i++) {                                               \
                TYPE x = a[i];                                                                 \
                for (j = i; j > 0 && KEY(a[j - 1]) > KEY(x); j--) a[j] = a[j - 1];             \
                a[j] = x;                                                                      \
            }                                                                                  \
            return;                                                                            \
        }                                                                                      \
        double low = KEY(a[0]), high = KEY(a[0]);                                              \
        for (int64_t i = 1; i < n; i++) {                                                      \
            low = KEY(a[i]) < low ? KEY(a[i]) : low;                                           \
            high = KEY(a[i]) > high ? KEY(a[i]) : high;                                        \
        }                                                                                      \
        if (low == high) return;                                                               \
        const cells c = cells_between(low, high);                                              \
        int64_t count[2][1 << BITS] = {{0}}, sum[2] = {0, 0};                                  \
        for (int64_t i = 0; i < n; i++) {                                                      \
            uint32_t k = cell_of(&c, KEY(a[i]));                                               \
            count[0][k & LOW_HALF]++;                                                          \
            count[1][k >> BITS]++;                                                             \
        }                                                                                      \
        for (int v = 0; v < 1 << BITS; v++)                                                    \
            for (int d = 0; d < 2; d++) {                                                      \
                int64_t here = count[d][v];                                                    \
                count[d][v] = sum[d];                                                          \
                sum[d] += here;                                                                \
            }                                                                                  \
        for (int64_t i = 0; i < n; i++) b[count[0][cell_of(&c, KEY(a[i])) & LOW_HALF]++] = a[i]; \
        for (int64_t i = 0; i < n; i++) a[count[1][cell_of(&c, KEY(b[i])) >> BITS]++] = b[i];  \
        uint32_t next = cell_of(&c, KEY(a[0]));                                                \
        for (int64_t i = 0, from = 0; i < n; from = i) {                                       \
            uint32_t k = next;                                                                 \
            while (++i < n && (next = cell_of(&c, KEY(a[i]))) == k)                            \
                continue;                                                                      \
            if (i > from + 1) NAME(a + from, b + from, i - from);                              \
        }                                                                                      \
    }

#define ITSELF(x) (x)
#define ITS_VALUE(x) ((x).value)
SORT(sort_numbers, double, ITSELF)
SORT(sort_pairs, pair, ITS_VALUE)

/* The numbers are sorted where the results will be: no other memory is touched. */
static int64_t plain(const char *at, ptrdiff_t step, const int64_t *order, int64_t n, double *value, double *weight) {
    int64_t known = 0, m = 0;
    for (int64_t i = 0; i < n; i++) {
        double x = *(const double *)(at + order[i] * step);
        value[known] = x + 0.0; /* no -0.0 */
        known += x == x;
    }
    sort_numbers(value, weight, known);
    for (int64_t i = 0; i < known;) {
        int64_t start = i;
        double x = value[i];
        while (i < known && value[i] == x) i++;
        value[m] = x;
        weight[m++] = (double)(i - start);
    }
    return m;
}

static int64_t weighed(const char *at, ptrdiff_t step, const int64_t *order, const double *weights, int64_t n,
                       double *value, double *weight, pair *room) {
    int64_t known = 0, m = 0;
    for (int64_t i = 0; i < n; i++) {
        double x = *(const double *)(at + order[i] * step);
        room[known] = (pair){x + 0.0, weights[i]};
        known += x == x && weights[i] > 0;
    }
    sort_pairs(room, room + n + 1, known);
    for (int64_t i = 0; i < known; m++) {
        double x = room[i].value, sum = 0;
        for (; i < known && room[i].value == x; i++) sum += room[i].weight;
        value[m] = x;
        weight[m] = sum;
    }
    return m;
}

int64_t runs_sorted(const char *at, ptrdiff_t step, int64_t rows, const int64_t *order, const int64_t *starts,
                    int64_t groups, const double *weights, double *value, double *weight, int64_t *found) {
    pair *room = NULL;
    for (int64_t i = starts[0]; i < starts[groups]; i++)
        if ((uint64_t)order[i] >= (uint64_t)rows) return RUNS_NO_ROW;
    if (weights && !(room = malloc(2 * (starts[groups] + 1) * sizeof *room))) return RUNS_NO_MEMORY;
    for (int64_t g = 0; g < groups; g++) {
        int64_t from = starts[g], n = starts[g + 1] - from;
        found[g] = weights ? weighed(at, step, order + from, weights + from, n, value + from, weight + from, room)
                           : plain(at, step, order + from, n, value + from, weight + from);
    }
    free(room);
    return 0;
}

int64_t runs_added(const double *value1, const double *weight1, int64_t n1, const double *value2,
                   const double *weight2, int64_t n2, double *value, double *weight) {
    int64_t i = 0, j = 0, m = 0;
    while (i < n1 && j < n2) {
        double a = value1[i], b = value2[j];
        int left = a <= b, right = b <= a;
        value[m] = left ? a : b;
        weight[m++] = (left ? weight1[i] : 0.0) + (right ? weight2[j] : 0.0);
        i += left;
        j += right;
    }
    for (; i < n1; i++, m++) value[m] = value1[i], weight[m] = weight1[i];
    for (; j < n2; j++, m++) value[m] = value2[j], weight[m] = weight2[j];
    return m;
}

int64_t runs_side_by_side(const double *value, const double *weight, const int64_t *starts, int64_t groups,
                          int64_t *at, double *value_out, double *weight_out) {
    int64_t m = 0, left = starts[groups];
    for (int64_t g = 0; g < groups; g++) at[g] = starts[g];
    for (; left; m++) {
        double least = INFINITY;
        for (int64_t g = 0; g < groups; g++)
            if (at[g] < starts[g + 1] && value[at[g]] < least) least = value[at[g]];
        value_out[m] = least;
        for (int64_t g = 0; g < groups; g++) {
            int mine = at[g] < starts[g + 1] && value[at[g]] <= least;
            weight_out[m * groups + g] = mine ? weight[at[g]] : 0.0;
            at[g] += mine;
            left -= mine;
        }
    }
    return m;
}

int64_t runs_on_lattice(const double *value, const double *weight, int64_t n, double first, double scale,
                        int64_t room, int64_t *cell, int64_t *start, double *amount) {
    int64_t m = -1;
    for (int64_t i = 0; i < n; i++) {
        double t = (value[i] - first) * scale;
        int64_t k = (int64_t)t;
        double f = t - (double)k, low = f * (f - 1) * weight[i], high = (f + 1) * (f - 2) * weight[i];
        if (m < 0 || cell[m] != k) {
            if (m + 1 == room) return -1;
            cell[++m] = k;
            start[m] = i;
            for (int j = 0; j < 4; j++) amount[4 * m + j] = 0;
        }
        amount[4 * m] += low * (f - 2) / -6;
        amount[4 * m + 1] += high * (f - 1) / 2;
        amount[4 * m + 2] += high * f / -2;
        amount[4 * m + 3] += low * (f + 1) / 6;
    }
    return m + 1;
}
