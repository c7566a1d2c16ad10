#include "layout/layout.h"

#include "tree/sandwich.h"
#include "unit/support/graph.h"
#include "unit/support/test.h"

static const struct layout_options everything = {.width = 1000, .max_depth = 1000};

static struct slice box_name(const struct layout *l, const struct box *box)
{
    return box->depth ? symbol_name(&l->tree->profile->symbols, l->tree->symbol[box->node])
                      : SLICE("all");
}

/* Appends "name@start+weight" of all boxes, one line for each row of boxes. */
static void describe(const struct layout *l, struct buf *out)
{
    uint32_t depth = 0;

    buf_clear(out);
    vec_each (struct box, box, &l->boxes) {
        if (box != l->boxes.items)
            buf_add_char(out, box->depth == depth ? ' ' : '\n');
        depth = box->depth;
        buf_add_slice(out, box_name(l, box));
        buf_printf(out, "@%llu+%llu", (unsigned long long)box->start,
                   (unsigned long long)box->weight);
    }
}

struct layout_case {
    const char *name, *folded, *want;
    struct layout_options options;
    uint64_t thin, above;
};

static const struct layout_case cases[] = {
    {"siblings by name, self weight at the right",
     "a;y 2\na;x 3\na 5\nb 1\n",
     "all@0+11\na@0+10 b@10+1\nx@0+3 y@3+2",
     {.width = 100, .max_depth = 9},
     0,
     0},
    {"by weight, ties by name",
     "a 1\nc 4\nb 4\n",
     "all@0+9\nb@0+4 c@4+4 a@8+1",
     {.sort = LAYOUT_BY_WEIGHT, .width = 100, .max_depth = 9},
     0,
     0},
    {"classes of one name, plain first",
     "a_[k] 1\na 2\n",
     "all@0+3\na@0+2 a@2+1",
     {.width = 100, .max_depth = 9},
     0,
     0},
    {"a prefix comes first, bytes decide",
     "ab 1\na 1\nB 1\n",
     "all@0+3\nB@0+1 a@1+1 ab@2+1",
     {.width = 100, .max_depth = 9},
     0,
     0},
    {"names alike in their first eight bytes",
     "abcdefghz 1\nabcdefgha 1\nabcdefgh 1\n",
     "all@0+3\nabcdefgh@0+1 abcdefgha@1+1 abcdefghz@2+1",
     {.width = 100, .max_depth = 9},
     0,
     0},
    {"thin siblings take their place",
     "a 10\nb 1\nc 10\nd 1\n",
     "all@0+22\na@0+10 c@11+10",
     {.width = 22, .min_width = 2, .max_depth = 9},
     2,
     0},
    {"a thin frame's callees are thin too",
     "a;b;c 1\nz 9\n",
     "all@0+10\nz@1+9",
     {.width = 10, .min_width = 2, .max_depth = 9},
     1,
     0},
    {"exactly wide enough",
     "a 2\nb 8\n",
     "all@0+10\na@0+2 b@2+8",
     {.width = 10, .min_width = 2, .max_depth = 9},
     0,
     0},
    {"just not wide enough",
     "a 3\nb 4\nc 3\n",
     "all@0+10\nb@3+4",
     {.width = 3, .min_width = 1, .max_depth = 9},
     6,
     0},
    {"per cent",
     "a 4\nb 96\n",
     "all@0+100\nb@4+96",
     {.width = 10, .min_width = 5, .min_is_percent = true, .max_depth = 9},
     4,
     0},
    {"rows end at max_depth",
     "a;b;c 3\na 1\n",
     "all@0+4\na@0+4",
     {.width = 9, .max_depth = 2},
     0,
     3},
    {"a common total", "a 4\n", "all@0+4\na@0+4", {.total = 8, .width = 9, .max_depth = 9}, 0, 0},
    {"a total below the tree's is not used",
     "a 4\n",
     "all@0+4\na@0+4",
     {.total = 3, .width = 9, .max_depth = 9},
     0,
     0},
    {"the root is drawn however wide a frame has to be",
     "a 1\n",
     "all@0+1\na@0+1",
     {.width = 10, .min_width = 50, .max_depth = 9},
     0,
     0},
};

Test(layout_layout, boxes)
{
    struct buf text = {0};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct layout_case *c = &cases[i];
        struct graph g;
        struct layout l;

        graph_init(&g, slice_str(c->folded));
        layout_init(&l, &g.tree, &c->options);
        describe(&l, &text);
        cr_expect_str_eq(buf_string(&text), c->want, "%s: %s", c->name, buf_string(&text));
        cr_expect_eq(l.thin, c->thin, "%s: thin %llu", c->name, (unsigned long long)l.thin);
        cr_expect_eq(l.above, c->above, "%s: above %llu", c->name, (unsigned long long)l.above);
        layout_release(&l);
        graph_release(&g);
    }
    buf_release(&text);
}

Test(layout_layout, no_weight_no_boxes)
{
    struct graph g;
    struct layout l;

    graph_init(&g, SLICE(""));
    layout_init(&l, &g.tree, &everything);
    cr_expect_eq(l.boxes.count, 0);
    cr_expect_eq(l.rows, 0);
    layout_release(&l);
    graph_release(&g);
}

