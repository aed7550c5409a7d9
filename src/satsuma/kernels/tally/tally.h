/* Tallies of rows by group. What each function gives is defined by its twin in twin.py;
   NaN and a code of -1 are missing, a group of -1 or a weight of 0 leaves the row out. */
#ifndef SATSUMA_TALLIES_H
#define SATSUMA_TALLIES_H
#include <stddef.h>
#include <stdint.h>

/* Wider vectors where the machine has them, chosen when the module is loaded. Every sum keeps
   its order in both versions, so they give the same bits. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__ELF__) && !defined(__SANITIZE_ADDRESS__)
#define HOT __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define HOT
#endif

#define ALWAYS __attribute__((always_inline))

#define TALLY_NO_MEMORY (-2)
#define TALLY_OK (-1) /* anything from 0 on: the row with a code or group that is out of range */

/* Parts of the moments of a group and column: doubles laid out (groups, parts, columns). */
enum { PART_WEIGHT, PART_SUM, PART_SQUARE, PART_LO, PART_HI, PART_SHIFT, PARTS };

/* kind: d float64, b int8, B uint8, h int16, i int32. step is in bytes. */
typedef struct {
    const char *at;
    ptrdiff_t step;
    char kind;
} tally_column;

/* Rows start..start+n of the columns; weights NULL for ones. */
typedef struct {
    const tally_column *columns;
    int64_t width;
    const tally_column *groups;
    int64_t group_count;
    const tally_column *weights;
    int64_t start, n;
} tally_batch;

/* The groups and weights of a batch, ready to be used. */
typedef struct {
    const int32_t *group; /* those of the batch, or copied to `room` */
    int32_t *room;
    double *weight;       /* NULL for ones */
} tally_rows;

int64_t tally_first_wrong(const int32_t *code, int64_t n, int32_t levels);
const int32_t *tally_codes_of(const tally_column *c, int64_t row, int64_t n, int32_t *out);

/* total may be NULL where all weights are ones. */
int64_t tally_rows_of(const tally_batch *b, double *total, tally_rows *out);
void tally_rows_free(tally_rows *rows);
int tally_is_block(const tally_batch *b);
int tally_shift(const tally_batch *b, const int32_t *group, double *shift, ptrdiff_t step);

int64_t tally_fold_groups(const tally_column *codes, const tally_column *folds, int64_t start, int64_t n,
                          int64_t classes, int64_t folds_count, int32_t *out);
/* level: how wide vectors may be, if the machine has them: 0 as everywhere, 1 AVX2, 2 AVX-512. */
int64_t tally_moments(const tally_batch *b, int level, double *total, double *parts);
int64_t tally_counts(const tally_batch *b, const int64_t *levels, double *total, double *const *out);
int64_t tally_bins(const tally_batch *b, const double *const *edges, const int64_t *edge_counts,
                   double *total, double *const *out);
/* cross: (groups, width + 1, width + 1), the last row and column of ones; shift: (groups, width). */
int64_t tally_scatter(const tally_batch *b, double *total, double *cross, double *shift);
/* Of rows that are not complete. cross: (groups, 2 width, 2 width), the columns with 0 for what is missing, then as many
   of ones where they are known. */
int64_t tally_pairs(const tally_batch *b, double *total, double *cross, double *shift);

/* Columns of numbers with a key each, and of codes with a term for each value, the last for what is missing:
   those of column j are terms[firsts[j]] to terms[firsts[j + 1] - 1]. */
typedef struct {
    const tally_column *numbers;
    int64_t width;
    const uint64_t *by_column;
    const tally_column *codes;
    int64_t symbols;
    const uint64_t *terms;
    const int64_t *firsts;
} tally_keyed;

/* The rows whose key is not above the limit, and the keys; how many there are. There must be room for all n,
   and one more. */
int64_t tally_keys(const tally_keyed *k, int64_t start, int64_t n, uint64_t limit, int64_t *rows, uint64_t *keys);
#endif
