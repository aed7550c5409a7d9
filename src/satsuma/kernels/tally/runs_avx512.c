/* The same loops for machines with vectors of eight doubles. */
#include "runs_of.h"

#ifdef TALLY_WIDER
#include <immintrin.h>
#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma,popcnt")))
#define RUNS_ADD tally_runs_avx512
#define LANES 8
#define ACROSS 4
#define LESSER(x, y) ((vector)_mm512_min_pd((__m512d)(x), (__m512d)(y)))
#define GREATER(x, y) ((vector)_mm512_max_pd((__m512d)(x), (__m512d)(y)))
/* The same sum, made where products are: sums, least and greatest would wait for each other. */
#define PLUS(x, y) ((vector)_mm512_fmadd_pd((__m512d)(y), _mm512_set1_pd(tally_one), (__m512d)(x)))
#define SOME __mmask8
#define SOME_OF(n) ((__mmask8)((1u << (n)) - 1))
#define READ_SOME(x, some) ((vector)_mm512_maskz_loadu_pd(some, x))
#include "runs.h"

/* 16 rows at a time: those of each group are moved together, and written behind those before them. */
TARGET void tally_sort_avx512(const int32_t *group, int64_t n, tally_runs *r) {
    const __m512i sixteen = _mm512_set1_epi32(16);
    for (int32_t g = 0; g < r->groups; g++) {
        const __m512i mine = _mm512_set1_epi32(g);
        __m512i row = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
        int32_t *to = r->order + (r->first[g] = g * SORTED_ROWS);
        for (int64_t i = 0; i < n; i += 16, row = _mm512_add_epi32(row, sixteen)) {
            __mmask16 here = n - i < 16 ? (__mmask16)((1u << (n - i)) - 1) : (__mmask16)-1;
            __mmask16 found = _mm512_mask_cmpeq_epi32_mask(here, _mm512_maskz_loadu_epi32(here, group + i), mine);
            _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(found, row));
            to += __builtin_popcount(found);
        }
        r->many[g] = (int32_t)(to - r->order) - r->first[g];
    }
}
#else
typedef int tally_runs_avx512_is_empty; /* C wants something in every file */
#endif
