/* Rows of a stretch, sorted by group. */
#ifndef SATSUMA_TALLY_RUNS_OF_H
#define SATSUMA_TALLY_RUNS_OF_H
#include "tallies.h"

typedef struct {
    int64_t groups;
    int32_t *place;  /* where each row goes; those that are left out, behind all others */
    int32_t *edge;   /* (groups + 1): the place where each group starts, and the end */
    double *sorted;  /* (places, columns), columns rounded up to a multiple of 4 */
    double *weight;  /* (places), or NULL for ones */
    double *held;    /* (groups, columns / 4, PARTS, 4): the sums */
} tally_runs;

/* Add rows start..start+n of some columns to what is held; `block`: whether they lie side by side.
   Two versions, which give the same bits; the machine decides. */
void tally_runs_anywhere(const tally_column *c, int64_t d, int block, int64_t start, int64_t n, tally_runs *r);
#if defined(__GNUC__) && defined(__x86_64__)
#define TALLY_AVX2
void tally_runs_avx2(const tally_column *c, int64_t d, int block, int64_t start, int64_t n, tally_runs *r);
#endif
#endif
