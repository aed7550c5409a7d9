#define _GNU_SOURCE /* strtod_l */
#include "scan.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "numbers.h"
#include "quick.h"
#include "quick_written.h"
#include "symbols.h"
#include "written.h"

#ifndef CSV_QUICKNESS
#define CSV_QUICKNESS quickness()
#endif
#define DOUBLED UINT32_C(0x80000000) /* on the end of a cell that holds doubled quotes */

/* Rows are split into cells, and when some hundred good ones have come together they are put
   into the columns, one column at a time. */

typedef struct {
    const uint8_t *b;
    int64_t n;
    const csv_dialect *dialect;
    const int8_t *kinds;
    void *const *out;
    int64_t room; /* rows in out */
    csv_result *result;
    int long_marks;   /* a mark is too long for the table of symbols */
    int number_marks; /* a mark is a number */
    int quick;        /* how much of what quick.h asks for the machine can do */
    int framed;       /* quotes or CR were met */
#ifdef CSV_QUICK
    quick_format *ready; /* one a column, where columns have formats */
#endif
    int known, utf8, nul; /* whether the block was looked through; is UTF-8; holds a NUL */
    int64_t held, batch;  /* good rows that wait; how many may */
    int64_t *lines;       /* of each row that waits */
    int64_t line_room;    /* rows in lines */
    uint32_t *cells;      /* memory for starts and stops */
    int64_t cell_room;    /* words in cells */
    const uint32_t *starts, *stops; /* of each cell that waits; the top bit of a stop: DOUBLED */
    uint32_t skip;        /* to add to a start */
    uint8_t *plain; /* room for a cell without its doubled quotes */
    int64_t plain_room;
} scanner;

#define FEW_ROWS 16   /* to take as they come before plain ones are looked for again */
#define MORE_ROWS 64  /* that may wait because they were found in one window */
#define MORE_CELLS 96 /* room for the places of one window and what is spoiled behind them */

/* Look for bytes that make a row bad. */
static void know(scanner *sc) {
    if (sc->known) return;
    sc->known = 1;
    sc->utf8 = is_ascii(sc->b, sc->n) || is_utf8(sc->b, sc->n);
    sc->nul = memchr(sc->b, 0, (size_t)sc->n) != NULL;
}

/* A quoted field that opens at `start`: where its content ends, and in *past the special behind it. */
static uint32_t split_quoted(scanner *sc, finder *f, int64_t start, int64_t *past, int64_t *lines, int *reason) {
    const uint8_t *b = sc->b;
    int64_t content = start + 1, n = sc->n;
    int doubled = 0;
    int64_t close = closing_quote(b, content, n, sc->dialect->quote, &doubled);
    if (close > content) *lines += csv_count_lines(b + content, close - content) - !is_line_end(b[close - 1]);
    if (close == n) {
        *reason = CSV_UNCLOSED;
        *lines -= close > content && is_line_end(b[n - 1]); /* the line end of the record itself */
        *past = n;
    } else {
        seek_to(f, close + 1);
        *past = next_special(f);
        if (*past != close + 1) *reason = CSV_AFTER_QUOTE;
    }
    return (uint32_t)close | (doubled ? DOUBLED : 0);
}

/* Find the cells of the record at `from`. Returns where it ends, its line end included. */
static inline int64_t split(scanner *sc, finder *f, int64_t from, uint32_t *starts, uint32_t *stops, int64_t *count, int64_t *lines, int *reason) {
    const uint8_t *b = sc->b;
    const uint8_t delimiter = sc->dialect->delimiter, quote = sc->dialect->quote;
    const int64_t n = sc->n, width = sc->dialect->width;
    int64_t start = from, k = 0;
    *lines = 1;
    for (;;) {
        int64_t special;
        uint32_t stop, quoted = quote && start < n && b[start] == quote;
        if (quoted) {
            stop = split_quoted(sc, f, start, &special, lines, reason);
        } else {
            special = next_special(f);
            stop = (uint32_t)special;
        }
        if (k < width) {
            starts[k] = (uint32_t)start + quoted;
            stops[k] = stop;
        }
        k++;
        start = special + 1;
        if (special >= n) {
            start = n;
            break;
        }
        if (b[special] != delimiter) {
            if (b[special] == '\r' && start < n && b[start] == '\n') seek_to(f, ++start);
            break;
        }
    }
    if (k != width && *reason == CSV_GOOD) *reason = k < width ? CSV_SHORT : CSV_LONG;
    *count = k;
    return start;
}

/* Whether a quote opens inside of a cell that is not quoted, and one closes at the end of a later such
   cell: the delimiters between them may be none. */
