/* The loops of nearest.c. Floats and bytes say of 32 rows at a time that none can be among the nearest,
   most often before all columns are looked at; a row that they do not rule out is summed in doubles, and
   it is those sums that decide. So the answer depends neither on the machine nor on rounding to floats.

   Each file that includes this makes its own NEAREST_FIND; TARGET is the attribute that asks the compiler
   for the instructions of a machine, BITS has a bit for each lane of a mask, ADD_SQUARE(s, x) is s + x * x,
   and so is ADD_ONE_SQUARE of single numbers, rounded as often. */
#include "nearest.h"

#include <math.h>
#include <string.h>

#define NUMBER float
#define WHOLE int32_t
#define VEC 8
#include "../vectors.h"

/* As many bytes at a time. */
typedef uint8_t bytes __attribute__((vector_size(32), aligned(1)));
typedef uint8_t piece __attribute__((vector_size(8)));
#define ALL(x) ((vector){(x), (x), (x), (x), (x), (x), (x), (x)})
#define WIDE 4          /* vectors that are summed side by side, so that none waits for another */
#define BUNCH 32        /* rows that are looked at together: 8 * WIDE, and as many bytes */
#define SIDE 4          /* columns that are added before looking whether any row is left */
#define MOST 255        /* bytes that can be counted in a byte */
#define QUERIES 128     /* queries that look at a tile while it is near */

__attribute__((unused)) INLINE uint32_t bits_of(mask m) {
    uint32_t bits = 0;
    for (int i = 0; i < 8; i++) bits |= (uint32_t)(m[i] & 1) << i;
    return bits;
}

INLINE vector size(vector x) { return (vector)((mask)x & 0x7fffffff); }
INLINE vector added(vector sum, vector x, int squares) { return squares ? ADD_SQUARE(sum, x) : sum + size(x); }

/* ---- sums in doubles: the definition */

INLINE double difference(double a, double b) {
    if (isnan(a)) return isnan(b) ? 1.0 : fmax(b, 1.0 - b);
    return isnan(b) ? fmax(a, 1.0 - a) : fabs(a - b);
}

INLINE double power(double x, double p) { return p == 2.0 ? x * x : p == 1.0 ? x : pow(x, p); }

INLINE double exact(const nearest_rows *r, const nearest_queries *q, int64_t at, int64_t row) {
    const double *a = r->number + row * r->numbers, *b = q->number + at * r->numbers;
    const int32_t *c = r->symbol + row * r->symbols, *d = q->symbol + at * r->symbols;
    double sum = 0.0;
    int64_t other = 0;
    for (int64_t j = 0; j < r->numbers; j++) {
        double x = difference(a[j], b[j]);
        sum += power(x, r->p);
    }
    for (int64_t j = 0; j < r->symbols; j++) other += c[j] != d[j] || c[j] < 0;
    return sum + power(r->apart, r->p) * (double)other;
}

/* ---- the nearest so far: a heap with the farthest on top, by sum and then by row */

INLINE int before(double s, int64_t i, double t, int64_t j) { return s < t || (s == t && i < j); }

INLINE void put(double s, int64_t i, int64_t k, double *sum, int64_t *row) {
    int64_t at = 0;
    for (int64_t child = 1; child < k; child = 2 * at + 1) {
        if (child + 1 < k && before(sum[child], row[child], sum[child + 1], row[child + 1])) child++;
        if (!before(s, i, sum[child], row[child])) break;
        sum[at] = sum[child];
        row[at] = row[child];
        at = child;
    }
    sum[at] = s;
    row[at] = i;
}

INLINE void in_order(int64_t k, double *sum, int64_t *row) {
    for (int64_t last = k - 1; last > 0; last--) {
        double s = sum[last];
        int64_t i = row[last];
        sum[last] = sum[0];
        row[last] = row[0];
        put(s, i, last, sum, row);
    }
}

/* ---- what the sum of floats may come to at the most for a row that is as near as `sum` says

   The floats are differences (p < 2) or their squares. Power means bound the sum of the powers of p from
   below; the rest is the error of floats: numbers and differences within 2^-24 each, and sums. */
