/*
 * Pages with d3-flame-graph, such as those of perf script report flamegraph and burn.
 *
 *     <style>... .d3-flame-graph rect {...} ...</style>
 *     <script>const stacks = [{"n": "root", "v": 5, "c": [...]}];</script>
 *
 * The data is the first JSON object in the page that begins with a name, a value or children as
 * trees do (d3_json.c). A page that loads its data from another file has none.
 *
 * Sources: github.com/spiermar/d3-flame-graph, tools/perf/scripts/python/flamegraph.py of Linux.
 */
#include "input/formats/web/d3_json.h"
#include "input/format.h"

static bool d3_page_claims(const struct head *head)
{
    struct slice start = slice_trim_left(head->bytes);

    if (!slice_starts(start, SLICE("<!DOCTYPE html")) && !slice_starts(start, SLICE("<html")) &&
        !slice_starts(start, SLICE("<!doctype html")) && !slice_starts(start, SLICE("<head")))
        return false;
    /* The templates that pprof makes such pages of, found in the sources of Go, are no profiles. */
    return !slice_has(start, SLICE("{{template ")) &&
           slice_has_any(start, "d3-flame-graph", "d3-flamegraph", "d3.flamegraph",
                         "d3.flameGraph");
}

/* Whether an object of this text is a node: its first member is that of a tree. */
static bool is_node(struct slice text)
{
    static const char *const keys[] = {"name", "value", "children", "n", "v", "c", "l", "libtype"};
    size_t end;

    text = slice_trim_left(slice_skip(text, 1));
    if (!slice_starts(text, SLICE("\"")))
        return false;
    text = slice_skip(text, 1);
    end = slice_find(text, '"');
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (slice_equal(slice_take(text, end), slice_str(keys[i])))
            return end < text.len &&
                   slice_starts(slice_trim_left(slice_skip(text, end + 1)), SLICE(":"));
    return false;
}

/* Returns the number of bytes of the object that `text` begins with; all if it does not end. */
static size_t object_length(struct slice text)
{
    size_t depth = 0;
    bool quoted = false;

    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];

        if (quoted) {
            i += c == '\\';
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{') {
            depth++;
        } else if (c == '}' && --depth == 0) {
            return i + 1;
        }
    }
    return text.len;
}

/* Finds the data of the page. Returns false if there is none. */
static bool find_data(struct slice page, struct slice *data)
{
    while (page.len) {
        page = slice_skip(page, slice_find(page, '{'));
        if (page.len && is_node(page)) {
            *data = slice_take(page, object_length(page));
            return true;
        }
        page = slice_skip(page, page.len > 0);
    }
    return false;
}

static bool read_data(struct content *c, struct slice data)
{
    struct content inner = *c;
    struct source source;
    bool ok;

    source_open_memory(&source, data, c->diag);
    inner.source = &source;
    ok = d3_json_read(&inner);
    source_release(&source);
    return ok;
}

/* Finds the data and reads them, after refusing those of memray, which are tables of numbers. */
static bool read_page(struct content *c, struct slice page)
{
    struct slice data;

    if (slice_has(page, SLICE("packed_data = {")))
        return diag_error(c->diag, "this is a page of memray, whose packed stacks flamepress does "
                                   "not read");
    if (find_data(page, &data))
        return read_data(c, data);
    return diag_error(c->diag, "the page contains no data: it loads them from another file, which "
                               "flamepress reads");
}

static bool d3_page_read(struct content *c)
{
    struct buf page = {0};
    bool ok = content_load(c, &page) && read_page(c, buf_slice(&page));

    buf_release(&page);
    return ok;
}

const struct format format_d3_page = {
    .name = "d3-page",
    .family = FORMAT_PICTURES,
    .description = "pages with d3-flame-graph and its data, such as those of perf",
    .recognised = "a page with 'd3-flame-graph' or 'd3-flamegraph'",
    .example = "perf script report flamegraph   # writes flamegraph.html",
    .claims = d3_page_claims,
    .read = d3_page_read,
    .picture = true,
};
