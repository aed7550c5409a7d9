/* Part of scan.c: where lines, records and cells end, and whether bytes are UTF-8. */
#ifndef SATSUMA_CSV_LINES_H
#define SATSUMA_CSV_LINES_H
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

static inline int is_line_end(uint8_t c) { return c == '\n' || c == '\r'; }

/* A letter that is neither of the two. */
static inline uint8_t neither(uint8_t a, uint8_t b) {
    return a != 'x' && b != 'x' ? 'x' : a != 'y' && b != 'y' ? 'y' : 'z';
}

/* The 64 bytes from `i` on: where they are or, past the end, in `tail`, with letters that are neither in their place. */
static inline const uint8_t *window_at(const uint8_t *b, int64_t n, int64_t i, uint8_t delimiter, uint8_t quote,
                                       uint8_t tail[64]) {
    if (n - i >= 64) return b + i;
    memset(tail, neither(delimiter, quote), 64);
    if (n > i) memcpy(tail, b + i, (size_t)(n - i));
    return tail;
}

/* How many LF there are, and whether there is a CR and a quote among them. */
typedef struct {
    int64_t lf;
    int cr, quote;
} survey;

static survey look_through(const uint8_t *b, int64_t n, uint8_t quote) {
    survey found = {0, 0, 0};
    int64_t i = 0;
#ifdef __SSE2__
    const __m128i lf = _mm_set1_epi8('\n'), cr = _mm_set1_epi8('\r'), q = _mm_set1_epi8((char)quote);
    const __m128i zero = _mm_setzero_si128();
    __m128i crs = zero, quotes = zero;
    while (n - i >= 32) {
        __m128i sum = zero; /* 16 counters of a byte each: 255 at the most */
        for (int step = 0; step < 127 && n - i >= 32; step++, i += 32) {
            __m128i v = _mm_loadu_si128((const __m128i *)(b + i)), w = _mm_loadu_si128((const __m128i *)(b + i + 16));
            sum = _mm_sub_epi8(sum, _mm_add_epi8(_mm_cmpeq_epi8(v, lf), _mm_cmpeq_epi8(w, lf)));
            crs = _mm_or_si128(crs, _mm_or_si128(_mm_cmpeq_epi8(v, cr), _mm_cmpeq_epi8(w, cr)));
            quotes = _mm_or_si128(quotes, _mm_or_si128(_mm_cmpeq_epi8(v, q), _mm_cmpeq_epi8(w, q)));
        }
        sum = _mm_sad_epu8(sum, zero);
        found.lf += _mm_extract_epi16(sum, 0) + _mm_extract_epi16(sum, 4);
    }
    found.cr = _mm_movemask_epi8(crs) != 0;
    found.quote = _mm_movemask_epi8(quotes) != 0;
#endif
    for (; i < n; i++) {
        found.lf += b[i] == '\n';
        found.cr |= b[i] == '\r';
        found.quote |= b[i] == quote;
    }
    return found;
}

int64_t csv_count_lines(const uint8_t *b, int64_t n) {
    survey found = look_through(b, n, 0);
    int64_t lines = found.lf;
    const uint8_t *end = b + n, *cr = found.cr ? b : end;
    while (cr < end && (cr = memchr(cr, '\r', (size_t)(end - cr)))) {
        cr++;
        lines += cr == end || *cr != '\n';
    }
    return lines + (n && !is_line_end(b[n - 1]));
}

/* The closing quote of a field whose content starts at i: its place, or n if there is none. */
static int64_t closing_quote(const uint8_t *b, int64_t i, int64_t n, uint8_t quote, int *doubled) {
    while (i < n) {
        const uint8_t *q = memchr(b + i, quote, (size_t)(n - i));
        if (!q) return n;
        i = q - b;
        if (i + 1 < n && b[i + 1] == quote) {
            *doubled = 1;
            i += 2;
        } else {
            return i;
        }
    }
    return n;
}

/* After the line end at i (LF, CR LF or CR). */
static inline int64_t past_line_end(const uint8_t *b, int64_t i, int64_t n) {
    return i + 1 + (b[i] == '\r' && i + 1 < n && b[i + 1] == '\n');
}

int64_t csv_record_end(const uint8_t *b, int64_t from, int64_t n, uint8_t delimiter, uint8_t quote) {
    int64_t i = from;
    int doubled;
    while (i < n) {
        if (quote && b[i] == quote) {
            i = closing_quote(b, i + 1, n, quote, &doubled);
            if (i >= n - 1) return -1; /* unclosed, or the quote may yet be doubled */
            i++;
        }
        while (i < n && b[i] != delimiter && !is_line_end(b[i])) i++;
        if (i == n) return -1;
        if (b[i] == '\r' && i + 1 == n) return -1; /* an LF may follow */
        if (b[i] != delimiter) return past_line_end(b, i, n);
        i++;
    }
    return -1;
}

/* The number of the last bit of some. */
static inline int last_bit(uint64_t bits) {
#ifdef __GNUC__
    return 63 - __builtin_clzll(bits);
#else
    int at = 0;
    while (bits >>= 1) at++;
    return at;
#endif
}

/* A bit for each place with an odd number of bits at and below it. */
static inline uint64_t parities(uint64_t bits) {
    for (int k = 1; k < 64; k *= 2) bits ^= bits << k;
    return bits;
}

