/* The memory of small subtrees. Included by grow.c. */

/* A row of a small subtree: its place there, its class, and how often it was drawn. */
typedef struct {
    uint16_t at, label;
    uint32_t times;
} small_row;

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
    double *target, *sum;  /* by place: the number, and times so often as it was drawn */
    small_row *rows, *aside;
    grain *grains;
    void *cells; /* of one column, all zero but while it is looked at */
    uint64_t *seen;
    small_bud *stack;
    double *stats, *now; /* of the buds, and of the node that is looked at */
    int64_t stack_n, stats_room, room;
} small_tree;

#define SMALL 4096 /* rows */

static void free_small(small_tree *s) {
    free(s->codes);
    free(s->row);
    free(s->target);
    free(s->sum);
    free(s->rows);
    free(s->aside);
    free(s->grains);
    free(s->cells);
    free(s->seen);
    free(s->stack);
    free(s->stats);
    free(s->now);
    memset(s, 0, sizeof *s);
}

/* Room for a subtree of n rows, in a tree of `all` of them: for the whole tree where that is small, else for as many
   rows as a small one may have. Sizes are those of a code and of a bin. */
static int small_room(small_tree *s, const tree_task *t, int64_t n, int64_t all, size_t code, size_t bin) {
    if (n <= s->room) return 1;
    free_small(s);
    size_t room = n < all || n > SMALL / 2 ? SMALL + 64 : (size_t)n; /* columns apart in the cache */
    s->codes = malloc((size_t)t->columns * room * code + 1);
    s->row = malloc(room * sizeof(uint32_t));
    s->target = malloc(room * 8);
    s->sum = malloc(room * 8);
    s->rows = malloc(room * sizeof(small_row));
    s->aside = malloc(room * sizeof(small_row));
    s->grains = malloc(2 * room * sizeof(grain));
    s->cells = calloc((size_t)t->bins, bin);
    s->seen = calloc((size_t)t->bins / 64 + 1, 8);
    s->stack = malloc((room + 1) * sizeof(small_bud));
    s->now = malloc((size_t)(t->classes ? t->classes : 5) * 8);
    s->room = (int64_t)room;
    return s->codes && s->row && s->target && s->sum && s->rows && s->aside && s->grains && s->cells && s->seen &&
           s->stack && s->now;
}

/* Room for the stats of one more bud. */
static double *small_stats(small_tree *s, int64_t width, int64_t bud) {
    if (bud >= s->stats_room) {
        if (!grow_array(&s->stats, (2 * bud + 64) * width, 8)) return NULL;
        s->stats_room = 2 * bud + 64;
    }
    return s->stats + bud * width;
}
