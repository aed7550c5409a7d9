/* The same loops for machines with vectors of eight floats. Adding a square in one step rounds otherwise,
   which the answer does not depend on. */
#include "nearest.h"

#ifdef NEAREST_AVX2
#include <immintrin.h>
#define TARGET __attribute__((target("avx2,fma")))
#define NEAREST_FIND nearest_find_avx2
#define BITS(m) _mm256_movemask_ps((__m256)(m))
#define ADD_SQUARE(s, x) ((vector)_mm256_fmadd_ps((__m256)(x), (__m256)(x), (__m256)(s)))
#define ADD_ONE_SQUARE(s, x) __builtin_fmaf((x), (x), (s))
#include "tile.h"
#else
typedef int nearest_avx2_is_empty; /* C wants something in every file */
#endif
