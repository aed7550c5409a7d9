/* The same loops for machines with vectors of four doubles. */
#include "tally_runs_of.h"

#ifdef TALLY_AVX2
#include <immintrin.h>
#define TARGET __attribute__((target("avx2")))
#define RUNS_ADD tally_runs_avx2
#define LESSER(x, y) ((vector)_mm256_min_pd((__m256d)(x), (__m256d)(y)))
#define GREATER(x, y) ((vector)_mm256_max_pd((__m256d)(x), (__m256d)(y)))
#include "tally_runs.h"
#else
typedef int tally_runs_avx2_is_empty; /* C wants something in every file */
#endif
