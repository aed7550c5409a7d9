/* JSON lines, objects of one level; see records.h. */
#define _GNU_SOURCE /* strtod_l */
#include "records.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../csv/numbers.h"
#include "../csv/symbols.h"
#include "strings.h"

/* Whole numbers below it are held by doubles without a doubt. */
#define WHOLE 9007199254740992.0

enum { PLAIN = 0, ODD = 1, NO_MEMORY = -1 };

typedef struct {
    const uint8_t *at, *end; /* what is left of the line, and where the text ends */
    records_result *result;
    records_text text;
} state;

static int symbols_init(csv_symbols *t) {
    memset(t, 0, sizeof *t);
    return symbols_grow(t);
}

static void symbols_free(csv_symbols *t) {
    free(t->table);
    free(t->ends);
    free(t->arena);
}

static inline const uint8_t *blanks(const uint8_t *s) {
    while (*s == ' ' || *s == '\t' || *s == '\r') s++;
    return s;
}

/* The column of a key, a new one if there is none. */
static int column_of(state *t, const uint8_t *key, int64_t n, int64_t *found) {
    records_result *r = t->result;
    int32_t code = symbol_code(&r->keys, key, n, key);
    if (code == FREE_SLOT) return NO_MEMORY;
    if (code == r->columns) {
        if ((r->columns + 1) * r->room > RECORDS_MOST) return ODD;
        if (!(r->columns & (r->columns - 1))) { /* there is room for a power of two */
            size_t room = r->columns ? 2 * (size_t)r->columns : 1;
            records_column *more = realloc(r->column, room * sizeof *more);
            if (!more) return NO_MEMORY;
            r->column = more;
        }
        memset(&r->column[r->columns++], 0, sizeof *r->column);
    }
    *found = code;
    return PLAIN;
}

/* Make a column one of some kind; its cells before are missing. */
static int begin(records_result *r, records_column *c, int kind) {
    c->kind = kind;
    if (kind == RECORDS_NUMBER) return (c->number = malloc((size_t)r->room * sizeof(double))) ? PLAIN : NO_MEMORY;
    c->code = malloc((size_t)r->room * sizeof(int32_t));
    return c->code && !symbols_init(&c->symbols) ? PLAIN : NO_MEMORY;
}

static void fill(records_column *c, int64_t rows) {
    if (c->kind == RECORDS_NUMBER)
        for (; c->filled < rows; c->filled++) c->number[c->filled] = NAN;
    else if (c->kind)
        for (; c->filled < rows; c->filled++) c->code[c->filled] = -1;
}

/* The number that starts at t->at; it ends where the grammar of JSON ends it. */
static int number(state *t, int *whole, double *value) {
    const uint8_t *s = t->at, *p = s;
    int negative = *p == '-';
    p += negative;
    const uint8_t *first = p;
    uint64_t m = 0;
    int64_t e = 0, count;
    uint8_t d;
    for (; (d = (uint8_t)(*p - '0')) < 10; p++) m = m * 10 + d;
    count = p - first;
    if (!count || (count > 1 && *first == '0')) return ODD;
    *whole = 1;
    if (*p == '.') {
        const uint8_t *point = ++p;
        for (; (d = (uint8_t)(*p - '0')) < 10; p++) m = m * 10 + d;
        if (p == point) return ODD;
        e = point - p;
        count += p - point;
        *whole = 0;
    }
    if ((*p | 0x20) == 'e') {
        int minus = *++p == '-';
        if (minus || *p == '+') p++;
        const uint8_t *power = p;
        int64_t n = 0;
        for (; (d = (uint8_t)(*p - '0')) < 10; p++)
            if (n < 100000) n = n * 10 + d;
        if (p == power) return ODD;
        e += minus ? -n : n;
        *whole = 0;
    }
    t->at = p;
    if (count > 19 || !quick_value(m, e, value))
        if (!slow_value(s, p - s, '.', 0, value)) return NO_MEMORY;
    if (isinf(*value)) return ODD;
    if (negative && (!*whole || *value)) *value = -*value;
    return PLAIN;
}

static int put_number(state *t, records_column *c, int64_t row) {
    int whole, status;
    double value;
    if ((status = number(t, &whole, &value))) return status;
    if (!c->kind && (status = begin(t->result, c, RECORDS_NUMBER))) return status;
    if (c->kind != RECORDS_NUMBER) return ODD;
    fill(c, row);
    c->number[c->filled++] = value;
    c->whole |= whole;
    c->most = fmax(c->most, fabs(value));
    return c->whole && c->most >= WHOLE ? ODD : PLAIN;
}

