#include "spelling.h"

#include <math.h>
#include <string.h>

#define WHOLE 9007199254740992.0 /* 2^53 */
#define DIGITS 20                /* of a whole number of 64 bits, at most */

/* ---- the shortest decimal that is read as a number (Giulietti 2020, "The Schubfach way to render doubles") */

static uint64_t high_product(uint64_t a, uint64_t b, uint64_t *low) {
#ifdef __SIZEOF_INT128__
    unsigned __int128 product = (unsigned __int128)a * b;
    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
#else
    uint64_t a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
    uint64_t p00 = a0 * b0, p01 = a0 * b1, p10 = a1 * b0, mid = p10 + (p00 >> 32) + (p01 & 0xffffffff);
    *low = (mid << 32) | (p00 & 0xffffffff);
    return a1 * b1 + (mid >> 32) + (p01 >> 32);
#endif
}

/* The upper part of a product of 128 and 64 bits; its last bit says whether anything was cut off. */
static uint64_t to_odd(const uint64_t power[2], uint64_t x) {
    uint64_t low, ignored, carried = high_product(power[1], x, &ignored);
    uint64_t high = high_product(power[0], x, &low);
    low += carried;
    high += low < carried;
    return high | (low > 1);
}

static int floor_shift(int64_t x, int bits) { return (int)((x >= 0) ? x >> bits : -((-x + (1 << bits) - 1) >> bits)); }

/* digits * 10^exponent, for a finite number above 0 */
static uint64_t shortest(double x, spelling_powers powers, int *exponent) {
    uint64_t bits, fraction, c;
    memcpy(&bits, &x, sizeof bits);
    fraction = bits & 0xfffffffffffff;
    int biased = (int)(bits >> 52), q = biased ? biased - 1075 : -1074, closer = !fraction && biased > 1;
    c = biased ? fraction | (1ULL << 52) : fraction;
    /* Everything from lower to upper is read as x; all of it is four times as great as it should be. */
    int k = floor_shift((int64_t)q * 1262611 - (closer ? 524031 : 0), 22);
    int h = q + floor_shift((int64_t)-k * 1741647, 19) + 1, odd = (int)(c & 1);
    const uint64_t *power = powers[-k - SPELLING_LEAST];
    uint64_t lower = to_odd(power, (4 * c - 2 + (uint64_t)closer) << h) + (uint64_t)odd;
    uint64_t middle = to_odd(power, (4 * c) << h), upper = to_odd(power, (4 * c + 2) << h) - (uint64_t)odd;
    uint64_t s = middle / 4;
    *exponent = k;
    if (s >= 10) {
        uint64_t ten = s / 10;
        int below = lower <= 40 * ten, above = 40 * ten + 40 <= upper;
        if (below != above) {
            *exponent = k + 1;
            return ten + (uint64_t)above;
        }
    }
    int below = lower <= 4 * s, above = 4 * s + 4 <= upper;
    if (below != above) return s + (uint64_t)above;
    uint64_t half = 4 * s + 2;
    return s + (middle > half || (middle == half && (s & 1)));
}

/* ---- text */

/* Most texts are a few bytes long: two words that overlap are faster than a call that copies any number of them. */
#define OVERLAPPING(word)                                     \
    word head, tail;                                          \
    memcpy(&head, text, sizeof head);                         \
    memcpy(&tail, text + size - sizeof tail, sizeof tail);    \
    memcpy(out, &head, sizeof head);                          \
    memcpy(out + size - sizeof tail, &tail, sizeof tail);

static inline char *put(char *out, const char *text, int64_t size) {
    if (size == 1) { /* a delimiter, most often */
        *out = *text;
    } else if (size > 16) {
        memcpy(out, text, (size_t)size);
    } else if (size >= 8) {
        OVERLAPPING(uint64_t)
    } else if (size >= 4) {
        OVERLAPPING(uint32_t)
    } else if (size >= 2) {
        OVERLAPPING(uint16_t)
    }
    return out + size;
}

