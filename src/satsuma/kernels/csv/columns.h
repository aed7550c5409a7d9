/* Part of scan.c: the rows that wait are put into the columns. */
static int is_mark(const csv_dialect *d, const uint8_t *s, int64_t n) {
    for (int64_t k = 0; k < d->mark_count; k++)
        if (d->mark_sizes[k] == n && !memcmp(d->marks[k], s, (size_t)n)) return 1;
    return 0;
}

/* Whether a cell of numbers or times is missing; which mark says so is kept where few columns have it. */
static int is_absent(scanner *sc, int64_t j, const uint8_t *s, int64_t n) {
    const csv_dialect *d = sc->dialect;
    if (!n || is_mark(d, s, n)) return 1;
    for (int64_t k = 0; k < d->more_count; k++)
        if (d->more_sizes[k] == n && !memcmp(d->more_marks[k], s, (size_t)n)) {
            sc->result->met[j] |= UINT64_C(1) << k;
            return 1;
        }
    return 0;
}

/* The content of a cell, with doubled quotes halved in sc->plain; NULL if memory ran out. */
static const uint8_t *content(scanner *sc, uint32_t start, uint32_t stop, int64_t *size) {
    const uint8_t *s = sc->b + start;
    int64_t n = (int64_t)(stop & ~DOUBLED) - start, k = 0;
    assert(n >= 0 && start + n <= sc->n);
    *size = n;
    if (!(stop & DOUBLED)) return s;
    if (n > sc->plain_room) {
        uint8_t *plain = realloc(sc->plain, (size_t)n);
        if (!plain) return NULL;
        sc->plain = plain;
        sc->plain_room = n;
    }
    for (int64_t i = 0; i < n; i++) {
        assert(k < sc->plain_room);
        sc->plain[k++] = s[i];
        i += s[i] == sc->dialect->quote; /* the second of the two */
    }
    *size = k;
    return sc->plain;
}

/* The decimal mark of plain numbers; 0, which is in no good row, where they have none. */
static inline uint8_t plain_decimal(const csv_dialect *d, int64_t j) { return d->formats && d->formats[j].whole ? 0 : d->decimal; }

/* Any cell of a column of numbers: missing, infinite, or the end of a column of numbers too.
   -1 if memory ran out. */
static int any_number(scanner *sc, int64_t j, int64_t row, double *out) {
    const csv_dialect *d = sc->dialect;
    uint32_t start = sc->starts[row * d->width + j] + sc->skip, stop = sc->stops[row * d->width + j];
    int64_t n;
    const uint8_t *s = content(sc, start, stop, &n);
    if (!s) return -1;
    double value = NAN;
    int found = n ? csv_number(s, n, plain_decimal(d, j), d->thousands, sc->kinds[j] == CSV_NUM_LOOSE, &value) : 0;
    if (found < 0) return -1;
    *out = value;
    if (found == 1 && !sc->number_marks) return 0;
    while (n && is_blank(s[0])) s++, n--;
    while (n && is_blank(s[n - 1])) n--;
    int missing = is_absent(sc, j, s, n);
    if (missing || found != 1) *out = NAN;
    csv_place *place = found ? &sc->result->infinite[j] : &sc->result->failed[j];
    if (!missing && found != 1 && !place->line) *place = (csv_place){sc->lines[row], start, stop & ~DOUBLED};
    return 0;
}

static int fill_numbers(scanner *sc, int64_t j) {
    double *out = (double *)sc->out[j] + sc->result->rows;
    for (int64_t row = 0; row < sc->held && !sc->result->failed[j].line; row++)
        if (any_number(sc, j, row, &out[row])) return -1;
    return 0;
}

