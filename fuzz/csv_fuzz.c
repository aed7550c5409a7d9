/* Any bytes at all, through the scanner of delimited text: run under AddressSanitizer, which sees a
   byte read or written outside; what comes out is held against records.h. */
#define _GNU_SOURCE
#include <strings.h>

/* What is to be reached is in the scanner: no tracing of what it is held against. */
#ifdef __clang__
#define UNTRACED _Pragma("clang attribute push(__attribute__((no_sanitize(\"coverage\"))), apply_to = function)")
#define TRACED _Pragma("clang attribute pop")
#else
#define UNTRACED
#define TRACED
#endif

UNTRACED
#include "numbers.h"
#include "records.h"
#include "repeats.h"

/* The scanner's memory runs out when the fuzzer says so. */
static int64_t memory_left = -1; /* allocations; negative for as many as it likes */
static int has_memory(void) { return memory_left < 0 || memory_left-- > 0; }
static void *scarce_malloc(size_t n) { return has_memory() ? malloc(n) : NULL; }
static void *scarce_calloc(size_t n, size_t m) { return has_memory() ? calloc(n, m) : NULL; }
static void *scarce_realloc(void *p, size_t n) { return has_memory() ? realloc(p, n) : NULL; }

/* The machine can do as much as the fuzzer says, or less. */
static int most_quick;
#define CSV_QUICKNESS (quickness() < most_quick ? quickness() : most_quick)
TRACED
#define malloc scarce_malloc
#define calloc scarce_calloc
#define realloc scarce_realloc
#include "../src/satsuma/kernels/csv/scan.c"
#undef malloc
#undef calloc
#undef realloc
UNTRACED

#define HEAD 6       /* bytes that choose how the rest is read */
#define WIDEST 5000
#define BLOCKS 12    /* at the most, of a text of few columns */
#ifndef ROWS_WITHHELD /* rows less than promised, to see that it is noticed */
#define ROWS_WITHHELD 0
#endif
#define CHECK(what) ((what) ? (void)0 : broken(#what, __LINE__))

static void broken(const char *what, int line) {
    fprintf(stderr, "csv_fuzz.c:%d: does not hold: %s\n", line, what);
    abort();
}

typedef struct { /* one reading of one text, in buffers of exactly the promised size */
    uint8_t *b;
    int64_t n, lines;
    void *out[WIDEST];
    csv_result result;
} reading;

static csv_dialect dialect;
static int8_t kinds[WIDEST];
static records truth;
static int64_t failed_at[WIDEST], infinite_at[WIDEST]; /* lines; 0 for nowhere */

static const uint8_t *const MARKS[] = {(const uint8_t *)"", (const uint8_t *)"?", (const uint8_t *)"seven77",
                                       (const uint8_t *)"eight888", (const uint8_t *)"a longer mark", (const uint8_t *)"-9.5"};
static const int64_t MARK_SIZES[] = {0, 1, 7, 8, 13, 4};

static uint8_t *exact_copy(const uint8_t *b, int64_t n) {
    uint8_t *copy = malloc(n ? (size_t)n : 1);
    if (!copy) abort();
    if (n) memcpy(copy, b, (size_t)n);
    return copy;
}

static void choose(const uint8_t *head) {
    static const char delimiters[] = ",,,,,,;;\t\t|| -xy", quotes[] = "\"\"\"\"\"\"\"\"''\0\0-xy,", points[] = ".,..", groups[] = "\0,' ";
    dialect = (csv_dialect){.delimiter = (uint8_t)delimiters[head[0] & 15], .quote = (uint8_t)quotes[head[0] >> 4],
                            .decimal = (uint8_t)points[head[1] & 3], .thousands = (uint8_t)groups[head[1] >> 2 & 3],
                            .strip = head[1] >> 4 & 1, .width = 1, .marks = MARKS, .mark_sizes = MARK_SIZES,
                            .mark_count = 3 + (head[1] >> 6 & 3)};
    if (dialect.thousands == dialect.decimal) dialect.thousands = 0;
    if (dialect.quote == dialect.delimiter) dialect.quote = 0;
    for (int j = 0; j < WIDEST; j++) kinds[j] = (int8_t)(head[3] >> 2 * (j % 4) & 3);
}

