/* What a tree grows in: rows in tiles, sums by thread, and the job that threads share. */
#ifndef SATSUMA_BOOST_GROWER_H
#define SATSUMA_BOOST_GROWER_H
#include "boost.h"
#include <stdatomic.h>

/* Rows that stay together, so that a tile stays in the cache of a core: at most, and at least where there are more. */
#define BOOST_TILE 65536
#define BOOST_LEAST_TILE 4096
#define BOOST_LINE 128 /* bytes, so that threads do not write to the same line of a cache */

/* ROOT: pair rows with slopes, and count them. DIVIDE: the rows of a leaf in two parts, and count one of them. */
enum { BOOST_ROOT, BOOST_DIVIDE, BOOST_COUNT_ROWS, BOOST_FINISH, BOOST_NAME };

/* A row and its slope and curvature, which go together to where the row goes. */
typedef struct {
    uint32_t row, slopes;
} boost_entry;

/* The rows of a leaf in a tile. */
typedef struct {
    uint32_t lo, n;
} boost_span;

/* What a thread adds up by itself: packed sums, and wide ones once these are full; and rows put aside. */
typedef struct {
    uint64_t *sums;
    int64_t *wide;
    boost_entry *aside;
    int64_t rows, lefts, left_weight;
    int has_wide;
    char apart[BOOST_LINE];
} boost_partial;

typedef struct {
    int64_t n;
    boost_span *spans; /* of each tile */
    boost_sums sums;
    int32_t node, depth;
    int64_t *bins;
    boost_split split;
} boost_leaf;

struct boost_grower {
    const boost_task *task;
    int helpers;
    int64_t n, tile, tiles; /* rows of the tree, and of a tile */
    boost_entry *entries;
    boost_partial *partials; /* by thread */
    boost_split *found;      /* by column: of the small leaf, and of the large one */
    boost_leaf *leaves;
    int64_t *bins;     /* of each leaf */
    boost_span *spans; /* of each leaf */
    /* the job */
    int job;
    int64_t step; /* tiles of a task */
    const uint32_t *given;
    boost_leaf *left, *right;      /* of a division; left has the rows of both before it */
    const boost_leaf *counted;     /* whose rows are counted on the way; NULL for none */
    boost_leaf *small, *large;     /* whose bins are finished */
    int want_small, want_large;
    const uint8_t *across;
    uint8_t goes_left[256];
    int32_t count; /* leaves */
    uint16_t *leaf;
    /* tasks of a job: its number (16 bits), how many (24), the next (24) */
    char apart[BOOST_LINE];
    _Atomic uint64_t deal;
    char farther[BOOST_LINE];
    _Atomic int64_t pending;
    _Atomic int over, threads;
};

/* One task of the job that is on. */
void boost_work(boost_grower *g, int64_t at, int thread);
/* All tasks of a job, with the threads that help unless one is done sooner. */
void boost_run(boost_grower *g, int job, int64_t tasks, int alone);
#endif