/* A number or a time as people write them, as any_number. */
static int any_written(scanner *sc, int64_t j, int64_t row) {
    const csv_dialect *d = sc->dialect;
    uint32_t start = sc->starts[row * d->width + j] + sc->skip, stop = sc->stops[row * d->width + j];
    int64_t n, time = CSV_NO_TIME, at = sc->result->rows + row;
    const uint8_t *s = content(sc, start, stop, &n);
    if (!s) return -1;
    double value = NAN;
    const csv_format *f = &d->formats[j];
    written_cell r = {s, s + n, 0, 0, 0};
    trim_written(&r);
    int missing = is_absent(sc, j, r.s, r.end - r.s);
    int found = missing ? 1 : sc->kinds[j] == CSV_TIME ? written_time(s, n, f, &time) : written_number(s, n, f, &value);
    if (found < 0) return -1;
    if (sc->kinds[j] == CSV_TIME) ((int64_t *)sc->out[j])[at] = time;
    else ((double *)sc->out[j])[at] = value;
    if (!found) sc->result->failed[j] = (csv_place){sc->lines[row], start, stop & ~DOUBLED};
    return 0;
}

static int fill_written(scanner *sc, int64_t j) {
    for (int64_t row = 0; row < sc->held && !sc->result->failed[j].line; row++)
        if (any_written(sc, j, row)) return -1;
    return 0;
}

/* The code of any cell; FREE_SLOT if memory ran out. */
static int32_t any_symbol(scanner *sc, int64_t j, int64_t row) {
    const csv_dialect *d = sc->dialect;
    uint32_t start = sc->starts[row * d->width + j] + sc->skip, stop = sc->stops[row * d->width + j];
    int64_t n;
    const uint8_t *s = content(sc, start, stop, &n);
    if (!s) return FREE_SLOT;
    const uint8_t *limit = stop & DOUBLED ? s + n : sc->b + sc->n;
    if (d->strip) {
        while (n && is_blank(s[0])) s++, n--;
        while (n && is_blank(s[n - 1])) n--;
    }
    return sc->long_marks && is_mark(d, s, n) ? -1 : symbol_code(&sc->result->symbols[j], s, n, limit);
}

static int fill_symbols(scanner *sc, int64_t j) {
    int32_t *out = (int32_t *)sc->out[j] + sc->result->rows;
    for (int64_t row = 0; row < sc->held; row++)
        if ((out[row] = any_symbol(sc, j, row)) == FREE_SLOT) return -1;
    return 0;
}

#ifdef CSV_QUICK
/* Whether a minus can only be part of a cell. */
static int is_minus_plain(const csv_dialect *d) { return d->delimiter != '-' && d->quote != '-'; }

static int fill_numbers_quickly(scanner *sc, int64_t j) {
    const int64_t width = sc->dialect->width, held = sc->held;
    const uint32_t limit = (uint32_t)(sc->n > 16 ? sc->n - 1 : 16); /* which also keeps what is DOUBLED out */
    const uint8_t decimal = plain_decimal(sc->dialect, j);
    double *out = (double *)sc->out[j] + sc->result->rows;
    for (int64_t row = 0; !sc->result->failed[j].line; row++) {
        const int64_t at = row * width + j;
        row += quick_numbers(sc->b, sc->starts + at, sc->stops + at, sc->skip, width, held - row, limit, decimal, &out[row]);
        if (row == held) break;
        if (any_number(sc, j, row, &out[row])) return -1;
    }
    return 0;
}

static int fill_written_quickly(scanner *sc, int64_t j) {
    const int64_t width = sc->dialect->width, held = sc->held;
    const csv_format *f = &sc->dialect->formats[j];
    const quick_format *q = &sc->ready[j];
    for (int64_t row = 0; !sc->result->failed[j].line; row++) {
        const int64_t cell = row * width + j, at = sc->result->rows + row;
        const uint32_t *starts = sc->starts + cell, *stops = sc->stops + cell;
        if (sc->kinds[j] == CSV_TIME)
            row += quick_times(sc->b, sc->n, starts, stops, sc->skip, width, held - row, f, q, (int64_t *)sc->out[j] + at);
        else
            row += quick_amounts(sc->b, sc->n, starts, stops, sc->skip, width, held - row, f, q, (double *)sc->out[j] + at);
        if (row == held) break;
        if (any_written(sc, j, row)) return -1;
    }
    return 0;
}

