#include "layout/change.h"

#include "layout/layout.h"
#include "tree/sandwich.h"
#include "unit/support/graph.h"
#include "unit/support/test.h"

enum { NAMES = 5, ROUNDS = 400, LINES = 24 };

static uint64_t next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33;
}

/* Appends random stacks with two weights; in many stacks one weight is 0. */
static void make_stacks(uint64_t *seed, struct buf *out)
{
    for (int i = 0; i < LINES; i++) {
        unsigned depth = 1 + (unsigned)(next(seed) % 5);

        for (unsigned d = 0; d < depth; d++)
            buf_printf(out, "%s%c", d ? ";" : "", 'a' + (char)(next(seed) % NAMES));
        buf_printf(out, " %u %u\n", next(seed) % 3 ? (unsigned)(next(seed) % 50) : 0,
                   next(seed) % 3 ? (unsigned)(next(seed) % 50) : 0);
    }
}

static int64_t change_of_total(const struct tree *t)
{
    return (int64_t)(t->total[TREE_ROOT] - t->base[TREE_ROOT]);
}

static int64_t sum_drawn(const struct layout *l)
{
    int64_t sum = 0;

    vec_each (struct change_amount, amount, &l->changes)
        sum += amount->self;
    return sum;
}

/* Changes of what is drawn around a function, by side; callers at depth 1 or right in the lane. */
static int64_t sum_side(const struct layout *l, bool callers)
{
    int64_t sum = 0;

    for (size_t i = 0; i < l->boxes.count; i++) {
        const struct box *box = &l->boxes.items[i];
        bool nearest = box->depth == 1 || (box->depth == 2 && l->changes.items[i].lane);

        if (box->callers == callers && box->node != LAYOUT_LANE && (!callers || nearest))
            sum += l->changes.items[i].self;
    }
    return sum;
}

/* The lane of a side is as wide as what it holds, and the wider one is the lane of the graph. */
static void expect_lanes(const struct layout *l)
{
    uint64_t first[2] = {0}, held[2] = {0};

    for (size_t i = 0; i < l->boxes.count; i++) {
        const struct box *box = &l->boxes.items[i];

        if (box->node == LAYOUT_LANE)
            first[box->callers] += box->weight;
        else if (box->depth == 2 && l->changes.items[i].lane)
            held[box->callers] += box->weight;
    }
    cr_expect_eq(first[0], held[0]);
    cr_expect_eq(first[1], held[1]);
    cr_expect_eq(l->lane, first[0] > first[1] ? first[0] : first[1]);
}

/* Boxes are in order of their rows, callees before callers, and do not overlap. */
static void expect_order(const struct layout *l)
{
    for (size_t i = 1; i < l->boxes.count; i++) {
        const struct box *left = &l->boxes.items[i - 1], *box = left + 1;
        bool row = left->depth == box->depth && left->callers == box->callers;

        cr_expect(row ? left->start + left->weight <= box->start
                      : left->depth < box->depth ||
                            (left->depth == box->depth && !left->callers && box->callers));
        cr_expect_leq(box->start + box->weight, l->total);
    }
}

