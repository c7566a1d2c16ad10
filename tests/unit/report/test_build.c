#include "report/build.h"

#include "unit/support/graph.h"
#include "unit/support/test.h"

static const char folded[] = "main;parse;read_[k] 30\n"
                             "main;parse;lex 20\n"
                             "main;eval;eval;eval 25\n"
                             "main;eval;[unknown];x 15\n"
                             "[unknown];[unknown];y 10\n";

/* One graph of the text above, with three searches. */
struct built {
    struct graph graph;
    struct report_graph report;
    struct diag diag;
    struct search *searches[3];
};

static struct search *compile(const char *pattern)
{
    struct buf why = {0};
    struct search *search;

    search = search_new(slice_str(pattern), false, &why);
    cr_assert(search, "%s: %s", pattern, buf_string(&why));
    buf_release(&why);
    return search;
}

static void build_tree(struct built *b, const char *text, const struct report_source *given,
                       bool reverse)
{
    static const char *const searches[3][2] = {
        {"parsing", "parse|lex"}, {"evaluation", "^eval$"}, {"nothing", "zzz"}};
    struct share shares[3];
    struct report_source source = *given;

    graph_init(&b->graph, slice_str(text));
    if (reverse) {
        tree_release(&b->graph.tree);
        tree_init(&b->graph.tree, &b->graph.profile, 0, &(struct tree_options){.reverse = true});
    }
    for (int i = 0; i < 3; i++) {
        b->searches[i] = compile(searches[i][1]);
        b->searches[i]->name = slice_str(searches[i][0]);
        share_sum(b->searches[i], &b->graph.tree, &shares[i]);
    }
    source.scale = (struct unit_scale){unit_samples, b->graph.profile.decimals, 1};
    source.shares = shares;
    source.share_count = 3;
    diag_init(&b->diag, SLICE("c.md"));
    b->report = (struct report_graph){0};
    report_graph_build(&b->report, &source, &b->graph.tree, &b->diag);
}

static void build(struct built *b, const char *text, const struct report_source *given)
{
    build_tree(b, text, given, false);
}

static void release(struct built *b)
{
    for (int i = 0; i < 3; i++)
        search_free(b->searches[i]);
    report_graph_release(&b->report);
    diag_release(&b->diag);
    graph_release(&b->graph);
}

static void expect_text(struct slice got, const char *want, const char *what)
{
    cr_expect(slice_equal(got, slice_str(want)), "%s: '%.*s' instead of '%s'", what, SLICE_ARG(got),
              want);
}

Test(report_build, totals)
{
    struct built b;

    build(&b, folded, &(struct report_source){.name = SLICE("n"), .path = SLICE("n.folded")});
    cr_expect_eq(b.report.total, 100);
    cr_expect_eq(b.report.samples, 100);
    cr_expect_eq(b.report.functions, 8);
    cr_expect_not(b.report.has_duration);
    cr_expect_not(b.report.differential);
    expect_text(b.report.total_text, "100 samples", "total");
    expect_text(b.report.unit, "samples", "unit");
    expect_text(b.report.title, "n", "title");
    release(&b);
}

Test(report_build, top_functions)
{
    static const struct {
        const char *name, *kind, *percent, *number;
    } self[] = {{"read", "kernel", "30.00", "30"},
                {"eval", "", "25.00", "25"},
                {"lex", "", "20.00", "20"}},
      total[] = {
          {"main", "", "90.00", "90"}, {"parse", "", "50.00", "50"}, {"eval", "", "40.00", "40"}};
    struct built b;

    build(&b, folded, &(struct report_source){.name = SLICE("n"), .rows = 3});
    cr_assert_eq(b.report.by_self.count, 3);
    cr_assert_eq(b.report.by_total.count, 3);
    for (size_t i = 0; i < 3; i++) {
        expect_text(b.report.by_self.items[i].shown, self[i].name, "self");
        expect_text(b.report.by_self.items[i].kind, self[i].kind, self[i].name);
        expect_text(b.report.by_self.items[i].self.percent, self[i].percent, self[i].name);
        expect_text(b.report.by_self.items[i].self.number, self[i].number, self[i].name);
        cr_expect_eq(b.report.by_self.items[i].rank, i + 1);
        expect_text(b.report.by_total.items[i].shown, total[i].name, "total");
        expect_text(b.report.by_total.items[i].total.percent, total[i].percent, total[i].name);
        expect_text(b.report.by_total.items[i].total.number, total[i].number, total[i].name);
    }
    release(&b);
}

