#include "report/report.h"

#include "report/build.h"
#include "report/findings.h"
#include "report/html.h"
#include "report/json.h"
#include "report/markdown.h"
#include "unit/support/graph.h"
#include "unit/support/strict_json.h"
#include "unit/support/test.h"

/* A report of one graph with these folded stacks, and all that it is written as. */
struct written {
    struct report report;
    struct templates templates;
    struct diag diag;
    struct buf markdown, html, json;
};

/* Adds a graph whose search was given up when `exhausted` names were left, unless that is 0. */
static void add_searched(struct written *w, const char *name, const char *title, const char *folded,
                         const char *commentary, uint32_t exhausted)
{
    struct buf why = {0};
    struct search *search;
    struct share share;
    struct report_graph g = {0};
    struct graph graph;

    search = search_new(SLICE("m|x"), false, &why);
    search->name = SLICE("a|b");
    graph_init(&graph, slice_str(folded));
    share_sum(search, &graph.tree, &share);
    if (exhausted)
        share = (struct share){.search = search, .exhausted = exhausted};
    profile_add_fact(&graph.profile, SLICE("command <>"), SLICE("perf record `-g` | x"));
    report_graph_build(&g,
                       &(struct report_source){.name = slice_str(name),
                                               .path = SLICE("dir/a_b.folded"),
                                               .title = slice_str(title),
                                               .commentary = slice_str(commentary),
                                               .scale = {unit_samples, 0, 1},
                                               .shares = &share,
                                               .share_count = 1},
                       &graph.tree, &w->diag);
    report_graph_set_picture(
        &g, REPORT_SVG,
        &(struct report_file){.path = SLICE("graphs/n.svg"), .width = 1200, .height = 300});
    report_graph_set_picture(
        &g, REPORT_PNG,
        &(struct report_file){.path = SLICE("graphs/n.png"), .width = 1200, .height = 300});
    report_graph_set_picture(
        &g, REPORT_PNG_2X,
        &(struct report_file){.path = SLICE("graphs/n@2x.png"), .width = 1200, .height = 300});
    report_add_graph(&w->report, &g);
    report_graph_release(&g);
    graph_release(&graph);
    search_free(search);
    buf_release(&why);
}

static void add_graph(struct written *w, const char *name, const char *title, const char *folded,
                      const char *commentary)
{
    add_searched(w, name, title, folded, commentary, 0);
}

static void init(struct written *w, const char *title)
{
    *w = (struct written){0};
    diag_init(&w->diag, SLICE(""));
    cr_assert(templates_init(&w->templates, NULL, &w->diag));
    report_init(&w->report, slice_str(title), SLICE("9.9"), SLICE(""));
    report_add_search(&w->report, SLICE("a|b"), SLICE("m|x"), false);
}

static void write_all(struct written *w)
{
    cr_assert(report_write_markdown(&w->report, &w->templates, &w->markdown, &w->diag));
    cr_assert(report_write_html(&w->report, &w->templates, &w->html, NULL, &w->diag));
    report_write_json(&w->report, &w->json, NULL);
}

static void release(struct written *w)
{
    report_release(&w->report);
    templates_release(&w->templates);
    diag_release(&w->diag);
    buf_release(&w->markdown);
    buf_release(&w->html);
    buf_release(&w->json);
}

static void expect_in(const struct buf *text, const char *part, bool wanted)
{
    cr_expect_eq(strstr(buf_string(text), part) != NULL, wanted, "'%s' %s:\n%s", part,
                 wanted ? "is missing" : "is there", buf_string(text));
}

static size_t count(const struct buf *text, const char *part)
{
    size_t times = 0;

    for (const char *at = buf_string(text); (at = strstr(at, part)); at++)
        times++;
    return times;
}

static void expect_json(const struct buf *json)
{
    size_t at;

    cr_expect(strict_json(buf_slice(json), &at), "not JSON at byte %zu: %.60s", at,
              json->ptr + (at > 30 ? at - 30 : 0));
}

