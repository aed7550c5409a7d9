/* The arrays of a tree as it grows: nodes, branches, and buds that are left open. Included by grow.c. */

void tree_bud_free(tree_bud *bud) {
    if (bud->share) free(bud->rows); /* whole rows are the tree's */
    free(bud->share);
    free(bud->stats);
    free(bud->cells);
    memset(bud, 0, sizeof *bud);
}

void tree_grown_free(tree_grown *out) {
    for (int64_t i = 0; i < out->open_n; i++) tree_bud_free(out->open + i);
    free(out->rows);
    free(out->weights);
    free(out->column);
    free(out->threshold);
    free(out->share);
    free(out->stats);
    free(out->first);
    free(out->branches);
    free(out->open);
    free(out->open_at);
    memset(out, 0, sizeof *out);
}

static int grow_array(void *at, int64_t count, size_t size) {
    void **p = at, *q = realloc(*p, (size_t)count * size);
    if (!q) return 0;
    *p = q;
    return 1;
}

/* One more node, a leaf as yet. Its place among the branches of the node above is filled in. */
static int64_t add_node(tree_grown *o, const tree_bud *b) {
    if (o->nodes + 1 >= o->room) {
        int64_t room = 2 * o->room + 64;
        if (!(grow_array(&o->column, room, 4) && grow_array(&o->threshold, room, 8) &&
              grow_array(&o->share, room, 8) && grow_array(&o->first, room + 1, 8) &&
              grow_array(&o->stats, room * o->width, 8)))
            return -1;
        o->room = room;
    }
    int64_t me = o->nodes++;
    o->column[me] = -1;
    o->threshold[me] = NAN;
    o->share[me] = b->part;
    o->first[me] = o->first[me + 1] = o->led;
    for (int64_t k = 0; k < o->width; k++) o->stats[me * o->width + k] = b->stats[k] / o->unit;
    if (b->up >= 0)
        for (int64_t k = o->first[b->up]; k < o->first[b->up + 1]; k++)
            if (o->branches[k] == -2 - b->branch) o->branches[k] = (int32_t)me;
    return me;
}

/* The branch of each bin of the newest node: marks, until the nodes they lead to have numbers. */
static int add_branches(tree_grown *o, int64_t me, const int32_t *branch, int64_t count) {
    if (o->led + count > o->led_room) {
        int64_t room = 2 * o->led_room + count + 256;
        if (!grow_array(&o->branches, room, 4)) return 0;
        o->led_room = room;
    }
    for (int64_t k = 0; k < count; k++) o->branches[o->led + k] = branch[k] < 0 ? -1 : -2 - branch[k];
    o->led += count;
    o->first[me + 1] = o->led;
    return 1;
}

/* A bud that is left for later: the node keeps its place. */
static int leave_open(tree_grown *o, int64_t me, tree_bud *b, const double *weights) {
    if (o->open_n == o->open_room) {
        int64_t room = 2 * o->open_room + 16;
        if (!(grow_array(&o->open, room, sizeof(tree_bud)) && grow_array(&o->open_at, room, 8))) return 0;
        o->open_room = room;
    }
    o->open[o->open_n] = *b;
    o->open[o->open_n].up = -1;
    o->open[o->open_n].weights = weights;
    o->open[o->open_n].unit = o->unit;
    o->open_at[o->open_n++] = me;
    memset(b, 0, sizeof *b);
    return 1;
}