INLINE float limit(const nearest_rows *r, double sum) {
    if (sum == INFINITY) return INFINITY;
    double width = (double)(r->numbers + r->symbols), n = (double)r->numbers, e = 2e-7, p = r->p;
    if (p > 2.0) sum = pow(sum * pow(width, p / 2 - 1), 2 / p) * (1 + 1e-9);
    else if (p > 1.0 && p < 2.0) sum = pow(sum * pow(width, p - 1), 1 / p) * (1 + 1e-9);
    double error = p < 2.0 ? n * e : 2 * e * sqrt(n * sum) + n * e * e;
    return (float)((sum + error) * (1 + (width + 8) * 1.2e-7) + 1e-30);
}

/* ---- floats and bytes */

/* How many symbols of 32 rows differ from those of a query, each by `apart`, added to `sum`. */
INLINE void symbols_differ(const uint8_t *col, const uint8_t *c, int64_t count, float apart, vector *sum) {
    for (int64_t from = 0; from < count; from += MOST) {
        int64_t end = from + MOST < count ? from + MOST : count;
        bytes other = {0};
        for (int64_t j = from; j < end; j++) {
            bytes all = *(const bytes *)(col + j * NEAREST_TILE);
            other -= (bytes)(all != c[j]);
        }
        for (int v = 0; v < WIDE; v++) {
            piece eight;
            memcpy(&eight, (const char *)&other + 8 * v, sizeof eight);
            sum[v] += __builtin_convertvector(eight, vector) * apart;
        }
    }
}

/* One column of numbers in which a cell, or the query's, may be missing. */
INLINE void any_column(const float *col, float x, int squares, vector *sum) {
    float end = x > 0.5f ? x : 1.0f - x;
    for (int v = 0; v < WIDE; v++) {
        vector a = *(const loose *)(col + 8 * v), b = 1.0f - a;
        vector far = CHOOSE(a > b, a, b), one = ALL(1.0f);
        vector d = x < 0.0f ? CHOOSE(a < 0.0f, one, far) : CHOOSE(a < 0.0f, ALL(end), a - x);
        sum[v] = added(sum[v], d, squares);
    }
}

/* Columns in which no cell is missing, nor the query's. */
INLINE void known_columns(const float *col, const float *x, int count, int squares, vector *sum) {
    vector s[WIDE];
    for (int v = 0; v < WIDE; v++) s[v] = sum[v];
    for (int j = 0; j < count; j++, col += NEAREST_TILE)
        for (int v = 0; v < WIDE; v++) s[v] = added(s[v], *(const loose *)(col + 8 * v) - x[j], squares);
    for (int v = 0; v < WIDE; v++) sum[v] = s[v];
}

INLINE int within(const vector *sum, float top) {
    mask m = sum[0] <= top;
    for (int v = 1; v < WIDE; v++) m |= sum[v] <= top;
    return BITS(m) != 0;
}

/* A bit for each of 32 rows that are near enough. */
INLINE uint32_t which(const vector *sum, float top) {
    uint32_t bits = 0;
    for (int v = 0; v < WIDE; v++) bits |= (uint32_t)BITS(sum[v] <= top) << (8 * v);
    return bits;
}

/* The sums of 32 rows; 0 as soon as none can be near enough. The query knows the first `easy` columns. */
INLINE int sums(const nearest_rows *r, const float *col, const uint8_t *sym, const float *x,
                const uint8_t *c, int64_t easy, int squares, float top, vector *sum) {
    int64_t j = 0;
    for (int v = 0; v < WIDE; v++) sum[v] = ALL(0.0f);
    if (r->symbols) {
        symbols_differ(sym, c, r->symbols, squares ? (float)(r->apart * r->apart) : (float)r->apart, sum);
        if (!within(sum, top)) return 0;
    }
    for (; j + 2 * SIDE <= easy; j += 2 * SIDE) {
        known_columns(col + j * NEAREST_TILE, x + j, 2 * SIDE, squares, sum);
        if (!within(sum, top)) return 0;
    }
    while (j < r->numbers) {
        int known = j + SIDE <= r->whole;
        for (int i = 0; known && i < SIDE; i++) known = x[j + i] >= 0.0f;
        if (known) known_columns(col + j * NEAREST_TILE, x + j, SIDE, squares, sum);
        else any_column(col + j * NEAREST_TILE, x[j], squares, sum);
        if (!within(sum, top)) return 0;
        j += known ? SIDE : 1;
    }
    return 1;
}

