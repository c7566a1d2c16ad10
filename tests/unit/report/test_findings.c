#include "report/findings.h"

#include <criterion/criterion.h>

#include "report/build.h"
#include "unit/support/graph.h"

/* A report of graphs, and what it finds, a line each. */
struct found {
    struct report report;
    struct diag diag;
    struct search *search;
    struct buf text;
};

static void init(struct found *f)
{
    struct buf why;

    buf_init(&why);
    buf_init(&f->text);
    diag_init(&f->diag, SLICE(""));
    report_init(&f->report, SLICE("T"), SLICE("9"), SLICE(""));
    f->search = search_new(SLICE("^x"), false, &why);
    report_add_search(&f->report, SLICE("xs"), SLICE("^x"), false);
    report_add_search(&f->report, SLICE("again"), SLICE("^x"), false);
    buf_release(&why);
}

static void add_graph(struct found *f, const char *name, const char *folded)
{
    struct report_query queries[] = {{SLICE("xs"), SLICE("^x"), false, f->search},
                                     {SLICE("again"), SLICE("^x"), false, f->search}};
    struct report_graph g;
    struct graph graph;

    graph_init(&graph, slice_str(folded));
    report_graph_init(&g);
    report_graph_build(&g,
                       &(struct report_source){.name = slice_str(name),
                                               .scale = {unit_samples, 0, 1},
                                               .queries = queries,
                                               .query_count = 2},
                       &graph.tree, &f->diag);
    report_graph_add_thin(&g, graph.tree.total[TREE_ROOT] / 50);
    report_add_graph(&f->report, &g);
    report_graph_release(&g);
    graph_release(&graph);
}

static const char *write_findings(struct found *f)
{
    report_add_findings(&f->report);
    buf_add_slice(&f->text, f->report.measured);
    vec_each (struct report_finding, one, &f->report.findings)
        buf_printf(&f->text, "\n%.*s: %.*s%.*s %.*s%.*s %.*s in %.*s", SLICE_ARG(one->key),
                   SLICE_ARG(one->function), SLICE_ARG(one->search), SLICE_ARG(one->percent),
                   SLICE_ARG(one->change), SLICE_ARG(one->how), SLICE_ARG(one->graph_title));
    return f->text.ptr;
}

static void release(struct found *f)
{
    report_release(&f->report);
    search_free(f->search);
    diag_release(&f->diag);
    buf_release(&f->text);
}

Test(report_findings, are_superlatives_over_all_graphs)
{
    struct found f;

    init(&f);
    add_graph(&f, "one", "a;x 10\na;b 70\na;[unknown];c 120\n");
    add_graph(&f, "two", "a;x 1\na;b 1\n[unknown] 1\n");
    add_graph(&f, "three", "q 20\nz 30\n");
    cr_expect_str_eq(write_findings(&f), "3 graphs: samples\n"
                                         "heaviest_function: c 60.00 by itself in one\n"
                                         "search: xs 33.33  in two\n"
                                         "search: again 33.33  in two\n"
                                         "unknown:  60.00 in stacks with [unknown] frames in one\n"
                                         "too_thin:  2.00 in frames too thin to draw in one");
    release(&f);
}

Test(report_findings, say_nothing_of_nothing)
{
    struct found f;

    init(&f);
    cr_expect_str_eq(write_findings(&f), "");
    release(&f);
    init(&f);
    add_graph(&f, "one", "a 10\n");
    cr_expect_str_eq(write_findings(&f), "1 graph: samples\n"
                                         "heaviest_function: a 100.00 by itself in one");
    release(&f);
}

Test(report_findings, tell_the_change_of_a_differential_graph)
{
    struct found f;

    init(&f);
    add_graph(&f, "one", "a;b 50 10\na;c 50 90\n");
    cr_assert(f.report.graphs.items[0].differential);
    cr_expect_neq(strstr(write_findings(&f), "\nlargest_change: "), NULL, "%s", f.text.ptr);
    release(&f);
}