Test(report_build, searches_are_unions)
{
    static const struct {
        const char *name, *percent, *number;
        uint64_t symbols;
    } want[] = {{"parsing", "50.00", "50", 2},
                {"evaluation", "40.00", "40", 1},
                {"nothing", "0.00", "0", 0}};
    struct built b;

    build(&b, folded, &(struct report_source){.name = SLICE("n")});
    cr_assert_eq(b.report.matches.count, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct report_match *m = &b.report.matches.items[i];

        expect_text(m->name, want[i].name, "name");
        expect_text(m->amount.percent, want[i].percent, want[i].name);
        expect_text(m->amount.number, want[i].number, want[i].name);
        cr_expect_eq(m->symbols, want[i].symbols);
    }
    release(&b);
}

struct gap_row {
    const char *key, *much, *percent, *exact;
};

static void expect_gap(const struct report_omission *omission, const struct gap_row *row)
{
    expect_text(omission->key, row->key, "key");
    expect_text(omission->percent, row->percent, row->key);
    expect_text(omission->exact, row->exact, row->key);
    if (strcmp(row->key, "above_max_depth") != 0) /* "1 samples" or "1 sample": the unit's affair */
        expect_text(omission->much, row->much, row->key);
}

Test(report_build, ledger)
{
    static const struct gap_row own[] =
        {
            {"unknown", "25 samples", "25.00", "25"},
            {"truncated", "1 stack", "1.00", "1"},
            {"without_frames", "4 samples", "4.00", "4"},
            {"locks_kept", "5 locks", "", "5"},
            {"too_thin", "7 samples", "7.00", "7"},
            {"above_max_depth", "1 samples", "1.00", "1"},
        },
                                of_file[] = {
                                    {"without_frames", "1,196 samples", "", "1196"},
                                    {"unreadable", "2 lines", "25.00", "2"},
                                    {"lost", "3 events", "", "3"},
                                    {"frees_unpaired", "1 free", "", "1"},
                                };
    struct built b;
    struct report_graph again = {0};

    build(&b, folded, &(struct report_source){.name = SLICE("n")});
    cr_assert_eq(b.report.omissions.count, 1);
    b.graph.profile.ledger = (struct read_ledger){.lines = 8,
                                                  .unreadable = 2,
                                                  .without_frames = 1200,
                                                  .truncated = 1,
                                                  .truncated_of_series = 1,
                                                  .lost = 3,
                                                  .without_frames_of_series = 4,
                                                  .notes = {[NOTE_FREES_UNPAIRED] = 1}};
    b.graph.profile.series.items[0].without_frames = 4;
    b.graph.profile.series.items[0].truncated = 1;
    b.graph.profile.series.items[0].notes[NOTE_LOCKS_KEPT] = 5;
    report_graph_build(&again, &(struct report_source){.scale = {unit_samples, 0, 1}},
                       &b.graph.tree, &b.diag);
    report_graph_add_thin(&again, 7);
    report_graph_add_above(&again, 1);
    report_graph_add_thin(&again, 0);
    cr_assert_eq(again.omissions.count, sizeof(own) / sizeof(own[0]));
    for (size_t i = 0; i < again.omissions.count; i++)
        expect_gap(&again.omissions.items[i], &own[i]);
    cr_assert_eq(again.file_omissions.count, sizeof(of_file) / sizeof(of_file[0]));
    for (size_t i = 0; i < again.file_omissions.count; i++)
        expect_gap(&again.file_omissions.items[i], &of_file[i]);
    report_graph_release(&again);
    release(&b);
}

