/* Part of scan.c: numbers and times as people write them. written.py defines what they spell. */
#ifndef SATSUMA_CSV_WRITTEN_H
#define SATSUMA_CSV_WRITTEN_H
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "numbers.h"
#include "scan.h"

typedef struct { /* a cell while it is read from left to right */
    const uint8_t *s, *end;
    int signs, negative, open;
} written_cell;

/* The bytes of a blank at p: space, tab, U+00A0, U+202F; 0 if there is none. */
static inline int blank_size(const uint8_t *p, const uint8_t *end) {
    if (p < end && is_blank(*p)) return 1;
    if (end - p >= 2 && p[0] == 0xC2 && p[1] == 0xA0) return 2;
    return end - p >= 3 && p[0] == 0xE2 && p[1] == 0x80 && p[2] == 0xAF ? 3 : 0;
}

static inline void skip_blanks(written_cell *r) {
    for (int n; (n = blank_size(r->s, r->end)); r->s += n);
}

static void trim_written(written_cell *r) {
    skip_blanks(r);
    for (;;) {
        if (r->end > r->s && is_blank(r->end[-1])) r->end--;
        else if (r->end - r->s >= 2 && blank_size(r->end - 2, r->end) == 2) r->end -= 2;
        else if (r->end - r->s >= 3 && blank_size(r->end - 3, r->end) == 3) r->end -= 3;
        else return;
    }
}

/* Whether a text stands behind blanks; then it is passed over. */
static inline int take(written_cell *r, const uint8_t *text, int64_t n) {
    if (!n) return 1;
    const uint8_t *before = r->s;
    skip_blanks(r);
    if (r->end - r->s >= n && !memcmp(r->s, text, (size_t)n)) {
        r->s += n;
        return 1;
    }
    r->s = before;
    return 0;
}

/* The bytes of a minus at p, 0 if there is none. */
static inline int minus_size(const uint8_t *p, const uint8_t *end) {
    if (p < end && *p == '-') return 1;
    return end - p >= 3 && p[0] == 0xE2 && p[1] == 0x88 && p[2] == 0x92 ? 3 : 0;
}

static inline void take_minus(written_cell *r) {
    int n = minus_size(r->s, r->end);
    r->s += n;
    r->signs += n > 0;
    r->negative |= n > 0;
}

static inline void take_sign(written_cell *r) {
    const uint8_t *before = r->s;
    skip_blanks(r);
    if (r->s < r->end && *r->s == '+') r->s++, r->signs++;
    else if (minus_size(r->s, r->end)) take_minus(r);
    else r->s = before;
}

static inline void take_open(written_cell *r, int depth) {
    if (!r->open && take(r, (const uint8_t *)"(", 1)) r->open = depth;
}

static inline int take_close(written_cell *r, int depth) { return r->open != depth || take(r, (const uint8_t *)")", 1); }

/* The bytes of a separator of thousands at p, 0 if there is none. */
static inline int separator_size(const uint8_t *p, const uint8_t *end, uint8_t thousands) {
    if (!thousands || p == end) return 0;
    if (thousands == ' ') return *p == '\t' ? 0 : blank_size(p, end);
    if (thousands == '\'' && end - p >= 3 && p[0] == 0xE2 && p[1] == 0x80 && p[2] == 0x99) return 3;
    return *p == thousands;
}

static inline int is_digit(uint8_t c) { return (uint8_t)(c - '0') < 10; }

/* The digits before the decimal mark: how many, or -1 if the groups are not right. */
static int64_t whole_part(written_cell *r, uint8_t thousands, uint64_t *m) {
    const uint8_t *start = r->s;
    int64_t n = r->end - r->s, size = digits(r->s, 0, n, m), count = size, last = size;
    int threes = 1, twos = size <= 2, groups = 1;
    r->s = start + size;
    for (int step; size && (step = separator_size(r->s, r->end, thousands)) && r->end - r->s > step && is_digit(r->s[step]); groups++) {
        if (groups > 1) twos &= last == 2;
        r->s += step;
        last = digits(r->s, 0, r->end - r->s, m);
        r->s += last;
        count += last;
        threes &= last == 3;
    }
    if (groups > 1 && !(threes && size <= 3) && !(thousands == ',' && twos && groups > 2 && last == 3)) return -1;
    return count;
}