/* As many columns as the first record has cells, mostly: so any text has good rows. */
static int64_t width_of(uint8_t chosen, const uint8_t *b, int64_t n) {
    find_records(&truth, b, n, dialect.delimiter, dialect.quote);
    int64_t cells = truth.record_count ? truth.records[0].cells : 1;
    if (chosen >= 224) cells += chosen % 3 - 1; /* one more, or one less */
    else if (chosen >= 192) cells = 1 + chosen % 4;
    return cells < 1 ? 1 : cells > WIDEST ? WIDEST : cells;
}

static int begin_reading(reading *r, const uint8_t *b, int64_t n) {
    int ended = n == 0 || b[n - 1] == '\n' || b[n - 1] == '\r';
    r->n = n + !ended;
    r->b = exact_copy(b, n);
    if (!ended) {
        free(r->b);
        r->b = malloc((size_t)r->n);
        if (!r->b) abort();
        memcpy(r->b, b, (size_t)n);
        r->b[n] = '\n';
    }
    r->lines = csv_count_lines(r->b, r->n);
    int64_t room = r->lines > ROWS_WITHHELD ? r->lines - ROWS_WITHHELD : 0;
    for (int64_t j = 0; j < dialect.width; j++)
        r->out[j] = malloc((size_t)room * (kinds[j] == CSV_SYM ? sizeof(int32_t) : sizeof(double)) + !room);
    return csv_result_init(&r->result, &dialect, kinds);
}

/* Give the symbols of another reading their codes beforehand. */
static int know_symbols(reading *r, const csv_result *other) {
    int failed = 0;
    for (int64_t j = 0; j < dialect.width; j++) {
        const csv_symbols *t = &other->symbols[j];
        for (int64_t k = 0; kinds[j] == CSV_SYM && k < t->used && !failed; k++) {
            int64_t start = k ? t->ends[k - 1] : 0;
            uint8_t *copy = exact_copy(t->arena + start, t->ends[k] - start);
            failed = csv_know(&r->result, j, copy, t->ends[k] - start);
            free(copy);
        }
    }
    return failed;
}

static int read_text(reading *r, const uint8_t *b, int64_t n, int keep_bad, const csv_result *known) {
    int failed = begin_reading(r, b, n) || (known && know_symbols(r, known)) ? -1 : 0;
    return failed || !r->n ? failed : csv_scan(r->b, r->n, &dialect, kinds, r->out, r->lines, keep_bad, &r->result);
}

static void end_reading(reading *r) {
    csv_result_free(&r->result, dialect.width);
    for (int64_t j = 0; j < dialect.width; j++) free(r->out[j]);
    free(r->b);
}

/* ------------------------------------------------------------------ cells */

static void trim(const uint8_t **s, int64_t *n) {
    while (*n && (**s == ' ' || **s == '\t')) ++*s, --*n;
    while (*n && ((*s)[*n - 1] == ' ' || (*s)[*n - 1] == '\t')) --*n;
}

static int is_missing(const uint8_t *s, int64_t n) {
    for (int64_t k = 0; k < dialect.mark_count; k++)
        if (MARK_SIZES[k] == n && !memcmp(MARKS[k], s, (size_t)n)) return 1;
    return 0;
}

static void check_symbol(const csv_symbols *t, int32_t code, const uint8_t *s, int64_t n) {
    if (dialect.strip) trim(&s, &n);
    CHECK(code >= -1 && code < t->used);
    CHECK(is_missing(s, n) == (code == -1));
    if (code < 0) return;
    int64_t start = code ? t->ends[code - 1] : 0;
    CHECK(t->ends[code] <= t->arena_used && t->ends[code] - start == n && !memcmp(t->arena + start, s, (size_t)n));
}

/* A cell that is no number, or an infinite one, is told once a column, with its line. */
static void check_told(const csv_place *told, const record *row, const cell *c, int64_t *seen) {
    if (*seen) return;
    *seen = row->line;
    CHECK(told->line == row->line && told->stop - told->start >= c->stop - c->start);
}

