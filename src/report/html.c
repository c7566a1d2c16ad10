#include "report/html.h"

#include <stdlib.h>

#include <cmark.h>

#include "base/num.h"
#include "report/fields.h"
#include "report/render.h"

static const char *entity_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void html_escape(struct buf *out, struct slice text)
{
    size_t written = 0;

    for (size_t i = 0; i < text.len; i++) {
        const char *entity = entity_of(text.ptr[i]);

        if (!entity)
            continue;
        buf_add(out, text.ptr + written, i - written);
        buf_add_str(out, entity);
        written = i + 1;
    }
    buf_add_slice(out, slice_skip(text, written));
}

/* In the HTML, the place of a block: twice the mark, the number of the block, twice the mark. */
#define PLACE RENDER_MARK RENDER_MARK

/* The place of the report in the page. */
#define CONTENT PLACE "content" PLACE

/* Returns the text of a paragraph "RENDER_MARK number RENDER_MARK", or NULL. */
static const char *find_mark(cmark_node *paragraph)
{
    cmark_node *only = cmark_node_first_child(paragraph);
    struct slice mark = SLICE(RENDER_MARK);
    struct slice text;

    if (!only || cmark_node_next(only) || cmark_node_get_type(only) != CMARK_NODE_TEXT)
        return NULL;
    text = slice_str(cmark_node_get_literal(only));
    if (text.len <= 2 * mark.len || !slice_starts(text, mark) || !slice_ends(text, mark))
        return NULL;
    return text.ptr;
}

/* Replaces the marked paragraphs by the places of their blocks. */
static void mark_places(cmark_node *document)
{
    cmark_iter *iter = cmark_iter_new(document);
    cmark_event_type event;

    while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
        cmark_node *node = cmark_iter_get_node(iter);
        cmark_node *custom;
        const char *mark;
        struct buf place = {0};

        if (event != CMARK_EVENT_EXIT || cmark_node_get_type(node) != CMARK_NODE_PARAGRAPH)
            continue;
        mark = find_mark(node);
        if (!mark)
            continue;
        buf_printf(&place, RENDER_MARK "%s" RENDER_MARK, mark);
        custom = cmark_node_new(CMARK_NODE_CUSTOM_BLOCK);
        cmark_node_set_on_enter(custom, buf_string(&place));
        cmark_node_replace(node, custom);
        cmark_node_free(node);
        buf_release(&place);
    }
    cmark_iter_free(iter);
}

/* Converts Markdown to HTML, in which the blocks have places. The caller frees the result. */
static char *convert(const struct buf *markdown)
{
    cmark_node *document =
        cmark_parse_document(buf_string(markdown), markdown->len, CMARK_OPT_VALIDATE_UTF8);
    char *html;

    cmark_consolidate_text_nodes(document);
    mark_places(document);
    html = cmark_render_html(document, CMARK_OPT_DEFAULT);
    cmark_node_free(document);
    return html;
}

/* Appends the block whose number `rest` begins with, and takes its place from `rest`. */
static bool write_block(const struct render *r, struct slice *rest, struct buf *out, struct diag *d)
{
    size_t end = slice_search(*rest, SLICE(PLACE));
    uint64_t number;

    if (!num_parse_u64(slice_take(*rest, end), &number) || number >= r->blocks->items.count)
        return true;
    *rest = slice_skip(*rest, end + strlen(PLACE));
    if (!render_block(r, (size_t)number, out, d))
        return false;
    if (out->len && out->ptr[out->len - 1] == '\n' && rest->len && rest->ptr[0] == '\n')
        *rest = slice_skip(*rest, 1);
    return true;
}

/* Appends HTML, with the blocks at their places. */
static bool write_blocks(const struct render *r, struct slice html, struct buf *out,
                         const struct flush *flush, struct diag *d)
{
    bool good = true;

    while (good && html.len) {
        size_t at = slice_search(html, SLICE(PLACE));

        buf_add_slice(out, slice_take(html, at));
        html = slice_skip(html, at < html.len ? at + strlen(PLACE) : at);
        good = write_block(r, &html, out, d);
        flush_if_large(flush, out);
    }
    return good;
}

