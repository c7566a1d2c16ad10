/*
 * Pages that flamepress wrote as one file (report --single-file): each graph's SVG is in the page.
 *
 *     <figure class="picture" data-title="TITLE" data-svg="BASE64 of a zlib stream of the SVG">
 *
 * Each graph becomes a series called TITLE; if there is only one, it keeps its own name. The page
 * of a report with several files has no graphs.
 */
#include "base/budget.h"
#include "base/ascii.h"
#include "input/core/inflate.h"
#include "input/format.h"
#include "input/formats/pictures/own_svg.h"
#include "input/parse/base64.h"
#include "input/parse/entities.h"

#define FIGURE "<figure class=\"picture\" data-title=\""
#define DATA " data-svg=\""

static bool page_claims(const struct head *head)
{
    const struct slice generator = SLICE("<meta name=\"generator\" content=\"flamepress ");
    struct slice start = slice_trim_left(head->bytes);
    size_t at = slice_search(start, generator) + generator.len;

    return slice_starts(start, SLICE("<!DOCTYPE html>")) && at < start.len &&
           ascii_is_digit(start.ptr[at]); /* its version */
}

/* Moves the next figure from `*rest` to its tag. Returns false at the end. */
static bool next_figure(struct slice *rest, struct slice *tag)
{
    size_t at = slice_search(*rest, SLICE(FIGURE));

    if (at == rest->len)
        return false;
    *tag = slice_skip(*rest, at);
    *tag = slice_take(*tag, slice_find(*tag, '>'));
    *rest = slice_skip(*rest, at + tag->len);
    return true;
}

/* Returns the value that follows `start`, up to the quote. */
static struct slice value_of(struct slice tag, struct slice start)
{
    size_t at = slice_search(tag, start);
    struct slice value = slice_skip(tag, at < tag.len ? at + start.len : at);

    return slice_take(value, slice_find(value, '"'));
}

static bool read_figure(struct builder *b, struct slice data, struct slice title)
{
    struct buf packed = {0}, svg = {0};
    bool ok;

    ok = (base64_add(&packed, data) &&
          inflate_add(&svg, buf_slice(&packed), b->options->limits.max_size)) ||
         (budget_allows(b->diag, DIAG_AT_FILE) &&
          diag_error(b->diag, "an SVG in the page is damaged"));
    ok = ok && own_svg_read(b, buf_slice(&svg), title);
    buf_release(&packed);
    buf_release(&svg);
    return ok;
}

static size_t count_figures(struct slice page)
{
    struct slice tag;
    size_t count = 0;

    while (next_figure(&page, &tag))
        count++;
    return count;
}

static bool read_page(struct builder *b, struct slice page)
{
    size_t figures = count_figures(page), graphs = 0;
    struct buf title = {0};
    struct slice tag;
    bool ok = true;

    while (ok && next_figure(&page, &tag)) {
        struct slice data = value_of(tag, SLICE(DATA));

        buf_clear(&title);
        if (figures > 1)
            entities_add(&title, value_of(tag, SLICE(" data-title=\"")));
        if (data.len)
            ok = read_figure(b, data, buf_slice(&title));
        graphs += data.len > 0;
    }
    buf_release(&title);
    return ok && (graphs ||
                  diag_error(b->diag, "the graphs of this page are in files beside it: name the "
                                      "directory of the report, or a file of its graphs/"));
}

static bool page_read(struct content *c)
{
    struct buf bytes = {0};
    struct builder b;
    bool ok;

    builder_init(&b, c->profile, c->options, c->diag);
    ok = content_load(c, &bytes) && read_page(&b, buf_slice(&bytes));
    buf_release(&bytes);
    builder_release(&b);
    return ok;
}

const struct format format_own_page = {
    .name = "flamepress-page",
    .family = FORMAT_PICTURES,
    .description = "pages of flamepress in one file; a graph for each of theirs",
    .recognised = "a page whose generator is flamepress",
    .example = "flamepress report profiles/ --single-file -o report.html",
    .claims = page_claims,
    .read = page_read,
    .picture = true,
};
