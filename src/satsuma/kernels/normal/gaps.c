/* Rows with gaps: the Gaussian of the columns that are known, from what all columns have. Rows that have equally many
   gaps are answered four at a time; what a row gets does not depend on the others. */
#include "normal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__ELF__) && !defined(__SANITIZE_ADDRESS__)
#define HOT __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define HOT
#endif
#define ALWAYS static inline __attribute__((always_inline))
#define LOG_2_PI 1.8378770664093454836

#define BLOCK 256 /* rows that are sorted by how many gaps they have */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi" /* nothing that takes a vector is called from outside */
#endif

typedef double four __attribute__((vector_size(32), aligned(8)));
typedef int64_t whole __attribute__((vector_size(32), aligned(8)));

typedef struct {
    double *x;      /* (BLOCK, width): rows, shifted, 0 where they have gaps */
    int32_t *gaps;  /* (BLOCK, width + 1) */
    int32_t *count; /* (BLOCK): of gaps */
    int32_t *order; /* (BLOCK): rows by their number of gaps */
    four *part;     /* (classes, 4): by row, parts of the squares of distances */
    four *score;    /* (classes): by row */
    four *pull;     /* (gaps): by row, the row times the precision */
    four *lower;    /* (gaps, gaps): by row, the precision between the gaps, factored */
    four *solved;   /* (gaps) */
} room;

typedef struct { /* four rows that have equally many gaps */
    const double *x[4];
    const int32_t *gaps[4];
} rows_of_four;

ALWAYS double sum_of(four sum) { return (sum[0] + sum[2]) + (sum[1] + sum[3]); }

ALWAYS double dot(const double *a, const double *b, int64_t n) {
    four sum = {0};
    int64_t j = 0;
    for (; j + 4 <= n; j += 4) sum += *(const four *)(a + j) * *(const four *)(b + j);
    for (; j < n; j++) sum[0] += a[j] * b[j];
    return sum_of(sum);
}

/* Four rows of a matrix times each of four rows of the table; columns from `upto` on have zeros. */
ALWAYS void times_four(const double *matrix, int64_t upto, const rows_of_four *q, four *out) {
    four a = {0}, b = a, c = a, d = a;
    const double *x = q->x[0], *y = q->x[1], *z = q->x[2], *w = q->x[3];
    for (int64_t j = 0; j < upto; j++) {
        four m = *(const four *)(matrix + 4 * j);
        a += m * x[j], b += m * y[j], c += m * z[j], d += m * w[j];
    }
    out[0] = a, out[1] = b, out[2] = c, out[3] = d;
}

/* Scores that are linear in the row. */
ALWAYS void score_linear(const normal_asked *a, const rows_of_four *q, four *score) {
    const normal_model *m = a->models;
    four out[4];
    for (int64_t c = 0; c < a->classes; c += 4) {
        times_four(m->matrix + c * a->width, a->width, q, out);
        for (int64_t k = 0; k < 4 && c + k < a->classes; k++)
            for (int l = 0; l < 4; l++) score[c + k][l] = m->base[c + k] + out[l][k];
    }
}

/* The squares of the distances of whole rows, for the classes of a set. */
ALWAYS void score_squares(const normal_asked *a, const rows_of_four *q, int64_t s, int64_t share, const room *r) {
    four out[4];
    memset(r->part + 4 * s * share, 0, (size_t)(4 * share) * sizeof(four));
    for (int64_t row = 0; row < a->rows; row += 4) {
        times_four(a->models->matrix + (s * a->rows + row) * a->width, row + 4 < a->width ? row + 4 : a->width, q, out);
        for (int64_t c = s * share; c < (s + 1) * share; c++) {
            four centre = *(const four *)(a->models->centre + c * a->rows + row);
            for (int l = 0; l < 4; l++) {
                four away = out[l] - centre;
                r->part[4 * c + l] += away * away;
            }
        }
    }
    for (int64_t c = s * share; c < (s + 1) * share; c++)
        for (int l = 0; l < 4; l++) r->score[c][l] = sum_of(r->part[4 * c + l]);
}

/* Cholesky's factor of the precision between gaps, by row; and the logarithms of the determinants, if they are wanted. */
ALWAYS four factor(const double *precision, int64_t width, const rows_of_four *q, int64_t m, int volumes, four *lower) {
    four product = {1, 1, 1, 1}, volume = {0};
    for (int64_t i = 0; i < m; i++)
        for (int64_t k = 0; k <= i; k++) {
            four sum;
            for (int l = 0; l < 4; l++) sum[l] = precision[q->gaps[l][i] * width + q->gaps[l][k]];
            for (int64_t j = 0; j < k; j++) sum -= lower[i * m + j] * lower[k * m + j];
            if (k < i) {
                lower[i * m + k] = sum * lower[k * m + k];
                continue;
            }
            product *= sum;
            for (int l = 0; volumes && l < 4; l++)
                if (!(product[l] > 1e-200 && product[l] < 1e200)) volume[l] += log(product[l]), product[l] = 1;
            for (int l = 0; l < 4; l++) sum[l] = sqrt(sum[l]);
            lower[i * m + i] = 1 / sum; /* upside down: it is only divided by */
        }
    for (int l = 0; volumes && m && l < 4; l++) volume[l] += log(product[l]);
    return volume;
}

/* What the gaps add to the squares of distances that take them for known. */
ALWAYS four square_of_gaps(const room *r, const double *centre, const rows_of_four *q, int64_t m) {
    four square = {0};
    for (int64_t i = 0; i < m; i++) {
        four sum;
        for (int l = 0; l < 4; l++) sum[l] = centre[q->gaps[l][i]];
        sum = r->pull[i] - sum;
        for (int64_t j = 0; j < i; j++) sum -= r->lower[i * m + j] * r->solved[j];
        r->solved[i] = sum * r->lower[i * m + i];
        square += r->solved[i] * r->solved[i];
    }
    return square;
}

