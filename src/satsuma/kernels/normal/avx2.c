/* The same loops for machines with vectors of four doubles. */
#include "normal.h"

#ifdef NORMAL_AVX2
#define TARGET __attribute__((target("avx2")))
#define NORMAL_ROWS normal_rows_avx2
#include "tile.h"
#else
typedef int normal_avx2_is_empty; /* C wants something in every file */
#endif
