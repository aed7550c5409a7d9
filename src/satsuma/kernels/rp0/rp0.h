/* Rows parted by the nearer of two poles, again and again. Defined by twin.py. */
#ifndef SATSUMA_RP0_H
#define SATSUMA_RP0_H
#include <stdint.h>

/* Rows that are moved in place: numbers from 0 to 1 with NaN for missing, codes with -1 for missing, and
   the number of each row. */
typedef struct {
    int64_t numbers, symbols;
    double *number;
    int32_t *symbol;
    int64_t *row;
    double p;
    int whole; /* no number is missing */
} rp0_rows;

/* What a row is compared with: two poles. */
typedef struct {
    const double *number[2];
    const int32_t *symbol[2];
    const double *both; /* the numbers of one beside those of the other, or NULL */
} rp0_poles;

/* What grows: room for as many divisions and clusters as there are rows. */
typedef struct {
    int32_t *below;
    int64_t *poles;
    double *gap;
    int64_t *start;
    uint64_t *key;
    int64_t divisions, clusters;
} rp0_grown;

/* Where rows lo to hi are parted, `lo` where they are not, and -1 where there is no memory. */
int64_t rp0_divide(const rp0_rows *r, int64_t lo, int64_t hi, uint64_t key, int64_t pairs, int64_t poles[2],
                   double *gap);

/* Divide while more than `most` rows lie together; 0, or -1 where there is no memory. */
int rp0_grow(const rp0_rows *r, int64_t lo, int64_t hi, uint64_t key, int64_t pairs, int64_t most, rp0_grown *g);

/* The cluster of each of n rows. `pole_number` and `pole_symbol` are (divisions, 2, columns). */
void rp0_walk(const rp0_rows *r, int64_t n, const int32_t *below, const double *pole_number,
              const int32_t *pole_symbol, int32_t *found);

/* The sums of the k rows, first to last, nearest to each of n rows that are asked about, in order; one that is
   the same cell for cell is left out. Infinity where there are too few. */
void rp0_near(const rp0_rows *r, const rp0_rows *asked, int64_t n, const int64_t *first, const int64_t *last, int64_t k,
              double *found);
#endif