Test(report_report, says_the_same_three_times)
{
    struct written w;

    init(&w, "My report");
    report_set_introduction(&w.report, SLICE("# My own title\n\nHello *you*."), &w.diag);
    add_graph(&w, "n", "One graph", "main;a 1\nmain;b 2\n", "# C\n\nA `note`.\n\n## More");
    write_all(&w);
    expect_in(&w.markdown, "# My report\n", true);
    expect_in(&w.markdown, "Hello *you*.", true);
    expect_in(&w.markdown, "| [One graph](#one-graph) | 3 samples | 100.00 % |\n", true);
    expect_in(&w.markdown, "\n## One graph\n", true);
    expect_in(&w.markdown, "](graphs/n.png)](graphs/n.svg)\n", true);
    expect_in(&w.markdown, "| 1 | `b` | 66.67 % | 2 | 66.67 % |\n", true);
    expect_in(&w.markdown, "A `note`.\n\n### More\n", true);
    expect_in(&w.markdown, "](graphs/n@2x.png)", true);
    expect_in(&w.html, "<h1>My report</h1>", true);
    expect_in(&w.html, "<p>Hello <em>you</em>.</p>", true);
    expect_in(&w.html, "<h2>One graph</h2>", true);
    expect_in(&w.html, "<section class=\"graph\" id=\"n\"", true);
    expect_in(&w.html, "<a href=\"#n\">One graph</a>", true);
    expect_in(&w.html, "<code>b</code>", true);
    expect_in(&w.html, "66.67&#8239;%", true);
    expect_in(&w.html, "<p>A <code>note</code>.</p>\n<h3>More</h3>", true);
    expect_in(&w.html, "srcset=\"graphs/n@2x.png 2x\" width=\"1200\" height=\"300\"", true);
    expect_json(&w.json);
    expect_in(&w.json, "\"schema\": \"flamepress-report/2\"", true);
    expect_in(&w.json, "\"title\": \"My report\"", true);
    expect_in(&w.json, "\"weight\": \"2\",\n            \"percent\": 66.67,\n", true);
    release(&w);
}

Test(report_report, no_mark_is_left_in_the_page)
{
    struct written w;

    init(&w, "T");
    add_graph(&w, "n", "G",
              "main;\xef\xb7\x90"
              "0\xef\xb7\x90 1\n",
              "\xef\xb7\x90"
              "0\xef\xb7\x90\n\n&#xfdd0;1&#xfdd0;");
    write_all(&w);
    expect_in(&w.html, "\xef\xb7\x90", false);
    expect_in(&w.markdown, "\xef\xb7\x90", false);
    release(&w);
}

/* Names that would be markup if they were not escaped. */
static const char *const hostile[] = {
    "<script>alert(1)</script>",
    "</style></title></section>",
    "\"onload=\"x",
    "'onload='x",
    "a|b|c",
    "``` a ` b",
    "]]>",
    "[x](javascript:y)",
    "<!-- x",
    "{{title}}",
    "{{{title}}} {{> page}}",
    "\\",
    "\\|",
    "&lt;script&gt;",
    "\x01\x02\x1b[31m",
    ("\xe2\x80\xae"
     "evil"),
    "\xff\xfe",
    "# not a heading",
    "- not a list",
};

Test(report_report, escapes_hostile_names_everywhere)
{
    for (size_t i = 0; i < sizeof(hostile) / sizeof(*hostile); i++) {
        struct slice name = slice_str(hostile[i]);
        struct written w;
        struct buf folded = {0};

        buf_printf(&folded, "main;%.*s 1\n", SLICE_ARG(name));
        init(&w, hostile[i]);
        report_set_subtitle(&w.report, name);
        report_add_search(&w.report, name, name, false);
        report_add_stranger(&w.report, name, name);
        diag_warn_line(&w.diag, 3, "bad '%.*s'", SLICE_ARG(name));
        report_add_failure(&w.report, name, &w.diag);
        add_graph(&w, "n", hostile[i], buf_string(&folded), "");
        write_all(&w);
        expect_json(&w.json);
        cr_expect_eq(count(&w.html, "<script"), 1, "'%s' adds a script", hostile[i]);
        cr_expect_eq(count(&w.html, "</script>"), 1, "'%s' ends the script", hostile[i]);
        expect_in(&w.html, "\"onload", false);
        expect_in(&w.html, "href=\"javascript", false);
        expect_in(&w.html, "<!-- ", false);
        expect_in(&w.html, "\x1b", false);
        expect_in(&w.html, "\xe2\x80\xae", false);
        expect_in(&w.markdown, "\xe2\x80\xae", false);
        expect_in(&w.json, "<script", false);
        cr_expect_eq(count(&w.html, "</style>"), 1, "'%s' ends the style", hostile[i]);
        cr_expect_eq(count(&w.html, "</title>"), 1, "'%s' ends the title", hostile[i]);
        release(&w);
        buf_release(&folded);
    }
}

