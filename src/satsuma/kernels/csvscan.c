#define _GNU_SOURCE /* strtod_l */
#include "csvscan.h"

#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#define FREE_SLOT INT32_MIN
#define DOUBLED UINT32_C(0x80000000) /* on the end of a cell that holds doubled quotes */

static inline int is_line_end(uint8_t c) { return c == '\n' || c == '\r'; }
static inline int is_blank(uint8_t c) { return c == ' ' || c == '\t'; }

/* ------------------------------------------------------------------ lines and records */

static int64_t count_byte(const uint8_t *b, int64_t n, uint8_t byte) {
    int64_t count = 0, i = 0;
#ifdef __SSE2__
    const __m128i wanted = _mm_set1_epi8((char)byte), zero = _mm_setzero_si128();
    while (n - i >= 16) {
        __m128i sum = zero; /* 16 counters of a byte each: 255 steps at the most */
        for (int step = 0; step < 255 && n - i >= 16; step++, i += 16)
            sum = _mm_sub_epi8(sum, _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(b + i)), wanted));
        sum = _mm_sad_epu8(sum, zero);
        count += _mm_extract_epi16(sum, 0) + _mm_extract_epi16(sum, 4);
    }
#endif
    for (; i < n; i++) count += b[i] == byte;
    return count;
}

int64_t csv_count_lines(const uint8_t *b, int64_t n) {
    int64_t lines = count_byte(b, n, '\n');
    const uint8_t *end = b + n, *cr = b;
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

int64_t csv_cut(const uint8_t *b, int64_t n, uint8_t delimiter, uint8_t quote) {
    if (!quote || !memchr(b, quote, (size_t)n)) { /* every line end is the end of a record */
        int64_t i = n;
        while (i > 0 && !is_line_end(b[i - 1])) i--;
        if (i == n && i > 0 && b[i - 1] == '\r') /* an LF may follow */
            for (i--; i > 0 && !is_line_end(b[i - 1]); i--) {}
        return i;
    }
    int64_t cut = 0, next;
    while ((next = csv_record_end(b, cut, n, delimiter, quote)) >= 0) cut = next;
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
    if (f->base + 64 <= f->n) {
        f->mask = specials(f->b + f->base, f->delimiter);
    } else {
        uint8_t tail[64];
        int64_t size = f->n - f->base;
        memset(tail, f->delimiter == 'x' ? 'y' : 'x', sizeof tail);
        if (size > 0) memcpy(tail, f->b + f->base, (size_t)size);
        f->mask = specials(tail, f->delimiter);
    }
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

/* ------------------------------------------------------------------ UTF-8 */

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

/* ------------------------------------------------------------------ numbers */

static const double POWERS[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static double c_strtod(const char *s) {
#ifdef _WIN32
    static _locale_t c_locale;
    if (!c_locale) c_locale = _create_locale(LC_NUMERIC, "C");
    return _strtod_l(s, NULL, c_locale);
#else
    static locale_t c_locale; /* a race would only make it twice */
    if (!c_locale) c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return c_locale ? strtod_l(s, NULL, c_locale) : strtod(s, NULL);
#endif
}

/* m * 10^e, rounded once, where that is quick to know; 0 if not. */
static inline int quick_value(uint64_t m, int64_t e, double *value) {
    if (m < (UINT64_C(1) << 53) && e >= -22 && e <= 22) {
        *value = e < 0 ? (double)m / POWERS[-e] : (double)m * POWERS[e];
        return 1;
    }
#if LDBL_MANT_DIG == 64
    if (e >= -22 && e <= 0) { /* the quotient has 11 bits to spare: safe unless they are close to a tie */
        long double q = (long double)m / (long double)POWERS[-e];
        uint64_t mantissa;
        memcpy(&mantissa, &q, 8);
        uint64_t spare = mantissa & 0x7FF;
        if (spare < 0x3FE || spare > 0x402) {
            *value = (double)q;
            return 1;
        }
    }
#endif
    return 0;
}

/* The value without its sign; 0 if memory ran out. */
static int slow_value(const uint8_t *s, int64_t n, uint8_t decimal, uint8_t thousands, double *value) {
    char room[128], *text = n < (int64_t)sizeof room ? room : malloc((size_t)n + 1);
    int64_t k = 0;
    if (!text) return 0;
    for (int64_t i = 0; i < n; i++) {
        if (thousands && s[i] == thousands) continue;
        text[k++] = s[i] == decimal ? '.' : (char)s[i];
    }
    text[k] = 0;
    *value = fabs(c_strtod(text));
    if (text != room) free(text);
    return 1;
}

static int is_infinity(const uint8_t *s, int64_t n) {
    static const char word[] = "infinity";
    if (n != 3 && n != 8) return 0;
    for (int64_t i = 0; i < n; i++)
        if ((s[i] | 0x20) != (uint8_t)word[i]) return 0;
    return 1;
}

/* Digits from i on, taken into *m (which may overflow: 19 digits fit). Returns where they end. */
static inline int64_t digits(const uint8_t *s, int64_t i, int64_t n, uint64_t *m) {
    uint64_t v = *m;
    uint8_t c;
    for (; i < n && (c = (uint8_t)(s[i] - '0')) < 10; i++) v = v * 10 + c;
    *m = v;
    return i;
}

/* The same with a separator between groups of three; -1 if the groups are not right. */
static int64_t grouped_digits(const uint8_t *s, int64_t i, int64_t n, uint8_t thousands, uint64_t *m) {
    int64_t start = i;
    i = digits(s, i, n, m);
    if (i == n || s[i] != thousands) return i;
    if (i - start < 1 || i - start > 3) return -1;
    while (i < n && s[i] == thousands) {
        int64_t group = ++i;
        i = digits(s, i, n, m);
        if (i - group != 3) return -1;
    }
    return i;
}

#if defined(__x86_64__) && defined(__GNUC__)
#define QUICK_NUMBERS 1

/* The most common shapes (a sign, up to 16 characters of digits with at most one point, no leading
   zero) all at once. s[0..16] can be read. 0 if the shape is another. */
__attribute__((target("sse4.1"))) static inline int quick_number(const uint8_t *s, int64_t n, uint8_t decimal, double *value) {
    static const int8_t ALIGN[32] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                     0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15};
    uint64_t negative = s[0] == '-';
    s += negative;
    n -= (int64_t)negative;
    if (n < 1 || n > 16 || (s[0] == '0' && n > 1 && s[1] != decimal)) return 0;
    __m128i v = _mm_loadu_si128((const __m128i *)s);
    int points = _mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8((char)decimal)));
    int64_t at = __builtin_ctz((unsigned)points | 1u << n), count = n - (at < n);
    if (!count) return 0;
    /* Digits to the end, zeros before them, and the gap closed that the point leaves. */
    __m128i from = _mm_loadu_si128((const __m128i *)(ALIGN + count));
    from = _mm_sub_epi8(from, _mm_cmpgt_epi8(from, _mm_set1_epi8((char)(at - 1))));
    v = _mm_shuffle_epi8(_mm_sub_epi8(v, _mm_set1_epi8('0')), from);
    __m128i nines = _mm_set1_epi8(9);
    if (_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(v, nines), nines)) != 0xFFFF) return 0;
    v = _mm_maddubs_epi16(v, _mm_set1_epi16(0x010A));         /* pairs: 10 a + b */
    v = _mm_madd_epi16(v, _mm_set1_epi32(0x00010064));        /* fours: 100 a + b */
    v = _mm_packus_epi32(v, v);
    v = _mm_madd_epi16(v, _mm_set1_epi32(0x00012710));        /* eights: 10000 a + b */
    uint64_t eights = (uint64_t)_mm_cvtsi128_si64(v);
    uint64_t m = (eights & 0xFFFFFFFF) * UINT64_C(100000000) + (eights >> 32);
    if (m - 1 >= UINT64_C(1) << 53) return 0; /* too long; or zero, which has a sign */
    m = (m ^ -negative) + negative;           /* without a branch: signs are often a coin's */
    *value = (double)(int64_t)m / POWERS[count - at];
    return 1;
}
#endif