INLINE void one_tile(const nearest_rows *r, const nearest_queries *q, int64_t t, int64_t at, int64_t k,
                     int squares, double *sum, int64_t *row, float *limit_of, float from, float to) {
    const float *col = r->tile + t * r->numbers * NEAREST_TILE, *x = q->quick + at * r->numbers;
    const uint8_t *sym = r->byte + t * r->symbols * NEAREST_TILE, *c = q->byte + at * r->symbols;
    int64_t first = t * NEAREST_TILE, end = r->rows - first;
    float top = *limit_of < to ? *limit_of : to;
    int64_t easy = 0;
    while (easy < r->whole && x[easy] >= 0.0f) easy++;
    union { vector of[WIDE]; float each[BUNCH]; } near;
    for (int64_t i = 0; i < NEAREST_TILE && i < end; i += BUNCH) {
        if (!sums(r, col + i, sym + i, x, c, easy, squares, top, near.of)) continue;
        for (uint32_t left = which(near.of, top); left; left &= left - 1) {
            int64_t l = __builtin_ctz(left);
            if (!(near.each[l] <= top) || near.each[l] <= from || i + l >= end) continue;
            int64_t found = r->name[first + i + l];
            if (found == q->left_out[at]) continue;
            double s = exact(r, q, at, first + i + l);
            if (!before(s, found, sum[0], row[0])) continue;
            put(s, found, k, sum, row);
            *limit_of = limit(r, sum[0]);
            top = *limit_of < to ? *limit_of : to;
        }
    }
}

/* A sum of floats that some k rows of a tile do not pass, not much beyond the least such one; infinity where k
   is greater than a bunch. */
INLINE float within_reach(const nearest_rows *r, const nearest_queries *q, int64_t t, int64_t at, int64_t k, int squares) {
    const float *col = r->tile + t * r->numbers * NEAREST_TILE, *x = q->quick + at * r->numbers;
    const uint8_t *sym = r->byte + t * r->symbols * NEAREST_TILE, *c = q->byte + at * r->symbols;
    union { vector of[WIDE]; float each[BUNCH]; } low;
    vector near[WIDE];
    int64_t easy = 0;
    while (easy < r->whole && x[easy] >= 0.0f) easy++;
    for (int v = 0; v < WIDE; v++) low.of[v] = ALL(INFINITY);
    for (int64_t i = 0; i < NEAREST_TILE && i < r->rows - t * NEAREST_TILE; i += BUNCH) {
        sums(r, col + i, sym + i, x, c, easy, squares, INFINITY, near);
        for (int v = 0; v < WIDE; v++) low.of[v] = CHOOSE(near[v] < low.of[v], near[v], low.of[v]);
    }
    float found = INFINITY;
    for (int l = 0; l < BUNCH; l++)
        if (low.each[l] < found && __builtin_popcount(which(low.of, low.each[l])) >= k) found = low.each[l];
    return found;
}

/* ---- parts of the rows, as parts.py has them: none, one tile, or two parts of about as many tiles

   What a row adds to a sum of floats is no less than what the nearest side of the box around its part adds, and
   sums over some of the same columns in the same order keep that: rounding never puts the lesser of two numbers
   above the other. A missing cell is as far away as can be, and so is no nearer than the box. A number that the
   query lacks, and symbols, count for nothing here. */

typedef struct {
    const nearest_rows *r;
    const nearest_queries *q;
    int64_t k;
    double *sum;
    int64_t *row;
    int squares;
    float top[QUERIES];         /* the limit of each query */
    int64_t home[QUERIES];      /* the tile that each query has looked at first */
} search;

