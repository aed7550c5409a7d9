/* The memory of small subtrees. Included by grow.c. */

/* Rows of a node of a small subtree that is still to be looked at. */
typedef struct {
    int64_t first, n, depth, up;
    uint64_t path;
    int32_t branch;
    double part;
} small_bud;

/* A subtree of few rows, copied to where they lie close together. */
typedef struct {
    void *codes; /* column by column, `room` places each */
    uint32_t *row;
    double *target, *weight; /* by place */
    int32_t *ways;           /* the branches of rows */
    void *rows, *aside;      /* of all buds, those of the one on top of the stack last; and of one */
    grain *grains;
    void *cells; /* of one column, all zero but while it is looked at */
    uint64_t *seen;
    small_bud *stack;
    double *stats, *now; /* of the buds, and of the node that is looked at */
    int64_t stack_n, stats_room, room, rows_room;
    /* Only where all values of columns are compared: */
    uint16_t *sorted, *block, *rank, *label; /* places in the order of columns, those of one node, ranks, classes */
    int32_t *times, *side, *span, *spans;    /* by place; where columns begin and end in `sorted`, now and of buds */
    double *part;                            /* by place, what is at a node weighs */
    int64_t sorted_room, width;
} small_tree;

#define SMALL 4096 /* rows */

static void free_small(small_tree *s) {
    free(s->codes);
    free(s->row);
    free(s->target);
    free(s->weight);
    free(s->ways);
    free(s->rows);
    free(s->aside);
    free(s->grains);
    free(s->cells);
    free(s->seen);
    free(s->stack);
    free(s->stats);
    free(s->now);
    free(s->sorted);
    free(s->block);
    free(s->rank);
    free(s->label);
    free(s->times);
    free(s->side);
    free(s->span);
    free(s->spans);
    free(s->part);
    memset(s, 0, sizeof *s);
}

static int fine_room(small_tree *s, size_t columns, size_t room) {
    s->width = (int64_t)columns;
    s->rank = malloc(columns * room * sizeof(uint16_t));
    s->label = malloc(room * sizeof(uint16_t));
    s->times = malloc(room * sizeof(int32_t));
    s->side = malloc(room * sizeof(int32_t));
    s->span = malloc(2 * columns * sizeof(int32_t));
    s->part = malloc(room * 8);
    return s->rank && s->label && s->times && s->side && s->span && s->part;
}

/* Room for places in the order of columns. */
static int sorted_room(small_tree *s, int64_t need) {
    if (need <= s->sorted_room) return 1;
    s->sorted_room = 2 * need;
    return grow_array(&s->sorted, 2 * need, sizeof(uint16_t)) && grow_array(&s->block, 2 * need, sizeof(uint16_t));
}

/* Room for a subtree of n rows, in a tree of `all` of them: for the whole tree where that is small, else for as many
   rows as a small one may have. `fine`: all values of columns are compared.
   Sizes are those of a code, of a bin and of a row. */
static int small_room(small_tree *s, const tree_task *t, int64_t n, int64_t all, int fine, size_t code, size_t bin, size_t row) {
    if (n <= s->room) return 1;
    free_small(s);
    size_t room = n < all || n > SMALL / 2 ? SMALL + 64 : (size_t)n; /* columns apart in the cache */
    s->codes = malloc((size_t)t->columns * room * code + 1);
    s->row = malloc(room * sizeof(uint32_t));
    s->target = malloc(room * 8);
    s->weight = malloc(room * 8);
    s->ways = malloc(room * sizeof(int32_t));
    s->rows = malloc(room * row);
    s->aside = malloc(room * row);
    s->grains = malloc(2 * room * sizeof(grain));
    s->cells = calloc((size_t)t->bins, bin);
    s->seen = calloc((size_t)t->bins / 64 + 1, 8);
    s->now = malloc((size_t)(t->classes ? t->classes : 5) * 8);
    s->room = s->rows_room = (int64_t)room;
    if (fine && !fine_room(s, (size_t)t->columns, room)) return 0;
    return s->codes && s->row && s->target && s->weight && s->ways && s->rows && s->aside && s->grains && s->cells && s->seen &&
           s->now;
}

/* Room for the stats of one more bud, and for the bud. */
static double *small_stats(small_tree *s, int64_t width, int64_t bud) {
    if (bud >= s->stats_room) {
        if (!grow_array(&s->stats, (2 * bud + 64) * width, 8) || !grow_array(&s->stack, 2 * bud + 64, sizeof(small_bud))) return NULL;
        if (s->width && !grow_array(&s->spans, (2 * bud + 64) * 2 * s->width, sizeof(int32_t))) return NULL;
        s->stats_room = 2 * bud + 64;
    }
    return s->stats + bud * width;
}
