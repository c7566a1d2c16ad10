/*
 * Unpacks the packed tree as its description says.
 */

#include "output/svg_tree.h"
#include "unit/support/graph.h"
#include "unit/support/reading.h"
#include "unit/support/test.h"

struct unpacked {
    struct slice rest;
    struct slice names[64];
    struct arena memory;
    struct buf folded; /* a line for each stack */
    uint64_t nodes;
};

static uint64_t take(struct slice *rest)
{
    uint64_t value = 0;
    unsigned shift = 0;
    unsigned char byte;

    do {
        cr_assert_gt(rest->len, 0);
        byte = (unsigned char)rest->ptr[0];
        value |= (uint64_t)(byte & 127) << shift;
        shift += 7;
        *rest = slice_skip(*rest, 1);
    } while (byte & 128);
    return value;
}

static void skip(struct slice *rest, uint64_t count)
{
    while (count--)
        take(rest);
}

static uint64_t read_names(struct unpacked *u, struct slice symbols)
{
    uint64_t count = take(&symbols);

    cr_assert_leq(count, 60);
    u->names[0] = SLICE("(left out)");
    for (uint64_t i = 1; i <= count; i++) {
        uint64_t len = take(&symbols);

        u->names[i] = slice_take(symbols, len);
        cr_expect(i < 2 || slice_compare(u->names[i - 1], u->names[i]) <= 0, "the order of names");
        symbols = slice_skip(symbols, len);
        take(&symbols);
    }
    cr_expect_eq(symbols.len, 0);
    return count;
}

/* Reads which symbol the next frame is, from `lists` of at most 64 symbols by caller. */
static uint64_t next_symbol(struct slice *calls, uint64_t lists[64][64], uint64_t caller)
{
    uint64_t *list = lists[caller], place = take(calls), symbol;

    if (!place) {
        symbol = take(calls);
        list[++list[0]] = symbol;
        return symbol;
    }
    cr_assert_leq(place, list[0]);
    symbol = list[place];
    if (place > 1) {
        list[place] = list[place - 1];
        list[place - 1] = symbol;
    }
    return symbol;
}

static void write_path(struct unpacked *u, const uint64_t *path, size_t depth, uint64_t weight,
                       const uint64_t *before)
{
    for (size_t i = 0; i < depth; i++)
        buf_printf(&u->folded, "%s%.*s", i ? ";" : "", SLICE_ARG(u->names[path[i]]));
    if (before)
        buf_printf(&u->folded, " %llu", (unsigned long long)*before);
    buf_printf(&u->folded, " %llu\n", (unsigned long long)weight);
}

/* What a pick left out. */
struct rest {
    uint32_t frames;
    uint64_t weight;
};

/* Picks `first` frames, reduces them to at most `most`, and reads the written data. */
static void unpack(struct unpacked *u, const struct tree *t, uint32_t first, uint32_t most,
                   struct rest *rest)
{
    struct svg_pick pick;
    struct slice drops, adds, weights, before, calls;
    struct svg_tree_order order = {0};
    uint64_t(*lists)[64] = xcalloc(64, sizeof(*lists));
    uint64_t path[64], stacks;
    struct buf symbols = {0}, numbers = {0};
    size_t depth = 0;

    *u = (struct unpacked){0};
    svg_pick_init(&pick, t, first, 1);
    svg_pick_shrink(&pick, most);
    *rest = (struct rest){pick.frames, pick.weight};
    svg_tree_write(&pick, &symbols, &numbers, &order);
    svg_pick_release(&pick);
    cr_expect_eq(order.symbols.count, read_names(u, arena_copy(&u->memory, buf_slice(&symbols))));
    drops = buf_slice(&numbers);
    stacks = take(&drops);
    adds = drops, skip(&adds, stacks);
    weights = adds, skip(&weights, stacks);
    before = weights, skip(&before, stacks + 1);
    calls = before, skip(&calls, t->base ? stacks + 1 : 0);
    take(&weights);
    if (t->base)
        take(&before);
    while (stacks--) {
        uint64_t drop = take(&drops), add = take(&adds), old = 0;

        cr_assert_leq(drop, depth);
        cr_assert_geq(add, 1);
        for (depth -= drop; add--; u->nodes++) {
            cr_assert_lt(depth, 64);
            path[depth] = next_symbol(&calls, lists, depth ? path[depth - 1] : 0);
            depth++;
        }
        if (t->base)
            old = take(&before);
        write_path(u, path, depth, take(&weights), t->base ? &old : NULL);
    }
    cr_expect_eq(calls.len, 0);
    free(lists);
    vec_release(&order.symbols);
    buf_release(&symbols);
    buf_release(&numbers);
}

static void release(struct unpacked *u)
{
    buf_release(&u->folded);
    arena_release(&u->memory);
}

