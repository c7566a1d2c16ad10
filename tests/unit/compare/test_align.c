#include "compare/align.h"

#include "output/folded.h"
#include "unit/support/graph.h"
#include "unit/support/test.h"

static bool collect(void *out, struct slice bytes)
{
    buf_add_slice(out, bytes);
    return true;
}

static void expect(const struct graph *g, const char *want, size_t row, const char *side)
{
    struct buf text = {0};

    folded_write(&g->profile, 0, NULL, collect, &text);
    cr_expect_str_eq(buf_string(&text), want, "row %zu, %s: %s", row, side, buf_string(&text));
    buf_release(&text);
}

Test(compare_align, names_that_differ_become_those_of_the_new_runs)
{
    static const struct {
        const char *base, *new, *want_base, *want_new;
    } rows[] = {
        /* a process has a new number */
        {"orders-w1_[o];main 3\n", "orders-w2_[o];main 4\n", "orders-w2;main 3\n",
         "orders-w2;main 4\n"},
        /* several processes of the new runs */
        {"orders-1_[o];main 3\n", "orders-2_[o];main 4\norders-3_[o];main 5\n", "orders-N;main 3\n",
         "orders-N;main 9\n"},
        /* the same threads on both sides */
        {"w-1;a;b 3\nw-2;a 1\n", "w-1;a;b 4\nw-2;a 1\n", "w-1;a;b 3\nw-2;a 1\n",
         "w-1;a;b 4\nw-2;a 1\n"},
        /* clones of a compiler */
        {"p_[o];f.isra.0 3\np_[o];f.cold 1\n", "p_[o];f.constprop.1 4\n", "p;f.constprop.1 4\n",
         "p;f.constprop.1 4\n"},
        /* copies that both sides have */
        {"p_[o];f 3\np_[o];f.cold 1\n", "p_[o];f 4\n", "p;f 3\np;f.cold 1\n", "p;f 4\n"},
        {"p_[o];f 3\np_[o];f.isra.0 1\n", "p_[o];f 4\np_[o];f.isra.1 2\n", "p;f 3\np;f.isra.1 1\n",
         "p;f 4\np;f.isra.1 2\n"},
        /* a thread more */
        {"w-1_[o];a 3\nw-2_[o];a 1\n", "w-1_[o];a 4\nw-2_[o];a 1\nw-3_[o];a 1\n",
         "w-1;a 3\nw-2;a 1\n", "w-1;a 4\nw-2;a 1\nw-3;a 1\n"},
        /* generated functions, whose numbers mean nothing */
        {"p_[o];A$$Lambda$1.f 3\np_[o];A$$Lambda$2.f 1\n", "p_[o];A$$Lambda$1.f 4\n",
         "p;A$$Lambda$1.f 4\n", "p;A$$Lambda$1.f 4\n"},
        {"p_[o];A$$Lambda$1.f 3\n", "p_[o];A$$Lambda$2.f 4\np_[o];A$$Lambda$1.f 1\n",
         "p;A$$Lambda$2.f 3\n", "p;A$$Lambda$2.f 5\n"},
        /* the number of a process is not the number of a function */
        {"p_[o];md5 3\n", "p_[o];md6 4\n", "p;md5 3\n", "p;md6 4\n"},
        /* a function that the comparison regards as renamed */
        {"p_[o];old;x 3\n", "p_[o];fresh;x 4\n", "p;fresh;x 3\n", "p;fresh;x 4\n"},
        /* the same, of which the base has both names */
        {"p_[o];old;x 3\np_[o];fresh;x 1\n", "p_[o];fresh;x 4\n", "p;fresh;x 4\n", "p;fresh;x 4\n"},
        /* the class is a part of the identity */
        {"p_[o];f.cold_[k] 3\n", "p_[o];f 4\n", "p;f.cold_[k] 3\n", "p;f 4\n"},
    };
    struct align_rename items[] = {{SLICE("old"), SLICE("fresh")}};
    const struct align_renames renames = {items, 1, 1};

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct graph base, new;

        graph_init(&base, slice_str(rows[i].base));
        graph_init(&new, slice_str(rows[i].new));
        compare_align(&base.profile, &new.profile, &renames);
        expect(&base, rows[i].want_base, i, "base");
        expect(&new, rows[i].want_new, i, "new");
        graph_release(&base);
        graph_release(&new);
    }
}