ALWAYS void score_four(const normal_asked *a, const normal_gaps *g, const rows_of_four *q, int64_t m, const room *r) {
    int64_t width = a->width, sets = a->sets ? a->sets : 1, share = a->classes / sets;
    if (!a->sets) score_linear(a, q, r->score);
    for (int64_t s = 0; s < sets; s++) {
        const double *precision = g->precision + s * width * width;
        for (int64_t k = 0; k < m; k++)
            for (int l = 0; l < 4; l++) r->pull[k][l] = dot(precision + q->gaps[l][k] * width, q->x[l], width);
        four volume = factor(precision, width, q, m, a->sets > 0, r->lower);
        if (a->sets) score_squares(a, q, s, share, r);
        for (int64_t c = s * share; c < (s + 1) * share; c++) {
            four more = square_of_gaps(r, g->pull + c * width, q, m);
            if (!a->sets) r->score[c] += 0.5 * more;
            else r->score[c] = a->models->base[c] + 0.5 * ((double)m * LOG_2_PI - volume - (r->score[c] - more));
        }
    }
}

/* A row, and where its gaps are; how many. */
ALWAYS int32_t look(const normal_asked *a, int64_t row, double *to, int32_t *gaps) {
    const normal_column *columns = a->columns;
    const double *shift = a->models->shift;
    int64_t width = a->width;
    int32_t m = 0;
    for (int64_t j = 0; j < width; j++) {
        double x = *(const double *)(columns[j].at + row * columns[j].step) - shift[j];
        to[j] = x == x ? x : 0;
        gaps[m] = (int32_t)j;
        m += x != x;
    }
    return m;
}

/* By row, the class with the highest score; -1 where another comes near, or one is no number. */
ALWAYS whole clearest(const four *score, int64_t classes) {
    four top = {-INFINITY, -INFINITY, -INFINITY, -INFINITY}, rest = top;
    whole who = {0}, odd = who;
    for (int64_t c = 0; c < classes; c++) {
        four s = score[c];
        whole up = s > top, next = ~up & (s > rest);
        odd |= s != s;
        rest = (four)(((whole)top & up) | ((whole)s & next) | ((whole)rest & ~(up | next)));
        top = (four)(((whole)s & up) | ((whole)top & ~up));
        who = (who & ~up) | (c & up);
    }
    four size = (four)((whole)top & INT64_MAX);
    whole clear = (rest < top - NORMAL_NEAR_GAPS * (1 + size)) & (top < INFINITY) & ~odd;
    return (who & clear) | ~clear;
}

static HOT void score_block(const normal_asked *a, const normal_gaps *g, const int64_t *rows, int64_t n, const room *r, double *out, int32_t *codes) {
    int64_t width = a->width, done = 0;
    for (int64_t i = 0; i < n; i++) r->count[i] = look(a, rows[i], r->x + i * width, r->gaps + i * (width + 1));
    for (int32_t m = 0; done < n; m++) { /* few numbers of gaps are common */
        int64_t from = done;
        for (int64_t i = 0; i < n; i++)
            if (r->count[i] == m) r->order[done++] = (int32_t)i;
        for (int64_t at = from; at < done; at += 4) {
            rows_of_four q;
            for (int l = 0; l < 4; l++) { /* the last row, several times over */
                int64_t i = r->order[at + l < done ? at + l : done - 1];
                q.x[l] = r->x + i * width, q.gaps[l] = r->gaps + i * (width + 1);
            }
            switch (m) {
            case 1: score_four(a, g, &q, 1, r); break;
            case 2: score_four(a, g, &q, 2, r); break;
            case 3: score_four(a, g, &q, 3, r); break;
            default: score_four(a, g, &q, m, r);
            }
            whole who = codes && m < width ? clearest(r->score, a->classes) : (whole){-1, -1, -1, -1};
            for (int l = 0; l < 4 && at + l < done; l++) {
                int64_t i = r->order[at + l];
                if (codes) codes[i] = (int32_t)who[l];
                else for (int64_t c = 0; c < a->classes; c++) out[i * a->classes + c] = m < width ? r->score[c][l] : 0;
            }
        }
    }
}

int64_t normal_with_gaps(const normal_asked *a, const normal_gaps *g, const int64_t *rows, int64_t n, double *out, int32_t *codes) {
    size_t width = (size_t)a->width, classes = (size_t)a->classes;
    four *made = calloc(5 * classes + 2 * width + width * width + 1, sizeof(four));
    double *x = calloc(BLOCK * width, sizeof(double));
    int32_t *whole = calloc(BLOCK * (width + 3), sizeof(int32_t));
    if (made && x && whole) {
        room r = {.x = x, .gaps = whole, .part = made};
        r.count = whole + BLOCK * (width + 1);
        r.order = r.count + BLOCK;
        r.score = r.part + 4 * classes;
        r.pull = r.score + classes;
        r.solved = r.pull + width;
        r.lower = r.solved + width;
        for (int64_t lo = 0; lo < n; lo += BLOCK)
            score_block(a, g, rows + lo, n - lo < BLOCK ? n - lo : BLOCK, &r, out ? out + lo * a->classes : NULL, codes ? codes + lo : NULL);
    }
    int64_t status = made && x && whole ? 0 : NORMAL_NO_MEMORY;
    free(made);
    free(x);
    free(whole);
    return status;
}
