/* The same loops for machines with vectors of eight doubles. */
#include "kmeans.h"

#ifdef KMEANS_WIDER
#include <immintrin.h>
#define TARGET __attribute__((target("avx512f,avx512dq,avx512vl,avx2,fma")))
#define KMEANS_STEP kmeans_step_avx512
#define VEC 8
#define ADD_PRODUCT(s, x, y) ((vector)_mm512_fmadd_pd((__m512d)(x), (__m512d)(y), (__m512d)(s)))
#include "tile.h"
#else
typedef int kmeans_avx512_is_empty; /* C wants something in every file */
#endif
