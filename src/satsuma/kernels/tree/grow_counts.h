/* What the rows at a node come to, by column and bin. Included by grow_body.h, for each type of codes and counts. */

ALWAYS void F(count_by)(const grower *g, const tree_bud *b, CELL *restrict cells, int64_t K) {
    const tree_task *t = g->t;
    int64_t d = t->columns, column = (int64_t)t->bins * K, n = b->n;
    for (int64_t i = 0; i < n; i++) {
        if (i + AHEAD < n) __builtin_prefetch(F(record)(t, b->rows[i + AHEAD]));
        uint32_t row = b->rows[i];
        const CODE *r = F(record)(t, row);
#if WHOLE
        CELL *to = cells + r[d];
        if (g->chosen_n == d)
            for (int64_t j = 0; j < d; j++, to += column) to[r[j] * K]++;
        else
            for (int64_t j = 0; j < g->chosen_n; j++, to += column) to[r[g->chosen[j]] * K]++;
#else
        double w = part_weight(g, b, i);
        double s = t->classes ? 0 : w * t->target[row]; /* numbers are never counted */
        CELL *to = cells + (t->classes ? r[d] : 0);
        for (int64_t j = 0; j < g->chosen_n; j++, to += column) {
            int64_t at = r[g->chosen[j]] * K;
            to[at] += (CELL)w;
            if (!t->classes) to[at + 1] += (CELL)s;
        }
#endif
    }
}

static HOT void F(count)(const grower *g, const tree_bud *b, CELL *cells) {
    if (g->channels == 2) F(count_by)(g, b, cells, 2);
    else if (g->channels == 4) F(count_by)(g, b, cells, 4);
    else if (g->channels == 8) F(count_by)(g, b, cells, 8);
    else F(count_by)(g, b, cells, g->channels);
}

static CELL *F(counted)(const grower *g, const tree_bud *b) {
    CELL *cells = calloc((size_t)(g->chosen_n * g->t->bins * g->channels), sizeof(CELL));
    if (cells) F(count)(g, b, cells);
    return cells;
}

#if WHOLE
/* A row of a small subtree: its place there, its class, and how often it was drawn. */
typedef struct {
    uint16_t at, label;
    uint32_t times;
} F(small_row);

ALWAYS CELL F(small_weight)(const small_tree *s, const F(small_row) *row) {
    (void)s;
    return (CELL)row->times;
}
#else
/* The same, and how much of it is at a node. */
typedef struct {
    uint16_t at, label;
    double share;
} F(small_row);

ALWAYS CELL F(small_weight)(const small_tree *s, const F(small_row) *row) { return (CELL)(s->weight[row->at] * row->share); }
#endif

ALWAYS void F(count_small_by)(const small_tree *s, const F(small_row) *rows, int64_t n, const CODE *codes, CELL *restrict cells, int64_t K, int numbers) {
    for (int64_t i = 0; i < n; i++) {
        uint32_t code = codes[rows[i].at];
        CELL w = F(small_weight)(s, rows + i);
        cells[code * K + rows[i].label] += w; /* numbers have no label but 0 */
        if (numbers) cells[code * K + 1] += (CELL)((double)w * s->target[rows[i].at]);
        s->seen[code >> 6] |= (uint64_t)1 << (code & 63);
    }
}

/* What the rows at a small node come to by the bins of a column, which are listed; to be cleared. */
static const CELL *F(count_small)(grower *g, const small_bud *b, int32_t column) {
    small_tree *s = &g->small;
    const CODE *codes = (const CODE *)s->codes + column * s->room;
    const F(small_row) *rows = (const F(small_row) *)s->rows + b->first;
    CELL *cells = s->cells;
    if (!g->t->classes) F(count_small_by)(s, rows, b->n, codes, cells, 2, 1);
    else if (g->channels == 2) F(count_small_by)(s, rows, b->n, codes, cells, 2, 0);
    else if (g->channels == 4) F(count_small_by)(s, rows, b->n, codes, cells, 4, 0);
    else F(count_small_by)(s, rows, b->n, codes, cells, g->channels, 0);
    int64_t n = 0, levels = g->t->levels[column], words = levels / 64 + 1;
    for (int64_t k = 0; k < words; k++) {
        for (uint64_t left = s->seen[k]; left; left &= left - 1) g->there[n++] = (int32_t)(64 * k + __builtin_ctzll(left));
        s->seen[k] = 0;
    }
    if (n && g->there[n - 1] == levels) { /* where it is missing is no bin */
        memset(cells + levels * g->channels, 0, (size_t)g->channels * sizeof(CELL));
        n--;
    }
    g->there_n = n;
    return cells;
}

ALWAYS void F(clear_by)(CELL *restrict cells, const int32_t *restrict there, int64_t n, int64_t K) {
    for (int64_t k = 0; k < n; k++)
        for (int64_t c = 0; c < K; c++) cells[there[k] * K + c] = 0;
}

static void F(clear_small)(grower *g) {
    if (g->channels == 2) F(clear_by)(g->small.cells, g->there, g->there_n, 2);
    else if (g->channels == 4) F(clear_by)(g->small.cells, g->there, g->there_n, 4);
    else F(clear_by)(g->small.cells, g->there, g->there_n, g->channels);
}

/* What the rows at a node come to. */
static double *F(stats)(const grower *g, const tree_bud *b) {
    const tree_task *t = g->t;
    double *stats = calloc((size_t)stats_width(t), 8);
    if (!stats) return NULL;
    if (!t->classes) stats[3] = INFINITY, stats[4] = -INFINITY;
    for (int64_t i = 0; i < b->n; i++) {
        uint32_t row = b->rows[i];
        double w = part_weight(g, b, i);
        if (t->classes) {
            stats[F(record)(t, row)[t->columns]] += w;
            continue;
        }
        double y = t->target[row];
        stats[0] += w;
        stats[1] += w * y;
        stats[2] += w * y * y;
        stats[3] = y < stats[3] ? y : stats[3];
        stats[4] = y > stats[4] ? y : stats[4];
    }
    return stats;
}
