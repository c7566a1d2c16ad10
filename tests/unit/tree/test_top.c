#include "tree/top.h"

#include "unit/support/graph.h"
#include "unit/support/test.h"

static void tell(const struct graph *g, enum top_order order, struct buf *out)
{
    struct top top;

    top_init(&top, &g->tree);
    top_sort(&top, &g->profile.symbols, order);
    vec_each (struct top_row, row, &top.rows) {
        buf_printf(out, "%.*s%.*s %llu/%llu ",
                   SLICE_ARG(symbol_name(&g->profile.symbols, row->symbol)),
                   SLICE_ARG(symbol_suffix(symbol_class(&g->profile.symbols, row->symbol))),
                   (unsigned long long)row->self, (unsigned long long)row->total);
        if (g->tree.base)
            buf_printf(out, "(%llu/%llu) ", (unsigned long long)row->base_self,
                       (unsigned long long)row->base_total);
    }
    top_release(&top);
}

struct row {
    const char *name, *folded;
    enum top_order order;
    const char *want;
};

Test(tree_top, ranks)
{
    static const struct row rows[] = {
        {"by self", "main;a 3\nmain;b 5\nmain 1\n", TOP_BY_SELF, "b 5/5 a 3/3 main 1/9 "},
        {"by total", "main;a 3\nmain;b 5\nmain 1\n", TOP_BY_TOTAL, "main 1/9 b 5/5 a 3/3 "},
        {"a line between stacks is no function", "a;b;--;c_[w] 2\n", TOP_BY_TOTAL,
         "c_[w] 2/2 a 0/2 b 0/2 "},
        {"direct recursion counts once", "f;f;f 4\nf;f 2\n", TOP_BY_SELF, "f 6/6 "},
        {"mutual recursion", "f;g;f 1\ng;f;g 1\n", TOP_BY_TOTAL, "f 1/2 g 1/2 "},
        {"recursion beside none", "f;g;f 4\ng 1\n", TOP_BY_TOTAL, "g 1/5 f 4/4 "},
        {"ties by name", "b 1\na 1\nc 1\n", TOP_BY_SELF, "a 1/1 b 1/1 c 1/1 "},
        {"ties by the other weight first", "x;a 1\nb 1\na;y 1\n", TOP_BY_SELF,
         "a 1/2 b 1/1 y 1/1 x 0/1 "},
        {"a process is no function", "x_[o];x;a 3\nx_[o] 2\n", TOP_BY_TOTAL, "a 3/3 x 0/3 "},
        {"a process after its waker", "w_[o];wake;x_[o] 3\nw_[o];wake;go 2\n", TOP_BY_SELF,
         "wake 3/5 go 2/2 "},
        {"a process between stacks", "x_[o];a;y_[o];b 3\n", TOP_BY_SELF, "b 3/3 a 0/3 "},
        {"classes are apart", "f_[k] 1\nf 1\n", TOP_BY_SELF, "f 1/1 f_[k] 1/1 "},
        {"without weight, not in the graph", "a;b 0\nc 1\n", TOP_BY_SELF, "c 1/1 "},
        {"before and now", "a;b 4 1\na;c 3 0\n", TOP_BY_TOTAL,
         "b 1/1 (4/4) a 0/1 (0/7) c 0/0 (3/3) "},
        {"by what changed, more or less", "a;b 4 1\na;c 3 9\nd 0 5\n", TOP_BY_SELF_CHANGE,
         "c 9/9 (3/3) d 5/5 (0/0) b 1/1 (4/4) a 0/10 (0/7) "},
        {"what noise explains comes after what it does not", "b 10000 10090\nc 100 180\nd 10 24\n",
         TOP_BY_SELF_CHANGE, "c 180/180 (100/100) b 10090/10090 (10000/10000) d 24/24 (10/10) "},
        {"by what changed with callees", "a;b 9 1\na;c 3 9\nd 0 5\n", TOP_BY_TOTAL_CHANGE,
         "b 1/1 (9/9) c 9/9 (3/3) d 5/5 (0/0) a 0/10 (0/12) "},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct graph g;
        struct buf out = {0};

        graph_init(&g, slice_str(rows[i].folded));
        tell(&g, rows[i].order, &out);
        cr_expect_str_eq(buf_string(&out), rows[i].want, "%s: '%s'", rows[i].name,
                         buf_string(&out));
        graph_release(&g);
        buf_release(&out);
    }
}

Test(tree_top, self_weights_sum_to_the_total)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        uint64_t self = 0;
        struct buf folded;
        struct graph g;
        struct top top;

        graph_random(&folded, seed, 300, 12, 4);
        graph_init(&g, buf_slice(&folded));
        top_init(&top, &g.tree);
        vec_each (struct top_row, row, &top.rows) {
            self += row->self;
            cr_expect_leq(row->total, tree_weight(&g.tree));
        }
        cr_expect_eq(self, tree_weight(&g.tree));
        top_release(&top);
        graph_release(&g);
        buf_release(&folded);
    }
}

Test(tree_top, changes_of_own_weight_sum_to_that_of_the_total)
{
    struct graph g;
    struct top top;
    int64_t sum = 0;

    graph_init(&g, SLICE("a 2 3\na;b 10 30\na;b;a 4 0\nc 60 20\nd 0 7\n"));
    top_init(&top, &g.tree);
    vec_each (struct top_row, row, &top.rows) {
        struct slice name = symbol_name(&g.profile.symbols, row->symbol);

        sum += top_self_change(row);
        cr_expect(
            slice_equal(top_state(row), slice_equal(name, SLICE("d")) ? SLICE("new") : SLICE("")));
    }
    cr_expect_eq(sum, 60 - 76);
    cr_expect(slice_equal(top_state(&(struct top_row){.base_total = 1}), SLICE("gone")));
    top_release(&top);
    graph_release(&g);
}
