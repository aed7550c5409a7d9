#define _GNU_SOURCE /* strtod_l */
#include "csvscan.h"

#include <stdlib.h>
#include <string.h>

#include "csv_lines.h"
#include "csv_numbers.h"
#include "csv_symbols.h"

#define DOUBLED UINT32_C(0x80000000) /* on the end of a cell that holds doubled quotes */

/* Rows are split into cells, and when some hundred good ones have come together they are put
   into the columns, one column at a time. */

typedef struct { uint32_t start, stop; } csv_cell; /* the top bit of stop: DOUBLED */

typedef struct {
    const uint8_t *b;
    int64_t n;
    const csv_dialect *dialect;
    const int8_t *kinds;
    void *const *out;
    csv_result *result;
    int long_marks;   /* a mark is too long for the table of symbols */
    int number_marks; /* a mark is a number */
    int64_t held, room; /* good rows that wait */
    csv_cell *cells;    /* room * width, and one more row to split into */
    int64_t *lines;
    uint8_t *plain; /* room for a cell without its doubled quotes */
    int64_t plain_room;
} scanner;

static int is_mark(const csv_dialect *d, const uint8_t *s, int64_t n) {
    for (int64_t k = 0; k < d->mark_count; k++)
        if (d->mark_sizes[k] == n && !memcmp(d->marks[k], s, (size_t)n)) return 1;
    return 0;
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
static inline int64_t split(scanner *sc, finder *f, int64_t from, csv_cell *cells, int64_t *count, int64_t *lines, int *reason) {
    const uint8_t *b = sc->b;
    const uint8_t delimiter = sc->dialect->delimiter, quote = sc->dialect->quote;
    const int64_t n = sc->n, width = sc->dialect->width;
    int64_t start = from, k = 0;
    *lines = 1;
    for (;;) {
        int64_t special;
        csv_cell cell = {(uint32_t)start, 0};
        if (quote && start < n && b[start] == quote) {
            cell.start++;
            cell.stop = split_quoted(sc, f, start, &special, lines, reason);
        } else {
            special = next_special(f);
            cell.stop = (uint32_t)special;
        }
        if (k < width) cells[k] = cell;
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

/* The content of a cell, with doubled quotes halved in sc->plain; NULL if memory ran out. */
static const uint8_t *halved(scanner *sc, csv_cell cell, int64_t *size) {
    const uint8_t *s = sc->b + cell.start;
    int64_t n = (cell.stop & ~DOUBLED) - cell.start, k = 0;
    if (n > sc->plain_room) {
        uint8_t *plain = realloc(sc->plain, (size_t)n);
        if (!plain) return NULL;
        sc->plain = plain;
        sc->plain_room = n;
    }
    for (int64_t i = 0; i < n; i++) {
        sc->plain[k++] = s[i];
        i += s[i] == sc->dialect->quote; /* the second of the two */
    }
    *size = k;
    return sc->plain;
}

/* A cell that is not plainly a number: missing, infinite, or the end of a column of numbers. */
static double odd_number(scanner *sc, int64_t j, int64_t row, const uint8_t *s, int64_t n, int found, double value) {
    while (n && is_blank(s[0])) s++, n--;
    while (n && is_blank(s[n - 1])) n--;
    if (!n || is_mark(sc->dialect, s, n)) return NAN;
    if (found == 1) return value;
    csv_cell cell = sc->cells[row * sc->dialect->width + j];
    csv_place *place = found ? &sc->result->infinite[j] : &sc->result->failed[j];
    if (!place->line) *place = (csv_place){sc->lines[row], cell.start, cell.stop & ~DOUBLED};
    return NAN;
}

static inline __attribute__((always_inline)) int fill_numbers(scanner *sc, int64_t j, int loose, int quick) {
    const csv_dialect *d = sc->dialect;
    double *out = (double *)sc->out[j] + sc->result->rows;
    const csv_cell *cell = sc->cells + j;
    for (int64_t row = 0; row < sc->held; row++, cell += d->width) {
        const uint8_t *s = sc->b + cell->start;
        int64_t n = (int64_t)cell->stop - cell->start;
#ifdef QUICK_NUMBERS
        if (quick && n > 0 && cell->start + 17 <= sc->n && quick_number(s, n, d->decimal, &out[row])) continue;
#endif
        if (!n) {
            out[row] = NAN;
            continue;
        }
        if (cell->stop & DOUBLED && !(s = halved(sc, *cell, &n))) return -1;
        double value = NAN;
        int found = csv_number(s, n, d->decimal, d->thousands, loose, &value);
        if (found < 0) return -1;
        out[row] = found != 1 || sc->number_marks ? odd_number(sc, j, row, s, n, found, value) : value;
        if (sc->result->failed[j].line) return 0;
    }
    return 0;
}

static int fill_numbers_anywhere(scanner *sc, int64_t j, int loose) { return fill_numbers(sc, j, loose, 0); }

#ifdef QUICK_NUMBERS
__attribute__((target("sse4.1"))) static int fill_numbers_quickly(scanner *sc, int64_t j, int loose) {
    return fill_numbers(sc, j, loose, 1);
}
#endif

static int fill_symbols(scanner *sc, int64_t j) {
    const csv_dialect *d = sc->dialect;
    csv_symbols *symbols = &sc->result->symbols[j];
    int32_t *out = (int32_t *)sc->out[j] + sc->result->rows;
    const csv_cell *cell = sc->cells + j;
    for (int64_t row = 0; row < sc->held; row++, cell += d->width) {
        const uint8_t *s = sc->b + cell->start, *limit = sc->b + sc->n;
        int64_t n = (int64_t)cell->stop - cell->start;
        if (cell->stop & DOUBLED) {
            if (!(s = halved(sc, *cell, &n))) return -1;
            limit = s + n;
        }
        if (d->strip) {
            while (n && is_blank(s[0])) s++, n--;
            while (n && is_blank(s[n - 1])) n--;
        }
        int32_t code = sc->long_marks && is_mark(d, s, n) ? -1 : symbol_code(symbols, s, n, limit);
        if (code == FREE_SLOT) return -1;
        out[row] = code;
    }
    return 0;
}

/* Put the rows that wait into the columns. */
static int flush(scanner *sc) {
    int (*numbers)(scanner *, int64_t, int) = fill_numbers_anywhere;
#ifdef QUICK_NUMBERS
    if (!sc->number_marks && __builtin_cpu_supports("sse4.1")) numbers = fill_numbers_quickly;
#endif
    for (int64_t j = 0; j < sc->dialect->width; j++) {
        int kind = sc->kinds[j], status = 0;
        if (kind == CSV_SYM) status = fill_symbols(sc, j);
        else if (kind != CSV_SKIP && !sc->result->failed[j].line) status = numbers(sc, j, kind == CSV_NUM_LOOSE);
        if (status) return -1;
    }
    sc->result->rows += sc->held;
    sc->held = 0;
    return 0;
}

static int scan_rows(scanner *sc, int keep_bad) {
    const uint8_t *b = sc->b;
    csv_result *r = sc->result;
    int64_t n = sc->n, i = 0, width = sc->dialect->width;
    finder f = {b, n, 0, 0, sc->dialect->delimiter};
    load_window(&f);
    int utf8 = is_ascii(b, n) || is_utf8(b, n), nul = memchr(b, 0, (size_t)n) != NULL;
    while (i < n) {
        int64_t count = 0, lines = 0, line = r->lines + 1, from = i;
        int reason = CSV_GOOD;
        i = split(sc, &f, from, sc->cells + sc->held * width, &count, &lines, &reason);
        r->lines += lines;
        if (width > 1 && is_line_end(b[from])) {
            if (!r->blank++) r->first_blank = line;
            continue;
        }
        if (nul && memchr(b + from, 0, (size_t)(i - from))) reason = CSV_NUL;
        if (!utf8 && !is_utf8(b + from, i - from)) reason = CSV_NOT_UTF8;
        if (reason != CSV_GOOD) {
            if (add_bad(r, from, i, line, count, reason)) return -1;
            if (!keep_bad) break;
            continue;
        }
        sc->lines[sc->held++] = line;
        if (sc->held == sc->room && flush(sc)) return -1;
    }
    return flush(sc);
}

int csv_result_init(csv_result *r, int64_t width) {
    size_t w = width > 0 ? (size_t)width : 1;
    memset(r, 0, sizeof *r);
    r->symbols = calloc(w, sizeof *r->symbols);
    r->failed = calloc(w, sizeof *r->failed);
    r->infinite = calloc(w, sizeof *r->infinite);
    return r->symbols && r->failed && r->infinite ? 0 : -1;
}

void csv_result_free(csv_result *r, int64_t width) {
    for (int64_t j = 0; r->symbols && j < width; j++) {
        free(r->symbols[j].table);
        free(r->symbols[j].ends);
        free(r->symbols[j].arena);
    }
    free(r->symbols);
    free(r->failed);
    free(r->infinite);
    free(r->bad);
    memset(r, 0, sizeof *r);
}

int csv_scan(const uint8_t *b, int64_t n, const csv_dialect *dialect, const int8_t *kinds,
             void *const *out, int keep_bad, csv_result *result) {
    if (n > CSV_LARGEST) return -2;
    int64_t width = dialect->width, room = 4096 / (width + 1) + 1;
    scanner sc = {b, n, dialect, kinds, out, result, 0, 0, 0, room, NULL, NULL, NULL, 0};
    int status = -1;
    sc.cells = malloc((size_t)((room + 1) * width + 1) * sizeof *sc.cells);
    sc.lines = malloc((size_t)room * sizeof *sc.lines);
    if (!sc.cells || !sc.lines) goto done;
    for (int64_t k = 0; k < dialect->mark_count; k++) {
        double value;
        int found = csv_number(dialect->marks[k], dialect->mark_sizes[k], dialect->decimal, dialect->thousands, 1, &value);
        if (found < 0) goto done;
        sc.number_marks |= found == 1;
        sc.long_marks |= dialect->mark_sizes[k] > 7;
    }
    for (int64_t j = 0; j < width; j++) {
        if (kinds[j] != CSV_SYM) continue;
        if (symbols_grow(&result->symbols[j])) goto done;
        for (int64_t k = 0; k < dialect->mark_count; k++)
            if (symbols_mark(&result->symbols[j], dialect->marks[k], dialect->mark_sizes[k])) goto done;
    }
    status = scan_rows(&sc, keep_bad);
done:
    free(sc.cells);
    free(sc.lines);
    free(sc.plain);
    return status;
}