int csv_number(const uint8_t *s, int64_t n, uint8_t decimal, uint8_t thousands, int loose, double *value) {
    while (n && is_blank(s[0])) s++, n--;
    while (n && is_blank(s[n - 1])) n--;
    int64_t i = 0;
    int negative = n && s[0] == '-';
    if (negative || (n && s[0] == '+')) i++;
    uint64_t m = 0;
    int whole = 1;
    int64_t first = i, e = 0;
    i = thousands ? grouped_digits(s, i, n, thousands, &m) : digits(s, i, n, &m);
    if (i < 0) return 0;
    int64_t count = i - first;
    int zeros = count > 1 && s[first] == '0';
    for (int64_t k = first; thousands && k < i; k++) count -= s[k] == thousands;
    if (i < n && s[i] == decimal) {
        int64_t point = ++i;
        i = digits(s, i, n, &m);
        e = point - i;
        count += i - point;
        whole = 0;
    }
    if (!count) {
        if (!is_infinity(s + first, n - first)) return 0;
        *value = negative ? -INFINITY : INFINITY;
        return 2;
    }
    if (i < n && (s[i] | 0x20) == 'e') {
        int minus = ++i < n && s[i] == '-';
        if (minus || (i < n && s[i] == '+')) i++;
        int64_t power = 0, start = i;
        for (; i < n && (uint8_t)(s[i] - '0') < 10; i++)
            if (power < 100000) power = power * 10 + (s[i] - '0');
        if (i == start) return 0;
        e += minus ? -power : power;
        whole = 0;
    }
    if (i != n) return 0;
    int fits = count <= 19;
    if (!loose && (zeros || (whole && (!fits || m > (UINT64_C(1) << 53))))) return 0;
    double v;
    if ((!fits || !quick_value(m, e, &v)) && !slow_value(s, n, decimal, thousands, &v)) return -1;
    *value = negative ? -v : v;
    return isinf(v) ? 2 : 1;
}

/* ------------------------------------------------------------------ symbols */

