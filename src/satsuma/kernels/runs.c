#include "runs.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t key;
    double weight;
} pair;

#define TOP (UINT64_C(1) << 63)

/* The bits of a float, such that whole numbers have the order of the floats; -0.0 as 0.0. */
static uint64_t key_of(double x) {
    uint64_t bits;
    x += 0.0;
    memcpy(&bits, &x, sizeof bits);
    return bits & TOP ? ~bits : bits | TOP;
}

static double number_of(uint64_t key) {
    double x;
    key = key & TOP ? key & ~TOP : ~key;
    memcpy(&x, &key, sizeof x);
    return x;
}

/* Sort by counting, a byte at a time from the last (Knuth 1973); bytes that are all the same are
   passed over. Stable, so that weights are summed in the order of the rows. Returns where the
   result is: a or b. */
#define SORT(NAME, TYPE, KEY)                                                                         \
    static TYPE *NAME(TYPE *a, TYPE *b, int64_t n) {                                                  \
        if (n < 48) {                                                                                 \
            for (int64_t i = 1; i < n; i++) {                                                         \
                TYPE x = a[i];                                                                        \
                int64_t j = i;                                                                        \
                for (; j > 0 && KEY(a[j - 1]) > KEY(x); j--) a[j] = a[j - 1];                         \
                a[j] = x;                                                                             \
            }                                                                                         \
            return a;                                                                                 \
        }                                                                                             \
        int64_t count[8][256] = {{0}};                                                                \
        for (int64_t i = 0; i < n; i++) {                                                             \
            uint64_t k = KEY(a[i]);                                                                   \
            for (int d = 0; d < 8; d++) count[d][k >> (8 * d) & 255]++;                               \
        }                                                                                             \
        for (int d = 0; d < 8; d++) {                                                                 \
            int64_t *c = count[d], sum = 0;                                                           \
            if (c[KEY(a[0]) >> (8 * d) & 255] == n) continue;                                         \
            for (int v = 0; v < 256; v++) {                                                           \
                int64_t here = c[v];                                                                  \
                c[v] = sum;                                                                           \
                sum += here;                                                                          \
            }                                                                                         \
            for (int64_t i = 0; i < n; i++) b[c[KEY(a[i]) >> (8 * d) & 255]++] = a[i];                \
            TYPE *other = a;                                                                          \
            a = b;                                                                                    \
            b = other;                                                                                \
        }                                                                                             \
        return a;                                                                                     \
    }

#define ITSELF(x) (x)
#define ITS_KEY(x) ((x).key)
SORT(sort_keys, uint64_t, ITSELF)
SORT(sort_pairs, pair, ITS_KEY)

/* The keys are sorted where the results will be: no other memory is touched. */
static int64_t plain(const char *at, ptrdiff_t step, const int64_t *order, int64_t n, double *value, double *weight) {
    uint64_t *a = (uint64_t *)value, *sorted;
    int64_t known = 0, m = 0;
    for (int64_t i = 0; i < n; i++) {
        double x = *(const double *)(at + order[i] * step);
        a[known] = key_of(x);
        known += x == x;
    }
    sorted = sort_keys(a, (uint64_t *)weight, known);
    for (int64_t i = 0; i < known;) {
        int64_t start = i;
        uint64_t k = sorted[i];
        while (i < known && sorted[i] == k) i++;
        value[m] = number_of(k);
        weight[m++] = (double)(i - start);
    }
    return m;
}

static int64_t weighed(const char *at, ptrdiff_t step, const int64_t *order, const double *weights, int64_t n,
                       double *value, double *weight, pair *room) {
    pair *sorted;
    int64_t known = 0, m = 0;
    for (int64_t i = 0; i < n; i++) {
        double x = *(const double *)(at + order[i] * step);
        room[known] = (pair){key_of(x), weights[i]};
        known += x == x && weights[i] > 0;
    }
    sorted = sort_pairs(room, room + n + 1, known);
    for (int64_t i = 0; i < known; m++) {
        uint64_t k = sorted[i].key;
        double sum = 0;
        for (; i < known && sorted[i].key == k; i++) sum += sorted[i].weight;
        value[m] = number_of(k);
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