Test(layout_change, around_a_function_both_sides_have_the_whole_change)
{
    static const enum change_width widths[] = {CHANGE_BY_NEW, CHANGE_BY_BASE, CHANGE_BY_BOTH};
    uint64_t seed = 12;
    struct buf text = {0};

    for (int round = 0; round < ROUNDS; round++) {
        struct graph g;
        struct tree t;
        uint32_t symbol;

        buf_clear(&text);
        make_stacks(&seed, &text);
        graph_init(&g, buf_slice(&text));
        symbol = sandwich_find(&g.tree, SLICE("a"));
        if (symbol == SYMBOL_NONE) {
            graph_release(&g);
            continue;
        }
        sandwich_init(&t, &g.tree, symbol);
        for (size_t w = 0; w < 3; w++) {
            struct layout_options all = {.width = 1000, .max_depth = 1000, .width_by = widths[w]};
            struct layout l;
            int64_t alone = change_of_total(&t); /* of samples in which no function called it */

            for (uint32_t id = t.callers; id < t.count; id++)
                if (t.parent[id] == TREE_ROOT)
                    alone -= (int64_t)(t.total[id] - t.base[id]);
            layout_init(&l, &t, &all);
            if (l.boxes.count) {
                cr_expect_eq(sum_side(&l, false), change_of_total(&t), "%d, %zu", round, w);
                cr_expect_eq(sum_side(&l, true) + alone, change_of_total(&t), "%d, %zu", round, w);
                cr_expect_eq(l.hidden_change, 0);
                cr_expect_eq(
                    (int64_t)(l.balance.new + l.balance.grown - l.balance.gone - l.balance.shrunk),
                    change_of_total(&t));
                expect_order(&l);
                expect_lanes(&l);
            }
            layout_release(&l);
        }
        tree_release(&t);
        graph_release(&g);
    }
    buf_release(&text);
}

Test(layout_change, deltas_drawn_add_up_to_the_whole_change)
{
    static const enum change_width widths[] = {CHANGE_BY_NEW, CHANGE_BY_BASE, CHANGE_BY_BOTH};
    uint64_t seed = 11;
    struct buf text = {0};

    for (int round = 0; round < ROUNDS; round++) {
        struct graph g;

        buf_clear(&text);
        make_stacks(&seed, &text);
        graph_init(&g, buf_slice(&text));
        cr_assert_not_null(g.tree.base);
        for (size_t w = 0; w < 3; w++) {
            /* The first options draw every box; the second leave out thin and high boxes. */
            struct layout_options all = {.width = 1000,
                                         .max_depth = 1000,
                                         .width_by = widths[w],
                                         .delta_of_total = round % 2};
            struct layout_options part = all;
            struct layout l;

            part.min_width = 40;
            part.max_depth = 4;
            layout_init(&l, &g.tree, &all);
            cr_expect_eq(sum_drawn(&l), change_of_total(&g.tree), "round %d, width %zu", round, w);
            cr_expect_eq(l.hidden_change, 0);
            cr_expect_eq(l.changes.count, l.boxes.count);
            cr_expect_eq(
                (int64_t)(l.balance.new + l.balance.grown - l.balance.gone - l.balance.shrunk),
                change_of_total(&g.tree));
            layout_release(&l);
            layout_init(&l, &g.tree, &part);
            cr_expect_eq(sum_drawn(&l) + l.hidden_change, change_of_total(&g.tree));
            layout_release(&l);
        }
        graph_release(&g);
    }
    buf_release(&text);
}

/* Exchanges the two weights of every line. */
static void swap_columns(struct slice text, struct buf *out)
{
    struct slice line;

    while (slice_cut(&text, '\n', &line)) {
        size_t last, first;

        if (!line.len)
            continue;
        last = slice_find_last(line, ' ');
        first = slice_find_last(slice_take(line, last), ' ');
        buf_printf(out, "%.*s%.*s%.*s\n", (int)first, line.ptr, (int)(line.len - last),
                   line.ptr + last, (int)(last - first), line.ptr + first);
    }
}

static struct slice box_name(const struct layout *l, const struct box *box)
{
    return box->node && box->node != LAYOUT_LANE
               ? symbol_name(&l->tree->profile->symbols, l->tree->symbol[box->node])
               : SLICE("");
}

static void expect_mirrored(const struct layout *l, const struct layout *m, int round)
{
    cr_assert_eq(l->boxes.count, m->boxes.count, "round %d", round);
    cr_expect_eq(l->max_delta, m->max_delta, "round %d", round);
    cr_expect_eq(l->total, m->total, "round %d", round);
    for (size_t i = 0; i < l->boxes.count; i++) {
        const struct box *a = &l->boxes.items[i], *b = &m->boxes.items[i];

        cr_expect(a->start == b->start && a->weight == b->weight && a->depth == b->depth,
                  "round %d: box %zu has moved", round, i);
        cr_expect(slice_equal(box_name(l, a), box_name(m, b)), "round %d", round);
        cr_expect_eq(a->delta, -b->delta, "round %d", round);
        cr_expect_eq(l->changes.items[i].base, m->changes.items[i].now, "round %d", round);
    }
}

