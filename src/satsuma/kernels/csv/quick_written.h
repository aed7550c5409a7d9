/* Part of scan.c: numbers and times as people write them, taken many bytes at a time. Whatever is not
   of the shape that most have is left to written.h. */
#ifndef SATSUMA_CSV_QUICK_WRITTEN_H
#define SATSUMA_CSV_QUICK_WRITTEN_H
#include <stdint.h>
#include <string.h>

#include "quick.h"
#include "scan.h"
#include "written.h"

#ifdef CSV_QUICK
#define LONGEST_TIME 32 /* bytes */

enum { CENTURY, YEAR, MONTH, MONTH_DAY, HOUR, MINUTE, SECOND, FIELDS }; /* two digits each */

typedef struct { /* a format made ready */
    int ready;
    /* of numbers */
    uint64_t before, after, before_mask, after_mask; /* the text, and which of the next or last 8 bytes it takes */
    uint32_t before_size, after_size;
    double unit; /* what 1 stands for */
    /* of times: the start of the pattern as long as all have the same size, digits at their most */
    uint32_t size;
    int short_year;
    const uint8_t *rest;          /* of the pattern */
    uint8_t letters[LONGEST_TIME]; /* and '0' for digits */
    uint8_t most[LONGEST_TIME];    /* that a byte may be above its letter */
    uint8_t order[2][16];          /* where the digits of the fields are, in either half */
    int16_t missing[8];            /* what the fields are that are not there */
} quick_format;

static inline uint64_t eight_bytes(const uint8_t *s) {
    uint64_t word;
    memcpy(&word, s, 8);
    return word;
}

static int ready_number(quick_format *q, const csv_format *f) {
    uint8_t room[8] = {0};
    if (f->before_size > 8 || f->after_size > 8) return 0;
    q->before_size = (uint32_t)f->before_size;
    q->after_size = (uint32_t)f->after_size;
    q->unit = f->percent ? 100 : 1;
    if (f->before_size) memcpy(room, f->before, q->before_size);
    q->before = eight_bytes(room);
    q->before_mask = q->before_size ? ~UINT64_C(0) >> (64 - 8 * q->before_size) : 0;
    memset(room, 0, sizeof room);
    if (f->after_size) memcpy(room + 8 - f->after_size, f->after, q->after_size);
    q->after = eight_bytes(room);
    q->after_mask = q->after_size ? ~UINT64_C(0) << (64 - 8 * q->after_size) : 0;
    return 1;
}

/* Two digits more, those of a field, and of a year four. */
static int ready_digits(quick_format *q, int field, int count, int *seen) {
    if (q->size + 2 * (uint32_t)count > LONGEST_TIME) return 0;
    for (int k = 0; k < 2 * count; k++, q->size++) {
        q->letters[q->size] = '0';
        q->most[q->size] = 9;
        q->order[q->size / 16][2 * field + k] = q->size % 16;
    }
    for (int k = field; k < field + count; k++) {
        if (*seen >> k & 1) return 0;
        *seen |= 1 << k;
        q->missing[k] = 0;
    }
    return 1;
}

/* The fields of a pattern up to the first whose size is not known. */
static int ready_time(quick_format *q, const csv_format *f) {
    static const char LETTERS[] = "YmdHMS";
    static const int OF_LETTER[] = {CENTURY, MONTH, MONTH_DAY, HOUR, MINUTE, SECOND};
    const uint8_t *p = f->pattern, *stop = p + f->pattern_size;
    int seen = 0;
    memset(q->order, 0x80, sizeof q->order);
    memset(q->most, 255, sizeof q->most);
    memcpy(q->missing, (int16_t[8]){19, 70, 1, 1}, sizeof q->missing);
    for (q->rest = p; p < stop; q->rest = p) {
        if (*p != '%') {
            if (q->size == LONGEST_TIME) return 0;
            q->most[q->size] = 0;
            q->letters[q->size++] = *p++;
            continue;
        }
        for (p++; p < stop && (*p == '-' || is_digit(*p)); p++);
        const char *letter = p < stop && *p ? strchr(LETTERS, *p) : NULL;
        if (p < stop && *p == 'y') {
            q->short_year = 1;
            q->missing[CENTURY] = 0;
            if (seen >> CENTURY & 1 || !ready_digits(q, YEAR, 1, &seen)) return 0;
        } else if (letter) {
            int field = OF_LETTER[letter - LETTERS];
            if (!ready_digits(q, field, field == CENTURY ? 2 : 1, &seen)) return 0;
        } else {
            break;
        }
        p++;
    }
    return q->size > 0;
}

