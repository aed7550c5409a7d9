/* The same loops for machines with vectors of four doubles. Adding a product in one step rounds otherwise,
   which the answer does not depend on. */
#include "kmeans.h"

#ifdef KMEANS_WIDER
#include <immintrin.h>
#define TARGET __attribute__((target("avx2,fma")))
#define KMEANS_STEP kmeans_step_avx2
#define VEC 4
#define ADD_PRODUCT(s, x, y) ((vector)_mm256_fmadd_pd((__m256d)(x), (__m256d)(y), (__m256d)(s)))
#include "tile.h"
#else
typedef int kmeans_avx2_is_empty; /* C wants something in every file */
#endif