/* What is between `s` and `end`, with its digits, decimal mark and power alone, times 10^shift. 0 if memory ran out. */
static int slow_written(const uint8_t *s, const uint8_t *end, uint8_t decimal, int shift, double *value) {
    size_t n = (size_t)(end - s), k = 0;
    char room[128], *text = n + 32 < sizeof room ? room : malloc(n + 32);
    if (!text) return 0;
    int64_t power = 0;
    for (; s < end; s++) {
        if ((*s | 0x20) == 'e') {
            int minus = *++s == '-';
            for (s += minus || *s == '+'; s < end; s++)
                if (power < 100000) power = power * 10 + (*s - '0');
            if (minus) power = -power;
            break;
        }
        if (*s == decimal) text[k++] = '.';
        else if (is_digit(*s)) text[k++] = (char)*s;
    }
    power += shift;
    text[k++] = 'e';
    text[k++] = power < 0 ? '-' : '+';
    uint64_t left = (uint64_t)(power < 0 ? -power : power);
    for (int place = 100000; place; place /= 10) text[k++] = (char)('0' + left / (uint64_t)place % 10);
    text[k] = 0;
    *value = c_strtod(text);
    if (text != room) free(text);
    return 1;
}

/* A number without sign and currency: 1, 0 if there is none, -1 if memory ran out. */
static int bare_number(written_cell *r, const csv_format *f, int plus, double *value) {
    const uint8_t *start = r->s;
    uint64_t m = 0;
    int64_t e = f->percent ? -2 : 0, count = whole_part(r, f->thousands, &m), part = 0;
    int integer = 1, zeros = count > 1 && *start == '0';
    if (count < 0 || zeros) return 0;
    int dialled = plus && count >= CSV_DIALLED && (r->s - start == count || f->thousands == ' ');
    if (r->s < r->end && *r->s == f->decimal) {
        r->s++;
        part = digits(r->s, 0, r->end - r->s, &m);
        r->s += part;
        e -= part;
        integer = dialled = 0;
    }
    if (!(count + part)) return 0;
    const uint8_t *p = r->s;
    if (r->end - p > 1 && (*p | 0x20) == 'e') {
        int minus = *++p == '-';
        p += minus || *p == '+';
        int64_t power = 0;
        const uint8_t *first = p;
        for (; p < r->end && is_digit(*p); p++)
            if (power < 100000) power = power * 10 + (*p - '0');
        if (p > first) {
            r->s = p;
            e += minus ? -power : power;
            integer = dialled = 0;
        }
    }
    int fits = count + part <= 19;
    if (dialled || (integer && (!fits || m > (UINT64_C(1) << 53)))) return 0;
    if (!(fits && quick_value(m, e, value)) && !slow_written(start, r->s, f->decimal, f->percent ? -2 : 0, value)) return -1;
    return isfinite(*value);
}

/* 1 a number, 0 none, -1 if memory ran out. */
static int written_number(const uint8_t *s, int64_t n, const csv_format *f, double *value) {
    written_cell r = {s, s + n, 0, 0, 0};
    trim_written(&r);
    take_open(&r, 1);
    take_sign(&r);
    if (!take(&r, f->before, f->before_size)) return 0;
    take_open(&r, 2);
    take_sign(&r);
    skip_blanks(&r);
    int found = bare_number(&r, f, r.s > s && r.s[-1] == '+', value);
    if (found < 1) return found;
    take_minus(&r);
    if (!take_close(&r, 2) || !take(&r, f->after, f->after_size)) return 0;
    take_minus(&r);
    if (!take_close(&r, 1) || r.s < r.end || r.signs > 1 || (r.signs && r.open)) return 0;
    if (r.negative || r.open) *value = -*value;
    return 1;
}

typedef struct { int64_t year, month, day, hour, twelve, half, minute, second, fraction, zone; } moment; /* twelve: hours go to 12 */

static inline int64_t days_since_1970(int64_t year, int64_t month, int64_t day) {
    year -= month <= 2; /* years are counted from March; none is below zero */
    return 365 * year + year / 4 - year / 100 + year / 400 + (153 * ((month + 9) % 12) + 2) / 5 + day - 1 - 719468;
}

