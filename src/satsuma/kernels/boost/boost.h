/* Boosted trees: slopes and curvatures of losses as whole numbers, a tree grown from their sums, rows sent down.
   Sums of whole numbers do not depend on their order, so neither does a tree on threads or on parts of the rows.
   What the functions give is defined by twin.py and twin_boosted_tree.py. */
#ifndef SATSUMA_BOOST_H
#define SATSUMA_BOOST_H
#include <stdint.h>

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__ELF__) && !defined(__SANITIZE_ADDRESS__)
#define HOT __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define HOT
#endif
#define ALWAYS static inline __attribute__((always_inline))

enum { BOOST_NUMBER, BOOST_TWO, BOOST_MANY, BOOST_COUNT, BOOST_QUANTILE };

/* What a loss is, and what a step of a whole number stands for: slopes are multiples of 1 / slope_scale. */
typedef struct {
    int kind, scores;
    double quantile, slope_scale, curve_scale;
} boost_loss;

/* Of rows lo..hi: their slopes and curvatures, one in the high and one in the low half of a word, to out (scores,
   rows), rounded up or down by chance that hangs on the hashes and the key alone. scores: (scores, rows). */
void boost_slopes(const boost_loss *loss, const double *scores, const double *target, const uint64_t *hashes,
                  uint64_t key, int64_t rows, int64_t lo, int64_t hi, uint32_t *out);

/* score[row] += value[leaf[row]], of rows lo..hi. */
void boost_add(double *score, const uint16_t *leaf, const double *value, int64_t lo, int64_t hi);

typedef struct {
    int32_t leaves, depth;
    double min_leaf, l2, min_gain, symbol_l2, symbol_smooth, symbol_least;
} boost_rules;

/* What a tree is grown from. Codes by row and by column; the code after the last level is that of missing. */
typedef struct {
    const uint8_t *records, *across;
    int64_t rows;
    int32_t columns;
    const int32_t *levels;
    const int64_t *offset; /* where the bins of a column begin; behind the last, how many there are */
    const uint8_t *symbols;
    const int8_t *monotone;
    const int32_t *used; /* columns that may divide */
    int32_t used_n;
    const uint32_t *slopes;
    const int32_t *weights; /* NULL where all weigh 1 */
    double slope_unit, curve_unit, weight_unit; /* what 1 in a sum stands for */
    boost_rules rules;
} boost_task;

typedef struct {
    double gain;
    int32_t column;
    int64_t slope, curve; /* of the left side */
    uint64_t set[4];      /* codes that go left */
} boost_split;

/* Sums of the rows at a node, and the bounds of what it may say. */
typedef struct {
    int64_t slope, curve, weight;
    double low, high;
} boost_sums;

/* The best division of a node by a column, if it gains more than `best` does, which is then replaced. bins: pairs of
   slope and curvature of all columns. */
void boost_best(const boost_task *task, const boost_sums *node, const int64_t *bins, int32_t column, boost_split *best);

/* A tree as it grows: nodes in the order in which they came to be. */
typedef struct {
    int32_t nodes;
    int32_t *column, *left;  /* -1 for a leaf; the right child is the one behind the left */
    double *value, *weight, *gain;
    uint64_t *sets; /* four words a node */
} boost_tree;

/* What trees grow in, one after the other, with so many threads that help. */
typedef struct boost_grower boost_grower;
boost_grower *boost_grower_new(const boost_task *task, int helpers);
void boost_grower_free(boost_grower *grower);
/* Helps, from boost_begin to boost_end. */
void boost_help(boost_grower *grower);
void boost_begin(boost_grower *grower);
void boost_end(boost_grower *grower);

/* Grows a tree from rows, each there once; leaf: of each of these rows. */
void boost_grow(boost_grower *grower, const uint32_t *rows, int64_t n, boost_tree *tree, uint16_t *leaf);

/* Sums of slopes and curvatures of rows at nodes: bins is (slots, bins, 2); a row of slot -1 is in none. */
void boost_count(const boost_task *task, const int32_t *slot, int64_t lo, int64_t hi, int64_t *bins);

/* Trees one after the other, ready to be walked: of node k of a tree, where each code leads. */
typedef struct {
    const int32_t *column, *left;
    const uint64_t *sets;
    const double *value;
    const int64_t *first; /* node of each tree; behind the last, how many there are */
    int64_t trees;
} boost_forest;

/* Adds what trees first..last say of rows lo..hi to out; the score of a tree is its number modulo scores.
   out: (rows, scores) of rows lo..hi alone. 0, or -1 without memory. */
int boost_walk(const boost_forest *forest, const uint8_t *records, int64_t columns, int64_t lo, int64_t hi,
               int64_t from, int64_t to, int64_t scores, double *out);
/* The leaf of each row in one tree: the node in it. */
int boost_leaves(const boost_forest *forest, const uint8_t *records, int64_t columns, int64_t lo, int64_t hi,
                 int64_t tree, uint16_t *out);
#endif
