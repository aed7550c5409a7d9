#define TARGET
#define POSTERIOR_ROWS posterior_rows_anywhere
#define POSTERIOR_EACH posterior_each_anywhere
#include "tile.h"

int64_t posterior_rows(const posterior_joint *j, int64_t lo, int64_t hi, int what, double *out, int32_t *codes) {
#ifdef POSTERIOR_AVX2
    if (__builtin_cpu_supports("avx2")) return posterior_rows_avx2(j, lo, hi, what, out, codes);
#endif
    return posterior_rows_anywhere(j, lo, hi, what, out, codes);
}

int64_t posterior_each(const posterior_joint *const *j, int64_t models, const int32_t *which, int64_t lo, int64_t hi,
                       int what, double *out, int32_t *codes) {
#ifdef POSTERIOR_AVX2
    if (__builtin_cpu_supports("avx2")) return posterior_each_avx2(j, models, which, lo, hi, what, out, codes);
#endif
    return posterior_each_anywhere(j, models, which, lo, hi, what, out, codes);
}
