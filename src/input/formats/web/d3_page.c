/*
 * Pages with d3-flame-graph, such as those of perf script report flamegraph and burn.
 *
 *     <style>... .d3-flame-graph rect {...} ...</style>
 *     <script>const stacks = [{"n": "root", "v": 5, "c": [...]}];</script>
 *
 * The data is the first JSON object in the page that begins with a name, a value or children as
 * trees do (d3_json.c), or, in pages saved from go tool pprof -http, the text of JSON.parse("...").
 * A page that loads its data from another file has none.
 *
 * Sources: github.com/spiermar/d3-flame-graph, tools/perf/scripts/python/flamegraph.py of Linux.
 */
#include <string.h>

#include "input/formats/web/d3_json.h"
#include "input/format.h"
#include "input/parse/json_scan.h"
#include "input/parse/page.h"

static bool d3_page_claims(const struct head *head)
{
    if (!page_begins(head->bytes))
        return false;
    /* The templates that pprof makes such pages of, found in the sources of Go, are no profiles. */
    return !slice_has(head->bytes, SLICE("{{template ")) &&
           slice_has_any(head->bytes, "d3-flame-graph", "d3-flamegraph", "d3.flamegraph",
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

/* Finds the data of the page. Returns false if there is none. */
static bool find_data(struct slice page, struct slice *data)
{
    while (page.len) {
        page = slice_skip(page, slice_find(page, '{'));
        if (page.len && is_node(page)) {
            *data = slice_take(page, page_value_length(page));
            return true;
        }
        page = slice_skip(page, page.len > 0);
    }
    return false;
}

/* Undoes the quoting of pprof's pages: JSON.parse("{\u0022n\u0022:...}"). */
static bool find_quoted(struct slice page, struct buf *data)
{
    const struct slice start = SLICE("JSON.parse(\"{");
    size_t at = slice_search(page, start), end = 0;

    if (at == page.len)
        return false;
    page = slice_skip(page, at + start.len - 1);
    while (end < page.len && page.ptr[end] != '"')
        end += page.ptr[end] == '\\' ? 2 : 1;
    json_scan_unescape(data, slice_take(page, end));
    return is_node(buf_slice(data));
}

/* Sets the unit by the label of the root, "1.20s" or "3MB"; values of pprof are ns or bytes. */
static void set_unit(struct profile *p, struct slice data)
{
    static const char *const times[] = {"ns", "us", "ms", "s", "mins", "hrs", "days"};
    const struct slice start = SLICE("\"l\":\"");
    size_t at = slice_search(data, start);
    struct slice label = slice_skip(data, at + start.len);
    struct unit unit = unit_samples;

    label = slice_take(label, slice_find(label, '"'));
    if (slice_ends(label, SLICE("B")))
        unit = unit_named(SLICE("bytes"));
    while (label.len && memchr("0123456789.", label.ptr[0], 11))
        label = slice_skip(label, 1);
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
        if (slice_equal(label, slice_str(times[i])))
            unit = unit_named(SLICE("ns"));
    vec_each (struct series, s, &p->series)
        s->unit = unit;
}

static bool read_page(struct content *c, struct slice page)
{
    struct buf quoted = {0};
    struct slice data;
    bool found = find_data(page, &data), ok;

    if (!found) {
        found = find_quoted(page, &quoted);
        data = buf_slice(&quoted);
    }
    ok = found ? page_read_text(c, data, d3_json_read)
               : diag_error(c->diag, "the page contains no data: it loads them from another file, "
                                     "which flamepress reads");
    if (ok && quoted.len)
        set_unit(c->profile, data);
    buf_release(&quoted);
    return ok;
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
