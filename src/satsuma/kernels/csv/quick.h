/* Part of scan.c: what most blocks are made of, taken many bytes at a time on machines that have
   AVX2. Whatever is not of that shape is left to the loops that define it. */
#ifndef SATSUMA_CSV_QUICK_H
#define SATSUMA_CSV_QUICK_H
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define CSV_QUICK __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define CSV_WIDE __attribute__((target("avx2,bmi,bmi2,popcnt,avx512f,avx512bw,avx512vbmi2")))

/* 2 if the machine has what CSV_WIDE asks for, 1 for CSV_QUICK, 0 for neither. */
static int quickness(void) {
    int quick = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                __builtin_cpu_supports("popcnt");
    int wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi2");
    return quick + (quick && wide);
}

typedef struct { /* of 64 bytes, a bit each */
    uint64_t places;      /* delimiters and LF */
    uint64_t ends;        /* LF */
    uint64_t quotes, crs; /* where rows are framed by them; strange elsewhere */
    uint64_t strange;     /* NUL, and what is not ASCII, unless that is welcome */
} csv_window;

CSV_QUICK static inline csv_window look_quick(const uint8_t *p, uint8_t delimiter, uint8_t quote, int welcome, int framed) {
    const __m256i d = _mm256_set1_epi8((char)delimiter), q = _mm256_set1_epi8((char)quote), zero = _mm256_setzero_si256(),
                  lf = _mm256_set1_epi8('\n'), cr = _mm256_set1_epi8('\r');
    csv_window w = {0, 0, 0, 0, 0};
    for (int k = 0; k < 64; k += 32) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(p + k)), end = _mm256_cmpeq_epi8(v, lf);
        __m256i quotes = _mm256_cmpeq_epi8(v, q), crs = _mm256_cmpeq_epi8(v, cr);
        __m256i strange = _mm256_or_si256(_mm256_cmpeq_epi8(v, zero), welcome ? zero : v);
        if (framed) {
            w.quotes |= (uint64_t)(uint32_t)_mm256_movemask_epi8(quotes) << k;
            w.crs |= (uint64_t)(uint32_t)_mm256_movemask_epi8(crs) << k;
        } else {
            strange = _mm256_or_si256(strange, _mm256_or_si256(quotes, crs));
        }
        w.ends |= (uint64_t)(uint32_t)_mm256_movemask_epi8(end) << k;
        w.places |= (uint64_t)(uint32_t)_mm256_movemask_epi8(_mm256_or_si256(end, _mm256_cmpeq_epi8(v, d))) << k;
        w.strange |= (uint64_t)(uint32_t)_mm256_movemask_epi8(strange) << k;
    }
    return w;
}

CSV_WIDE static inline csv_window look_wide(const uint8_t *p, uint8_t delimiter, uint8_t quote, int welcome, int framed) {
    __m512i v = _mm512_loadu_si512(p);
    csv_window w = {0, 0, 0, 0, 0};
    uint64_t quotes = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8((char)quote)), crs = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\r'));
    w.ends = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\n'));
    w.places = w.ends | _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8((char)delimiter));
    w.strange = _mm512_testn_epi8_mask(v, v) | (welcome ? 0 : _mm512_movepi8_mask(v));
    if (framed) w.quotes = quotes, w.crs = crs;
    else w.strange |= quotes | crs;
    return w;
}

/* Write where the bits of a mask are; up to 16 more words behind them are spoiled. */
CSV_QUICK static inline void write_places_quick(uint64_t mask, uint32_t base, uint32_t *places) {
    do {
        for (int k = 0; k < 12; k++) { /* no branch for each: how many there are cannot be foreseen */
            places[k] = base + (uint32_t)_tzcnt_u64(mask);
            mask = _blsr_u64(mask);
        }
        places += 12;
    } while (mask);
}

CSV_WIDE static inline void write_places_wide(uint64_t mask, uint32_t base, uint32_t *places) {
    static const uint8_t EACH[64] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                     22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
                                     44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    const __m512i from = _mm512_set1_epi32((int)base);
    __m512i at = _mm512_maskz_compress_epi8(mask, _mm512_loadu_si512(EACH));
    for (int left = __builtin_popcountll(mask);; left -= 16, places += 16) {
        _mm512_storeu_si512(places, _mm512_add_epi32(from, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(at))));
        if (left <= 16) return;
        at = _mm512_alignr_epi64(at, at, 2);
    }
}

/* What closes the gap of a point at byte k of 16: the bytes before it move up by one. At 16 there is
   no point, at 17 no number. */
#define BYTES(k, i) (int8_t)((i) - ((i) <= (k) && (k) < 16))
#define CLOSE(k)                                                                                              \
    {BYTES(k, 0), BYTES(k, 1), BYTES(k, 2),  BYTES(k, 3),  BYTES(k, 4),  BYTES(k, 5),  BYTES(k, 6),  BYTES(k, 7), \
     BYTES(k, 8), BYTES(k, 9), BYTES(k, 10), BYTES(k, 11), BYTES(k, 12), BYTES(k, 13), BYTES(k, 14), BYTES(k, 15)}
static const int8_t CLOSED[18][16] = {CLOSE(0),  CLOSE(1),  CLOSE(2),  CLOSE(3),  CLOSE(4),  CLOSE(5),
                                      CLOSE(6),  CLOSE(7),  CLOSE(8),  CLOSE(9),  CLOSE(10), CLOSE(11),
                                      CLOSE(12), CLOSE(13), CLOSE(14), CLOSE(15), CLOSE(16), CLOSE(17)};

