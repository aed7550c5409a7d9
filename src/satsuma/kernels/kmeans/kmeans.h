/* Rows and the nearest of several centres: steps of k-means, and mini-batches. Defined by twin.py. */
#ifndef SATSUMA_KMEANS_H
#define SATSUMA_KMEANS_H
#include <stdint.h>

#define KMEANS_TIE 1e-12 /* sums that differ by less, relative to the least, are equal: the first centre wins */

/* Rows of numbers, NaN for missing, and of codes, -1 for missing, both row by row. */
typedef struct {
    int64_t rows, numbers, symbols;
    const double *number;       /* (rows, numbers) */
    const int32_t *symbol;      /* (rows, symbols) */
    const double *weight;       /* (rows); NULL where all weigh 1 */
    const uint8_t *holed;       /* (numbers): whether a cell of the column may be missing */
} kmeans_rows;

typedef struct {
    int64_t k;
    const double *number;       /* (k, numbers) */
    const int32_t *symbol;      /* (k, symbols) */
} kmeans_centres;

/* How far centres have moved since the last step; `drift` is NULL in the first one. */
typedef struct {
    const double *drift;        /* (k) */
    const double *near;         /* (k): half the way to the next centre, or 0 */
    double most, next;          /* the farthest way, and the one after it, */
    int64_t farthest;           /*   and whose the first is */
} kmeans_moved;

/* What the rows of each centre come to; `weight` is NULL where that is not asked for. */
typedef struct {
    double *weight;             /* (k) */
    double *known;              /* (k, numbers): the weight of known cells */
    double *sum;                /* (k, numbers) */
    double *count;              /* (k, levels) */
    const int64_t *offset;      /* (symbols): where the values of a column begin in `count` */
    int64_t levels;
} kmeans_sums;

/* Centres that move with every batch. */
typedef struct {
    int64_t k, batch;
    double *number;             /* (k, numbers); NaN for missing */
    int32_t *symbol;            /* (k, symbols); -1 for missing */
    double *z;                  /* (k): what each has been given, its founder included */
    double *lo, *hi;            /* (numbers): the range so far */
    const double *shift;        /* (numbers): what is subtracted first, unless by range */
    int ranged;
    uint64_t seed;
    int64_t seen;               /* rows before these */
} kmeans_online;

/* The nearest centre of each row, into `label`; with `up` and `low` no less than the distance to it and no
   more than that to any other. What changes is added to the sums. A row of which the bounds say that it stays
   is not looked at. -1 without memory, else the number of rows that were compared with all centres. */
int64_t kmeans_step(const kmeans_rows *r, const kmeans_centres *c, const kmeans_moved *v, int32_t *label,
                    double *up, double *low, const kmeans_sums *s);

/* The squared distance of each row from the centre with its label. */
void kmeans_away(const kmeans_rows *r, const kmeans_centres *c, const int32_t *label, double *out);

/* Assign the rows of a batch, then move the centres, one batch after the other. -1 without memory. */
int kmeans_batches(const kmeans_rows *r, const kmeans_online *o);

/* Versions of the step that give the same labels; the machine decides. */
int64_t kmeans_step_anywhere(const kmeans_rows *r, const kmeans_centres *c, const kmeans_moved *v,
                             int32_t *label, double *up, double *low, const kmeans_sums *s);
#if defined(__GNUC__) && defined(__x86_64__)
#define KMEANS_WIDER
int64_t kmeans_step_avx2(const kmeans_rows *r, const kmeans_centres *c, const kmeans_moved *v,
                         int32_t *label, double *up, double *low, const kmeans_sums *s);
int64_t kmeans_step_avx512(const kmeans_rows *r, const kmeans_centres *c, const kmeans_moved *v,
                           int32_t *label, double *up, double *low, const kmeans_sums *s);
#endif
#endif