/* The differential graph also shows what the reader of the base counted. */
Test(report_build, ledger_of_a_base)
{
    struct built b;
    struct report_graph again = {0};
    struct series *base;

    build(&b, "main;parse 30 40\n", &(struct report_source){.name = SLICE("n")});
    cr_assert_neq(b.graph.profile.series.items[b.graph.tree.series].base, SERIES_NONE);
    base = &b.graph.profile.series.items[b.graph.profile.series.items[b.graph.tree.series].base];
    base->truncated = 2;
    base->without_frames = 3;
    report_graph_build(&again, &(struct report_source){.scale = {unit_samples, 0, 1}},
                       &b.graph.tree, &b.diag);
    cr_assert_eq(again.omissions.count, 2);
    expect_text(again.omissions.items[0].key, "base_truncated", "key");
    expect_text(again.omissions.items[0].exact, "2", "truncated");
    expect_text(again.omissions.items[1].key, "base_without_frames", "key");
    expect_text(again.omissions.items[1].exact, "3", "without frames");
    report_graph_release(&again);
    release(&b);
}

Test(report_build, alternative_text)
{
    struct built b;

    build(&b, folded, &(struct report_source){.name = SLICE("n"), .title = SLICE("My <app>")});
    expect_text(b.report.alt,
                "Flame graph of My <app>: 100 samples. Heaviest stack: main, parse, read. Highest "
                "self: read, 30.00 %.",
                "alt");
    release(&b);
}

