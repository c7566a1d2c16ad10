#include "tree/sandwich.h"

#include <stdlib.h>

#include "layout/geometry.h"
#include "unit/support/graph.h"
#include "unit/support/test.h"

enum { MOST_FRAMES = 16 };

/* Returns the total at the end of a path from the root, on one side; 0 if there is no such path. */
static uint64_t total_at(const struct tree *t, const uint32_t *path, unsigned count, bool callers)
{
    uint32_t node = TREE_ROOT;

    for (unsigned i = 0; i < count; i++) {
        uint32_t found = TREE_ROOT;

        for (uint32_t id = 1; id < t->count; id++)
            if (t->parent[id] == node && t->symbol[id] == path[i] && (id >= t->callers) == callers)
                found = id;
        if (found == TREE_ROOT)
            return 0;
        node = found;
    }
    return t->total[node];
}

static uint32_t symbol_of(struct graph *g, const char *name)
{
    struct symbols *symbols = &g->profile.symbols;

    return symbols_add(symbols, slice_str(name), SYMBOL_USER);
}

/* A stack of the input. */
struct line {
    uint32_t frames[MOST_FRAMES];
    unsigned count;
    uint64_t weight;
};

static unsigned read_lines(struct graph *g, struct slice folded, struct line *lines)
{
    unsigned count = 0;
    struct slice text;

    while (slice_line(&folded, &text)) {
        size_t blank = slice_find_last(text, ' ');
        struct slice stack = slice_take(text, blank), name;
        struct line *line = &lines[count++];

        *line = (struct line){.weight = strtoull(text.ptr + blank + 1, NULL, 10)};
        while (slice_cut(&stack, ';', &name)) {
            char copy[8] = {0};

            memcpy(copy, name.ptr, name.len);
            line->frames[line->count++] = symbol_of(g, copy);
        }
    }
    return count;
}

/* Returns the index of the outermost call, or `count`. */
static unsigned find_call(const struct line *line, uint32_t symbol)
{
    unsigned at = 0;

    while (at < line->count && line->frames[at] != symbol)
        at++;
    return at;
}

static bool starts_with(const uint32_t *path, unsigned count, const uint32_t *with, unsigned part)
{
    return part <= count && (!part || memcmp(path, with, part * sizeof(*path)) == 0);
}

/* Returns the weight of the lines whose callees (or callers, nearest first) begin with the path. */
static uint64_t naive(const struct line *lines, unsigned count, uint32_t symbol,
                      const uint32_t *path, unsigned depth, bool callers)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < count; i++) {
        unsigned at = find_call(&lines[i], symbol), length = 0;
        uint32_t side[MOST_FRAMES];

        if (at == lines[i].count)
            continue;
        if (callers)
            for (unsigned k = at; k-- > 0;)
                side[length++] = lines[i].frames[k];
        else
            for (unsigned k = at + 1; k < lines[i].count; k++)
                side[length++] = lines[i].frames[k];
        if (starts_with(side, length, path, depth))
            sum += lines[i].weight;
    }
    return sum;
}

/* Compares the total of every path, on either side, with a count over the lines. */
static void compare(uint64_t seed)
{
    static struct line lines[64];
    uint32_t symbol, path[MOST_FRAMES];
    struct buf folded;
    struct graph g;
    struct tree t;
    unsigned count;

    graph_random(&folded, seed, 40, 8, 5);
    graph_init(&g, buf_slice(&folded));
    count = read_lines(&g, buf_slice(&folded), lines);
    symbol = sandwich_find(&g.tree, SLICE("f2"));
    cr_assert_eq(symbol, symbol_of(&g, "f2"));
    sandwich_init(&t, &g.tree, symbol);
    cr_expect_eq(tree_weight(&t), naive(lines, count, symbol, NULL, 0, false));
    for (uint32_t id = 1; id < t.count; id++) {
        bool callers = id >= t.callers;
        unsigned depth = 0;

        for (uint32_t up = id; up != TREE_ROOT; up = t.parent[up])
            depth++;
        for (uint32_t up = id, at = depth; up != TREE_ROOT; up = t.parent[up])
            path[--at] = t.symbol[up];
        cr_assert_eq(t.total[id], naive(lines, count, symbol, path, depth, callers),
                     "seed %u, node %u", (unsigned)seed, id);
    }
    for (unsigned i = 0; i < count; i++) {
        unsigned at = find_call(&lines[i], symbol);
        const uint32_t *callees = lines[i].frames + at + 1;

        if (at < lines[i].count)
            cr_assert_geq(total_at(&t, callees, lines[i].count - at - 1, false), lines[i].weight);
    }
    tree_release(&t);
    graph_release(&g);
    buf_release(&folded);
}