/* The rows of each pipe table in Markdown have as many cells as its head. */
static void expect_even_tables(const struct buf *markdown)
{
    struct slice rest = buf_slice(markdown), line;
    size_t head = 0;

    while (slice_line(&rest, &line)) {
        size_t cells = 0;

        for (size_t i = 0; i < line.len && line.ptr[0] == '|'; i++)
            cells += line.ptr[i] == '|' && (i == 0 || line.ptr[i - 1] != '\\');
        if (cells && head)
            cr_expect_eq(cells, head, "'%.*s'", SLICE_ARG(line));
        head = cells ? (head ? head : cells) : 0;
    }
}

Test(report_report, tables_keep_their_columns)
{
    struct written w;

    init(&w, "T");
    add_graph(&w, "n", "a|b", "x|y;operator|| 1\nx|y;a`|`b 2\n", "");
    report_add_stranger(&w.report, SLICE("p|q"), SLICE("a | b"));
    write_all(&w);
    expect_even_tables(&w.markdown);
    release(&w);
}

Test(report_report, anchors_follow_the_headings)
{
    static const char *const want[] = {"read-me-1", "summary-1", "x", "x-1", "note-1"};
    static const char *const names[] = {"Read me", "Summary", "X", "x", "Note"};
    struct written w;

    init(&w, "T");
    report_set_introduction(&w.report, SLICE("Hi\n\n## Read me"), &w.diag);
    for (size_t i = 0; i < 5; i++)
        add_graph(&w, "n", names[i], "a 1\n", i == 2 ? "## Note" : "");
    for (size_t i = 0; i < 5; i++)
        cr_expect(slice_equal(w.report.graphs.items[i].anchor, slice_str(want[i])), "%s: %.*s",
                  names[i], SLICE_ARG(w.report.graphs.items[i].anchor));
    release(&w);
}

static const struct {
    const char *title, *subtitle, *date;
    enum report_site site;
    const char *front, *heading;
} sites[] = {
    {"T: \"q\"", "", "2026-02-28", REPORT_HUGO,
     "---\ntitle: \"T: \\\"q\\\"\"\ndescription: \"1 graph of samples\"\nsummary: "
     "\"1 graph of samples\"\ndate: 2026-02-28\ntags: [\"flame-graphs\"]\n---\n\n## Sum",
     "\n## Graph `#1` {#summary-1}\n"},
    {"", "S", "", REPORT_HUGO,
     "---\ntitle: \"Flame graphs\"\ndescription: \"S\"\nsummary: \"S\"\n"
     "tags: [\"flame-graphs\"]\n---\n\nS\n",
     NULL},
    {"T", "", "week 7", REPORT_HUGO, "samples\"\ntags: ", NULL},
    {"T", "", "2026-02-29", REPORT_HUGO, "samples\"\ntags: ", NULL},
    {"T", "", "2024-02-29", REPORT_HUGO, "\ndate: 2024-02-29\ntags: ", NULL},
    {"T", "", "2026-2-28", REPORT_HUGO, "samples\"\ntags: ", NULL},
    {"T", "", "2026-13-01", REPORT_HUGO, "samples\"\ntags: ", NULL},
    {"T", "", "2026-00-00", REPORT_HUGO, "samples\"\ntags: ", NULL},
    {"T", "", "2026-02-28", REPORT_MKDOCS,
     "---\ntitle: \"T\"\ndescription: \"1 graph of samples\"\ndate: 2026-02-28\n"
     "tags: [\"flame-graphs\"]\n---\n\n# T\n\n## Sum",
     "\n## <a id=\"graph.summary\"></a>Graph `#1`\n"},
    {"T", "", "2026-02-28", REPORT_SPHINX,
     "---\ntitle: \"T\"\ndate: 2026-02-28\ntags: [\"flame-graphs\"]\nmyst:\n  html_meta:\n"
     "    \"description\": \"1 graph of samples\"\n    \"keywords\": \"flame-graphs\"\n---\n\n# "
     "T\n",
     "\n<a id=\"graph.summary\"></a>\n\n## Graph `#1`\n\n"},
    {"T", "S", "2026-02-28", REPORT_JEKYLL,
     "---\nlayout: default\ntitle: \"T\"\ndescription: \"S\"\ndate: 2026-02-28\n"
     "tags: [\"flame-graphs\"]\n---\n\n# T\n",
     "\n## Graph `#1`\n{: id=\"summary-1\"}\n\n"},
    {"T", "S", "", REPORT_DOCUSAURUS,
     "---\ntitle: \"T\"\ndescription: \"S\"\ntags: [\"flame-graphs\"]\n---\n\n# T\n",
     "\n## Graph `#1` {#summary-1}\n"},
    {"T", "S", "", REPORT_VITEPRESS,
     "tags: [\"flame-graphs\"]\noutline: [2, 3]\n---\n\n<script setup>\n",
     "\n## Graph `#1` {id=\"summary-1\"}\n"},
    {"T", "S", "2026-02-28", REPORT_ZOLA,
     "+++\ntitle = \"T\"\ndescription = \"S\"\ndate = 2026-02-28\n[extra]\n"
     "tags = [\"flame-graphs\"]\n+++\n",
     "\n## Graph `#1` {#summary-1}\n"},
    {"T", "", "2026-02-28", REPORT_GITHUB_WIKI, "# T\n\n## Sum", "\n## Graph `#1`\n"},
    {"T", "", "", REPORT_CONFLUENCE,
     "\"title\": \"T\",\n  \"metadata\": {\n    \"labels\": [\n      {\"prefix\": \"global\", "
     "\"name\": \"flame-graphs\"}\n",
     "\\u003ch2\\u003e\\u003cac:structured-macro ac:name=\\\"anchor\\\"\\u003e\\u003cac:parameter "
     "ac:name=\\\"\\\"\\u003egraph-1\\u003c/ac:parameter"},
    {"T", "", "2026-02-28", REPORT_PAGE, "# T\n\n## Sum", "\n## Graph `#1`\n"},
};

