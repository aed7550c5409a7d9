#define TARGET
#define NORMAL_ROWS normal_rows_anywhere
#include "tile.h"

int64_t normal_rows(const normal_asked *a, int64_t lo, int64_t hi, double *out, int32_t *codes) {
#ifdef NORMAL_AVX2
    if (__builtin_cpu_supports("avx2")) return normal_rows_avx2(a, lo, hi, out, codes);
#endif
    return normal_rows_anywhere(a, lo, hi, out, codes);
}
