#include "report/findings.h"

#include "report/build.h"
#include "unit/support/graph.h"
#include "unit/support/test.h"

/* Writes the findings of a report of graphs, one on each line. */
struct found {
    struct report report;
    struct diag diag;
    struct search *search;
    struct buf text;
};

static void init(struct found *f)
{
    struct buf why = {0};

    f->text = (struct buf){0};
    diag_init(&f->diag, SLICE(""));
    report_init(&f->report, SLICE("T"), SLICE("9"), SLICE(""));
    f->search = search_new(SLICE("^x"), false, &why);
    report_add_search(&f->report, SLICE("xs"), SLICE("^x"), false);
    report_add_search(&f->report, SLICE("again"), SLICE("^x"), false);
    buf_release(&why);
}

static void add_graph(struct found *f, const char *name, const char *folded)
{
    struct search again = *f->search;
    struct share shares[2];
    struct report_graph g = {0};
    struct graph graph;

    graph_init(&graph, slice_str(folded));
    again.name = SLICE("again");
    f->search->name = SLICE("xs");
    share_sum(f->search, &graph.tree, &shares[0]);
    share_sum(&again, &graph.tree, &shares[1]);
    report_graph_build(&g,
                       &(struct report_source){.name = slice_str(name),
                                               .scale = {unit_samples, 0, 1},
                                               .shares = shares,
                                               .share_count = 2},
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
        buf_printf(&f->text, "\n%.*s: %.*s%.*s %.*s %.*s in %.*s", SLICE_ARG(one->key),
                   SLICE_ARG(one->function), SLICE_ARG(one->search), SLICE_ARG(one->percent),
                   SLICE_ARG(one->how), SLICE_ARG(one->graph_title));
    return buf_string(&f->text);
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
    add_graph(&f, "two", "a;x 10\na;b 10\n[unknown] 10\n");
    add_graph(&f, "three", "q 20\nz 30\n");
    cr_expect_str_eq(write_findings(&f),
                     "3 graphs of samples\n"
                     "heaviest_function: c 60.00 self (200 samples) in one\n"
                     "search: xs 33.33 (30 samples) in two\n"
                     "search: again 33.33 (30 samples) in two\n"
                     "unknown:  60.00 of the weight is in stacks with [unknown] frames (200 "
                     "samples) in one\n"
                     "too_thin:  2.00 of the weight is in frames too thin to draw (200 samples) in "
                     "one");
    release(&f);
}

static void set_event(struct found *f, size_t index, const char *event)
{
    f->report.graphs.items[index].event = slice_str(event);
}

Test(report_findings, are_of_the_commonest_measure)
{
    struct found f;

    init(&f);
    add_graph(&f, "switches", "a;schedule 98\na;x 2\n");
    add_graph(&f, "cpu", "a;b 60\na;x 40\n");
    add_graph(&f, "more cpu", "a;c 50\na;d 50\n");
    set_event(&f, 0, "context-switches");
    set_event(&f, 1, "cpu-clock");
    set_event(&f, 2, "cpu-clock");
    cr_expect_str_eq(write_findings(&f),
                     "3 graphs: 2 of cpu-clock, 1 of context-switches\n"
                     "heaviest_function: b 60.00 self (100 samples) in cpu\n"
                     "search: xs 40.00 of cpu-clock (100 samples) in cpu\n"
                     "search: again 40.00 of cpu-clock (100 samples) in cpu\n"
                     "too_thin:  2.00 of the weight is in frames too thin to draw (100 samples) in "
                     "switches");
    release(&f);
    init(&f); /* a search that matches only elsewhere */
    add_graph(&f, "switches", "a;schedule 90\na;x 10\n");
    add_graph(&f, "cpu", "a;b 60\na;c 40\n");
    add_graph(&f, "more cpu", "a;c 50\na;d 50\n");
    set_event(&f, 0, "context-switches");
    set_event(&f, 1, "cpu-clock");
    set_event(&f, 2, "cpu-clock");
    write_findings(&f);
    cr_expect(strstr(buf_string(&f.text),
                     "search: xs 10.00 of context-switches (100 samples) in switches"),
              "%s", buf_string(&f.text));
    release(&f);
}

Test(report_findings, measures_are_named_as_far_as_there_is_room)
{
    static const char *const events[] = {"a", "b", "c", "d", "e", "f", "f"};
    static const struct {
        size_t graphs;
        const char *want;
    } rows[] = {
        {2, "2 graphs: 1 of a, 1 of b"},
        {5, "5 graphs: 1 of a, 1 of b, 1 of c, 1 of d, 1 of e"},
        {6, "6 graphs: 1 of a, 1 of b, 1 of c, 1 of d and 2 others"},
        {7, "7 graphs: 2 of f, 1 of a, 1 of b, 1 of c and 2 others"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct found f;

        init(&f);
        for (size_t k = 0; k < rows[i].graphs; k++) {
            add_graph(&f, "g", "a 1\n");
            set_event(&f, k, events[k]);
        }
        report_add_findings(&f.report);
        cr_expect(slice_equal(f.report.measured, slice_str(rows[i].want)), "%.*s",
                  SLICE_ARG(f.report.measured));
        release(&f);
    }
}

Test(report_findings, say_nothing_of_nothing)
{
    struct found f;

    init(&f);
    cr_expect_str_eq(write_findings(&f), "");
    release(&f);
    init(&f);
    add_graph(&f, "one", "a 20\n");
    cr_expect_str_eq(write_findings(&f), "1 graph of samples\n"
                                         "heaviest_function: a 100.00 self (20 samples) in one");
    release(&f);
}

Test(report_findings, say_nothing_of_changes)
{
    struct found f;

    init(&f);
    add_graph(&f, "one", "a;b 50 10\na;c 50 90\n");
    cr_assert(f.report.graphs.items[0].differential);
    cr_expect_str_eq(write_findings(&f),
                     "1 graph of now\n"
                     "heaviest_function: c 90.00 self (100 samples) in one\n"
                     "too_thin:  2.00 of the weight is in frames too thin to draw (100 samples) in "
                     "one");
    release(&f);
}

Test(report_findings, need_twenty_samples)
{
    struct found f;

    init(&f);
    add_graph(&f, "one", "a;x 15\na 4\n");
    cr_expect_str_eq(write_findings(&f), "1 graph of samples");
    release(&f);
    init(&f);
    add_graph(&f, "one", "a 20\n");
    f.report.graphs.items[0].samples = 0;
    cr_expect_str_eq(write_findings(&f),
                     "1 graph of samples\n"
                     "heaviest_function: a 100.00 self (number of samples unknown) in one");
    release(&f);
}

Test(report_findings, gaps_of_one_percent)
{
    static const struct {
        const char *stacks;
        bool found;
    } rows[] = {{"a;b 990\n[unknown] 10\n", true}, {"a;b 991\n[unknown] 9\n", false}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct found f;

        init(&f);
        add_graph(&f, "one", rows[i].stacks);
        cr_expect_eq(strstr(write_findings(&f), "unresolved") != NULL ||
                         strstr(buf_string(&f.text), "unknown") != NULL,
                     rows[i].found, "%s", buf_string(&f.text));
        release(&f);
    }
}

Test(report_findings, leave_out_idle_cpus)
{
    struct found f;

    init(&f);
    add_graph(&f, "one", "do_idle;mwait_idle 90\na;b 10\n");
    cr_expect(strstr(write_findings(&f), "heaviest_function: b 10.00 self (100 samples) in one"),
              "%s", buf_string(&f.text));
    cr_expect(
        slice_equal(f.report.findings.items[0].what, SLICE("Heaviest function, idle left out")));
    release(&f);
}

/* ---- a function that differs between graphs -------------------------------------------------- */
/* Returns what the report says of it after its key, or NULL. */
static const char *write_difference(struct found *f)
{
    const char *line = strstr(write_findings(f), "differs_most: ");

    return line ? line + strlen("differs_most: ") : NULL;
}

/* Each row is up to three graphs, "one", "two" and "three", and the line that they give. */
static const struct {
    const char *graphs[3];
    const char *want; /* how the line begins; NULL if there is none */
} differences[] = {
    {{"m;a 60\nm;b 40\n", "m;a 10\nm;b 90\n"},
     "a 60.00 self, at most 10.00 % in the other graph (100 samples) in one"},
    {{"m;a 300\nm;b 30\nm;c 270\n", "m;a 30\nm;b 570\n", "m;c 600\n"},
     "b 95.00 self, at most 5.00 % in the 2 other graphs (600 samples) in two"},
    /* only one graph has the function */
    {{"m;a 60\nm;b 40\n", "m;c 10\nm;b 90\nm;d 20\n"}, "b 75.00"},
    {{"m;a 600\n", "m;c 600\n"}, NULL},
    /* ten points are enough, less is not */
    {{"m;a 20000\nm;b 80000\n", "m;a 10000\nm;c 90000\n"},
     "a 20.00 self, at most 10.00 % in the other graph"},
    {{"m;a 19999\nm;b 80001\n", "m;a 10000\nm;c 90000\n"}, NULL},
    /* 30 points of 40 samples are chance: four standard errors are 41.5 points */
    {{"m;a 24\nm;b 16\n", "m;a 12\nm;c 28\n"}, NULL},
    {{"m;a 240\nm;b 160\n", "m;a 120\nm;c 280\n"}, "a 60.00 self, at most 30.00 %"},
    /* a graph of fewer than 20 samples is left out */
    {{"m;a 900\nm;b 100\n", "m;a 1\nm;b 18\n"}, NULL},
    /* an idle CPU is no difference */
    {{"do_idle;mwait_idle 900\nm;a 100\n", "do_idle;mwait_idle 100\nm;b 900\n"}, NULL},
};

Test(report_findings, name_the_function_that_differs_most)
{
    for (size_t i = 0; i < sizeof(differences) / sizeof(*differences); i++) {
        static const char *const names[] = {"one", "two", "three"};
        const char *want = differences[i].want, *line;
        struct found f;

        init(&f);
        for (size_t k = 0; k < 3 && differences[i].graphs[k]; k++)
            add_graph(&f, names[k], differences[i].graphs[k]);
        line = write_difference(&f);
        cr_expect(want ? line && !strncmp(line, want, strlen(want)) : !line, "row %zu: %s", i,
                  buf_string(&f.text));
        release(&f);
    }
}

Test(report_findings, differences_are_between_graphs_of_one_measure)
{
    struct found f;

    init(&f);
    add_graph(&f, "cpu", "m;a 600\nm;b 400\n");
    add_graph(&f, "faults", "m;a 100\nm;b 900\n");
    set_event(&f, 1, "page-faults");
    cr_expect_null(write_difference(&f), "%s", buf_string(&f.text));
    release(&f);
    init(&f);
    add_graph(&f, "on", "m;a 600\nm;b 400\n");
    add_graph(&f, "off", "m;a 100\nm;b 900\n");
    f.report.graphs.items[1].kind = SLICE("off-cpu");
    cr_expect_null(write_difference(&f), "%s", buf_string(&f.text));
    release(&f);
}

/* What a graph does not list has at most the share of the last function that it lists. */
Test(report_findings, functions_out_of_sight_are_bounded)
{
    struct buf many = {0};
    struct found f;

    for (int i = 0; i < 16; i++)
        buf_printf(&many, "m;f%02d 100\n", i);
    init(&f);
    add_graph(&f, "one", "m;a 900\nm;b 100\n");
    add_graph(&f, "two", "m;a 10\nm;c 990\n");
    add_graph(&f, "three", buf_string(&many));
    cr_expect_not_null(write_difference(&f));
    cr_expect_not_null(strstr(buf_string(&f.text), "a 90.00 self, at most 6.25 % in the 2 other"),
                       "%s", buf_string(&f.text));
    release(&f);
    buf_release(&many);
}
