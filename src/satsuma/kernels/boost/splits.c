/* The best division of a node by a column. */
#include "boost.h"
#include <math.h>
#include <string.h>

#define SLACK (1.0 - 1e-9)
#define FEW_VALUES 4 /* symbols of so many values are divided as they are */

typedef struct {
    double l2, low, high, need, total_slope, total_curve, parent;
    int bound, sign;
} scale_of;

/* How much the loss falls, twice, where slopes and curvatures come to this. */
ALWAYS double worth(const scale_of *at, double slope, double curve) {
    double d = curve + at->l2;
    if (!at->bound) return slope * slope / d;
    double w = -slope / d;
    w = w > at->low ? w : at->low;
    w = w < at->high ? w : at->high;
    return -(2.0 * slope * w + d * w * w);
}

ALWAYS double said(const scale_of *at, double slope, double curve) {
    double w = -slope / (curve + at->l2);
    w = w > at->low ? w : at->low;
    return w < at->high ? w : at->high;
}

/* What is gained where the left side comes to this; below 0 where it may not be. */
ALWAYS double gained(const scale_of *at, double slope, double curve) {
    double other = at->total_slope - slope, rest = at->total_curve - curve;
    if (!(curve >= at->need && rest >= at->need && curve > 0 && rest > 0)) return -1.0;
    if (at->sign) {
        double left = said(at, slope, curve), right = said(at, other, rest);
        if (at->sign > 0 ? left > right : left < right) return -1.0;
    }
    return worth(at, slope, curve) + worth(at, other, rest) - at->parent;
}

static void scaled(const boost_task *task, const boost_sums *node, double l2, int sign, scale_of *at) {
    at->l2 = l2, at->low = node->low, at->high = node->high, at->sign = sign;
    at->bound = node->low > -INFINITY || node->high < INFINITY;
    at->total_slope = (double)node->slope * task->slope_unit;
    at->total_curve = (double)node->curve * task->curve_unit;
    at->need = task->rules.min_leaf * (at->total_curve / ((double)node->weight * task->weight_unit)) * SLACK;
    at->parent = worth(at, at->total_slope, at->total_curve);
}

static void number(const boost_task *task, const boost_sums *node, const int64_t *h, int32_t column, boost_split *best) {
    int32_t levels = task->levels[column], found = -1, side = 0;
    int64_t lost[2] = {h[2 * levels], h[2 * levels + 1]}, slope = 0, curve = 0;
    int holes = lost[0] != 0 || lost[1] != 0;
    double top = best->gain;
    scale_of at;
    scaled(task, node, task->rules.l2, task->monotone[column], &at);
    for (int left = 0; left <= holes; left++) {
        int64_t g = left ? lost[0] : 0, c = left ? lost[1] : 0;
        int32_t last = levels - 1 + (holes && !left);
        for (int32_t b = 0; b < last; b++) {
            if (!h[2 * b] && !h[2 * b + 1]) continue;
            g += h[2 * b], c += h[2 * b + 1];
            double gain = gained(&at, (double)g * task->slope_unit, (double)c * task->curve_unit);
            if (gain > top) top = gain, found = b, side = left, slope = g, curve = c;
        }
    }
    if (found < 0) return;
    /* In the middle of what no row is in. */
    int32_t next = found + 1;
    while (next < levels && !h[2 * next] && !h[2 * next + 1]) next++;
    int32_t bin = next < levels ? (found + next - 1) / 2 : levels - 1;
    best->gain = top, best->column = column, best->slope = slope, best->curve = curve;
    if (!holes) side = 2 * curve >= node->curve; /* where the many are */
    memset(best->set, 0, sizeof best->set);
    for (int32_t b = 0; b <= bin; b++) best->set[b >> 6] |= 1ull << (b & 63);
    if (side) best->set[levels >> 6] |= 1ull << (levels & 63);
}

typedef struct {
    double key;
    int64_t slope, curve;
    int32_t code; /* -1 for the rare values together */
} value_of_symbol;

static int32_t put(value_of_symbol *values, int32_t n, value_of_symbol one) {
    int32_t place = n;
    for (; place > 0 && values[place - 1].key > one.key; place--) values[place] = values[place - 1];
    values[place] = one;
    return n + 1;
}

/* Values in the order of what they say, which is where the best two sets lie (Fisher 1958). Of many values, those that
   few rows have go together: each of them would say what these rows say by chance. */
static void symbol(const boost_task *task, const boost_sums *node, const int64_t *h, int32_t column, boost_split *best) {
    int32_t levels = task->levels[column], n = 0, found = -1;
    value_of_symbol values[257], rare = {0, 0, 0, -1};
    const boost_rules *rules = &task->rules;
    double each = (double)node->curve * task->curve_unit / ((double)node->weight * task->weight_unit);
    int few = levels <= FEW_VALUES;
    double smooth = few ? 0.0 : rules->symbol_smooth * each, least = few ? 0.0 : rules->symbol_least * each * SLACK;
    double top = best->gain;
    uint64_t rares[4] = {0, 0, 0, 0};
    scale_of at;
    scaled(task, node, few ? rules->l2 : rules->l2 + rules->symbol_l2 * each, 0, &at);
    for (int32_t b = 0; b <= levels; b++) {
        int64_t g = h[2 * b], c = h[2 * b + 1];
        if (c && (double)c * task->curve_unit >= least) {
            double key = (double)g * task->slope_unit / ((double)c * task->curve_unit + smooth);
            n = put(values, n, (value_of_symbol){key, g, c, b});
            continue;
        }
        rare.slope += g, rare.curve += c;
        rares[b >> 6] |= 1ull << (b & 63);
    }
    if (rare.curve) {
        rare.key = (double)rare.slope * task->slope_unit / ((double)rare.curve * task->curve_unit + smooth);
        n = put(values, n, rare);
    }
    int64_t g = 0, c = 0, slope = 0, curve = 0;
    for (int32_t i = 0; i + 1 < n; i++) {
        g += values[i].slope, c += values[i].curve;
        double gain = gained(&at, (double)g * task->slope_unit, (double)c * task->curve_unit);
        if (gain > top) top = gain, found = i, slope = g, curve = c;
    }
    if (found < 0) return;
    best->gain = top, best->column = column, best->slope = slope, best->curve = curve;
    /* What is not known here goes with the rare, or where the many are. */
    int rest = !rare.curve && 2 * curve >= node->curve;
    memset(best->set, 0, sizeof best->set);
    for (int32_t i = 0; i <= found; i++) {
        int32_t b = values[i].code;
        if (b < 0) rest = 1;
        else best->set[b >> 6] |= 1ull << (b & 63);
    }
    for (int k = 0; rest && k < 4; k++) best->set[k] |= rares[k];
}

void boost_best(const boost_task *task, const boost_sums *node, const int64_t *bins, int32_t column, boost_split *best) {
    const int64_t *h = bins + 2 * task->offset[column];
    if (task->symbols[column]) symbol(task, node, h, column, best);
    else number(task, node, h, column, best);
}
