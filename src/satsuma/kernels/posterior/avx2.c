/* The same loops for machines with vectors of four doubles. */
#include "posterior.h"

#ifdef POSTERIOR_AVX2
#define TARGET __attribute__((target("avx2")))
#define POSTERIOR_ROWS posterior_rows_avx2
#define POSTERIOR_EACH posterior_each_avx2
#include "tile.h"
#else
typedef int posterior_avx2_is_empty; /* C wants something in every file */
#endif
