/* Trees: rows hashed and coded, trees grown from codes, rows sent down. What the functions give is
   defined by twin.py and splits.py; a tree grown here is the one grown in rounds. */
#ifndef SATSUMA_TREES_H
#define SATSUMA_TREES_H
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__ELF__) && !defined(__SANITIZE_ADDRESS__)
#define HOT __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define HOT
#endif
#define ALWAYS static inline __attribute__((always_inline))

/* kind: d float64, i int32. step is in bytes. */
typedef struct {
    const char *at;
    ptrdiff_t step;
    char kind;
} tree_column;

enum { FORM_THRESHOLD, FORM_MULTIWAY, FORM_SUBSET, FORM_EITHER };
enum { BY_GAIN_RATIO, BY_GAIN, BY_GINI, BY_VARIANCE, BY_PLAIN_RATIO };
#define TREE_TIE 1e-10
#define TREE_SLACK 1e-9
#define TREE_QUANTUM 16.0 /* parts of a row; sums of them are exact in any order */

/* Hashes of rows start..start+n; 1 if a number is infinite. spelled[j]: of each value of a column
   of codes, NULL for numbers. */
int tree_hash(const tree_column *columns, int64_t width, const uint64_t *const *spelled,
              const int64_t *values, int64_t start, int64_t n, uint64_t *out);

/* Bins of rows start..start+n to out[row * stride + column], of size 1 or 2, and unless it is NULL
   to across[column * rows + row]. mixed: (width, bins). */
typedef struct {
    void *out, *across;
    int64_t stride, rows;
    int size;
} tree_codes;
int tree_code(const tree_column *columns, int64_t width, const double *const *edges,
              const int32_t *levels, int64_t bins, int64_t start, int64_t n, const tree_codes *to,
              uint8_t *mixed);

/* What a tree is grown from. Records are rows of codes, then the class; across, the same codes
   column by column. */
typedef struct {
    const void *records, *across;
    int64_t stride;
    int size;
    int64_t rows;
    int32_t columns, bins, classes; /* classes 0: numbers */
    const int32_t *levels, *forms;
    const uint8_t *mixed;
    const double *const *edges;
    const tree_column *raw;
    const double *target, *weights; /* NULL where there are classes, and where all weigh 1 */
    int plain;                      /* whole rows alone: nothing missing, no weights */
    int measure;
    double min_leaf, min_split;
    int64_t max_depth;
    const double *critical; /* NULL for no test */
    double copies;          /* how many rows are as one, where some are drawn several times */
    int every;              /* thresholds between all values are compared, not between bins alone */
    int64_t tried;          /* columns that a node looks at; all of them if as many */
    int random;             /* columns are cut anywhere, not where that is best */
    int64_t open_below;     /* nodes of at most so many rows are left open */
} tree_task;

/* Rows at a node. Where all are whole, share is NULL, and the rows lie in the array of the first bud. */
typedef struct {
    uint32_t *rows;
    double *share;
    int64_t n, depth;
    uint64_t path;
    double *stats;
    const double *weights; /* of rows, by their number, or NULL; those of the tree */
    void *cells;           /* counted already, or NULL */
    double unit;           /* of a bud that was left open, what a row counts for in stats; else 0 */
    int64_t up;  /* the node above, -1 for the first */
    int32_t branch;
    double part;
} tree_bud;

/* A tree as it grows, nodes in reading order. */
typedef struct {
    double unit;     /* what a row counts for in stats while the tree grows */
    uint32_t *rows;  /* of all buds, where rows are whole */
    double *weights; /* of rows where some were drawn several times */
    int64_t nodes, room, led, led_room, width;
    int32_t *column;
    double *threshold, *share, *stats;
    int64_t *first;
    int32_t *branches;
    tree_bud *open; /* buds left open, in order */
    int64_t *open_at;
    int64_t open_n, open_room;
} tree_grown;

#define TREE_NO_MEMORY (-2)
/* To be called once before the first tree grows, by one thread. */
void tree_start(void);
/* Grows the bud, which is used up. */
int tree_grow(const tree_task *task, tree_bud *bud, tree_grown *out);
void tree_grown_free(tree_grown *out);
void tree_bud_free(tree_bud *bud);

/* A question for a threshold; a leaf asks for column 0 and leads to itself. */
typedef struct {
    double threshold;
    int32_t column, led[2];
} tree_step;

/* A tree to be walked, see Flat in the twin. */
typedef struct {
    const int32_t *column;
    const double *threshold;
    const int64_t *first;
    const int32_t *branches;
    const double *share;
    int64_t nodes, depth;
    tree_step *steps; /* by node, where every question is for a threshold; else NULL */
} tree_flat;
/* Fills in steps and depth. */
void tree_steps(tree_flat *tree);

/* Rows start..start+n: the node where each ends, or -1 less that from which one is spread; 1 if a number is infinite. */
int tree_walk(const tree_flat *tree, const tree_column *columns, int64_t width, int64_t start,
              int64_t n, int32_t *node);
/* Whether arrays are a tree: `led` is the length of branches, `above` has room for every node. A
   tree that is not sound must not be walked. */
int tree_sound(const tree_flat *tree, const tree_column *columns, int64_t width, int64_t led, int32_t *above);
/* A part of a row, and its place among the rows that are spread. */
typedef struct {
    double share;
    int64_t row;
} tree_part;
/* Parts at..at+n, which wait at a node. */
typedef struct {
    int64_t at, n;
    int32_t node;
} tree_waiting;
/* What is on its way down a tree; empty at first. */
typedef struct {
    tree_part *parts;
    tree_waiting *waiting;
    int64_t *count; /* by node, 0 unless it is being counted */
    int64_t room, waiting_room;
} tree_spreading;
/* The average of says (nodes, answers) over the nodes that rows are spread over, added in reading order. 0 if there is
   no memory. */
int tree_spread(const tree_flat *tree, const tree_column *columns, const int64_t *rows, int64_t n, const double *says,
                int64_t answers, tree_spreading *spreading, double *out);
void tree_spreading_free(tree_spreading *spreading);
#endif