/* What to divide by when there is a point at byte k, and the same below zero. */
static const double DIVISORS[18][2] = {{1e15, -1e15}, {1e14, -1e14}, {1e13, -1e13}, {1e12, -1e12}, {1e11, -1e11}, {1e10, -1e10},
                                       {1e9, -1e9},   {1e8, -1e8},   {1e7, -1e7},   {1e6, -1e6},   {1e5, -1e5},   {1e4, -1e4},
                                       {1e3, -1e3},   {1e2, -1e2},   {1e1, -1e1},   {1e0, -1e0},   {1e0, -1e0},   {NAN, NAN}};

/* The last n bytes of 16, from n on. */
static const uint8_t LAST[32] = {0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
                                 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};

CSV_QUICK static inline __m256i two_of(const void *low, const void *high) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(low)), _mm_loadu_si128(high), 1);
}

/* The first of the last n bytes of 16, where there are two or more. */
#define IS(n, i) ((n) > 1 && (i) == 16 - (n) ? 255 : 0)
#define ONLY(n)                                                                            \
    {IS(n, 0), IS(n, 1), IS(n, 2),  IS(n, 3),  IS(n, 4),  IS(n, 5),  IS(n, 6),  IS(n, 7),  \
     IS(n, 8), IS(n, 9), IS(n, 10), IS(n, 11), IS(n, 12), IS(n, 13), IS(n, 14), IS(n, 15)}
static const uint8_t FIRST[17][16] = {ONLY(0), ONLY(1),  ONLY(2),  ONLY(3),  ONLY(4),  ONLY(5),  ONLY(6),  ONLY(7), ONLY(8),
                                      ONLY(9), ONLY(10), ONLY(11), ONLY(12), ONLY(13), ONLY(14), ONLY(15), ONLY(16)};

/* The numbers of a column, two at a time, as long as both are empty or have up to 15 digits, perhaps
   a minus and a point, and no leading zero. They end at 16 or later and before `limit`, the last
   byte that can be read; a minus is no delimiter and no quote. Returns how many were taken. */
CSV_QUICK static int64_t quick_numbers(const uint8_t *b, const uint32_t *starts, const uint32_t *stops, uint32_t skip, int64_t width,
                                       int64_t rows, uint32_t limit, uint8_t decimal, double *out) {
    const __m256i point = _mm256_set1_epi8((char)(decimal - '0')), zero = _mm256_set1_epi8('0');
    const __m256i most = _mm256_broadcastsi128_si256(_mm_set_epi8(9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 0)); /* 15 digits */
    const __m256i tens = _mm256_set1_epi16(0x010A), hundreds = _mm256_set1_epi32(0x00010064),
                  myriads = _mm256_set1_epi32(0x00012710), eights = _mm256_set1_epi64x(100000000);
    const __m128i whole = _mm_set1_epi64x(0x4330000000000000); /* 2^52: a whole number below it is added as bits */
    int64_t row = 0;
    for (; row + 1 < rows; row += 2, starts += 2 * width, stops += 2 * width) {
        uint32_t start = *starts + skip, stop = *stops, size = stop - start;
        uint32_t next_start = starts[width] + skip, next_stop = stops[width], next_size = next_stop - next_start;
        if (stop < 16 || next_stop >= limit || size > 16 || next_size > 16) break; /* one that is DOUBLED is too large */
        uint32_t minus = b[start] == '-', n = size - minus, next_minus = b[next_start] == '-', next_n = next_size - next_minus;
        assert(n <= 16 && next_n <= 16 && next_stop >= 16);
        __m256i v = _mm256_sub_epi8(two_of(b + stop - 16, b + next_stop - 16), zero);
        v = _mm256_and_si256(v, two_of(LAST + n, LAST + next_n));
        __m256i is_point = _mm256_cmpeq_epi8(v, point), is_zero = _mm256_cmpeq_epi8(v, _mm256_setzero_si256());
        __m256i leading = _mm256_and_si256(is_zero, two_of(FIRST[n], FIRST[next_n]));
        leading = _mm256_andnot_si256(_mm256_bsrli_epi128(is_point, 1), leading); /* but not right before the point */
        uint32_t points = (uint32_t)_mm256_movemask_epi8(is_point);
        uint32_t at = _tzcnt_u32(points | 1 << 16), next_at = _tzcnt_u32(points >> 16 | 1 << 16);
        at += !size;
        next_at += !next_size;
        if ((at + n == 16 && n < 2) || (next_at + next_n == 16 && next_n < 2)) break; /* no digit */
        v = _mm256_shuffle_epi8(v, two_of(CLOSED[at], CLOSED[next_at]));
        __m256i over = _mm256_or_si256(leading, _mm256_subs_epu8(v, most));
        if (!_mm256_testz_si256(over, over)) break;
        v = _mm256_maddubs_epi16(v, tens);
        v = _mm256_madd_epi16(v, hundreds);
        v = _mm256_packus_epi32(v, v);
        v = _mm256_madd_epi16(v, myriads);
        v = _mm256_add_epi64(_mm256_mul_epu32(v, eights), _mm256_srli_epi64(v, 32));
        __m128i m = _mm_unpacklo_epi64(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
        __m128d value = _mm_sub_pd(_mm_castsi128_pd(_mm_or_si128(m, whole)), _mm_castsi128_pd(whole));
        _mm_storeu_pd(out + row, _mm_div_pd(value, _mm_set_pd(DIVISORS[next_at][next_minus], DIVISORS[at][minus])));
    }
    return row;
}

#endif
#endif
