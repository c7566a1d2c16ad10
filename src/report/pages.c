#include "report/pages.h"

#include "base/ascii.h"

const char *pages_up(enum report_site site)
{
    return site == REPORT_PAGE ? "../" : "../../";
}

/* Whether a file is a directory's index.md. */
static bool is_folder(enum report_site site, const char *ending)
{
    return site != REPORT_PAGE && slice_equal(slice_str(ending), SLICE(".md"));
}

void pages_path(enum report_site site, struct slice name, const char *ending, struct buf *out)
{
    buf_printf(out, PAGES_DIRECTORY "/%.*s%s%s", SLICE_ARG(name),
               is_folder(site, ending) ? "/index" : "", ending);
}

/* Appends the address under which Hugo serves the page of a graph. */
static void add_lower(struct buf *out, struct slice name)
{
    for (size_t i = 0; i < name.len; i++)
        buf_add_char(out, ascii_lower(name.ptr[i]));
    buf_add_char(out, '/');
}

void pages_link(enum report_site site, struct slice name, const char *ending, bool inside,
                struct buf *out)
{
    if (!inside)
        buf_add_str(out, PAGES_DIRECTORY "/");
    else if (is_folder(site, ending))
        buf_add_str(out, "../");
    if (site == REPORT_HUGO && is_folder(site, ending)) {
        add_lower(out, name);
        return;
    }
    buf_printf(out, "%.*s%s%s", SLICE_ARG(name), is_folder(site, ending) ? "/index" : "", ending);
}

void pages_neighbours(const struct graph_page *page, struct slice index,
                      struct fields_neighbours *out)
{
    const struct report *r = page->report;

    *out = (struct fields_neighbours){
        .report_title = r->title, .title = page->graph->title, .index = index};
    if (page->index > 0) {
        const struct report_graph *g = &r->graphs.items[page->index - 1];

        out->previous.title = g->title;
        out->previous.name = g->name;
    }
    if (page->index + 1 < r->graphs.count) {
        const struct report_graph *g = &r->graphs.items[page->index + 1];

        out->next.title = g->title;
        out->next.name = g->name;
    }
}