static const char PAIRS[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                            "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                            "8081828384858687888990919293949596979899";

static char *put_pair(char *end, uint32_t x) {
    memcpy(end - 2, PAIRS + 2 * x, 2);
    return end - 2;
}

/* Eight digits at once do not wait for each other. */
static char *put_eight(char *end, uint32_t x) {
    uint32_t upper = x / 10000, lower = x % 10000;
    put_pair(end, lower % 100);
    put_pair(end - 2, lower / 100);
    put_pair(end - 4, upper % 100);
    return put_pair(end - 6, upper / 100);
}

/* Digits from their end; says how many there are. */
static int spelled_whole(uint64_t x, char *end) {
    char *at = end;
    if (x >= 1000000000000000 && x < 100000000000000000) { /* 16 or 17, as most fractions have */
        uint64_t most = x / 100000000;
        at = put_eight(put_eight(at, (uint32_t)(x % 100000000)), (uint32_t)(most % 100000000));
        at[-1] = (char)('0' + most / 100000000);
        return 16 + (most >= 100000000);
    }
    for (; x >= 100000000; x /= 100000000) at = put_eight(at, (uint32_t)(x % 100000000));
    uint32_t rest = (uint32_t)x;
    for (; rest >= 100; rest /= 100) at = put_pair(at, rest % 100);
    if (rest >= 10) at = put_pair(at, rest);
    else *--at = (char)('0' + rest);
    return (int)(end - at);
}

/* As many bytes as any number has, of which some count: there is room behind both places. */
static char *put_some(char *out, const char *digits, int size) {
    memcpy(out, digits, DIGITS);
    return out + size;
}

static char *put_whole(char *out, uint64_t x) {
    char digits[2 * DIGITS] = {0};
    int size = spelled_whole(x, digits + DIGITS);
    return put_some(out, digits + DIGITS - size, size);
}

static char *put_zeros(char *out, int count) {
    memset(out, '0', (size_t)count);
    return out + count;
}

/* Zeros at the end of `x` go to the exponent. */
#define STRIP(power, zeros)      \
    while (x % (power) == 0) {   \
        x /= (power);            \
        exponent += (zeros);     \
    }

/* As Python's repr has it: with an exponent below 0.0001 and from 1e16 on. */
static char *put_digits(char *out, uint64_t x, int exponent) {
    char digits[2 * DIGITS] = {0}, *first;
    STRIP(100000000, 8)
    STRIP(10000, 4)
    STRIP(100, 2)
    STRIP(10, 1)
    int size = spelled_whole(x, digits + DIGITS), point = size + exponent;
    first = digits + DIGITS - size;
    if (point <= -4 || point > 16) {
        *out++ = *first;
        if (size > 1) *out++ = '.';
        out = put_some(out, first + 1, size - 1);
        int power = point - 1;
        *out++ = 'e';
        *out++ = power < 0 ? '-' : '+';
        power = power < 0 ? -power : power;
        if (power < 10) *out++ = '0';
        return put_whole(out, (uint64_t)power);
    }
    if (point <= 0) {
        memcpy(out, "0.000", 5);
        return put_some(out + 2 - point, first, size);
    }
    if (point >= size) return put(put_zeros(put_some(out, first, size), point - size), ".0", 2);
    out = put_some(out, first, point);
    *out++ = '.';
    return put_some(out, first + point, size - point);
}

static char *put_number(char *out, double x, spelling_powers powers) {
    int exponent;
    double size = fabs(x);
    *out = '-';
    out += signbit(x) != 0;
    if (isinf(x)) return put(out, "inf", 3);
    if (size == 0.0) return signbit(x) ? put(out, "0.0", 3) : put(out, "0", 1);
    if (size < WHOLE && size == (double)(uint64_t)size) return put_whole(out, (uint64_t)size);
    uint64_t digits = shortest(size, powers, &exponent);
    return put_digits(out, digits, exponent);
}

static int64_t string_at(const spelling_column *c, int64_t row) {
    return c->code[row] < 0 ? c->strings - 1 : c->code[row];
}

int64_t spelling_size(int64_t rows, int64_t columns, const spelling_column *c, spelling_text end,
                      spelling_text missing) {
    int64_t size = rows * end.size;
    for (int64_t j = 0; j < columns; j++) {
        size += rows * c[j].before.size;
        if (c[j].number) size += rows * (missing.size > SPELLING_LONGEST ? missing.size : SPELLING_LONGEST);
        else
            for (int64_t i = 0; i < rows; i++) {
                int64_t at = string_at(&c[j], i);
                size += c[j].edge[at + 1] - c[j].edge[at];
            }
    }
    return size;
}

int64_t spelling_lines(int64_t rows, int64_t columns, const spelling_column *c, spelling_text end,
                       spelling_text missing, spelling_powers powers, char *out) {
    char *start = out;
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < columns; j++) {
            out = put(out, c[j].before.at, c[j].before.size);
            if (c[j].number) {
                double x = c[j].number[i * c[j].step];
                out = isnan(x) ? put(out, missing.at, missing.size) : put_number(out, x, powers);
            } else {
                int64_t at = string_at(&c[j], i);
                out = put(out, c[j].text + c[j].edge[at], c[j].edge[at + 1] - c[j].edge[at]);
            }
        }
        out = put(out, end.at, end.size);
    }
    return out - start;
}