Test(layout_change, by_both_a_swap_mirrors_the_picture)
{
    uint64_t seed = 5;
    struct buf text = {0}, swapped = {0};

    for (int round = 0; round < ROUNDS; round++) {
        struct layout_options options = {.width = 1000,
                                         .max_depth = 1000,
                                         .width_by = CHANGE_BY_BOTH,
                                         .delta_of_total = round % 2};
        struct layout l, m;
        struct graph g, h;

        buf_clear(&text);
        buf_clear(&swapped);
        make_stacks(&seed, &text);
        swap_columns(buf_slice(&text), &swapped);
        graph_init(&g, buf_slice(&text));
        graph_init(&h, buf_slice(&swapped));
        layout_init(&l, &g.tree, &options);
        layout_init(&m, &h.tree, &options);
        expect_mirrored(&l, &m, round);
        options.width_by = CHANGE_BY_NEW;
        layout_release(&l);
        layout_init(&l, &g.tree, &options);
        options.width_by = CHANGE_BY_BASE;
        layout_release(&m);
        layout_init(&m, &h.tree, &options);
        expect_mirrored(&l, &m, round);
        layout_release(&l);
        layout_release(&m);
        graph_release(&g);
        graph_release(&h);
    }
    buf_release(&text);
    buf_release(&swapped);
}

Test(layout_change, what_is_gone_lies_in_the_lane_with_its_callers)
{
    struct layout_options options = {.width = 1000, .max_depth = 1000};
    const struct box *lane;
    struct layout l;
    struct graph g;

    graph_init(&g, SLICE("a 5 2\na;b 1 9\na;c 3 0\na;c;d 2 0\ne 4 0\n"));
    layout_init(&l, &g.tree, &options);
    /* Row by row: root; a, gone; b, a and e below gone; c below gone; d below gone. */
    cr_assert_eq(l.boxes.count, 8);
    lane = &l.boxes.items[2];
    cr_expect_eq(lane->node, LAYOUT_LANE);
    cr_expect_eq(lane->start, 11);
    cr_expect_eq(lane->weight, 9);
    cr_expect_eq(l.boxes.items[0].weight, 20);
    cr_expect_eq(l.lane, 9);
    /* The box of a below "gone" is as wide as the stacks gone below it; a itself did not change. */
    cr_expect_eq(l.boxes.items[4].weight, 5);
    cr_expect_eq(l.changes.items[4].base, 5);
    cr_expect_eq(l.changes.items[4].self, 0);
    cr_expect_eq(l.changes.items[6].self, -3);
    cr_expect_eq(l.changes.items[7].self, -2);
    layout_release(&l);
    graph_release(&g);
}

Test(layout_change, a_graph_that_is_all_gone_is_all_lane)
{
    struct layout_options options = {.width = 1000, .max_depth = 1000};
    struct layout l;
    struct graph g;

    graph_init(&g, SLICE("a 5 0\na;b 1 0\n"));
    layout_init(&l, &g.tree, &options);
    cr_assert_eq(l.boxes.count, 4);
    cr_expect_eq(l.boxes.items[1].node, LAYOUT_LANE);
    cr_expect_eq(sum_drawn(&l), -6);
    layout_release(&l);
    graph_release(&g);
}

/* A picture of one row has no room for the lane of what is gone. */
Test(layout_change, one_row_has_no_lane)
{
    const struct layout_options options = {.width = 1000, .max_depth = 1};
    struct layout l;
    struct graph g;

    graph_init(&g, SLICE("a 5 1\nb 0 7\nx 4 0\n"));
    layout_init(&l, &g.tree, &options);
    cr_expect_gt(l.lane, 0);
    cr_expect_eq(l.boxes.count, 1);
    layout_release(&l);
    graph_release(&g);
}
