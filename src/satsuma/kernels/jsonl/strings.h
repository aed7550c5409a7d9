/* Part of records.c: strings of JSON, with their escapes. */
#ifndef SATSUMA_RECORDS_STRINGS_H
#define SATSUMA_RECORDS_STRINGS_H
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct { /* where a string with escapes is written out */
    uint8_t *at;
    int64_t room;
} records_text;

/* Whether one of 8 bytes is a quote, a backslash or a control character. */
static inline int ends_in(const uint8_t *s) {
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = UINT64_C(0x8080808080808080);
    uint64_t word, quote, slash;
    memcpy(&word, s, 8);
    quote = word ^ (ones * '"');
    slash = word ^ (ones * '\\');
    /* A byte below n borrows from its top bit, unless that is set. */
    return (((quote - ones) & ~quote) | ((slash - ones) & ~slash) | ((word - ones * 0x20) & ~word)) & tops ? 1 : 0;
}

static int hex(const uint8_t *s, uint32_t *code) {
    *code = 0;
    for (int i = 0; i < 4; i++) {
        uint8_t c = s[i], low = c | 0x20;
        if (c >= '0' && c <= '9') *code = *code << 4 | (uint32_t)(c - '0');
        else if (low >= 'a' && low <= 'f') *code = *code << 4 | (uint32_t)(low - 'a' + 10);
        else return 0;
    }
    return 1;
}

static int64_t put_utf8(uint8_t *out, uint32_t code) {
    if (code < 0x80) return out[0] = (uint8_t)code, 1;
    if (code < 0x800) {
        out[0] = (uint8_t)(0xC0 | code >> 6);
        out[1] = (uint8_t)(0x80 | (code & 0x3F));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (uint8_t)(0xE0 | code >> 12);
        out[1] = (uint8_t)(0x80 | (code >> 6 & 0x3F));
        out[2] = (uint8_t)(0x80 | (code & 0x3F));
        return 3;
    }
    out[0] = (uint8_t)(0xF0 | code >> 18);
    out[1] = (uint8_t)(0x80 | (code >> 12 & 0x3F));
    out[2] = (uint8_t)(0x80 | (code >> 6 & 0x3F));
    out[3] = (uint8_t)(0x80 | (code & 0x3F));
    return 4;
}

/* An escape behind its backslash, written to `out`; where it ends, or NULL if it is none. */
static const uint8_t *escape(const uint8_t *s, const uint8_t *end, uint8_t *out, int64_t *size) {
    static const char names[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    uint32_t code, second;
    if (*s != 'u') {
        const char *at = *s ? strchr(names, *s) : NULL;
        if (!at) return NULL;
        *out = (uint8_t)meant[at - names];
        *size = 1;
        return s + 1;
    }
    if (end - s < 5 || !hex(s + 1, &code)) return NULL;
    s += 5;
    if (code >= 0xD800 && code < 0xE000) { /* the first half of a pair, or nothing valid */
        if (code >= 0xDC00 || end - s < 6 || s[0] != '\\' || s[1] != 'u' || !hex(s + 2, &second)) return NULL;
        if (second < 0xDC00 || second >= 0xE000) return NULL;
        code = 0x10000 + ((code - 0xD800) << 10) + (second - 0xDC00);
        s += 6;
    }
    *size = put_utf8(out, code);
    return s;
}

/* The string that starts at *at, a quote; *at moves behind its end. 1 if it is none, -1 if memory ran out. */
static int records_string(const uint8_t **at, const uint8_t *end, records_text *text, const uint8_t **found,
                          int64_t *size) {
    const uint8_t *s = *at + 1, *start = s;
    while (end - s >= 8 && !ends_in(s)) s += 8;
    while (*s != '"' && *s != '\\' && *s >= 0x20) s++; /* the text ends with a line end */
    *found = start;
    *size = s - start;
    *at = s + 1;
    if (*s == '"') return 0;
    if (*s != '\\') return 1;
    /* No escape is longer than what it stands for: there is room for the rest of the line. */
    const uint8_t *line = memchr(s, '\n', (size_t)(end - s));
    int64_t used = s - start, most = (line ? line : end) - start, n;
    if (most > text->room) {
        uint8_t *more = realloc(text->at, (size_t)most);
        if (!more) return -1;
        text->at = more;
        text->room = most;
    }
    memcpy(text->at, start, (size_t)used);
    while (*s != '"') {
        if (*s < 0x20) return 1;
        if (*s != '\\') {
            text->at[used++] = *s++;
            continue;
        }
        if (!(s = escape(s + 1, end, text->at + used, &n))) return 1;
        used += n;
        assert(used <= text->room);
    }
    *found = text->at;
    *size = used;
    *at = s + 1;
    return 0;
}

#endif
