#include "tree/share.h"

#include <dirent.h>
#include <stdlib.h>

#include "base/file.h"
#include "input/read.h"
#include "unit/support/graph.h"
#include "unit/support/test.h"

Test(tree_share, has_no_share_if_given_up)
{
    struct buf folded = {0}, why = {0};
    struct search *s;
    struct share result;
    struct graph g;

    for (int i = 0; i < 5000; i++)
        buf_add_char(&folded, 'a');
    buf_add_str(&folded, "b;x 3\naaa 4\n");
    graph_init(&g, buf_slice(&folded));
    s = search_new(SLICE("^(a+)+$"), false, &why);
    cr_assert(s, "%s", buf_string(&why));
    share_sum(s, &g.tree, &result);
    cr_expect_eq(result.exhausted, symbols_count(&g.profile.symbols));
    cr_expect_eq(result.symbols, 0);
    cr_expect_eq(result.weight, 0);
    search_free(s);
    graph_release(&g);
    buf_release(&folded);
    buf_release(&why);
}

struct share_run {
    const char *folded, *pattern;
    uint64_t weight, base;
    uint32_t symbols;
};

Test(tree_share, sums_the_union)
{
    static const struct share_run runs[] = {
        {"main;a;b 3\nmain;b 4\nmain;c 5\n", "^b$", 7, 0, 1},
        {"a;a;a 3\n", "a", 3, 0, 1},
        {"a;x;b;y;a 3\na 2\nb;a 1\n", "[ab]", 6, 0, 2},
        {"main;a 3\n", "nothing", 0, 0, 0},
        {"main;a 3\nb 2\n", "", 5, 0, 3},
        {"read_[k];x 3\nread;x 4\n", "read", 7, 0, 2},
        {"read_[k];x 3\n", "\\[k\\]", 0, 0, 0},
        {"a;b 1 2\nc 4 8\nc;b 0 16\n", "b", 18, 1, 1},
        {"a;b 0\nc 1\n", "b", 0, 0, 0},
    };

    for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
        struct share result;
        struct graph g;
        struct buf why = {0};
        struct search *s;

        graph_init(&g, slice_str(runs[i].folded));
        s = search_new(slice_str(runs[i].pattern), false, &why);
        cr_assert(s, "%s", buf_string(&why));
        share_sum(s, &g.tree, &result);
        cr_expect_eq(result.weight, runs[i].weight, "row %zu: %llu", i,
                     (unsigned long long)result.weight);
        cr_expect_eq(result.base, runs[i].base, "row %zu", i);
        cr_expect_eq(result.symbols, runs[i].symbols, "row %zu", i);
        search_free(s);
        graph_release(&g);
        buf_release(&why);
    }
}

/* ---- against a count over raw samples -------------------------------------------------------- */

/* Adds up the stacks of a series that have a matching frame, one by one. */
static uint64_t brute_force(const struct profile *p, const struct search *s, uint32_t series)
{
    bool *hit = xcalloc(symbols_count(&p->symbols), sizeof(*hit));
    const struct series *from = &p->series.items[series];
    uint64_t sum = 0;

    share_match(s, &p->symbols, hit);
    for (uint32_t i = 0; i < from->count; i++) {
        uint32_t id = from->stack[i];

        while (id != STACK_ROOT && !hit[p->stacks.symbol[id]])
            id = p->stacks.parent[id];
        sum += id != STACK_ROOT ? from->weight[i] : 0;
    }
    free(hit);
    return sum;
}

static void expect_brute_force(const struct profile *p, const char *name)
{
    static const char *const patterns[] = {
        "a", "^sys_|read", "[A-Z]", "::", "^$", "alloc|free", "java|main", "\\d+"};

    for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
        struct share forward, reversed;
        struct search *s;
        struct tree t;
        struct buf why = {0};

        s = search_new(slice_str(patterns[i]), i % 2 == 1, &why);
        cr_assert(s, "%s", buf_string(&why));
        tree_init(&t, p, (uint32_t)p->series.count - 1, &(struct tree_options){0});
        share_sum(s, &t, &forward);
        cr_expect_eq(forward.weight, brute_force(p, s, t.series), "%s, /%s/", name, patterns[i]);
        if (t.base)
            cr_expect_eq(forward.base, brute_force(p, s, 0), "%s, /%s/, base", name, patterns[i]);
        tree_release(&t);
        tree_init(&t, p, (uint32_t)p->series.count - 1, &(struct tree_options){.reverse = true});
        share_sum(s, &t, &reversed);
        cr_expect_eq(reversed.weight, forward.weight, "%s, /%s/, reversed", name, patterns[i]);
        cr_expect_eq(reversed.symbols, forward.symbols, "%s, /%s/, reversed", name, patterns[i]);
        tree_release(&t);
        search_free(s);
        buf_release(&why);
    }
}

Test(tree_share, equals_a_count_over_random_stacks)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct buf folded;
        struct graph g;

        graph_random(&folded, seed, 200, 10, 30);
        graph_init(&g, buf_slice(&folded));
        expect_brute_force(&g.profile, "random");
        graph_release(&g);
        buf_release(&folded);
    }
}

static unsigned expect_directory(const char *path)
{
    DIR *directory = opendir(path);
    unsigned files = 0;
    struct dirent *entry;

    if (!directory)
        return 0;
    while ((entry = readdir(directory))) {
        struct input_options options = input_options_default();
        struct profile p;
        struct diag diag;
        struct buf name = {0};

        buf_printf(&name, "%s/%s", path, entry->d_name);
        profile_init(&p);
        diag_init(&diag, buf_slice(&name));
        if (file_kind(buf_string(&name)) == FILE_REGULAR &&
            input_read(buf_string(&name), &options, 1, &p, &diag) == INPUT_READ) {
            expect_brute_force(&p, buf_string(&name));
            files++;
        }
        diag_release(&diag);
        profile_release(&p);
        buf_release(&name);
    }
    closedir(directory);
    return files;
}

Test(tree_share, equals_a_count_over_real_stacks)
{
    unsigned files = expect_directory("../shared/corpus/folded") +
                     expect_directory("../shared/corpus/folded-diff") + expect_directory("samples");

    if (!files)
        cr_skip_test("no real profiles here: neither samples nor ../shared/corpus");
}