static inline uint64_t mix(uint64_t h) {
    h ^= h >> 32;
    h *= UINT64_C(0x9E3779B97F4A7C15);
    return h ^ (h >> 29);
}

/* Spellings of up to 7 bytes are their own key, so that equal keys are equal spellings; the top
   byte holds the size, 0xFF for a longer one, whose key is a hash. */
static inline uint64_t key_of(const uint8_t *s, int64_t n, const uint8_t *limit) {
    uint64_t word = 0;
    if (n <= 7) {
        if (s + 8 <= limit) {
            memcpy(&word, s, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
            word = __builtin_bswap64(word);
#endif
            word &= (UINT64_C(1) << (8 * n)) - 1;
        } else {
            for (int64_t i = 0; i < n; i++) word |= (uint64_t)s[i] << (8 * i);
        }
        return word | (uint64_t)n << 56;
    }
    uint64_t h = (uint64_t)n * UINT64_C(0xD6E8FEB86659FD93);
    int64_t i = 0;
    for (; i + 8 <= n; i += 8) {
        memcpy(&word, s + i, 8);
        h = mix(h ^ word);
    }
    word = 0;
    for (int k = 0; i < n; i++, k += 8) word |= (uint64_t)s[i] << k;
    return mix(h ^ word) | UINT64_C(0xFF) << 56;
}

/* Where the search for a key starts: the top bits of a product are mixed best. */
static inline uint64_t home(const csv_symbols *t, uint64_t key) {
    return (key ^ key >> 29) * UINT64_C(0x9E3779B97F4A7C15) >> t->shift;
}

static int symbols_grow(csv_symbols *t) {
    csv_symbols old = *t;
    t->slots = old.slots ? 2 * old.slots : 64;
    t->shift = old.slots ? old.shift - 1 : 58;
    t->table = malloc((size_t)t->slots * sizeof *t->table);
    if (!t->table) {
        *t = old;
        return -1;
    }
    for (int64_t i = 0; i < t->slots; i++) t->table[i].code = FREE_SLOT;
    for (int64_t i = 0; i < old.slots; i++) {
        if (old.table[i].code == FREE_SLOT) continue;
        uint64_t p = home(t, old.table[i].key);
        while (t->table[p].code != FREE_SLOT) p = (p + 1) & (uint64_t)(t->slots - 1);
        t->table[p] = old.table[i];
    }
    free(old.table);
    return 0;
}

/* Remember a spelling under the next code. */
static int symbols_append(csv_symbols *t, const uint8_t *s, int64_t n) {
    if (t->used == t->ends_room) {
        int64_t room = t->ends_room ? 2 * t->ends_room : 16;
        int64_t *ends = realloc(t->ends, (size_t)room * sizeof *ends);
        if (!ends) return -1;
        t->ends = ends;
        t->ends_room = room;
    }
    if (t->arena_used + n > t->arena_room) {
        int64_t room = 2 * t->arena_room > t->arena_used + n ? 2 * t->arena_room : t->arena_used + n + 64;
        uint8_t *arena = realloc(t->arena, (size_t)room);
        if (!arena) return -1;
        t->arena = arena;
        t->arena_room = room;
    }
    if (n) memcpy(t->arena + t->arena_used, s, (size_t)n);
    t->arena_used += n;
    t->ends[t->used++] = t->arena_used;
    return 0;
}

static inline int same_spelling(const csv_symbols *t, int32_t code, const uint8_t *s, int64_t n) {
    int64_t start = code ? t->ends[code - 1] : 0;
    return t->ends[code] - start == n && !memcmp(t->arena + start, s, (size_t)n);
}

/* The code of a spelling, a new one if it was not seen; FREE_SLOT if memory ran out. */
static inline int32_t symbol_code(csv_symbols *t, const uint8_t *s, int64_t n, const uint8_t *limit) {
    uint64_t key = key_of(s, n, limit), p = home(t, key);
    for (; t->table[p].code != FREE_SLOT; p = (p + 1) & (uint64_t)(t->slots - 1))
        if (t->table[p].key == key && (n <= 7 || same_spelling(t, t->table[p].code, s, n))) return t->table[p].code;
    if (symbols_append(t, s, n)) return FREE_SLOT;
    int32_t code = (int32_t)(t->used - 1);
    t->table[p] = (csv_slot){key, code};
    if (4 * ++t->filled > t->slots && symbols_grow(t)) return FREE_SLOT;
    return code;
}

/* A short mark of a missing cell stands in the table with the code -1. */
static int symbols_mark(csv_symbols *t, const uint8_t *s, int64_t n) {
    if (n > 7) return 0;
    uint64_t key = key_of(s, n, s), p = home(t, key);
    for (; t->table[p].code != FREE_SLOT; p = (p + 1) & (uint64_t)(t->slots - 1))
        if (t->table[p].key == key) return 0;
    t->table[p] = (csv_slot){key, -1};
    return 4 * ++t->filled > t->slots ? symbols_grow(t) : 0;
}

/* ------------------------------------------------------------------ rows

   Rows are split into cells, and when some hundred good ones have come together they are put
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
