/* Rows with missing cells, spread over the branches of a tree. All rows of a tile go down together, node after node in
   reading order: what waits longest lies lowest, and the parts at a node are those at the top. */
#include "walk.h"
#include <stdlib.h>
#include <string.h>

/* Room for as many parts, and as many again. */
static int part_room(tree_spreading *s, int64_t need) {
    if (need <= s->room) return 1;
    tree_part *more = realloc(s->parts, (size_t)(2 * need) * sizeof(tree_part));
    if (!more) return 0;
    s->parts = more;
    s->room = 2 * need;
    return 1;
}

static int waiting_room(tree_spreading *s, int64_t need) {
    if (need <= s->waiting_room) return 1;
    tree_waiting *more = realloc(s->waiting, (size_t)(2 * need) * sizeof(tree_waiting));
    if (!more) return 0;
    s->waiting = more;
    s->waiting_room = 2 * need;
    return 1;
}

void tree_spreading_free(tree_spreading *s) {
    free(s->parts);
    free(s->waiting);
    free(s->count);
}

ALWAYS void add(const double *says, int64_t answers, tree_part part, double *out) {
    for (int64_t k = 0; k < answers; k++) out[part.row * answers + k] += part.share * says[k];
}

static void add_all(const double *says, int64_t answers, const tree_part *parts, int64_t n, double *out) {
    if (answers == 1)
        for (int64_t i = 0; i < n; i++) add(says, 1, parts[i], out);
    else if (answers == 2)
        for (int64_t i = 0; i < n; i++) add(says, 2, parts[i], out);
    else
        for (int64_t i = 0; i < n; i++) add(says, answers, parts[i], out);
}

/* Divides parts without a branch: those of the second side stay, the others go behind them. */
static int64_t by_threshold(const tree_flat *t, const tree_column *c, const int64_t *rows, tree_waiting here,
                            tree_spreading *s, int64_t waiting) {
    if (!part_room(s, here.at + 2 * here.n) || !waiting_room(s, waiting + 2)) return -1;
    const int32_t *led = t->branches + t->first[here.node];
    double threshold = t->threshold[here.node];
    double of_low[2] = {t->share[led[0]], 1.0}, of_high[2] = {t->share[led[1]], 1.0}; /* missing, known */
    tree_part *high = s->parts + here.at, *low = high + here.n;
    int64_t lows = 0, highs = 0;
    for (int64_t i = 0; i < here.n; i++) {
        tree_part part = high[i];
        double v = number(c, rows[part.row]);
        int known = v == v, above = v > threshold;
        double to_low = part.share * of_low[known], to_high = part.share * of_high[known];
        low[lows] = (tree_part){to_low, part.row};
        lows += !above & (to_low > 0);
        high[highs] = (tree_part){to_high, part.row};
        highs += (above | !known) & (to_high > 0);
    }
    if (highs) s->waiting[waiting++] = (tree_waiting){here.at, highs, led[1]};
    if (lows) s->waiting[waiting++] = (tree_waiting){here.at + here.n, lows, led[0]};
    return waiting;
}

/* Divides parts by the value of a symbol, counting first; those that no branch is for end here. */
static int64_t by_value(const tree_flat *t, const tree_column *columns, const int64_t *rows, tree_waiting here,
                        const double *says, int64_t answers, tree_spreading *s, int64_t waiting, double *out) {
    int64_t first = t->first[here.node], end = t->first[here.node + 1], missing = 0, total = 0, children = 0;
    int32_t last = -1; /* several values may lead to one node, in increasing order where new */
    for (int64_t i = here.at; i < here.at + here.n; i++) {
        tree_part part = s->parts[i];
        int32_t to = step(t, columns, rows[part.row], here.node);
        if (to == -2) add(says + here.node * answers, answers, part, out);
        else if (to == -1) missing++;
        else s->count[to]++;
    }
    for (int64_t k = first; k < end; k++)
        if (t->branches[k] > last) {
            last = t->branches[k];
            total += s->count[last] + missing;
            children++;
        }
    int64_t place = here.at + here.n + total, at = waiting + children;
    if (!part_room(s, place) || !waiting_room(s, at)) return -1;
    last = -1;
    for (int64_t k = first; k < end; k++)
        if (t->branches[k] > last) {
            last = t->branches[k];
            place -= s->count[last] + missing;
            s->waiting[--at] = (tree_waiting){place, 0, last};
            s->count[last] = at;
        }
    for (int64_t i = here.at; i < here.at + here.n; i++) {
        tree_part part = s->parts[i];
        int32_t to = step(t, columns, rows[part.row], here.node);
        for (int64_t k = waiting; to == -1 && k < waiting + children; k++) {
            tree_waiting *w = s->waiting + k;
            double share = part.share * t->share[w->node];
            if (share > 0) s->parts[w->at + w->n++] = (tree_part){share, part.row};
        }
        if (to < 0) continue;
        tree_waiting *w = s->waiting + s->count[to];
        s->parts[w->at + w->n++] = part;
    }
    at = waiting;
    for (int64_t k = waiting; k < waiting + children; k++) {
        s->count[s->waiting[k].node] = 0;
        if (s->waiting[k].n) s->waiting[at++] = s->waiting[k];
    }
    return at;
}

int tree_spread(const tree_flat *t, const tree_column *columns, const int64_t *rows, int64_t n, const double *says,
                int64_t answers, tree_spreading *s, double *out) {
    if (!s->count) s->count = calloc((size_t)t->nodes, sizeof(int64_t));
    if (!s->count || !part_room(s, n) || !waiting_room(s, 1)) return 0;
    for (int64_t i = 0; i < n; i++) s->parts[i] = (tree_part){1.0, i};
    memset(out, 0, (size_t)(n * answers) * 8);
    s->waiting[0] = (tree_waiting){0, n, 0};
    for (int64_t waiting = 1; waiting;) {
        tree_waiting here = s->waiting[--waiting];
        const tree_column *c = columns + t->column[here.node];
        if (t->column[here.node] < 0)
            add_all(says + here.node * answers, answers, s->parts + here.at, here.n, out);
        else if (c->kind == 'd') waiting = by_threshold(t, c, rows, here, s, waiting);
        else waiting = by_value(t, columns, rows, here, says, answers, s, waiting, out);
        if (waiting < 0) return 0;
    }
    return 1;
}