Test(layout_layout, deltas_are_of_self_weight)
{
    struct graph g;
    struct layout l;

    /* Self weights before and after: a 5 to 2, b 1 to 9, c 4 to 0. */
    graph_init(&g, SLICE("a 5 2\na;b 1 9\nc 4 0\n"));
    layout_init(&l, &g.tree, &everything);
    cr_assert_eq(l.boxes.count, 5);
    cr_expect_eq(l.boxes.items[0].delta, 0);
    cr_expect_eq(l.boxes.items[1].delta, -3);
    cr_expect_eq(l.boxes.items[3].delta, 8);
    cr_expect_eq(l.boxes.items[4].delta, -4);
    cr_expect_eq(l.max_delta, 8);
    layout_release(&l);
    graph_release(&g);
}

/* Checks that siblings do not overlap, that parents contain them, and that rows are ordered. */
static void check_nesting(const struct layout *l, uint64_t seed)
{
    const struct tree *t = l->tree;
    const struct box **of = xcalloc(t->count, sizeof(*of));
    uint64_t *right = xcalloc(t->count, sizeof(*right)); /* of the children so far */

    vec_each (struct box, box, &l->boxes) {
        const struct box *parent = of[t->parent[box->node]];

        of[box->node] = box;
        right[box->node] = box->start;
        cr_expect_eq(box->weight, t->total[box->node], "seed %llu", (unsigned long long)seed);
        if (!box->depth)
            continue;
        cr_assert_not_null(parent, "seed %llu: a box without its parent", (unsigned long long)seed);
        cr_expect_eq(box->depth, parent->depth + 1);
        cr_expect(box->start >= right[parent->node], "seed %llu: siblings overlap",
                  (unsigned long long)seed);
        right[parent->node] = box->start + box->weight;
        cr_expect(right[parent->node] <= parent->start + parent->weight,
                  "seed %llu: a child leaves its parent", (unsigned long long)seed);
        cr_expect(box[-1].depth < box->depth || box[-1].start + box[-1].weight <= box->start,
                  "seed %llu: row out of order", (unsigned long long)seed);
    }
    free(of);
    free(right);
}

/* Checks that each node is drawn or counted as thin or high, and that self weights add up. */
static void check_ledger(const struct layout *l, uint64_t seed)
{
    const struct tree *t = l->tree;
    uint64_t *self = xmalloc(t->count * sizeof(*self));
    uint64_t sum = l->thin + l->above;

    tree_self(t, self);
    vec_each (struct box, box, &l->boxes)
        sum += self[box->node];
    cr_expect_eq(sum, tree_weight(t), "seed %llu: the ledger does not add up",
                 (unsigned long long)seed);
    free(self);
}

/* What callers beyond the depth weigh is counted among the callees already. */
Test(layout_layout, callers_beyond_the_depth_are_not_counted_again)
{
    struct layout_options options = {.width = 9, .max_depth = 2};
    struct graph g;
    struct tree t;
    struct layout l;

    graph_init(&g, SLICE("main;run;f;x;y 5\nmain;run;f 2\n"));
    sandwich_init(&t, &g.tree, sandwich_find(&g.tree, SLICE("f")));
    layout_init(&l, &t, &options);
    cr_expect_eq(l.above, 5);
    layout_release(&l);
    tree_release(&t);
    graph_release(&g);
}

Test(layout_layout, random_graphs_nest_and_add_up)
{
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct layout_options options = {
            .sort = seed % 2 ? LAYOUT_BY_NAME : LAYOUT_BY_WEIGHT,
            .min_width = (double)(seed % 7),
            .width = 500,
            .max_depth = 3 + (uint32_t)seed % 20,
        };
        struct buf folded;
        struct graph g;
        struct layout l;

        graph_random(&folded, seed, 200, 12, 4 + (unsigned)seed % 9);
        graph_init(&g, buf_slice(&folded));
        layout_init(&l, &g.tree, &options);
        check_nesting(&l, seed);
        check_ledger(&l, seed);
        layout_release(&l);
        graph_release(&g);
        buf_release(&folded);
    }
}

/* The layout does not depend on the order in which stacks were read. */
Test(layout_layout, reading_order_does_not_matter)
{
    static const char *const orders[] = {
        "a;x 1\na;y 2\nb;x 3\nb 4\n",
        "b 4\nb;x 3\na;y 2\na;x 1\n",
        "b;x 3\na;x 1\nb 4\na;y 2\n",
    };
    struct buf first = {0}, text = {0};

    for (size_t i = 0; i < 3; i++) {
        struct graph g;
        struct layout l;

        graph_init(&g, slice_str(orders[i]));
        layout_init(&l, &g.tree, &everything);
        describe(&l, i ? &text : &first);
        if (i)
            cr_expect_str_eq(buf_string(&text), buf_string(&first));
        layout_release(&l);
        graph_release(&g);
    }
    buf_release(&first);
    buf_release(&text);
}
