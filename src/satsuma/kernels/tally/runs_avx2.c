/* The same loops for machines with vectors of four doubles. */
#include "runs_of.h"

#ifdef TALLY_WIDER
#include <immintrin.h>
#define TARGET __attribute__((target("avx2")))
#define RUNS_ADD tally_runs_avx2
#define LANES 4
#define ACROSS 3
#define LESSER(x, y) ((vector)_mm256_min_pd((__m256d)(x), (__m256d)(y)))
#define GREATER(x, y) ((vector)_mm256_max_pd((__m256d)(x), (__m256d)(y)))
#define SOME __m256i
#define SOME_OF(n) _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_set_epi64x(3, 2, 1, 0))
#define READ_SOME(x, some) ((vector)_mm256_maskload_pd(x, some))
#include "runs.h"
#else
typedef int tally_runs_avx2_is_empty; /* C wants something in every file */
#endif