static void check_number(const reading *r, const record *row, int64_t at, int64_t j, const cell *c) {
    const uint8_t *s = truth.spelled + c->start;
    int64_t n = c->stop - c->start;
    double expected = NAN, got = ((double *)r->out[j])[at];
    if (failed_at[j]) return;
    trim(&s, &n);
    if (n == 0 || is_missing(s, n)) {
        CHECK(isnan(got));
        return;
    }
    int found = read_number(s, n, (char)dialect.decimal, (char)dialect.thousands, kinds[j] == CSV_NUM_LOOSE, &expected);
    if (found == FINITE) CHECK(!memcmp(&expected, &got, sizeof got));
    else CHECK(isnan(got));
    if (found == FINITE) return;
    if (found == INFINITE) check_told(&r->result.infinite[j], row, c, &infinite_at[j]);
    else check_told(&r->result.failed[j], row, c, &failed_at[j]);
}

static void check_row(const reading *r, const record *row, int64_t at) {
    for (int64_t j = 0; j < dialect.width; j++) {
        const cell *c = &truth.cells[row->first_cell + j];
        if (kinds[j] == CSV_SYM)
            check_symbol(&r->result.symbols[j], ((int32_t *)r->out[j])[at], truth.spelled + c->start, c->stop - c->start);
        else if (kinds[j] != CSV_SKIP)
            check_number(r, row, at, j, c);
    }
}

/* Codes are given in the order of first appearance, none is left out. */
static void check_codes(const reading *r) {
    for (int64_t j = 0; j < dialect.width; j++) {
        if (kinds[j] != CSV_SYM) continue;
        int64_t seen = 0;
        for (int64_t i = 0; i < r->result.rows; i++) {
            int32_t code = ((int32_t *)r->out[j])[i];
            CHECK(code <= seen);
            seen += code == seen;
        }
        CHECK(seen == r->result.symbols[j].used);
    }
}

/* ------------------------------------------------------------------ rows */

/* Whether a quote opens inside of a cell that is not quoted, and one closes a later such cell. */
static int has_stray(const record *r) {
    int open = 0;
    for (int64_t k = 0; dialect.quote && k < r->cells; k++) {
        const cell *c = &truth.cells[r->first_cell + k];
        const uint8_t *s = truth.spelled + c->start;
        int64_t n = c->stop - c->start, count = 0, first = n;
        if (c->quoted || (open && (!n || s[n - 1] != dialect.quote))) continue;
        for (int64_t i = n - 1; i >= 0; i--)
            if (s[i] == dialect.quote) count++, first = i;
        if (count % 2 == 0) continue;
        if (open) return 1;
        open = first + 1 < n && s[first + 1] != ' ' && s[first + 1] != '\t';
    }
    return 0;
}

static int why_bad(const uint8_t *b, const record *r) {
    if (!valid_utf8(b + r->start, r->stop - r->start)) return CSV_NOT_UTF8;
    if (memchr(b + r->start, 0, (size_t)(r->stop - r->start))) return CSV_NUL;
    if (r->unclosed) return CSV_UNCLOSED;
    if (r->after_quote) return CSV_AFTER_QUOTE;
    return r->cells < dialect.width ? CSV_SHORT : r->cells > dialect.width ? CSV_LONG : has_stray(r) ? CSV_STRAY : CSV_GOOD;
}

static void check_rows(const reading *r, int keep_bad) {
    int64_t rows = 0, bad = 0, blank = 0;
    memset(failed_at, 0, sizeof failed_at);
    memset(infinite_at, 0, sizeof infinite_at);
    find_records(&truth, r->b, r->n, dialect.delimiter, dialect.quote);
    for (int64_t k = 0; k < truth.record_count; k++) {
        const record *row = &truth.records[k];
        int why = why_bad(r->b, row);
        if (dialect.width > 1 && is_line_end(r->b[row->start])) {
            if (!blank++) CHECK(r->result.first_blank == row->line);
        } else if (why == CSV_GOOD) {
            CHECK(rows < r->result.rows);
            check_row(r, row, rows++);
        } else {
            const csv_bad *told = &r->result.bad[bad++];
            CHECK(bad <= r->result.bad_count && told->reason == why && told->line == row->line);
            CHECK(told->start == row->start && told->stop == row->stop && told->cells == row->cells);
            if (!keep_bad) break;
        }
    }
    CHECK(rows == r->result.rows && bad == r->result.bad_count && blank == r->result.blank);
    CHECK(rows <= r->lines && (!keep_bad || rows + bad + blank == truth.record_count));
    for (int64_t j = 0; j < dialect.width; j++)
        CHECK(r->result.failed[j].line == failed_at[j] && r->result.infinite[j].line == infinite_at[j]);
    CHECK(!keep_bad || (r->result.lines == r->lines && r->lines == truth.lines));
}

