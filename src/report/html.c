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

/* Returns the block that replaces a paragraph "RENDER_MARK number RENDER_MARK", or NULL. */
static const struct buf *find_block(cmark_node *paragraph, const struct render_blocks *blocks)
{
    cmark_node *only = cmark_node_first_child(paragraph);
    struct slice mark = SLICE(RENDER_MARK);
    struct slice text;
    uint64_t number;

    if (!only || cmark_node_next(only) || cmark_node_get_type(only) != CMARK_NODE_TEXT)
        return NULL;
    text = slice_str(cmark_node_get_literal(only));
    if (text.len <= 2 * mark.len || !slice_starts(text, mark) || !slice_ends(text, mark))
        return NULL;
    text = slice_make(text.ptr + mark.len, text.len - 2 * mark.len);
    if (!num_parse_u64(text, &number) || number >= blocks->count)
        return NULL;
    return &blocks->items[number];
}

/* Replaces the marked paragraphs by their blocks. */
static void place_blocks(cmark_node *document, const struct render_blocks *blocks)
{
    cmark_iter *iter = cmark_iter_new(document);
    cmark_event_type event;

    while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
        cmark_node *node = cmark_iter_get_node(iter);
        const struct buf *block;
        cmark_node *custom;

        if (event != CMARK_EVENT_EXIT || cmark_node_get_type(node) != CMARK_NODE_PARAGRAPH)
            continue;
        block = find_block(node, blocks);
        if (!block)
            continue;
        custom = cmark_node_new(CMARK_NODE_CUSTOM_BLOCK);
        cmark_node_set_on_enter(custom, block->ptr);
        cmark_node_replace(node, custom);
        cmark_node_free(node);
    }
    cmark_iter_free(iter);
}

/* Converts Markdown and its blocks to HTML. Drops raw HTML. The caller frees the result. */
static char *convert(const struct buf *markdown, const struct render_blocks *blocks)
{
    cmark_node *document =
        cmark_parse_document(markdown->ptr, markdown->len, CMARK_OPT_VALIDATE_UTF8);
    char *html;

    cmark_consolidate_text_nodes(document);
    place_blocks(document, blocks);
    html = cmark_render_html(document, CMARK_OPT_DEFAULT);
    cmark_node_free(document);
    return html;
}

static bool write_page(const struct report *r, const struct templates *t, struct slice content,
                       struct buf *out, struct diag *d)
{
    const struct template *style = templates_find(t, SLICE("page.css"));
    const struct template *script = templates_find(t, SLICE("page.js"));
    struct fields_page page = {.content = content, .policy = templates_policy(t)};
    struct render render = {
        .templates = t,
        .language = RENDER_HTML,
        .scopes = {{&fields_page, &page}, {&fields_report, r}},
        .scope_count = 2,
    };

    if (style)
        page.style = style->source;
    if (script)
        page.script = script->source;
    return render_template(&render, SLICE("page.mustache"), out, d);
}

bool report_write_html(const struct report *r, const struct templates *t, struct buf *out,
                       struct diag *d)
{
    struct render_blocks blocks = {0};
    struct render render = {
        .templates = t,
        .language = RENDER_MARKDOWN,
        .blocks = &blocks,
        .scopes = {{&fields_report, r}},
        .scope_count = 1,
    };
    struct buf markdown;
    char *html;
    bool good;

    buf_init(&markdown);
    good = render_template(&render, SLICE("report.mustache"), &markdown, d);
    if (good) {
        html = convert(&markdown, &blocks);
        good = write_page(r, t, slice_str(html), out, d);
        free(html);
    }
    vec_each (struct buf, block, &blocks)
        buf_release(block);
    vec_release(&blocks);
    buf_release(&markdown);
    return good;
}