INLINE float least(const search *s, int64_t part, int64_t at) {
    const nearest_rows *r = s->r;
    const float *lo = r->box + 2 * part * r->sides, *hi = lo + r->sides, *x = s->q->quick + at * r->numbers;
    float sum = 0.0f;
    for (int64_t j = 0; j < r->sides; j++) {
        float one = x[r->side[j]], below = lo[j] - one, above = one - hi[j], d = below > above ? below : above;
        d = d > 0.0f && one >= 0.0f ? d : 0.0f;
        sum = s->squares ? ADD_ONE_SQUARE(sum, d) : sum + d;
    }
    return sum;
}

INLINE void look(search *s, int64_t tile, int64_t first, int64_t at, float from, float to) {
    int64_t k = s->k, q = first + at;
    float *top = s->top + at;
    if (s->squares) one_tile(s->r, s->q, tile, q, k, 1, s->sum + q * k, s->row + q * k, top, from, to);
    else one_tile(s->r, s->q, tile, q, k, 0, s->sum + q * k, s->row + q * k, top, from, to);
}

/* The second of two parts, and the tile that it begins with. */
INLINE int64_t middle(int64_t tile, int64_t tiles) { return tile + tiles / 2; }
INLINE int64_t second(int64_t part, int64_t tiles) { return part + 2 * (tiles / 2); }

INLINE int64_t nearest_tile(const search *s, int64_t at, int64_t tiles) {
    int64_t part = 0, tile = 0;
    while (tiles > 1) {
        int64_t other = second(part, tiles);
        if (least(s, other, at) < least(s, part + 1, at)) {
            part = other;
            tile = middle(tile, tiles);
            tiles -= tiles / 2;
        } else {
            part++;
            tiles /= 2;
        }
    }
    return tile;
}

/* A tile stays in the nearest cache while all queries that are near enough look at it. */
TARGET static void walk(search *s, int64_t part, int64_t tile, int64_t tiles, int64_t first, const uint8_t *asked, int count) {
    uint8_t near[QUERIES];
    int left = 0;
    for (int i = 0; i < count; i++)
        if (least(s, part, first + asked[i]) <= s->top[asked[i]]) near[left++] = asked[i];
    if (!left) return;
    if (tiles > 1) {
        walk(s, part + 1, tile, tiles / 2, first, near, left);
        walk(s, second(part, tiles), middle(tile, tiles), tiles - tiles / 2, first, near, left);
        return;
    }
    for (int i = 0; i < left; i++)
        if (s->home[near[i]] != tile) look(s, tile, first, near[i], -1.0f, INFINITY);
}

TARGET void NEAREST_FIND(const nearest_rows *r, const nearest_queries *q, int64_t k, double *sum, int64_t *row) {
    int64_t tiles = (r->rows + NEAREST_TILE - 1) / NEAREST_TILE;
    for (int64_t i = 0; i < q->count * k; i++) {
        sum[i] = INFINITY;
        row[i] = INT64_MAX;
    }
    search s = {.r = r, .q = q, .k = k, .sum = sum, .row = row, .squares = r->p >= 2.0};
    uint8_t all[QUERIES];
    for (int i = 0; i < QUERIES; i++) all[i] = (uint8_t)i;
    for (int64_t first = 0; tiles && first < q->count; first += QUERIES) {
        int count = q->count - first < QUERIES ? (int)(q->count - first) : QUERIES;
        for (int i = 0; i < count; i++) {
            s.top[i] = INFINITY;
            s.home[i] = nearest_tile(&s, first + i, tiles);
            float reach = within_reach(r, q, s.home[i], first + i, k, s.squares);
            look(&s, s.home[i], first, i, -1.0f, reach);
            if (reach < INFINITY) look(&s, s.home[i], first, i, reach, INFINITY);
        }
        walk(&s, 0, 0, tiles, first, all, count);
    }
    for (int64_t at = 0; at < q->count; at++) in_order(k, sum + at * k, row + at * k);
    for (int64_t i = 0; i < q->count * k; i++)
        if (row[i] == INT64_MAX) row[i] = -1;
}
