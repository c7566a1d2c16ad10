#include "report/pages.h"

#include "unit/support/test.h"

static const struct {
    enum report_site site;
    const char *ending, *path, *from_summary, *from_page;
} links[] = {
    {REPORT_PAGE, ".html", "pages/Db.x.html", "pages/Db.x.html", "Db.x.html"},
    {REPORT_PAGE, ".md", "pages/Db.x.md", "pages/Db.x.md", "Db.x.md"},
    {REPORT_HUGO, ".md", "pages/Db.x/index.md", "pages/db.x/", "../db.x/"},
    {REPORT_MKDOCS, ".md", "pages/Db.x/index.md", "pages/Db.x/index.md", "../Db.x/index.md"},
    {REPORT_MKDOCS, ".json", "pages/Db.x.json", "pages/Db.x.json", "Db.x.json"},
    {REPORT_SPHINX, ".md", "pages/Db.x/index.md", "pages/Db.x/index.md", "../Db.x/index.md"},
    {REPORT_DOCUSAURUS, ".md", "pages/Db.x/index.md", "pages/Db.x/index.md", "../Db.x/index.md"},
    {REPORT_VITEPRESS, ".md", "pages/Db.x/index.md", "pages/Db.x/index.md", "../Db.x/index.md"},
    {REPORT_JEKYLL, ".md", "pages/Db.x/index.md", "pages/Db.x/", "../Db.x/"},
    {REPORT_ZOLA, ".md", "pages/Db.x/index.md", "pages/db-x-1122b9eb/", "../db-x-1122b9eb/"},
    {REPORT_GITHUB_WIKI, ".md", "pages/w-1-Db.x.md", "w-1-Db.x", "w-1-Db.x"},
    {REPORT_GITHUB_WIKI, ".json", "pages/Db.x.json", "pages/Db.x.json", "Db.x.json"},
};

Test(report_pages, links_fit_the_reader_of_the_text)
{
    for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++) {
        struct buf path = {0}, summary = {0}, page = {0};

        const struct report r = {.site = links[i].site, .place_name = SLICE("w-1")};

        pages_path(&r, SLICE("Db.x"), links[i].ending, &path);
        pages_link(&r, SLICE("Db.x"), links[i].ending, false, &summary);
        pages_link(&r, SLICE("Db.x"), links[i].ending, true, &page);
        cr_expect_str_eq(buf_string(&path), links[i].path);
        cr_expect_str_eq(buf_string(&summary), links[i].from_summary);
        cr_expect_str_eq(buf_string(&page), links[i].from_page);
        buf_release(&path);
        buf_release(&summary);
        buf_release(&page);
    }
}

Test(report_pages, neighbours_end_at_the_first_and_last_graph)
{
    struct report_graph graphs[] = {{.name = SLICE("a"), .title = SLICE("A")},
                                    {.name = SLICE("b"), .title = SLICE("B")}};
    struct report report = {.title = SLICE("T")};
    struct fields_neighbours beside;

    report.graphs.items = graphs;
    report.graphs.count = 2;
    pages_neighbours(&(struct graph_page){&report, 0, &graphs[0]}, SLICE("i"), &beside);
    cr_expect_eq(beside.previous.name.len, 0);
    cr_expect(slice_equal(beside.next.name, SLICE("b")));
    cr_expect(slice_equal(beside.title, SLICE("A")));
    cr_expect(slice_equal(beside.report_title, SLICE("T")));
    pages_neighbours(&(struct graph_page){&report, 1, &graphs[1]}, SLICE("i"), &beside);
    cr_expect(slice_equal(beside.previous.title, SLICE("A")));
    cr_expect_eq(beside.next.name.len, 0);
}
