/* Part of scatter.c, which includes it once for each sort of machine: TARGET is the attribute
   that asks the compiler for its instructions, NAMED makes a name of its own. (target_clones comes
   too late: vectors are split before.) Every sum keeps its order, so all give the same bits. */

/* Eight rows at a time, in one vector or two: the sums are added up in the same order. */
TARGET static void NAMED(multiply)(const double *waiting, int64_t wait, int64_t step, int64_t columns, double *products) {
    for (int64_t j = 0; j < columns; j += 2)
        for (int64_t k = 0; k <= j; k += 2) {
            const double *a = waiting + j * step, *b = a + step, *c = waiting + k * step, *d = c + step;
            wide ac = {0}, ad = {0}, bc = {0}, bd = {0};
            for (int64_t i = 0; i < wait; i += 8) {
                wide x = LOAD8(a + i), y = LOAD8(b + i), z = LOAD8(c + i), u = LOAD8(d + i);
                ac += x * z, ad += x * u, bc += y * z, bd += y * u;
            }
            double *p = products + j * columns + k;
            p[0] += TOTAL(ac), p[1] += TOTAL(ad), p[columns] += TOTAL(bc), p[columns + 1] += TOTAL(bd);
        }
}

TARGET static void NAMED(flush)(work *k, int64_t g) {
    double *w = k->waiting + g * k->columns * k->step;
    for (int64_t j = 0; j < k->columns; j++)
        for (int64_t i = k->have[g]; i < k->wait; i++) w[j * k->step + i] = 0;
    NAMED(multiply)(w, k->wait, k->step, k->columns, k->products + g * k->columns * k->columns);
    k->have[g] = 0;
}

/* One row, on its side. Each side of a product takes the root of the weight. A row that is not
   complete is written over by the next one. */
static inline ALWAYS TARGET void NAMED(add_row)(const double *row, int64_t d, double root, const double *mean, double *at, work *k, int64_t g) {
    int64_t j = 0, step = k->step;
    mask unknown = {0};
    for (; j + 4 <= d; j += 4, at += 4 * step) {
        vector x = LOAD(row + j), v = root * (x - LOAD(mean + j));
        unknown |= x != x;
        at[0] = v[0], at[step] = v[1], at[2 * step] = v[2], at[3 * step] = v[3];
    }
    for (; j < d; j++, at += step) {
        unknown[0] |= -(int64_t)(row[j] != row[j]);
        *at = root * (row[j] - mean[j]);
    }
    *at = root;
    k->have[g] += !(unknown[0] | unknown[1] | unknown[2] | unknown[3]);
}

/* One row that is not complete, on its side: a missing number is 0, and behind all columns come as many of ones where
   a number is known. A row that is complete is written over by the next one. */
static inline ALWAYS TARGET void NAMED(add_holed)(const double *row, int64_t d, double root, const double *mean, double *at, work *k, int64_t g) {
    int64_t j = 0, step = k->step, unknown = 0;
    double *known = at + d * step;
    for (; j + 4 <= d; j += 4, at += 4 * step, known += 4 * step) {
        vector x = LOAD(row + j), v = root * (x - LOAD(mean + j)), one = {root, root, root, root};
        mask here = x == x;
        v = (vector)((mask)v & here), one = (vector)((mask)one & here);
        at[0] = v[0], at[step] = v[1], at[2 * step] = v[2], at[3 * step] = v[3];
        known[0] = one[0], known[step] = one[1], known[2 * step] = one[2], known[3 * step] = one[3];
        unknown |= ~(here[0] & here[1] & here[2] & here[3]);
    }
    for (; j < d; j++, at += step, known += step) {
        int here = row[j] == row[j];
        unknown |= !here;
        *at = here ? root * (row[j] - mean[j]) : 0;
        *known = here ? root : 0;
    }
    k->have[g] += unknown != 0;
}

/* Columns that do not lie side by side are laid so, some rows at a time. */
TARGET static void NAMED(lay_rows)(const tally_batch *b, const tally_rows *rows, const double *shift, work *k) {
    int64_t d = b->width;
    int block = d > 0 && tally_is_block(b);
    for (int64_t first = 0; first < b->n; first += SOME) {
        int64_t n = b->n - first < SOME ? b->n - first : SOME;
        for (int64_t j = 0; !block && j < d; j++) {
            const char *x = b->columns[j].at + (b->start + first) * b->columns[j].step;
            for (int64_t i = 0; i < n; i++, x += b->columns[j].step) k->rows[i * d + j] = *(const double *)x;
        }
        for (int64_t i = 0; i < n; i++) {
            int64_t g = rows->group[first + i];
            if (g < 0) continue;
            const double *row = k->rows + i * d;
            if (block) {
                row = (const double *)(b->columns->at + (b->start + first + i) * b->columns->step);
                for (int64_t ahead = 0; ahead < d; ahead += LINE) __builtin_prefetch(row + ahead + AHEAD);
            }
            double root = rows->weight ? sqrt(rows->weight[first + i]) : 1.0;
            double *at = k->waiting + g * k->columns * k->step + k->have[g];
            if (k->holed) NAMED(add_holed)(row, d, root, shift + g * d, at, k, g);
            else NAMED(add_row)(row, d, root, shift + g * d, at, k, g);
            if (k->have[g] == k->wait) NAMED(flush)(k, g);
        }
    }
}

TARGET static void NAMED(finish)(work *k, int64_t groups, int64_t e, double *cross) {
    for (int64_t g = 0; g < groups; g++) {
        if (k->have[g]) NAMED(flush)(k, g);
        const double *p = k->products + g * k->columns * k->columns;
        double *out = cross + g * e * e;
        for (int64_t i = 0; i < e; i++)
            for (int64_t j = 0; j <= i; j++) out[i * e + j] = out[j * e + i] = p[i * k->columns + j];
    }
}