/* Without idle CPUs, which is said; if there is nothing else, with them. */
Test(report_build, alternative_text_of_an_idle_machine)
{
    static const struct {
        const char *stacks, *want;
        bool reverse;
    } rows[] = {
        {"swapper;do_idle;cpu_idle 90\nmain;a 6\nmain;b 4\n",
         " Heaviest stack, idle left out: main, a. Highest self, idle left out: a, 6.00 %.", false},
        {"swapper;do_idle;cpu_idle 90\nmain;a 6\nmain;b 4\n",
         " Heaviest stack, idle left out: a, main.", true},
        {"swapper;cpu_idle 40\nmain;a 60\n", " Heaviest stack: main, a. Highest self: a, 60.00 %.",
         false},
        {"swapper;do_idle;cpu_idle 9\n",
         " Heaviest stack: swapper, do_idle, cpu_idle. Highest self: cpu_idle, 100.00 %.", false},
        {"swapper;do_idle;asm_sysvec_apic;tick 9\nmain;a 1\n",
         " Heaviest stack: swapper, do_idle, asm_sysvec_apic, tick. Highest self: tick, 90.00 %.",
         false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct built b;

        build_tree(&b, rows[i].stacks, &(struct report_source){.name = SLICE("n")},
                   rows[i].reverse);
        cr_expect(slice_search(b.report.alt, slice_str(rows[i].want)) < b.report.alt.len,
                  "row %zu: %.*s", i, SLICE_ARG(b.report.alt));
        release(&b);
    }
}

/* The callees of y have more weight than x, but no stack has more than a;x. */
Test(report_build, names_the_heaviest_stack)
{
    struct built b;

    build(&b, "a;x 30\na;y;p 25\na;y;q 25\n", &(struct report_source){.name = SLICE("n")});
    cr_expect(slice_search(b.report.alt, SLICE(" Heaviest stack: a, x.")) < b.report.alt.len,
              "%.*s", SLICE_ARG(b.report.alt));
    release(&b);
}

Test(report_build, a_long_path_is_told_by_its_ends)
{
    struct built b;

    build(&b, "a;b;c;d;e;f;g;h 1\n", &(struct report_source){.name = SLICE("n")});
    cr_expect(slice_search(b.report.alt, SLICE("Heaviest stack: a, b, c, …, f, g, h.")) <
                  b.report.alt.len,
              "%.*s", SLICE_ARG(b.report.alt));
    release(&b);
}

static const struct {
    const char *title, *commentary;
    bool several;
    const char *want, *markdown;
} titles[] = {
    {"T", "", false, "T", ""},
    {"T", "# C\n\ntext", false, "T", "text"},
    {"", "# C `x`\n\ntext", false, "C x", "text"},
    {"", "text", false, "n", "text"},
    {"", "", true, "n", ""},
    {"T", "", true, "T: ev", ""},
    {"T\n\xe2\x80\xae", "", false, "T\\x0a\\u{202e}", ""},
};

Test(report_build, titles)
{
    for (size_t i = 0; i < sizeof(titles) / sizeof(*titles); i++) {
        struct report_graph g = {0};
        struct graph graph;
        struct diag diag;

        graph_init(&graph, SLICE("a 1\n"));
        graph.profile.series.items[0].name = SLICE("ev");
        diag_init(&diag, SLICE(""));
        report_graph_build(&g,
                           &(struct report_source){.name = SLICE("n"),
                                                   .title = slice_str(titles[i].title),
                                                   .commentary = slice_str(titles[i].commentary),
                                                   .several = titles[i].several,
                                                   .scale = {unit_samples, 0, 1}},
                           &graph.tree, &diag);
        expect_text(g.title, titles[i].want, "title");
        expect_text(g.commentary, titles[i].markdown, "commentary");
        report_graph_release(&g);
        diag_release(&diag);
        graph_release(&graph);
    }
}

Test(report_build, changes)
{
    struct built b;

    build(&b, "main;a 30 10\nmain;b 70 90\n" /* before, now */,
          &(struct report_source){.name = SLICE("n")});
    cr_assert(b.report.differential);
    cr_expect_eq(b.report.total, 100);
    cr_expect_eq(b.report.base_total, 100);
    expect_text(b.report.by_total.items[0].total.difference, "0", "main");
    expect_text(b.report.by_self.items[0].shown, "b", "the heavier one");
    expect_text(b.report.by_self.items[0].self.difference, "+20", "b");
    expect_text(b.report.by_self.items[1].self.difference, "-20", "a");
    cr_expect_eq(b.report.by_self.items[1].self.base, 30);
    release(&b);
}

/* A change is one of weight, as in pictures: a share can shrink while the weight stays. */
Test(report_build, changes_are_of_weight)
{
    struct built b;

    build(&b, "main;a 100 100\nmain;b 100 3000\n", &(struct report_source){.name = SLICE("n")});
    expect_text(b.report.by_self.items[0].self.difference, "+2,900", "b");
    expect_text(b.report.by_self.items[1].self.difference, "0", "a, 50 % and 3.23 %");
    release(&b);
}

/* A name as long as this is no part of a page's address. */
Test(report_build, names_that_fit_into_an_address)
{
    for (size_t len = 2000; len <= 2001; len++) {
        struct buf text = {0};
        struct built b;

        for (size_t i = 0; i < len; i++)
            buf_add_char(&text, 'x');
        buf_add_str(&text, " 5\n");
        build(&b, buf_string(&text), &(struct report_source){.name = SLICE("n")});
        cr_expect_eq(b.report.by_self.items[0].address.len, len == 2000 ? 2000 : 0);
        release(&b);
        buf_release(&text);
    }
}

Test(report_build, what_changed_most)
{
    struct built b;

    build(&b, "main;a 3000 10\nmain;b 70 90\nmain;c 5 5\nmain;d 0 7\nmain;e 1 0\n",
          &(struct report_source){.name = SLICE("n")});
    cr_assert_eq(b.report.self_changes.count, 4, "c did not change");
    cr_assert_eq(b.report.total_changes.count, 5);
    expect_text(b.report.difference, "-2,964", "the total");
    expect_text(b.report.self_changes.items[0].shown, "a", "first");
    expect_text(b.report.self_changes.items[0].self.difference, "-2,990", "a");
    expect_text(b.report.self_changes.items[0].self.before, "3,000", "a");
    expect_text(b.report.self_changes.items[0].state, "", "a");
    expect_text(b.report.self_changes.items[1].self.difference, "+20", "b");
    expect_text(b.report.self_changes.items[2].state, "new", "d");
    expect_text(b.report.self_changes.items[3].state, "gone", "e");
    expect_text(b.report.total_changes.items[1].total.difference, "-2,964", "main");
    release(&b);
}

Test(report_build, names_stay_whole_beside_their_short_form)
{
    struct buf text = {0};
    struct built b;

    for (int i = 0; i < 100000; i++)
        buf_add_char(&text, 'x');
    buf_add_str(&text, " 1\n");
    build(&b, buf_string(&text), &(struct report_source){.name = SLICE("n")});
    cr_expect_eq(b.report.by_self.items[0].name.len, 100000);
    cr_expect_lt(b.report.by_self.items[0].shown.len, 500);
    cr_expect(slice_ends(b.report.by_self.items[0].shown, SLICE("x… (100,000 characters)")));
    release(&b);
    buf_release(&text);
}