static void expect_same(struct slice folded)
{
    struct rest rest;
    struct unpacked u;
    struct buf want = {0}, got = {0};
    struct graph g;

    graph_init(&g, folded);
    unpack(&u, &g.tree, UINT32_MAX, UINT32_MAX, &rest);
    reading_sort(folded, &want);
    reading_sort(buf_slice(&u.folded), &got);
    cr_expect_str_eq(buf_string(&got), buf_string(&want));
    cr_expect_eq(rest.frames, 0);
    buf_release(&want);
    buf_release(&got);
    release(&u);
    graph_release(&g);
}

Test(output_svg_tree, holds_every_stack)
{
    expect_same(SLICE("a 1\na;b 2\na;b;c 300\na;d;b 4\nb;a;b;a 5\nz 18446744073709000000\n"));
    expect_same(SLICE("a;b 3 7\na;c 1 200\nd 5 1\ngone 4 0\ngone;deep 2 0\n"));
}

/* Random graphs repeat stacks, so weights are compared instead of lines. */
Test(output_svg_tree, holds_random_graphs)
{
    for (unsigned seed = 1; seed < 40; seed++) {
        struct rest rest;
        struct unpacked u;
        struct graph g, back;
        struct buf folded;

        graph_random(&folded, seed, 200, 20, 1 + seed);
        graph_init(&g, buf_slice(&folded));
        unpack(&u, &g.tree, UINT32_MAX, UINT32_MAX, &rest);
        graph_init(&back, buf_slice(&u.folded));
        cr_expect_eq(tree_weight(&back.tree), tree_weight(&g.tree));
        cr_expect_eq(back.tree.count, g.tree.count);
        cr_expect_eq(u.nodes + 1, g.tree.count);
        graph_release(&back);
        graph_release(&g);
        release(&u);
        buf_release(&folded);
    }
}

Test(output_svg_tree, what_is_left_out_keeps_its_weight)
{
    for (unsigned seed = 1; seed < 20; seed++) {
        struct rest rest;
        struct unpacked u;
        struct graph g, back;
        struct buf folded;

        graph_random(&folded, seed, 500, 12, 30);
        graph_init(&g, buf_slice(&folded));
        unpack(&u, &g.tree, 100, 100, &rest);
        graph_init(&back, buf_slice(&u.folded));
        cr_expect_eq(tree_weight(&back.tree), tree_weight(&g.tree), "the sum");
        cr_expect_gt(rest.frames, 0);
        cr_expect_gt(rest.weight, 0);
        cr_expect_leq(u.nodes, 200, "a hundred, and what is left out below them");
        cr_expect_leq(g.tree.count - 1 - rest.frames, 100);
        graph_release(&back);
        graph_release(&g);
        release(&u);
        buf_release(&folded);
    }
}

/* Reducing a pick gives the same pick as picking fewer frames at once. */
Test(output_svg_tree, a_pick_shrinks_to_what_it_would_have_been)
{
    static const uint32_t firsts[] = {UINT32_MAX, 400, 150, 101};

    for (unsigned seed = 1; seed < 20; seed++) {
        struct unpacked want, got;
        struct rest rest, shrunk;
        struct buf folded;
        struct graph g;

        graph_random(&folded, seed, 500, 12, 30);
        graph_init(&g, buf_slice(&folded));
        unpack(&want, &g.tree, 100, 100, &rest);
        for (size_t i = 0; i < sizeof(firsts) / sizeof(firsts[0]); i++) {
            unpack(&got, &g.tree, firsts[i], 100, &shrunk);
            cr_expect_str_eq(buf_string(&got.folded), buf_string(&want.folded), "seed %u, first %u",
                             seed, firsts[i]);
            cr_expect_eq(shrunk.frames, rest.frames);
            cr_expect_eq(shrunk.weight, rest.weight);
            release(&got);
        }
        release(&want);
        graph_release(&g);
        buf_release(&folded);
    }
}

Test(output_svg_tree, threads_pick_what_one_picks)
{
    struct svg_pick one, three;
    struct profile p;
    struct tree t;

    graph_large(&p, 600000);
    tree_init(&t, &p, 0, &(struct tree_options){0});
    svg_pick_init(&one, &t, 1000, 1);
    svg_pick_init(&three, &t, 1000, 3);
    cr_expect_eq(three.least, one.least);
    cr_expect_eq(three.count, one.count);
    cr_expect_leq(one.count - 1, 1000);
    cr_expect_geq(one.count, 500);
    cr_expect_eq(three.frames, one.frames);
    cr_expect_eq(three.weight, one.weight);
    svg_pick_release(&three);
    svg_pick_release(&one);
    tree_release(&t);
    profile_release(&p);
}
