/* Where to cut numbers, and whether intervals or Gaussians are less wrong; twin.py defines it. */
#ifndef SATSUMA_CUTS_H
#define SATSUMA_CUTS_H
#include <stdint.h>

#define CUTS_NO_MEMORY (-1)

typedef struct { /* x log2 x of 0, 1, … where all weights are whole numbers; none where they are not */
    const double *table;
    int64_t size;
} cuts_logs;

/* Between which of the numbers lo..hi to cut so that least entropy is left, the first of several
   places; -1 for none. upto (numbers + 1, classes): what the numbers before each weigh. */
int64_t cuts_best(const double *upto, int64_t classes, int64_t lo, int64_t hi, const cuts_logs *logs);

/* All cuts of n numbers that pay for themselves, in order, to `places` (n). How many there are. */
int64_t cuts_mdl(const double *upto, int64_t n, int64_t classes, const cuts_logs *logs, int64_t *places);

typedef struct { /* the rows of one column; a row is held out in one fold */
    int64_t rows, classes, folds;
    const double *value;    /* in order */
    const int32_t *label, *fold;
    const double *weight;
    const double *mean, *scale, *base; /* (folds, classes): Gaussians of the other folds, and priors */
    const double *class_weight;        /* (folds + 1, classes): of the other folds; then of all */
    double m, least;
    cuts_logs logs;
} cuts_column;

typedef struct { /* what is found: cuts and counts of fold after fold, and of all rows at last */
    double bell, cut;   /* log losses */
    double *cuts;       /* room for (folds + 1) * rows */
    double *counts;     /* room for (folds + 1) * (rows + 1) * classes */
    int64_t *found;     /* (folds + 1): how many cuts */
} cuts_found;

/* 0 if all went well. */
int64_t cuts_compare(const cuts_column *c, cuts_found *out);
#endif