static int put_word(state *t, records_column *c, int64_t row, int kind, const uint8_t *s, int64_t n) {
    int status;
    if (!c->kind && (status = begin(t->result, c, kind))) return status;
    if (c->kind != kind) return ODD;
    int32_t code = symbol_code(&c->symbols, s, n, s);
    if (code == FREE_SLOT) return NO_MEMORY;
    fill(c, row);
    c->code[c->filled++] = code;
    return PLAIN;
}

static int value(state *t, records_column *c, int64_t row) {
    const uint8_t *s = t->at, *text;
    int64_t n;
    int status;
    switch (*s) {
    case '"':
        if ((status = records_string(&t->at, t->end, &t->text, &text, &n))) return status;
        return put_word(t, c, row, RECORDS_WORD, text, n);
    case 'n':
        if (t->end - s < 4 || memcmp(s, "null", 4)) return ODD;
        t->at = s + 4;
        return PLAIN;
    case 't':
        if (t->end - s < 4 || memcmp(s, "true", 4)) return ODD;
        t->at = s + 4;
        return put_word(t, c, row, RECORDS_TRUTH, (const uint8_t *)"True", 4);
    case 'f':
        if (t->end - s < 5 || memcmp(s, "false", 5)) return ODD;
        t->at = s + 5;
        return put_word(t, c, row, RECORDS_TRUTH, (const uint8_t *)"False", 5);
    default:
        return put_number(t, c, row);
    }
}

/* Whether a key is that of a column, to be seen without looking it up. */
static inline int is_key(const records_result *r, int64_t column, const uint8_t *key, int64_t n) {
    return column < r->columns && same_spelling(&r->keys, (int32_t)column, key, n);
}

/* The members of an object, from behind its brace to behind the brace that ends it. */
static int members(state *t, int64_t row) {
    records_result *r = t->result;
    int64_t next = 0, n;
    const uint8_t *key;
    t->at = blanks(t->at);
    if (*t->at == '}') {
        t->at++;
        return PLAIN;
    }
    for (;; next++) {
        int status;
        if (*t->at != '"') return ODD;
        if ((status = records_string(&t->at, t->end, &t->text, &key, &n))) return status;
        if (!is_key(r, next, key, n) && (status = column_of(t, key, n, &next))) return status;
        records_column *c = &r->column[next];
        if (c->met == row + 1) return ODD; /* a key twice */
        c->met = row + 1;
        t->at = blanks(t->at);
        if (*t->at != ':') return ODD;
        t->at = blanks(t->at + 1);
        if ((status = value(t, c, row))) return status;
        t->at = blanks(t->at);
        if (*t->at == '}') break;
        if (*t->at != ',') return ODD;
        t->at = blanks(t->at + 1);
    }
    t->at++;
    return PLAIN;
}

static int lines(state *t) {
    records_result *r = t->result;
    while (t->at < t->end) {
        int status;
        r->lines++;
        const uint8_t *s = t->at;
        while (*s == ' ' || (*s != '\n' && *s >= '\t' && *s <= '\r')) s++;
        if (*s == '\n') {
            if (!r->blank++) r->first_blank = r->lines;
            t->at = s + 1;
            continue;
        }
        t->at = blanks(t->at);
        if (*t->at != '{') return ODD;
        t->at++;
        if ((status = members(t, r->rows))) return status;
        t->at = blanks(t->at);
        if (*t->at != '\n') return ODD;
        t->at++;
        assert(r->rows < r->room);
        r->line[r->rows++] = (int32_t)r->lines;
    }
    return PLAIN;
}

int records_read(const uint8_t *b, int64_t n, records_result *result) {
    memset(result, 0, sizeof *result);
    if (n <= 0 || n > CSV_LARGEST || b[n - 1] != '\n') return n ? ODD : PLAIN;
    for (const uint8_t *p = b; p < b + n && (p = memchr(p, '\n', (size_t)(b + n - p))); p++) result->room++;
    result->line = malloc((size_t)result->room * sizeof *result->line);
    if (!result->line || symbols_init(&result->keys)) return NO_MEMORY;
    state t = {b, b + n, result, {NULL, 0}};
    int status = lines(&t);
    free(t.text.at);
    for (int64_t j = 0; j < result->columns; j++) fill(&result->column[j], result->rows);
    return status;
}

void records_free(records_result *result) {
    for (int64_t j = 0; j < result->columns; j++) {
        free(result->column[j].number);
        free(result->column[j].code);
        symbols_free(&result->column[j].symbols);
    }
    free(result->column);
    free(result->line);
    symbols_free(&result->keys);
}
