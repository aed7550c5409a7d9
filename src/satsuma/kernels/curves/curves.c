#include "curves.h"

#include <math.h>
#include <stdlib.h>

enum { TILE = 512, PARTS = 5 };

/* The tile of one column, and of one class in it. */
static int64_t load(const curve_column *column, double origin, double unit, int64_t lo, int64_t n, double *x) {
    int64_t infinite = 0;
    for (int64_t i = 0; i < n; i++) {
        double value = *(const double *)(column->at + (lo + i) * column->step);
        infinite += isinf(value) != 0;
        x[i] = isinf(value) ? NAN : (value - origin) * unit;
    }
    return infinite;
}

static void look_up(const curve_set *set, int64_t curve, const double *x, int64_t n, double *value) {
    const double *edge = set->edge + set->starts[curve], *piece = set->piece + PARTS * set->starts[curve];
    const int32_t *first = set->first + set->firsts[curve];
    const double low = set->low[curve], scale = set->scale[curve];
    const double top = (double)(set->firsts[curve + 1] - set->firsts[curve] - 1);
    for (int64_t i = 0; i < n; i++) {
        double away = (x[i] - low) * scale;
        /* NaN goes to the first bucket, where its value is not used. */
        int64_t at = first[away > 0 ? (int64_t)(away < top ? away : top) : 0];
        at += x[i] > edge[at]; /* mostly enough, and no branch to be guessed */
        while (x[i] > edge[at]) at++;
        const double *c = piece + PARTS * at, t = x[i] - c[0];
        value[i] = c[1] + t * (c[2] + t * (c[3] + t * c[4]));
    }
}

/* Nothing is said by a number that is missing, or impossible in every class. */
static void settle(const double *x, int64_t n, int64_t classes, int logs, double *value) {
    const double nothing = logs ? 0 : 1, least = logs ? -INFINITY : 0;
    for (int64_t i = 0; i < n; i++) {
        int possible = 0;
        for (int64_t c = 0; c < classes; c++) possible |= value[c * TILE + i] > least;
        if (!possible || isnan(x[i]))
            for (int64_t c = 0; c < classes; c++) value[c * TILE + i] = nothing;
    }
}

/* Products are kept, and logarithms of them taken now and then: a multiplication costs less. */
static void multiply(int64_t cells, const double *value, double *product, double *sum) {
    for (int64_t i = 0; i < cells; i++) {
        double p = product[i] * (value[i] > 0 ? value[i] : 0);
        if (!(p > 1e-150 && p < 1e150)) {
            sum[i] += log(product[i]) + log(value[i] > 0 ? value[i] : 0);
            p = 1;
        }
        product[i] = p;
    }
}

int64_t curves_rows(const curve_set *set, const curve_column *columns, int64_t lo, int64_t hi, double *out) {
    const int64_t classes = set->classes, cells = classes * TILE;
    double *room = malloc((3 * cells + TILE) * sizeof *room);
    if (!room) return -1;
    double *sum = room, *product = sum + cells, *value = product + cells, *x = value + cells;
    int64_t infinite = 0;
    for (int64_t from = lo; from < hi; from += TILE) {
        int64_t n = hi - from < TILE ? hi - from : TILE;
        for (int64_t i = 0; i < cells; i++) sum[i] = 0, product[i] = value[i] = 1;
        for (int64_t j = 0; j < set->columns; j++) {
            infinite += load(columns + j, set->origin[j], set->unit[j], from, n, x);
            for (int64_t c = 0; c < classes; c++) look_up(set, j * classes + c, x, n, value + c * TILE);
            settle(x, n, classes, set->logs, value);
            if (set->logs)
                for (int64_t i = 0; i < cells; i++) sum[i] += value[i];
            else
                multiply(cells, value, product, sum);
        }
        for (int64_t i = 0; i < n; i++)
            for (int64_t c = 0; c < classes; c++)
                out[(from - lo + i) * classes + c] +=
                    set->logs ? sum[c * TILE + i] : sum[c * TILE + i] + log(product[c * TILE + i]);
    }
    free(room);
    return infinite;
}