/* The bytes of 64 that are c, a bit each. */
static inline uint64_t bytes_like(const uint8_t *p, uint8_t c) {
    uint64_t mask = 0;
#ifdef __SSE2__
    for (int k = 0; k < 4; k++)
        mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(p + 16 * k)), _mm_set1_epi8((char)c))) << (16 * k);
#else
    for (int k = 0; k < 64; k++) mask |= (uint64_t)(p[k] == c) << k;
#endif
    return mask;
}

/* Where a record ends before n, the last one in whole windows in which each quote opens a cell, closes
   one, or is doubled; 0 if there is none. */
static int64_t steady_cut(const uint8_t *b, int64_t n, uint8_t delimiter, uint8_t quote) {
    int64_t cut = 0;
    uint64_t open = 0, edge = 1, closed = 0; /* what the last window leaves to this one */
    for (int64_t i = 0; n - i > 64; i += 64) {
        uint64_t quotes = bytes_like(b + i, quote), inside = parities(quotes) ^ open;
        uint64_t ends = (bytes_like(b + i, '\n') | bytes_like(b + i, '\r')) & ~inside, closing = quotes & ~inside;
        uint64_t edges = ends | (bytes_like(b + i, delimiter) & ~inside), behind = closing << 1 | closed;
        if ((quotes & inside & ~(edges << 1 | edge | behind)) | (behind & ~(edges | quotes))) break;
        open = inside >> 63 ? ~UINT64_C(0) : 0;
        edge = edges >> 63;
        closed = closing >> 63;
        if (ends) cut = past_line_end(b, i + last_bit(ends), n);
    }
    return cut;
}

int64_t csv_cut(const uint8_t *b, int64_t n, uint8_t delimiter, uint8_t quote, int64_t *lines) {
    survey found = look_through(b, n, quote);
    int64_t cut = 0, next;
    if (!quote || !found.quote) { /* every line end is the end of a record */
        cut = n;
        while (cut > 0 && !is_line_end(b[cut - 1])) cut--;
        if (cut == n && cut > 0 && b[cut - 1] == '\r') /* an LF may follow */
            for (cut--; cut > 0 && !is_line_end(b[cut - 1]); cut--) {}
    } else {
        cut = steady_cut(b, n, delimiter, quote);
        while ((next = csv_record_end(b, cut, n, delimiter, quote)) >= 0) cut = next;
    }
    *lines = found.cr ? csv_count_lines(b, cut) : found.lf - look_through(b + cut, n - cut, 0).lf;
    return cut;
}

/* A window of 64 bytes, in which the delimiters and line ends are bits of a mask. */
typedef struct {
    const uint8_t *b;
    int64_t n, base;
    uint64_t mask;
    uint8_t delimiter;
} finder;

static inline uint64_t specials(const uint8_t *p, uint8_t delimiter) {
    uint64_t mask = 0;
#ifdef __SSE2__
    const __m128i d = _mm_set1_epi8((char)delimiter), lf = _mm_set1_epi8('\n'), cr = _mm_set1_epi8('\r');
    for (int k = 0; k < 4; k++) {
        __m128i v = _mm_loadu_si128((const __m128i *)(p + 16 * k));
        __m128i hit = _mm_or_si128(_mm_cmpeq_epi8(v, d), _mm_or_si128(_mm_cmpeq_epi8(v, lf), _mm_cmpeq_epi8(v, cr)));
        mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(hit) << (16 * k);
    }
#else
    for (int k = 0; k < 64; k++) mask |= (uint64_t)((p[k] == delimiter) | (p[k] == '\n') | (p[k] == '\r')) << k;
#endif
    return mask;
}

static void load_window(finder *f) {
    uint8_t tail[64];
    f->mask = specials(window_at(f->b, f->n, f->base, f->delimiter, 0, tail), f->delimiter);
}

static void seek_to(finder *f, int64_t i) {
    if (i >= f->base && i < f->base + 64) {
        f->mask &= ~UINT64_C(0) << (i - f->base);
        return;
    }
    f->base = i;
    load_window(f);
}

/* The next delimiter or line end; n past the last. */
static inline int64_t next_special(finder *f) {
    while (!f->mask) {
        f->base += 64;
        if (f->base >= f->n) return f->n;
        load_window(f);
    }
#ifdef __GNUC__
    int at = __builtin_ctzll(f->mask);
#else
    int at = 0;
    while (!(f->mask >> at & 1)) at++;
#endif
    f->mask &= f->mask - 1;
    return f->base + at;
}


static int is_ascii(const uint8_t *b, int64_t n) {
    uint64_t any = 0, word;
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        memcpy(&word, b + i, 8);
        any |= word;
    }
    for (; i < n; i++) any |= (uint64_t)b[i] << 56;
    return !(any & UINT64_C(0x8080808080808080));
}

static int is_utf8(const uint8_t *b, int64_t n) {
    for (int64_t i = 0; i < n;) {
        uint8_t c = b[i];
        if (c < 0x80) {
            i++;
            continue;
        }
        int more = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : 1;
        if (c < 0xC2 || c > 0xF4 || n - i <= more) return 0;
        uint8_t d = b[i + 1];
        if ((c == 0xE0 && d < 0xA0) || (c == 0xED && d > 0x9F) || (c == 0xF0 && d < 0x90) || (c == 0xF4 && d > 0x8F)) return 0;
        for (int k = 1; k <= more; k++)
            if ((b[i + k] & 0xC0) != 0x80) return 0;
        i += 1 + more;
    }
    return 1;
}

#endif