static inline int is_day(const moment *t) {
    static const int DAYS[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int leap = t->year % 4 == 0 && (t->year % 100 != 0 || t->year % 400 == 0);
    return t->day >= 1 && t->day <= DAYS[t->month - 1] + (t->month == 2 && leap);
}

/* Between `least` and `most` digits; -1 if they are not there or not between `low` and `high`. */
static inline int64_t few_digits(written_cell *r, int least, int most, int64_t low, int64_t high) {
    int64_t value = 0;
    int k = 0;
    for (; k < most && r->s < r->end && is_digit(*r->s); k++) value = value * 10 + (*r->s++ - '0');
    return k < least || value < low || value > high ? -1 : value;
}

static int64_t fraction_of_second(written_cell *r) {
    const uint8_t *start = r->s;
    int64_t value = few_digits(r, 1, 9, 0, INT64_MAX);
    for (int64_t k = r->s - start; value > 0 && k < 9; k++) value *= 10;
    return value;
}

/* Z, +02, +02:00, -0530, in minutes; 0 if there is none. */
static int take_zone(written_cell *r, int64_t *minutes) {
    if (r->s == r->end) return 0;
    uint8_t c = *r->s++;
    *minutes = 0;
    if (c == 'Z') return 1;
    if (c != '+' && c != '-') return 0;
    int64_t hours = few_digits(r, 2, 2, 0, 23), more = 0;
    if (hours < 0) return 0;
    const uint8_t *p = r->s + (r->s < r->end && *r->s == ':');
    if (r->end - p >= 2 && is_digit(p[0]) && is_digit(p[1])) {
        r->s = p;
        if ((more = few_digits(r, 2, 2, 0, 59)) < 0) return 0;
    }
    *minutes = (c == '-' ? -1 : 1) * (60 * hours + more);
    return 1;
}

static int take_half(written_cell *r, int64_t *half) {
    if (r->end - r->s < 2 || (r->s[1] | 0x20) != 'm') return 0;
    uint8_t c = r->s[0] | 0x20;
    r->s += 2;
    *half = c == 'p' ? 12 : 0;
    return c == 'p' || c == 'a';
}

static inline uint8_t lower(uint8_t c) { return c >= 'A' && c <= 'Z' ? c | 0x20 : c; }

/* The month whose name is here, of twelve in small letters with a NUL behind each; -1 if none is. The longest counts. */
static int64_t take_month(written_cell *r, const uint8_t *names) {
    int64_t month = -1, longest = 0;
    for (int64_t k = 1; k <= 12; k++) {
        int64_t n = (int64_t)strlen((const char *)names), i = 0;
        while (i < n && r->s + i < r->end && lower(r->s[i]) == names[i]) i++;
        if (i == n && n > longest) month = k, longest = n;
        names += n + 1;
    }
    r->s += longest;
    return month;
}

static int take_directive(written_cell *r, uint8_t what, const csv_format *f, moment *t) {
    switch (what) {
    case 'b':
    case 'B': return f->names && (t->month = take_month(r, f->names)) >= 0;
    case 'Y': return (t->year = few_digits(r, 4, 4, 0, 9999)) >= 0;
    case 'y': {
        int64_t year = few_digits(r, 2, 2, 0, 99);
        t->year = year + (year > 68 ? 1900 : 2000);
        return year >= 0;
    }
    case 'm': return (t->month = few_digits(r, 1, 2, 1, 12)) >= 0;
    case 'd': return (t->day = few_digits(r, 1, 2, 1, 31)) >= 0;
    case 'H': return (t->hour = few_digits(r, 1, 2, 0, 23)) >= 0;
    case 'I': {
        int64_t hour = few_digits(r, 1, 2, 1, 12);
        t->hour = hour % 12;
        t->twelve = 1;
        return hour >= 0;
    }
    case 'M': return (t->minute = few_digits(r, 2, 2, 0, 59)) >= 0;
    case 'S': return (t->second = few_digits(r, 2, 2, 0, 59)) >= 0;
    case 'f': return (t->fraction = fraction_of_second(r)) >= 0;
    case 'p': return take_half(r, &t->half);
    case 'z': return take_zone(r, &t->zone);
    default: return 0;
    }
}

/* Whether a cell is written to its end as the rest of the pattern has it. */
static int take_pattern(written_cell *r, const uint8_t *p, const csv_format *f, moment *t) {
    const uint8_t *stop = f->pattern + f->pattern_size;
    while (p < stop) {
        if (*p != '%' || stop - p < 2) {
            if (r->s == r->end || *r->s++ != *p++) return 0;
            continue;
        }
        p++;
        while (p < stop && (*p == '-' || is_digit(*p))) p++; /* how it is written, not how it is read */
        if (p < stop && *p == '.') {
            p += 2;
            if (r->s == r->end || (*r->s != '.' && *r->s != ',')) continue;
            r->s++;
            if ((t->fraction = fraction_of_second(r)) < 0) return 0;
        } else if (p == stop || !take_directive(r, *p++, f, t)) return 0;
    }
    return r->s == r->end;
}

/* 0 if a day is in no calendar, or too far away. */
static inline int nanoseconds(const moment *t, int64_t *value) {
    if (!is_day(t)) return 0;
    int64_t days = days_since_1970(t->year, t->month, t->day);
    if (days > CSV_MOST_DAYS || days < -CSV_MOST_DAYS) return 0;
    int64_t minutes = 60 * (t->hour + (t->twelve ? t->half : 0)) + t->minute - t->zone;
    *value = (days * 86400 + 60 * minutes + t->second) * INT64_C(1000000000) + t->fraction;
    return 1;
}

/* 1 a time, 0 none. */
static int written_time(const uint8_t *s, int64_t n, const csv_format *f, int64_t *value) {
    written_cell r = {s, s + n, 0, 0, 0};
    trim_written(&r);
    moment t = {.year = 1970, .month = 1, .day = 1};
    return take_pattern(&r, f->pattern, f, &t) && nanoseconds(&t, value);
}

#endif