static int has_stray_quotes(const scanner *sc, int64_t from, const uint32_t *starts, const uint32_t *stops) {
    const uint8_t *b = sc->b, quote = sc->dialect->quote;
    int open = 0;
    for (int64_t k = 0; k < sc->dialect->width; k++) {
        int64_t start = starts[k], stop = stops[k] & ~DOUBLED, odd = 0, first = stop;
        if (start > from && b[start - 1] == quote) continue;
        if (open && (stop == start || b[stop - 1] != quote)) continue;
        for (int64_t i = stop - 1; i >= start; i--)
            if (b[i] == quote) odd ^= 1, first = i;
        if (!odd) continue;
        if (open) return 1;
        open = first + 1 < stop && !is_blank(b[first + 1]);
    }
    return 0;
}

/* Whether a cell that is not quoted ends with a quote. */
static inline int ends_with_quote(const scanner *sc, int64_t from, const uint32_t *starts, const uint32_t *stops) {
    const uint8_t *b = sc->b, quote = sc->dialect->quote;
    for (int64_t k = 1; quote && k < sc->dialect->width; k++) {
        int64_t start = starts[k], stop = stops[k] & ~DOUBLED;
        if (stop > start && b[stop - 1] == quote && !(start > from && b[start - 1] == quote)) return 1;
    }
    return 0;
}

static int add_bad(csv_result *r, int64_t start, int64_t stop, int64_t line, int64_t cells, int reason) {
    if (r->bad_count == r->bad_room) {
        int64_t room = r->bad_room ? 2 * r->bad_room : 8;
        csv_bad *bad = realloc(r->bad, (size_t)room * sizeof *bad);
        if (!bad) return -1;
        r->bad = bad;
        r->bad_room = room;
    }
    r->bad[r->bad_count++] = (csv_bad){start, stop, line, cells, reason};
    return 0;
}

#include "columns.h"

#ifdef CSV_QUICK
/* The delimiter or LF behind a cell that ends at `stop`. */
static inline int64_t past_cell(const scanner *sc, int64_t stop) {
    stop += sc->dialect->quote && sc->b[stop] == sc->dialect->quote;
    return stop + (sc->b[stop] == '\r');
}

#define FIND_PLAIN_ROWS find_plain_rows_quick
#define FIND_FRAMED_ROWS find_framed_rows_quick
#define TARGET CSV_QUICK
#define LOOK look_quick
#define WRITE_PLACES write_places_quick
#include "plain.h"
#undef FIND_PLAIN_ROWS
#undef FIND_FRAMED_ROWS
#undef TARGET
#undef LOOK
#undef WRITE_PLACES
#define FIND_PLAIN_ROWS find_plain_rows_wide
#define FIND_FRAMED_ROWS find_framed_rows_wide
#define TARGET CSV_WIDE
#define LOOK look_wide
#define WRITE_PLACES write_places_wide
#include "plain.h"

/* Rows without anything unusual from `from` on, found many bytes at a time; 0 if there are none. */
static int64_t find_steady_rows(scanner *sc, int64_t from) {
    int64_t rows = 0;
    if (!sc->framed) rows = sc->quick > 1 ? find_plain_rows_wide(sc, from) : find_plain_rows_quick(sc, from);
    if (!rows && sc->framed) rows = sc->quick > 1 ? find_framed_rows_wide(sc, from) : find_framed_rows_quick(sc, from);
    return rows;
}
#endif

/* Take rows of any shape from *at on, until `most` good ones wait. 1 after the last row to take. */
static int find_rows(scanner *sc, int64_t *at, int64_t most, int keep_bad) {
    const uint8_t *b = sc->b;
    csv_result *r = sc->result;
    int64_t n = sc->n, i = *at, width = sc->dialect->width;
    uint32_t *starts = sc->cells, *stops = sc->cells + sc->cell_room / 2;
    finder f = {b, n, i, 0, sc->dialect->delimiter};
    load_window(&f);
    know(sc);
    sc->starts = starts;
    sc->stops = stops;
    sc->skip = 0;
    while (i < n && sc->held < most) {
        int64_t count = 0, lines = 0, line = r->lines + 1, from = i;
        int reason = CSV_GOOD;
        assert(starts + (sc->held + 1) * width <= stops && sc->held < sc->line_room);
        assert(stops + (sc->held + 1) * width <= sc->cells + sc->cell_room);
        i = split(sc, &f, from, starts + sc->held * width, stops + sc->held * width, &count, &lines, &reason);
        r->lines += lines;
        if (width > 1 && is_line_end(b[from])) {
            if (!r->blank++) r->first_blank = line;
            continue;
        }
        const uint32_t *row = starts + sc->held * width, *ends = stops + sc->held * width;
        if (reason == CSV_GOOD && ends_with_quote(sc, from, row, ends) && has_stray_quotes(sc, from, row, ends)) reason = CSV_STRAY;
        if (sc->nul && memchr(b + from, 0, (size_t)(i - from))) reason = CSV_NUL;
        if (!sc->utf8 && !is_utf8(b + from, i - from)) reason = CSV_NOT_UTF8;
        if (reason != CSV_GOOD) {
            if (add_bad(r, from, i, line, count, reason)) return -1;
            if (!keep_bad) return 1;
            continue;
        }
        sc->lines[sc->held++] = line;
    }
    *at = i;
    return i == n;
}