/* Where the digits of a number with a mark between all thousands are, and a point at byte k of 16. */
#define RANK(k, i) ((k) < 16 ? (k) - (i) : 15 - (i))
#define PART(k, i) (int8_t)((i) > (k) ? (i) : ((k) < 16 ? (k) - 1 : 15) - RANK(k, i) - RANK(k, i) / 3)
#define PARTED(k)                                                                                             \
    {PART(k, 0), PART(k, 1), PART(k, 2),  PART(k, 3),  PART(k, 4),  PART(k, 5),  PART(k, 6),  PART(k, 7), \
     PART(k, 8), PART(k, 9), PART(k, 10), PART(k, 11), PART(k, 12), PART(k, 13), PART(k, 14), PART(k, 15)}
static const int8_t GROUPED[17][16] = {PARTED(0),  PARTED(1),  PARTED(2),  PARTED(3),  PARTED(4),  PARTED(5),
                                       PARTED(6),  PARTED(7),  PARTED(8),  PARTED(9),  PARTED(10), PARTED(11),
                                       PARTED(12), PARTED(13), PARTED(14), PARTED(15), PARTED(16)};

/* The marks between thousands before a point at byte k. */
static inline uint32_t marks_before(uint32_t k) { return UINT32_C(0x1111) << k >> 16; }

typedef struct { uint32_t start, stop, negative; } bare_cell;

/* The digits and marks of a cell, without its minus, currency and unit; 0 if it is of another shape.
   All 8 bytes from its start on and before its end can be read. */
static inline int strip_affixes(const uint8_t *b, const quick_format *q, bare_cell *c) {
    uint32_t start = c->start, stop = c->stop, negative = b[start] == '-';
    if (stop - start < negative + q->before_size + q->after_size + 1) return 0;
    start += negative;
    if ((eight_bytes(b + start) & q->before_mask) != q->before) return 0;
    start += q->before_size;
    if (!negative && b[start] == '-') negative = 1, start++;
    if (q->before_size && start < stop && b[start] == ' ') start++;
    if ((eight_bytes(b + stop - 8) & q->after_mask) != q->after) return 0;
    if (q->after_size) {
        stop -= q->after_size;
        if (stop > start && b[stop - 1] == ' ') stop--;
        else if (stop - start > 2 && b[stop - 2] == 0xC2 && b[stop - 1] == 0xA0) stop -= 2;
    }
    *c = (bare_cell){start, stop, negative};
    return stop > start && stop - start <= 16;
}

/* A number of up to 15 digits between two bytes, with or without marks between thousands; 0 if it
   is of another shape. All 16 bytes before its end can be read. */
CSV_QUICK static inline int quick_digits(const uint8_t *b, bare_cell c, const csv_format *f, const quick_format *q, double *out) {
    uint32_t n = c.stop - c.start;
    __m128i v = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(b + c.stop - 16)), _mm_set1_epi8('0'));
    v = _mm_and_si128(v, _mm_loadu_si128((const __m128i *)(LAST + n)));
    uint32_t points = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8((char)(f->decimal - '0'))));
    uint32_t marks = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8((char)(f->thousands - '0'))));
    uint32_t at = _tzcnt_u32(points | 1 << 16), first = 16 - n;
    if (marks && (marks != (marks_before(at) & ~UINT32_C(0) << first) || !is_digit(b[c.start]))) return 0;
    if ((at == first && n < 2) || (b[c.start] == '0' && n > 1 && at != first + 1)) return 0; /* no digit; a leading zero */
    v = _mm_shuffle_epi8(v, _mm_loadu_si128((const __m128i *)(marks ? GROUPED[at] : CLOSED[at])));
    const __m128i most = _mm_set_epi8(9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 0); /* 15 digits */
    if (!_mm_testz_si128(_mm_subs_epu8(v, most), _mm_set1_epi8(-1))) return 0;
    v = _mm_maddubs_epi16(v, _mm_set1_epi16(0x010A));
    v = _mm_madd_epi16(v, _mm_set1_epi32(0x00010064));
    v = _mm_packus_epi32(v, v);
    v = _mm_madd_epi16(v, _mm_set1_epi32(0x00012710));
    uint64_t two = (uint64_t)_mm_cvtsi128_si64(v);
    uint64_t m = (two & UINT32_MAX) * 100000000 + (two >> 32);
    *out = (double)(int64_t)m / (DIVISORS[at][c.negative] * q->unit);
    return 1;
}