/* Record by record from any start of one, and the last safe edge, are where the truth has them. */
static void check_edges(const uint8_t *b, int64_t n) {
    uint8_t *copy = exact_copy(b, n);
    int64_t cut = 0;
    find_records(&truth, copy, n, dialect.delimiter, dialect.quote);
    for (int64_t k = 0; k < truth.record_count; k++) {
        const record *r = &truth.records[k];
        int over = is_over(copy, n, r);
        CHECK(csv_record_end(copy, r->start, n, dialect.delimiter, dialect.quote) == (over ? r->stop : -1));
        if (over) cut = r->stop;
    }
    int64_t lines = 0;
    CHECK(n == 0 || csv_cut(copy, n, dialect.delimiter, dialect.quote, &lines) == cut);
    CHECK(lines == csv_count_lines(copy, cut));
    free(copy);
}

static int same_cell(const reading *a, int64_t i, const reading *b, int64_t k, int64_t j) {
    if (kinds[j] == CSV_SKIP || a->result.failed[j].line || b->result.failed[j].line) return 1;
    if (kinds[j] != CSV_SYM) return !memcmp((double *)a->out[j] + i, (double *)b->out[j] + k, sizeof(double));
    return ((int32_t *)a->out[j])[i] == ((int32_t *)b->out[j])[k];
}

/* A block read after others, with the symbols of all before it, gives the rows of the whole text. */
static void check_block(const reading *whole, const reading *block, const csv_result *before) {
    const csv_result *w = &whole->result, *r = &block->result;
    CHECK(before->rows + r->rows <= w->rows);
    for (int64_t j = 0; j < dialect.width; j++) {
        int64_t line = r->failed[j].line ? before->lines + r->failed[j].line : 0, told = w->failed[j].line;
        CHECK(!line || (told && told <= line));
        CHECK(line || !told || told <= before->lines || told > before->lines + r->lines);
        for (int64_t i = 0; i < r->rows; i++) CHECK(same_cell(whole, before->rows + i, block, i, j));
    }
}

/* A text read in blocks of `size` bytes or more, each cut at a safe edge, gives the same rows as in
   one, and the same codes if each block is told of the symbols of those before it. */
static void check_blocks(const reading *whole, const uint8_t *b, int64_t n, int64_t size) {
    static reading pair[2];
    csv_result before = {0}; /* what has been counted */
    int64_t taken = 0, step = size, lines, turn = 0;
    while (taken < n) {
        int64_t seen = step < n - taken ? step : n - taken;
        int64_t cut = seen < n - taken ? csv_cut(b + taken, seen, dialect.delimiter, dialect.quote, &lines) : seen;
        CHECK(cut <= seen);
        step = cut ? size : 2 * step;
        if (!cut) continue;
        reading *now = &pair[turn % 2], *last = turn ? &pair[(turn + 1) % 2] : NULL;
        CHECK(!read_text(now, b + taken, cut, 1, last ? &last->result : NULL));
        check_block(whole, now, &before);
        before.rows += now->result.rows;
        before.lines += now->result.lines;
        before.blank += now->result.blank;
        before.bad_count += now->result.bad_count;
        if (last) end_reading(last);
        taken += cut;
        turn++;
    }
    if (turn) end_reading(&pair[(turn + 1) % 2]);
    const csv_result *w = &whole->result;
    CHECK(before.rows == w->rows && before.blank == w->blank && before.bad_count == w->bad_count && before.lines == w->lines);
}

/* Out of memory: it says so and leaks nothing, or it never needed that much. */
static void check_scarce(const uint8_t *b, int64_t n, int64_t allocations) {
    static reading r;
    memory_left = allocations;
    int status = read_text(&r, b, n, 1, NULL);
    memory_left = -1;
    CHECK(status == 0 || status == -1);
    if (!status && r.n) check_rows(&r, 1);
    end_reading(&r);
}

/* Cells as numbers and times that people write: a number is finite, a time in the range of the calendar.
   What they spell is held against the twin by a test; however quick the machine is, it is the same. */
