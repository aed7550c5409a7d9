/* Rows sent to the branches of a node. Included by grow_body.h, for each type of codes and counts. */

#if WHOLE
/* Rows to the buds of the branches, in place: those of the first stay, others wait aside. */
static void F(send)(grower *g, const tree_bud *b, const division *d, tree_bud *buds) {
    const CODE *codes = F(across)(g->t, d->column);
    uint32_t *restrict rows = b->rows, *restrict aside = g->aside;
    int64_t nl = 0, nr = 0, C = g->t->classes, count = d->count;
    if (count == 2) {
        for (int64_t i = 0; i < b->n; i++) {
            uint32_t row = rows[i];
            int right = g->branch[codes[row]] != 0;
            rows[nl] = row;
            aside[nr] = row;
            nl += !right;
            nr += right;
        }
        memcpy(rows + nl, aside, (size_t)nr * sizeof(uint32_t));
        buds[0].n = nl;
        buds[1].n = nr;
    } else {
        int64_t *at = (int64_t *)g->order; /* room for as many */
        for (int64_t k = 0, to = 0; k < count; k++) {
            at[k] = to;
            buds[k].n = 0;
            for (int64_t c = 0; c < C; c++) buds[k].n += (int64_t)g->sides[k * C + c];
            to += buds[k].n;
        }
        for (int64_t i = 0; i < b->n; i++) aside[at[g->branch[codes[rows[i]]]]++] = rows[i];
        memcpy(rows, aside, (size_t)b->n * sizeof(uint32_t));
    }
}

/* The same for a threshold that is still to be found, which takes only the rows in two bins. */
static int F(sift)(grower *g, const tree_bud *b, division *d, CELL *scratch, double tie, tree_bud *buds) {
    const CODE *codes = F(across)(g->t, d->column);
    uint32_t *restrict rows = b->rows, *restrict aside = g->aside, *restrict middle = g->aside + g->aside_n;
    int64_t nl = 0, nr = 0, nm = 0;
    const int low = d->low, high = d->high;
    for (int64_t i = 0; i < b->n; i++) {
        uint32_t row = rows[i];
        int code = codes[row];
        rows[nl] = row;
        aside[nr] = row;
        middle[nm] = row;
        nl += code < low;
        nr += code > high;
        nm += (code >= low) & (code <= high);
    }
    if (!F(refine)(g, b, middle, nm, scratch, tie, d)) return 0;
    for (int64_t i = 0; i < nm; i++) {
        if (raw_value(g->t, d->column, middle[i]) <= d->threshold) rows[nl++] = middle[i];
        else aside[nr++] = middle[i];
    }
    memcpy(rows + nl, aside, (size_t)nr * sizeof(uint32_t));
    buds[0].n = nl;
    buds[1].n = nr;
    return 1;
}

static int F(part)(grower *g, const tree_bud *b, division *d, int exactly, CELL *scratch, double tie, tree_bud *buds) {
    if (g->t->random) F(send_drawn)(g, b, d, buds);
    else if (!exactly) F(send)(g, b, d, buds);
    else if (!F(sift)(g, b, d, scratch, tie, buds)) return 0;
    uint32_t *at = b->rows;
    for (int64_t k = 0; k < d->count; at += buds[k++].n) buds[k].rows = at;
    return 1;
}
#else
/* The branch of a row, -1 where what is asked for is missing. */
ALWAYS int64_t F(way)(const grower *g, const CODE *codes, const division *d, int exactly, uint32_t row) {
    int64_t code = codes[row];
    if (g->t->random) return F(way_random)(g, codes, d, row);
    if (code == g->t->levels[d->column]) return -1;
    if (exactly && (code == d->low || code == d->high)) return raw_value(g->t, d->column, row) > d->threshold;
    return g->branch[code];
}

/* Rows to the buds of the branches. A whole row is divided where the column is missing, and parts of it go to each
   branch; what is a part already goes where most rows go. */
static int F(part)(grower *g, const tree_bud *b, division *d, int exactly, CELL *scratch, double tie, tree_bud *buds) {
    const CODE *codes = F(across)(g->t, d->column);
    int64_t n = b->n, lost = 0, count = d->count;
    if (exactly && !F(refine)(g, b, b->rows, n, scratch, tie, d)) return 0;
    parts_of(g, count);
    int64_t most = heaviest(g->parts, count);
    for (int64_t i = 0; i < n; i++) {
        int64_t way = F(way)(g, codes, d, exactly, b->rows[i]);
        if (way < 0 && b->share[i] < 1) way = most;
        if (way < 0) lost++;
        else buds[way].n++;
    }
    for (int64_t k = 0; k < count; k++) {
        buds[k].rows = malloc((size_t)(buds[k].n + lost + 1) * sizeof(uint32_t));
        buds[k].share = malloc((size_t)(buds[k].n + lost + 1) * 8);
        buds[k].n = 0;
        buds[k].part = g->parts[k];
        if (!buds[k].share) free(buds[k].rows);
        if (!buds[k].rows || !buds[k].share) return 0;
    }
    for (int64_t i = 0; i < n; i++) {
        uint32_t row = b->rows[i];
        int64_t way = F(way)(g, codes, d, exactly, row);
        double share = b->share[i];
        if (way < 0 && share < 1) way = most;
        for (int64_t k = way < 0 ? 0 : way; k < (way < 0 ? count : way + 1); k++) {
            double part = way < 0 ? g->divided[k] : share;
            if (!(part > 0)) continue;
            buds[k].rows[buds[k].n] = row;
            buds[k].share[buds[k].n++] = part;
        }
    }
    return 1;
}
#endif
