/* Rows of a stretch, sorted by group. */
#ifndef SATSUMA_TALLY_RUNS_OF_H
#define SATSUMA_TALLY_RUNS_OF_H
#include "tally.h"

typedef struct {
    int64_t groups;
    int32_t *order;       /* the rows, group by group */
    int32_t *place;       /* where each row goes, for those who need it */
    int32_t *first;       /* (groups): where each group starts in the order */
    int32_t *many;        /* (groups): how many rows it has */
    double *sorted;       /* (rows, columns), columns rounded up to whole vectors: those that are copied */
    const double *weight; /* of the rows of the stretch, or NULL for ones */
    double *held;         /* (groups, vectors, PARTS, lanes): the sums */
} tally_runs;

/* Add rows start..start+n of some columns to what is held; `block`: whether they lie side by side. */
typedef void tally_runs_add(const tally_column *c, int64_t d, int block, int64_t start, int64_t n, tally_runs *r);

/* The rows of few groups in their order, each group SORTED_ROWS behind the last. */
#define SORTED_GROUPS 8
#define SORTED_ROWS 528
void tally_sort_avx512(const int32_t *group, int64_t n, tally_runs *r);

/* Versions, which give the same bits; the machine decides. Vectors of 4 doubles, and of 8 in the last. */
tally_runs_add tally_runs_anywhere;
#if defined(__GNUC__) && defined(__x86_64__)
#define TALLY_WIDER
tally_runs_add tally_runs_avx2, tally_runs_avx512;
#endif

/* 1, which the compiler must not know: it would make a plain sum of a product with it. */
extern const double tally_one;

#define EACH(k, many) _Pragma("GCC unroll 4") for (int k = 0; k < (many); k++)
#endif