static void check_written(const uint8_t *b, int64_t n, uint8_t chosen) {
    static const char *const AFFIXES[] = {"", "$", "\xE2\x82\xAC", "kg"};
    static const char *const PATTERNS[] = {"%Y-%m-%d", "%-d.%-m.%y", "%Y-%m-%dT%H:%M:%S%.f%z", "%I:%M %p", "%-d %b %Y", "%d.%m.%Y %H:%M", "%-", "%."};
    static const char NAMES[] = "jan\0feb\0m\xC3\xA4r\0apr\0mai\0jun\0jul\0aug\0sep\0okt\0nov\0dez";
    static const char groups[] = "\0,' .";
    static csv_format formats[WIDEST];
    static reading r, other;
    const char *before = AFFIXES[chosen & 3], *after = AFFIXES[chosen >> 2 & 3], *pattern = PATTERNS[chosen & 7];
    csv_format format = {.decimal = chosen & 16 ? ',' : '.', .thousands = (uint8_t)groups[(chosen >> 5) % 5], .percent = chosen >> 4 & 1, .whole = chosen >> 6 & 1,
                         .before = (const uint8_t *)before, .after = (const uint8_t *)after, .pattern = (const uint8_t *)pattern,
                         .names = (const uint8_t *)NAMES, .before_size = (int64_t)strlen(before), .after_size = (int64_t)strlen(after),
                         .pattern_size = (int64_t)strlen(pattern)};
    for (int64_t j = 0; j < dialect.width; j++) {
        formats[j] = format;
        kinds[j] = j % 2 ? CSV_TIME : CSV_WRITTEN;
    }
    dialect.formats = formats;
    dialect.more_marks = MARKS + 1; /* of which all but the last are marks of any cell */
    dialect.more_sizes = MARK_SIZES + 1;
    dialect.more_count = 5;
    most_quick = 1 + (chosen & 1);
    CHECK(!read_text(&r, b, n, 1, NULL));
    most_quick = 0;
    CHECK(!read_text(&other, b, n, 1, NULL));
    CHECK(r.result.rows == other.result.rows);
    for (int64_t j = 0; j < dialect.width; j++) {
        CHECK(r.result.failed[j].line == other.result.failed[j].line && r.result.met[j] == other.result.met[j]);
        for (int64_t i = 0; i < r.result.rows; i++) CHECK(same_cell(&r, i, &other, i, j));
    }
    end_reading(&other);
    for (int64_t j = 0; j < dialect.width; j++)
        for (int64_t i = 0; i < r.result.rows && !r.result.failed[j].line; i++) {
            if (kinds[j] == CSV_WRITTEN) CHECK(!isinf(((double *)r.out[j])[i]));
            else CHECK(((int64_t *)r.out[j])[i] == CSV_NO_TIME || llabs(((int64_t *)r.out[j])[i]) < (CSV_MOST_DAYS + 2) * INT64_C(86400000000000));
        }
    end_reading(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static reading r;
    static spelled_out text;
    if (size < HEAD) return 0;
    choose(data);
    int large = data[4] >= 240; /* most texts are small, so that there are many */
    spell_out(&text, data + HEAD, (int64_t)size - HEAD, large ? MOST - 2 : MOST / 8, dialect.delimiter);
    const uint8_t *b = text.bytes;
    const int64_t n = text.size;
    dialect.width = width_of(data[2], b, n);
    int64_t seen = n ? ((int64_t)data[4] << 4 | data[5] >> 4) % (n + 1) : 0;
    int64_t blocks = dialect.width > 200 ? 2 : BLOCKS, least = n / blocks + 1;
    check_edges(b, n);
    check_edges(b, seen);
    for (int turn = 0; turn < 4; turn++) {
        int keep_bad = turn < 3;
        most_quick = (turn + data[5]) % 3;
        CHECK(!read_text(&r, b, n, keep_bad, NULL));
        if (r.n) check_rows(&r, keep_bad);
        check_codes(&r);
        if (!turn) check_blocks(&r, b, n, seen > least ? seen : least);
        end_reading(&r);
    }
    if (data[5] & 8) check_scarce(b, n, (data[5] & 7) * 3 + data[4] % 3);
    check_written(b, n, data[1] ^ data[4]);
    return 0;
}
TRACED
