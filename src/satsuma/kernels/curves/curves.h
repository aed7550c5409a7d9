/* Functions made of pieces of polynomials, looked up; twin.py defines what it gives. */
#ifndef SATSUMA_CURVES_H
#define SATSUMA_CURVES_H
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *at;
    ptrdiff_t step; /* in bytes */
} curve_column;

typedef struct {
    int64_t columns, classes;
    const double *origin, *unit; /* (columns): what is taken from numbers, then multiplied with */
    const int64_t *starts; /* (columns * classes + 1): the first piece of each curve */
    const double *edge;    /* (pieces): where a piece ends, itself included; the last of a curve never */
    const double *piece;   /* (pieces, 5): centre and coefficients */
    const int64_t *firsts; /* (columns * classes + 1): the first bucket of each curve */
    const int32_t *first;  /* (buckets): the piece to begin with */
    const double *low, *scale; /* (columns * classes): where buckets start, and how many to the unit */
    int logs;              /* whether the curves are logarithms already */
} curve_set;

/* What the rows from lo to hi say, added to out (rows from lo, classes). How many numbers were
   infinite; -1 for no memory. */
int64_t curves_rows(const curve_set *set, const curve_column *columns, int64_t lo, int64_t hi, double *out);
#endif
