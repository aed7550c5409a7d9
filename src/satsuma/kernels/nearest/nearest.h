/* The rows nearest to each query under the mixed distance. Defined by twin.py. */
#ifndef SATSUMA_NEAREST_H
#define SATSUMA_NEAREST_H
#include <stdint.h>

#define NEAREST_TILE 256 /* rows of a tile */
#define NEAREST_NONE (-4.0f) /* a missing number in a tile, and in `quick` */

/* The rows: numbers from 0 to 1 with NaN for missing, codes with -1 for missing, both row by row;
   and the same once more in tiles, column by column, as floats and bytes. A byte is the code modulo
   254, or 255 for missing: two bytes that differ stand for symbols that differ. */
typedef struct {
    int64_t rows, numbers, symbols;
    int64_t whole;              /* so many columns of numbers, the first ones, lack no cell */
    const int64_t *name;        /* the number by which each row is known */
    const double *number;       /* (rows, numbers) */
    const int32_t *symbol;      /* (rows, symbols) */
    const float *tile;          /* (tiles, numbers, NEAREST_TILE) */
    const uint8_t *byte;        /* (tiles, symbols, NEAREST_TILE) */
    int64_t sides;
    const int64_t *side;        /* the columns of numbers by which tiles are told apart, in order */
    const float *box;           /* (2 * tiles - 1, 2, sides): the least and the greatest of parts, see `parts.py` */
    double p;
    double apart;               /* how far two symbols are apart that differ: at most 1 */
} nearest_rows;

/* The queries, in the same form; 254 is the byte of a missing symbol, which equals none. */
typedef struct {
    int64_t count;
    const double *number;
    const int32_t *symbol;
    const float *quick;         /* (count, numbers) */
    const uint8_t *byte;        /* (count, symbols) */
    const int64_t *left_out;    /* a row that is not to be found, for each query; -1 for none */
} nearest_queries;

/* The k nearest rows of each query, by the sum of differences to the power of p and then by row. Where
   there are fewer, the rest has the sum infinity and the row -1. */
void nearest_find(const nearest_rows *r, const nearest_queries *q, int64_t k, double *sum, int64_t *row);

/* Two versions of it, which give the same bits; the machine decides. */
void nearest_find_anywhere(const nearest_rows *r, const nearest_queries *q, int64_t k, double *sum, int64_t *row);
#if defined(__GNUC__) && defined(__x86_64__)
#define NEAREST_AVX2
void nearest_find_avx2(const nearest_rows *r, const nearest_queries *q, int64_t k, double *sum, int64_t *row);
#endif
#endif