/* The numbers of a column, as long as they are empty or of that shape. Returns how many were taken. */
CSV_QUICK static int64_t quick_amounts(const uint8_t *b, int64_t size, const uint32_t *starts, const uint32_t *stops, uint32_t skip,
                                       int64_t width, int64_t rows, const csv_format *f, const quick_format *q, double *out) {
    const uint32_t limit = size > 9 ? (uint32_t)size - 9 : 0; /* up to here 8 bytes can be read behind a minus */
    int64_t row = 0;
    for (; row < rows; row++, starts += width, stops += width) {
        bare_cell c = {*starts + skip, *stops, 0};
        if (c.stop == c.start) {
            out[row] = NAN;
            continue;
        }
        if (c.stop < 16 || c.stop > (uint32_t)size || c.start > limit) break; /* one that is DOUBLED is too large */
        if (!strip_affixes(b, q, &c) || c.stop < 16) break; /* what is left may end too near the front */
        if (!quick_digits(b, c, f, q, &out[row])) break;
    }
    return row;
}

/* The fields of a time that begin a cell; 0 if it is of another shape. 32 bytes can be read. */
CSV_QUICK static inline int quick_fields(const uint8_t *s, const quick_format *q, int16_t *fields) {
    __m128i over = _mm_setzero_si128(), digits = over;
    for (int k = 0; k < 2 && 16 * k < (int)q->size; k++) {
        __m128i v = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(s + 16 * k)), _mm_loadu_si128((const __m128i *)(q->letters + 16 * k)));
        over = _mm_or_si128(over, _mm_subs_epu8(v, _mm_loadu_si128((const __m128i *)(q->most + 16 * k))));
        digits = _mm_or_si128(digits, _mm_shuffle_epi8(v, _mm_loadu_si128((const __m128i *)q->order[k])));
    }
    const __m128i low = _mm_set_epi16(0, 0, 0, 0, 1, 1, 0, 0), high = _mm_set_epi16(0, 59, 59, 23, 31, 12, 99, 99);
    __m128i v = _mm_maddubs_epi16(digits, _mm_set1_epi16(0x010A));
    v = _mm_add_epi16(v, _mm_loadu_si128((const __m128i *)q->missing));
    over = _mm_or_si128(over, _mm_or_si128(_mm_cmpgt_epi16(low, v), _mm_cmpgt_epi16(v, high)));
    _mm_storeu_si128((__m128i *)fields, v);
    return _mm_testz_si128(over, over);
}

/* What `nanoseconds` has for the years between its first and its last; 0 for others, and no days. */
static inline int quick_moment(const moment *t, int64_t *value) {
    static const uint16_t BEFORE[] = {306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275}; /* from March on */
    uint32_t year = (uint32_t)t->year;
    if (year < 1678 || year > 2261 || (t->day > 28 && !is_day(t))) return 0;
    year -= t->month <= 2;
    int32_t days = (int32_t)(365 * year + year / 4 - year / 100 + year / 400) + BEFORE[t->month - 1] + (int32_t)t->day - 1 - 719468;
    *value = (days * INT64_C(86400) + 60 * (60 * t->hour + t->minute) + t->second) * INT64_C(1000000000);
    return 1;
}

/* The times of a column, as long as they are empty or begin as most do. Returns how many were taken. */
CSV_QUICK static int64_t quick_times(const uint8_t *b, int64_t size, const uint32_t *starts, const uint32_t *stops, uint32_t skip,
                                     int64_t width, int64_t rows, const csv_format *f, const quick_format *q, int64_t *out) {
    const uint32_t limit = size > LONGEST_TIME ? (uint32_t)(size - LONGEST_TIME) : 0;
    const uint8_t *stop = f->pattern + f->pattern_size;
    int64_t row = 0;
    for (; row < rows; row++, starts += width, stops += width) {
        uint32_t start = *starts + skip, n = *stops - start;
        int16_t t[8];
        if (!n) {
            out[row] = CSV_NO_TIME;
            continue;
        }
        if (start >= limit || (q->rest == stop ? n != q->size : n - q->size > 64) || !quick_fields(b + start, q, t)) break;
        int year = q->short_year ? t[YEAR] + (t[YEAR] > 68 ? 1900 : 2000) : 100 * t[CENTURY] + t[YEAR];
        moment found = {year, t[MONTH], t[MONTH_DAY], t[HOUR], 0, 0, t[MINUTE], t[SECOND], 0, 0};
        if (q->rest == stop) {
            if (!quick_moment(&found, &out[row])) break;
            continue;
        }
        written_cell rest = {b + start + q->size, b + start + n, 0, 0, 0};
        if (!take_pattern(&rest, q->rest, f, &found) || !nanoseconds(&found, &out[row])) break;
    }
    return row;
}
#endif

#endif