static struct slice source_of(const struct templates *t, struct slice name)
{
    const struct template *found = templates_find(t, name);

    return found ? found->source : slice_make(NULL, 0);
}

/* Writes the page around the report, or around `graph`, which has a page of its own. */
static bool write_frame(const struct report *r, const struct graph_page *graph,
                        const struct templates *t, struct buf *out, struct diag *d)
{
    struct buf policy = {0};
    struct fields_page page = {.content = SLICE(CONTENT)};
    struct render render = {
        .templates = t,
        .language = RENDER_HTML,
        .report = r,
        .inside = graph != NULL,
        .scopes = {{&fields_page, &page}, {&fields_report, r}},
        .scope_count = 2,
    };
    bool good;

    templates_write_policy(t, graph != NULL, &policy);
    page.policy = buf_slice(&policy);
    if (graph) {
        page.style_file = SLICE(PAGES_STYLE);
        page.script_file = SLICE(PAGES_SCRIPT);
        page.title = graph->graph->title;
    } else {
        page.style = source_of(t, SLICE("page.css"));
        page.script = source_of(t, SLICE("page.js"));
    }
    good = render_template(&render, SLICE("page.mustache"), out, d);
    buf_release(&policy);
    return good;
}

/* Writes the page, with the report at its place. */
static bool write_page(const struct render *r, struct slice frame, struct slice html,
                       struct buf *out, const struct flush *flush, struct diag *d)
{
    bool good = true;

    while (good && frame.len) {
        size_t at = slice_search(frame, SLICE(CONTENT));

        buf_add_slice(out, slice_take(frame, at));
        good = at == frame.len || write_blocks(r, html, out, flush, d);
        frame = slice_skip(frame, at < frame.len ? at + strlen(CONTENT) : at);
    }
    return good;
}

/*
 * Writes the template `name` as a page, whose parts `flush` takes if not NULL; `graph` is NULL
 * for the summary.
 */
static bool write(struct render *render, struct slice name, const struct graph_page *graph,
                  struct buf *out, const struct flush *flush, struct diag *d)
{
    const struct report *r = render->scopes[0].object;
    struct render_blocks blocks = {0};
    struct buf markdown = {0}, frame = {0};
    char *html = NULL;
    bool good;

    render->blocks = &blocks;
    good = render_template(render, name, &markdown, d);
    if (good)
        html = convert(&markdown);
    buf_release(&markdown);
    good = good && write_frame(r, graph, render->templates, &frame, d) &&
           write_page(render, buf_slice(&frame), slice_str(html), out, flush, d);
    free(html);
    render_blocks_release(&blocks);
    buf_release(&frame);
    return good;
}

bool report_write_html(const struct report *r, const struct templates *t, struct buf *out,
                       const struct flush *flush, struct diag *d)
{
    struct render render = {
        .templates = t,
        .language = RENDER_MARKDOWN,
        .report = r,
        .scopes = {{&fields_report, r}},
        .scope_count = 1,
    };

    return write(&render, SLICE("report.mustache"), NULL, out, flush, d);
}

bool report_write_graph_html(const struct graph_page *page, const struct templates *t,
                             struct buf *out, struct diag *d)
{
    struct fields_neighbours beside;
    struct render render = {
        .templates = t,
        .language = RENDER_MARKDOWN,
        .report = page->report,
        .inside = true,
        .scopes = {{&fields_report, page->report},
                   {&fields_neighbours, &beside},
                   {&fields_graph, page->graph}},
        .scope_count = 3,
    };

    pages_neighbours(page, SLICE("../index.html"), &beside);
    return write(&render, SLICE("graph_page.mustache"), page, out, NULL, d);
}
