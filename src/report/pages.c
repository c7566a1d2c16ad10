#include "report/pages.h"

#include "base/ascii.h"
#include "report/markdown.h"

static enum site_link link_of(const struct report *r)
{
    return site_of(r->site)->link;
}

/* Whether a file is a directory's index.md. */
static bool is_folder(const struct report *r, const char *ending)
{
    return r->site != REPORT_PAGE && link_of(r) != SITE_LINK_FLAT &&
           slice_equal(slice_str(ending), SLICE(".md"));
}

/* Whether a file is a page of a wiki. */
static bool is_flat(const struct report *r, const char *ending)
{
    return r->site != REPORT_PAGE && link_of(r) == SITE_LINK_FLAT &&
           slice_equal(slice_str(ending), SLICE(".md"));
}

bool pages_have_directories(const struct report *r)
{
    return is_folder(r, ".md");
}

void pages_add_front(const struct report *r, bool inside, struct buf *out)
{
    if (r->site != REPORT_PAGE && link_of(r) == SITE_LINK_FLAT)
        buf_printf(out, "%.*s/", SLICE_ARG(r->place));
    else if (inside)
        buf_add_str(out, r->site == REPORT_PAGE ? "../" : "../../");
}

void pages_path(const struct report *r, struct slice name, const char *ending, struct buf *out)
{
    buf_add_str(out, PAGES_DIRECTORY "/");
    if (is_flat(r, ending))
        buf_printf(out, "%.*s-", SLICE_ARG(r->place_name));
    buf_printf(out, "%.*s%s%s", SLICE_ARG(name), is_folder(r, ending) ? "/index" : "", ending);
}

void pages_link(const struct report *r, struct slice name, const char *ending, bool inside,
                struct buf *out)
{
    bool folder = is_folder(r, ending);
    enum site_link link = folder ? link_of(r) : SITE_LINK_FILE;

    if (is_flat(r, ending)) {
        buf_printf(out, "%.*s-%.*s", SLICE_ARG(r->place_name), SLICE_ARG(name));
        return;
    }
    if (!inside)
        buf_add_str(out, PAGES_DIRECTORY "/");
    else if (folder)
        buf_add_str(out, "../");
    for (size_t i = 0; i < name.len && link == SITE_LINK_LOWER; i++)
        buf_add_char(out, ascii_lower(name.ptr[i]));
    if (link == SITE_LINK_NAME)
        site_write_name(name, out);
    else if (link != SITE_LINK_LOWER)
        buf_add_slice(out, name);
    if (link == SITE_LINK_FILE)
        buf_printf(out, "%s%s", folder ? "/index" : "", ending);
    else
        buf_add_char(out, '/');
}

void pages_link_summary(const struct report *r, struct buf *out)
{
    if (link_of(r) == SITE_LINK_FLAT && r->site != REPORT_PAGE) {
        buf_add_slice(out, r->place_name);
        return;
    }
    pages_add_front(r, true, out);
    /* Some generators serve the summary as the directory. */
    if (link_of(r) == SITE_LINK_FILE)
        buf_add_slice(out, markdown_index(r));
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