Test(report_report, generators_get_front_matter_and_addresses)
{
    for (size_t i = 0; i < sizeof(sites) / sizeof(*sites); i++) {
        struct written w;

        init(&w, sites[i].title);
        report_release(&w.report);
        report_init(&w.report, slice_str(sites[i].title), SLICE("9.9"), slice_str(sites[i].date));
        report_set_site(&w.report, sites[i].site, false);
        report_set_subtitle(&w.report, slice_str(sites[i].subtitle));
        add_graph(&w, "summary", "Graph #1", "a 1\n", "");
        report_add_findings(&w.report);
        report_add_front_matter(&w.report);
        cr_assert(report_write_markdown(&w.report, &w.templates, &w.markdown, &w.diag));
        expect_in(&w.markdown, sites[i].front, true);
        if (sites[i].heading)
            expect_in(&w.markdown, sites[i].heading, true);
        release(&w);
    }
}

Test(report_report, dark_images_are_chosen_by_html_or_are_svgs)
{
    static const struct {
        enum report_site site;
        bool dark; /* PNG drawn */
        const char *want;
    } rows[] = {
        {REPORT_PAGE, true,
         "\n<a href=\"./graphs/n.svg\">\n<picture>\n"
         "<source media=\"(prefers-color-scheme: dark)\" srcset=\"./graphs/n@dark.png\" />\n"
         "<img src=\"./graphs/n.png\" alt=\"Flame graph of a &lt;b&gt;: "},
        {REPORT_MKDOCS, true, "\n<source media=\"(prefers-color-scheme: dark)\""},
        {REPORT_PAGE, false, "\n[![Flame graph of a \\<b\\>: "},
        {REPORT_PAGE, false, "](graphs/n.png)](graphs/n.svg)\n"},
        {REPORT_HUGO, false, "](graphs/n.svg)](graphs/n.svg)\n"},
        {REPORT_JEKYLL, false, "](graphs/n.svg)](graphs/n.svg)\n"},
        {REPORT_SPHINX, false, "\n```{image} graphs/n.svg\n:alt: \"Flame graph of a \\u003cb"},
        {REPORT_DOCUSAURUS, true, "srcSet={require('./graphs/n@dark.png').default} /><img "},
        {REPORT_VITEPRESS, false, "target=\"_blank\"><img src=\"./graphs/n.svg\" alt=\"Flame"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct written w;

        init(&w, "T");
        report_set_site(&w.report, rows[i].site, true);
        add_graph(&w, "n", "a <b>", "a 1\n", "");
        if (rows[i].dark)
            report_graph_set_picture(&w.report.graphs.items[0], REPORT_PNG_DARK,
                                     &(struct report_file){.path = SLICE("graphs/n@dark.png"),
                                                           .width = 1200,
                                                           .height = 300});
        cr_assert(report_write_markdown(&w.report, &w.templates, &w.markdown, &w.diag));
        expect_in(&w.markdown, rows[i].want, true);
        release(&w);
    }
}

Test(report_report, tells_a_commentary_once)
{
    struct written w;

    init(&w, "T");
    add_graph(&w, "n-a", "First", "a 1\n", "A note.");
    add_graph(&w, "n-b", "Second", "a 1\n", "A note.");
    add_graph(&w, "n-c", "Third", "a 1\n", "A note.");
    write_all(&w);
    cr_expect_eq(count(&w.markdown, "A note."), 1);
    cr_expect_eq(count(&w.html, "A note."), 1);
    cr_expect_eq(count(&w.markdown, "are in [First](#first)."), 2);
    cr_expect_eq(count(&w.html, "are in <a href=\"#n-a\">First</a>."), 2);
    release(&w);
}

Test(report_report, takes_its_title_from_the_introduction)
{
    struct written w;

    init(&w, "");
    report_set_introduction(&w.report, SLICE("# From the text\n\nx"), &w.diag);
    write_all(&w);
    expect_in(&w.markdown, "# From the text\n", true);
    expect_in(&w.html, "<title>From the text</title>", true);
    release(&w);
}

Test(report_report, lists_what_failed)
{
    struct written w;
    struct diag d;

    init(&w, "T");
    diag_init(&d, SLICE("x/bad.perf"));
    diag_warn_line(&d, 7, "weight '%s' is not a number", "x<1");
    diag_add(&d, DIAG_NOTE, DIAG_AT_FILE, "read as a guess");
    diag_error(&d, "nothing in it");
    report_add_failure(&w.report, SLICE("x/bad.perf"), &d);
    report_add_stranger(&w.report, SLICE("notes.txt"), SLICE("hello\tyou"));
    write_all(&w);
    expect_in(&w.markdown, "## Failures\n", true);
    expect_in(&w.markdown, "| line 7: warning: weight 'x\\<1' is not a number", true);
    expect_in(&w.html, "<dd>line 7: warning: weight &#39;x&lt;1&#39; is not a number</dd>", true);
    expect_in(&w.html, "<dd>hello\\x09you</dd>", true);
    expect_in(&w.json, "\"error: nothing in it\"", true);
    expect_in(&w.json, "read as a guess", false);
    expect_in(&w.html, "id=\"_summary\"", false);
    expect_json(&w.json);
    diag_release(&d);
    release(&w);
}

Test(report_report, an_empty_one_is_whole)
{
    struct written w;

    init(&w, "");
    write_all(&w);
    expect_in(&w.markdown, "# Flame graphs\n", true);
    expect_in(&w.html, "<title>Flame graphs</title>", true);
    expect_json(&w.json);
    release(&w);
}

Test(report_report, characters_without_a_glyph_are_named_once)
{
    uint32_t characters[25];
    struct report r;

    for (uint32_t i = 0; i < 25; i++)
        characters[i] = 0xf0000 + i;
    report_init(&r, SLICE("t"), SLICE("1"), SLICE(""));
    report_set_missing_glyphs(&r, characters, 2);
    cr_expect(slice_equal(r.missing_glyphs, SLICE("U+F0000 U+F0001")));
    report_set_missing_glyphs(&r, characters, 25);
    cr_expect(slice_ends(r.missing_glyphs, SLICE("U+F0013 and 5 more")));
    report_set_missing_glyphs(&r, NULL, 0);
    cr_expect_eq(r.missing_glyphs.len, 0);
    report_release(&r);
}

/* A search that was given up has no share; 0 % would be wrong. */
Test(report_report, a_search_that_was_given_up_has_no_share)
{
    struct written w;

    init(&w, "T");
    add_searched(&w, "n", "G", "x 1\nm 2\n", "", 3);
    write_all(&w);
    expect_json(&w.json);
    expect_in(&w.json, "\"functions\": null", true);
    expect_in(&w.json, "\"exhausted\": 3", true);
    expect_in(&w.json, "\"percent\": null", true);
    expect_in(&w.markdown, "| given up |", true);
    expect_in(&w.markdown, "names left when a search was given up | 3 names", true);
    expect_in(&w.markdown, "|  % |", false);
    expect_in(&w.html, ">given up<", true);
    cr_expect_eq(count(&w.html, "given up"), 3);
    release(&w);
}
