/* The same loops for machines with vectors of eight floats. */
#include "nearest.h"

#ifdef NEAREST_AVX2
#include <immintrin.h>
#define TARGET __attribute__((target("avx2")))
#define NEAREST_FIND nearest_find_avx2
#define ANY(m) _mm256_movemask_ps((__m256)(m))
#include "nearest_tile.h"
#else
typedef int nearest_avx2_is_empty; /* C wants something in every file */
#endif