static int scan_rows(scanner *sc, int keep_bad) {
    const int64_t few = sc->batch < FEW_ROWS ? sc->batch : FEW_ROWS; /* wide rows wait in smaller numbers */
    int64_t i = 0, most = few;
    int done = 0, status = 0;
    while (!done && i < sc->n) {
#ifdef CSV_QUICK
        if (sc->quick && (sc->held = find_steady_rows(sc, i))) {
            sc->result->lines += sc->held;
            i = past_cell(sc, sc->stops[sc->held * sc->dialect->width - 1]) + 1;
            if ((status = flush(sc))) return status;
            most = few;
            continue;
        }
#endif
        if ((done = find_rows(sc, &i, most, keep_bad)) < 0) return done;
        if ((status = flush(sc))) return status;
        most = 2 * most < sc->batch ? 2 * most : sc->batch;
    }
    return 0;
}

int csv_result_init(csv_result *r, const csv_dialect *dialect, const int8_t *kinds) {
    size_t w = dialect->width > 0 ? (size_t)dialect->width : 1;
    memset(r, 0, sizeof *r);
    r->symbols = calloc(w, sizeof *r->symbols);
    r->failed = calloc(w, sizeof *r->failed);
    r->infinite = calloc(w, sizeof *r->infinite);
    r->met = calloc(w, sizeof *r->met);
    if (!r->symbols || !r->failed || !r->infinite || !r->met) return -1;
    for (int64_t j = 0; j < dialect->width; j++) {
        if (kinds[j] != CSV_SYM) continue;
        if (symbols_grow(&r->symbols[j])) return -1;
        for (int64_t k = 0; k < dialect->mark_count; k++)
            if (symbols_mark(&r->symbols[j], dialect->marks[k], dialect->mark_sizes[k])) return -1;
    }
    return 0;
}

int csv_know(csv_result *r, int64_t j, const uint8_t *s, int64_t n) { return symbols_know(&r->symbols[j], s, n); }

void csv_result_free(csv_result *r, int64_t width) {
    for (int64_t j = 0; r->symbols && j < width; j++) {
        free(r->symbols[j].table);
        free(r->symbols[j].ends);
        free(r->symbols[j].arena);
    }
    free(r->symbols);
    free(r->failed);
    free(r->infinite);
    free(r->met);
    free(r->bad);
    memset(r, 0, sizeof *r);
}

int csv_scan(const uint8_t *b, int64_t n, const csv_dialect *dialect, const int8_t *kinds,
             void *const *out, int64_t room, int keep_bad, csv_result *result) {
    if (n > CSV_LARGEST) return -2;
    int64_t width = dialect->width;
    scanner sc = {.b = b, .n = n, .dialect = dialect, .kinds = kinds, .out = out, .room = room, .result = result};
    int status = -1;
    sc.batch = 2048 / (width + 1) + 1;
    sc.cell_room = 2 * (sc.batch * width + MORE_CELLS);
    sc.line_room = sc.batch + MORE_ROWS;
    if ((uint64_t)sc.cell_room > SIZE_MAX / sizeof *sc.cells) return -1; /* where addresses have 32 bits */
    sc.cells = malloc((size_t)sc.cell_room * sizeof *sc.cells);
    sc.lines = malloc((size_t)sc.line_room * sizeof *sc.lines);
    if (!sc.cells || !sc.lines) goto done;
#ifdef CSV_QUICK
    sc.quick = width > 0 ? CSV_QUICKNESS : 0;
    if (sc.quick && make_ready(&sc)) goto done;
#endif
    for (int64_t k = 0; k < dialect->mark_count; k++) {
        double value;
        int found = csv_number(dialect->marks[k], dialect->mark_sizes[k], dialect->decimal, dialect->thousands, 1, &value);
        if (found < 0) goto done;
        sc.number_marks |= found == 1;
        sc.long_marks |= dialect->mark_sizes[k] > 7;
    }
    status = scan_rows(&sc, keep_bad);
done:
    free(sc.cells);
    free(sc.lines);
    free(sc.plain);
#ifdef CSV_QUICK
    free(sc.ready);
#endif
    return status;
}
