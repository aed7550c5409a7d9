/* Part of scan.c: cells that spell numbers. */
#ifndef SATSUMA_CSV_NUMBERS_H
#define SATSUMA_CSV_NUMBERS_H
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

#define CSV_DIALLED 7 /* as many digits behind a plus are a telephone number */

static inline int is_blank(uint8_t c) { return c == ' ' || c == '\t'; }

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
    assert(k <= n);
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
    int dialled = s[0] == '+' && count >= CSV_DIALLED && n - first == count;
    if (!loose && (zeros || (whole && (dialled || !fits || m > (UINT64_C(1) << 53))))) return 0;
    double v;
    if ((!fits || !quick_value(m, e, &v)) && !slow_value(s, n, decimal, thousands, &v)) return -1;
    *value = negative ? -v : v;
    return isinf(v) ? 2 : 1;
}

#endif
