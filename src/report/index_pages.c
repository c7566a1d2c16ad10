#include "report/index_pages.h"

#include <stdlib.h>

#include "report/atom.h"
#include "report/list_page.h"

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

static struct slice title_of(const struct index_entry *e)
{
    return e->title.len ? e->title : e->path;
}

/* ---- the page -------------------------------------------------------------------------------- */

#define REPORT(M, N, S)                                                                            \
    M(S, TEXT, day)                                                                                \
    M(S, TEXT, date)                                                                               \
    M(S, LINK, page)                                                                               \
    M(S, LINK, picture)                                                                            \
    M(S, TEXT, name)                                                                               \
    M(S, TEXT, subtitle)                                                                           \
    M(S, TEXT, measured)                                                                           \
    M(S, TEXT, finding)                                                                            \
    M(S, TEXT, compared)
RENDER_VIEW(row, "a report", REPORT)

#define REPORTS(M, N, S)                                                                           \
    M(S, TEXT, report_count)                                                                       \
    M(S, FLAG, any_compared)                                                                       \
    M(S, LIST(row), reports)
RENDER_VIEW(reports, "the index", REPORTS)

/* Returns the address of a file of a report. */
static struct slice link_of(struct arena *memory, const struct index_entry *e, struct slice file)
{
    return slice_str(arena_printf(memory, "%.*s/%.*s", SLICE_ARG(e->path), SLICE_ARG(file)));
}

static struct row row_of(struct arena *memory, const struct index_entry *e)
{
    return (struct row){
        .day = list_page_text(memory, e->day),
        .date = list_page_text(memory, e->date.len ? e->date : e->day),
        .page = link_of(memory, e, e->page),
        .picture = e->picture.len ? link_of(memory, e, e->picture) : SLICE(""),
        .name = list_page_text(memory, title_of(e)),
        .subtitle = list_page_text(memory, e->subtitle),
        .measured = list_page_text(memory, e->measured),
        .finding = list_page_text(memory, e->finding),
        .compared = list_page_text(memory, e->compared),
    };
}

void report_index_page(const struct report_index *index, struct buf *out)
{
    struct arena memory = {0};
    struct buf style = {0};
    struct reports page = {.report_count =
                               list_page_count(&memory, index->entries.count, "report")};
    struct list_page head = {
        .generator = slice_str(arena_printf(&memory, GENERATOR "%.*s", SLICE_ARG(index->version))),
        .title = list_page_text(&memory, index->title),
        .feed = SLICE("Reports"),
    };

    list_page_style(&style);
    head.style = buf_slice(&style);
    vec_each (const struct index_entry, e, &index->entries) {
        *vec_add(&page.reports) = row_of(&memory, e);
        page.any_compared = page.any_compared || e->compared.len;
    }
    list_page_write(SLICE("reports.mustache"), &head, (struct scope){&reports_record, &page}, out);
    vec_release(&page.reports);
    buf_release(&style);
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
    atom_add_text(out, title_of(e));
    buf_add_str(out, "</title>\n");
    atom_add_updated(out, e->day);
    buf_add_str(out, "<link href=\"");
    render_link(out, e->path);
    buf_add_char(out, '/');
    render_link(out, e->page);
    buf_add_str(out, "\"/>\n<summary>");
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        if (!parts[i].len)
            continue;
        buf_add_str(out, first ? "" : ". ");
        atom_add_text(out, parts[i]);
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