CSV_QUICK static int fill_symbols_quickly(scanner *sc, int64_t j) {
    const int64_t width = sc->dialect->width, held = sc->held;
    const uint32_t *starts = sc->starts + j, *stops = sc->stops + j, skip = sc->skip;
    const uint32_t last = sc->n > 7 ? (uint32_t)sc->n - 7 : 0; /* from here on no 8 bytes can be read */
    const uint8_t *b = sc->b;
    csv_symbols t = sc->result->symbols[j];
    int32_t *out = (int32_t *)sc->out[j] + sc->result->rows;
    for (int64_t row = 0; row < held; row++, starts += width, stops += width) {
        uint32_t start = *starts + skip, n = *stops - start; /* DOUBLED makes it large */
        if (n <= 7 && start < last) {
            uint64_t key = short_key(b + start, n), p = home(&t, key);
            while (t.table[p].key != key && t.table[p].code != FREE_SLOT) p = (p + 1) & (uint64_t)(t.slots - 1);
            if (t.table[p].key == key) {
                out[row] = t.table[p].code;
                continue;
            }
        }
        if ((out[row] = any_symbol(sc, j, row)) == FREE_SLOT) return -1;
        t = sc->result->symbols[j];
    }
    return 0;
}
#endif

#ifdef CSV_QUICK
/* Whether no mark of a missing cell is a number or a time itself. -1 if memory ran out. */
static int are_marks_apart(const csv_dialect *d, const csv_format *f, int kind) {
    double value;
    int64_t time;
    for (int64_t k = 0; k < d->mark_count + d->more_count; k++) {
        const int64_t more = k - d->mark_count, n = more < 0 ? d->mark_sizes[k] : d->more_sizes[more];
        const uint8_t *s = more < 0 ? d->marks[k] : d->more_marks[more];
        int found = kind == CSV_TIME ? written_time(s, n, f, &time) : written_number(s, n, f, &value);
        if (found) return found < 0 ? -1 : 0;
    }
    return 1;
}

/* Make the formats ready. -1 if memory ran out. */
static int make_ready(scanner *sc) {
    const csv_dialect *d = sc->dialect;
    for (int64_t j = 0; j < d->width; j++) {
        int kind = sc->kinds[j];
        if (kind != CSV_WRITTEN && kind != CSV_TIME) continue;
        if (!sc->ready && !(sc->ready = calloc((size_t)d->width, sizeof *sc->ready))) return -1;
        quick_format *q = &sc->ready[j];
        const csv_format *f = &d->formats[j];
        int apart = are_marks_apart(d, f, kind);
        if (apart < 0) return -1;
        q->ready = apart && is_minus_plain(d) && (kind == CSV_TIME ? ready_time(q, f) : ready_number(q, f));
    }
    return 0;
}
#endif

/* Put the rows that wait into the columns. -1 if memory ran out, -3 if there is no room for them. */
static int flush(scanner *sc) {
    int (*numbers)(scanner *, int64_t) = fill_numbers, (*symbols)(scanner *, int64_t) = fill_symbols;
#ifdef CSV_QUICK
    if (sc->quick && !sc->number_marks && is_minus_plain(sc->dialect)) numbers = fill_numbers_quickly;
    if (sc->quick && !sc->dialect->strip) symbols = fill_symbols_quickly;
#endif
    if (sc->held > sc->room - sc->result->rows) return -3;
    for (int64_t j = 0; j < sc->dialect->width; j++) {
        int kind = sc->kinds[j], status = 0;
        if (kind == CSV_SYM) status = symbols(sc, j);
#ifdef CSV_QUICK
        else if (sc->ready && sc->ready[j].ready) status = fill_written_quickly(sc, j);
#endif
        else if (kind == CSV_WRITTEN || kind == CSV_TIME) status = fill_written(sc, j);
        else if (kind != CSV_SKIP && !sc->result->failed[j].line) status = numbers(sc, j);
        if (status) return -1;
    }
    sc->result->rows += sc->held;
    sc->held = 0;
    return 0;
}