Test(tree_sandwich, both_sides_count_as_the_stacks_do)
{
    for (uint64_t seed = 1; seed <= 40; seed++)
        compare(seed * 31);
}

/* The weight of a symbol also counts where another symbol of the same name calls it. */
Test(tree_sandwich, a_name_that_calls_its_like)
{
    struct graph g;

    graph_init(&g, SLICE("read;read_[k] 10\nread_[k] 5\n"));
    cr_expect_eq(symbol_class(&g.profile.symbols, sandwich_find(&g.tree, SLICE("read"))),
                 SYMBOL_KERNEL);
    graph_release(&g);
}

Test(tree_sandwich, the_function_may_be_named_with_its_class)
{
    struct graph g;

    graph_init(&g, SLICE("a;read 3\nb;read_[k] 5\nc;write_[k] 0\n"));
    cr_expect_eq(sandwich_find(&g.tree, SLICE("read")), 3, "the heavier symbol");
    cr_expect_eq(sandwich_find(&g.tree, SLICE("read_[k]")), 3);
    cr_expect_eq(sandwich_find(&g.tree, SLICE("rea")), SYMBOL_NONE);
    cr_expect_eq(sandwich_find(&g.tree, SLICE("write")), SYMBOL_NONE, "write_[k] has no weight");
    graph_release(&g);
}

Test(tree_sandwich, before_and_now)
{
    struct graph g;
    struct tree t;
    uint64_t self[8];

    graph_init(&g, SLICE("a;f;x 3 1\nb;f 0 4\n"));
    sandwich_init(&t, &g.tree, sandwich_find(&g.tree, SLICE("f")));
    cr_expect_eq(t.total[TREE_ROOT], 5);
    cr_expect_eq(t.base[TREE_ROOT], 3);
    cr_assert_leq(t.count, 8);
    tree_self(&t, self);
    cr_expect_eq(self[TREE_ROOT], 4, "callers do not reduce the self weight");
    tree_release(&t);
    graph_release(&g);
}

Test(tree_sandwich, boxes_grow_to_both_sides)
{
    struct layout_options options = {.max_depth = 100, .width = 1000};
    struct geometry geometry;
    struct layout l;
    struct graph g;
    struct tree t;
    int32_t rows[2][3]; /* by side and depth: the top of the first box */

    graph_init(&g, SLICE("a;b;f;x 30\nc;f;y;z 10\nelse 60\n"));
    sandwich_init(&t, &g.tree, sandwich_find(&g.tree, SLICE("f")));
    layout_init(&l, &t, &options);
    geometry_init(&geometry, &l,
                  &(struct geometry_options){.width = 1020, .frame_height = 10, .font_size = 10});
    cr_expect_eq(l.total, 40);
    cr_expect_eq(l.whole, 100);
    cr_expect_eq(l.rows, 5);
    cr_expect_eq(l.below, 2);
    memset(rows, 0, sizeof(rows));
    vec_each (struct box, box, &l.boxes) {
        struct rect rect = geometry_box(&geometry, box);

        cr_expect_leq(box->start + box->weight, 40);
        if (rows[box->callers][box->depth])
            cr_expect_eq(rows[box->callers][box->depth], rect.y);
        rows[box->callers][box->depth] = rect.y;
    }
    cr_expect_eq(rows[0][1], rows[0][0] - 10, "callees above");
    cr_expect_eq(rows[0][2], rows[0][0] - 20);
    cr_expect_eq(rows[1][1], rows[0][0] + 10, "callers below");
    cr_expect_eq(rows[1][2], rows[0][0] + 20);
    layout_release(&l);
    tree_release(&t);
    graph_release(&g);
}
