#define TARGET
#define NEAREST_FIND nearest_find_anywhere
#define BITS(m) bits_of(m)
#define ADD_SQUARE(s, x) ((s) + (x) * (x))
#define ADD_ONE_SQUARE ADD_SQUARE
#include "tile.h"

void nearest_find(const nearest_rows *r, const nearest_queries *q, int64_t k, double *sum, int64_t *row) {
#ifdef NEAREST_AVX2
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        nearest_find_avx2(r, q, k, sum, row);
        return;
    }
#endif
    nearest_find_anywhere(r, q, k, sum, row);
}
