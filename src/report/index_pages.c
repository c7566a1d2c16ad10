#include "report/index_pages.h"

#include <stdlib.h>

#include "report/atom.h"
#include "report/html.h"
#include "report/plain_page.h"
#include "report/render.h"

/* By these an earlier index is recognised. */
#define GENERATOR "flamepress index "
#define PAGE_MARK "<meta name=\"generator\" content=\"" GENERATOR
#define FEED_MARK "<!-- " GENERATOR

enum { FEED_ENTRIES = 50 };

static int newest_first(const void *a, const void *b)
{
    const struct index_entry *x = a, *y = b;
    int order = slice_compare(y->day, x->day);

    return order ? order : slice_compare_numbered(y->path, x->path);
}

void report_index_sort(struct report_index *index)
{
    if (index->entries.count)
        qsort(index->entries.items, index->entries.count, sizeof(*index->entries.items),
              newest_first);
}

bool report_index_is_own(struct slice file)
{
    return slice_search(file, SLICE(PAGE_MARK)) < file.len ||
           slice_search(file, SLICE(FEED_MARK)) < file.len;
}

/* Appends the address of a file of a report. */
static void add_link(const struct index_entry *e, struct slice file, struct buf *out)
{
    render_link(out, e->path);
    buf_add_char(out, '/');
    render_link(out, file);
}

static struct slice title_of(const struct index_entry *e)
{
    return e->title.len ? e->title : e->path;
}

/* ---- the page -------------------------------------------------------------------------------- */

static void add_picture(const struct index_entry *e, struct buf *out)
{
    if (!e->picture.len)
        return;
    buf_add_str(out, "<img src=\"");
    add_link(e, e->picture, out);
    buf_add_str(out, "\" alt=\"\" width=\"120\" height=\"48\" loading=\"lazy\">");
}

static void add_row(const struct index_entry *e, bool compared, struct buf *out)
{
    buf_add_str(out, "<tr><td><time datetime=\"");
    plain_page_add_text(out, e->day);
    buf_add_str(out, "\">");
    plain_page_add_text(out, e->date.len ? e->date : e->day);
    buf_add_str(out, "</time></td><th scope=\"row\"><a href=\"");
    add_link(e, e->page, out);
    buf_add_str(out, "\">");
    plain_page_add_text(out, title_of(e));
    buf_add_str(out, "</a>");
    if (e->subtitle.len) {
        buf_add_str(out, "<br><span class=\"quiet\">");
        plain_page_add_text(out, e->subtitle);
        buf_add_str(out, "</span>");
    }
    buf_add_str(out, "</th><td>");
    add_picture(e, out);
    buf_add_str(out, "</td><td>");
    plain_page_add_text(out, e->measured);
    buf_add_str(out, "</td><td>");
    plain_page_add_text(out, e->finding);
    if (compared) {
        buf_add_str(out, "</td><td>");
        plain_page_add_text(out, e->compared);
    }
    buf_add_str(out, "</td></tr>\n");
}

void report_index_page(const struct report_index *index, struct buf *out)
{
    static const char *const heads[] = {"Date",     "Report",     "Graph",
                                        "Measured", "Stands out", "Compared"};
    struct arena memory = {0};
    size_t count = index->entries.count;
    bool compared = false;
    const struct plain_page page = {
        .generator = slice_str(arena_printf(&memory, GENERATOR "%.*s", SLICE_ARG(index->version))),
        .title = index->title,
        .root = "",
        .feed = "Reports",
    };

    plain_page_open(&page, out);
    buf_printf(out, "<p class=\"lead\">%zu report%s, the newest first.</p>\n", count,
               count == 1 ? "" : "s");
    buf_add_str(out, "<p><a href=\"feed.xml\">Feed of reports</a></p>\n");
    vec_each (const struct index_entry, e, &index->entries)
        compared = compared || e->compared.len;
    buf_add_str(out, "<div class=\"reports\">\n");
    plain_page_open_table("Reports", heads, sizeof(heads) / sizeof(*heads) - !compared, out);
    vec_each (const struct index_entry, e, &index->entries)
        add_row(e, compared, out);
    plain_page_close_table(out);
    buf_add_str(out, "</div>\n");
    plain_page_close(out);
    arena_release(&memory);
}

/* ---- the feed -------------------------------------------------------------------------------- */

static void add_entry(const struct index_entry *e, struct buf *out)
{
    const struct slice parts[] = {e->measured, e->finding, e->compared};
    bool first = true;

    buf_add_str(out, "<entry>\n");
    atom_add_id(out, e->path);
    buf_add_str(out, "<title>");
    plain_page_add_text(out, title_of(e));
    buf_add_str(out, "</title>\n");
    atom_add_updated(out, e->day);
    buf_add_str(out, "<link href=\"");
    add_link(e, e->page, out);
    buf_add_str(out, "\"/>\n<summary>");
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        if (!parts[i].len)
            continue;
        buf_add_str(out, first ? "" : ". ");
        plain_page_add_text(out, parts[i]);
        first = false;
    }
    buf_add_str(out, "</summary>\n</entry>\n");
}

void report_index_feed(const struct report_index *index, struct buf *out)
{
    size_t count = index->entries.count;

    atom_open(index->title, count ? index->entries.items[0].day : SLICE(""), out);
    buf_printf(out, FEED_MARK "%.*s -->\n", SLICE_ARG(index->version));
    for (size_t i = 0; i < count && i < FEED_ENTRIES; i++)
        add_entry(&index->entries.items[i], out);
    atom_close(out);
}
