/*
 * Confluence: a page in its storage format, as the body of a request that creates the page.
 * https://confluence.atlassian.com/doc/confluence-storage-format-790796544.html
 *
 *     confluence.json   {"type": "page", "title", "metadata": {"labels"}, "body": {"storage"}}
 *
 * The text is the report's Markdown, made XHTML: libcmark converts everything but tables, which are
 * pipe tables as the templates write them. Files of the report are attachments of the page, by
 * their names without the directory; anchors and links to them are Confluence's macros.
 */
#include <cmark.h>
#include <stdlib.h>

#include "base/json_writer.h"
#include "report/html.h"
#include "report/markdown.h"
#include "report/report.h"

/* In Markdown, an empty link to this scheme is an anchor. */
#define ANCHOR "anchor:"

#define MACRO "<ac:structured-macro ac:name=\"anchor\"><ac:parameter ac:name=\"\">"
#define MACRO_END "</ac:parameter></ac:structured-macro>"

enum { MOST_COLUMNS = 100 };

/* ---- inline content -------------------------------------------------------------------------- */

/* Replaces a node by one that is written as `front`, its children and `end`. */
static void replace(cmark_node *node, const char *front, const char *end)
{
    cmark_node *custom = cmark_node_new(CMARK_NODE_CUSTOM_INLINE), *child;

    cmark_node_set_on_enter(custom, front);
    cmark_node_set_on_exit(custom, end);
    while ((child = cmark_node_first_child(node)))
        cmark_node_append_child(custom, child);
    cmark_node_replace(node, custom);
    cmark_node_free(node);
}

/* Appends the name of a file of the report without its directory; libcmark has decoded nothing. */
static void add_attachment(struct slice url, struct buf *out)
{
    for (size_t at; (at = slice_find(url, '/')) < url.len;)
        url = slice_skip(url, at + 1);
    buf_add_str(out, "<ri:attachment ri:filename=\"");
    html_escape(out, url);
    buf_add_str(out, "\" />");
}

static bool is_relative(struct slice url)
{
    return url.len && slice_find(url, ':') == url.len && url.ptr[0] != '/';
}

static void convert_link(cmark_node *node)
{
    struct slice url = slice_str(cmark_node_get_url(node));
    struct buf front = {0};

    if (slice_starts(url, SLICE(ANCHOR))) {
        buf_add_str(&front, MACRO);
        html_escape(&front, slice_skip(url, strlen(ANCHOR)));
        replace(node, buf_string(&front), MACRO_END);
    } else if (url.len && url.ptr[0] == '#') {
        buf_add_str(&front, "<ac:link ac:anchor=\"");
        html_escape(&front, slice_skip(url, 1));
        buf_add_str(&front, "\"><ac:link-body>");
        replace(node, buf_string(&front), "</ac:link-body></ac:link>");
    } else if (is_relative(url)) {
        buf_add_str(&front, "<ac:link>");
        add_attachment(url, &front);
        buf_add_str(&front, "<ac:link-body>");
        replace(node, buf_string(&front), "</ac:link-body></ac:link>");
    }
    buf_release(&front);
}

/* Appends the text of a node without markup. */
static void add_text(cmark_node *node, struct buf *out)
{
    cmark_iter *iter = cmark_iter_new(node);
    cmark_event_type event;

    while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE)
        if (event == CMARK_EVENT_ENTER && cmark_node_get_literal(cmark_iter_get_node(iter)))
            buf_add_str(out, cmark_node_get_literal(cmark_iter_get_node(iter)));
    cmark_iter_free(iter);
}

static void convert_image(cmark_node *node)
{
    struct slice url = slice_str(cmark_node_get_url(node));
    struct buf image = {0}, alt = {0};
    cmark_node *child;

    add_text(node, &alt);
    buf_add_str(&image, "<ac:image ac:alt=\"");
    html_escape(&image, buf_slice(&alt));
    buf_add_str(&image, "\">");
    add_attachment(url, &image);
    buf_add_str(&image, "</ac:image>");
    while ((child = cmark_node_first_child(node)))
        cmark_node_free(child);
    replace(node, buf_string(&image), "");
    buf_release(&alt);
    buf_release(&image);
}

/* Gives a section an anchor, by the name that GitHub would give it, unless it has one. */
static void convert_heading(cmark_node *node)
{
    cmark_node *first = cmark_node_first_child(node), *macro;
    struct buf text = {0}, front = {0};

    if (cmark_node_get_heading_level(node) != 2 || !first ||
        cmark_node_get_type(first) == CMARK_NODE_CUSTOM_INLINE)
        return;
    add_text(node, &text);
    buf_add_str(&front, MACRO);
    markdown_anchor(&front, buf_slice(&text));
    buf_add_str(&front, MACRO_END);
    macro = cmark_node_new(CMARK_NODE_CUSTOM_INLINE);
    cmark_node_set_on_enter(macro, buf_string(&front));
    cmark_node_prepend_child(node, macro);
    buf_release(&text);
    buf_release(&front);
}

/* Converts what libcmark has read. */
static void convert_nodes(cmark_node *document)
{
    cmark_iter *iter = cmark_iter_new(document);
    cmark_event_type event;

    while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
        cmark_node *node = cmark_iter_get_node(iter);
        cmark_node_type type = cmark_node_get_type(node);

        if (event != CMARK_EVENT_EXIT)
            continue;
        if (type == CMARK_NODE_LINK)
            convert_link(node);
        else if (type == CMARK_NODE_IMAGE)
            convert_image(node);
        else if (type == CMARK_NODE_HEADING)
            convert_heading(node);
    }
    cmark_iter_free(iter);
}

/* Appends Markdown without tables as XHTML, without `before` and `after` around it. */
static void convert_text(struct slice markdown, struct slice before, struct slice after,
                         struct buf *out)
{
    cmark_node *document =
        cmark_parse_document(markdown.len ? markdown.ptr : "", markdown.len, CMARK_OPT_DEFAULT);
    struct slice html;
    char *text;

    convert_nodes(document);
    text = cmark_render_html(document, CMARK_OPT_DEFAULT);
    html = slice_trim(slice_str(text));
    if (slice_starts(html, before) && slice_ends(html, after))
        html = slice_take(slice_skip(html, before.len), html.len - before.len - after.len);
    buf_add_slice(out, html);
    free(text);
    cmark_node_free(document);
}

/* Appends blocks without tables. */
static void convert_blocks(struct slice markdown, struct buf *out)
{
    convert_text(markdown, SLICE(""), SLICE(""), out);
}

/* Appends a cell. With a dot before it, its text is a paragraph: no "#" is a heading. */
static void convert_cell(struct slice cell, struct buf *out)
{
    struct buf text = {0};

    buf_printf(&text, ".%.*s", SLICE_ARG(cell));
    convert_text(buf_slice(&text), SLICE("<p>."), SLICE("</p>"), out);
    buf_release(&text);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* Takes the next cell of a row, in which "\|" is a bar. Returns false at the end of the row. */
static bool next_cell(struct slice *row, struct buf *cell)
{
    size_t i = 0;

    buf_clear(cell);
    if (!row->len)
        return false;
    for (; i < row->len && row->ptr[i] != '|'; i++) {
        if (row->ptr[i] == '\\' && i + 1 < row->len && row->ptr[i + 1] == '|')
            i++;
        else if (row->ptr[i] == '\\' && i + 1 < row->len && row->ptr[i + 1] == '\\')
            buf_add_char(cell, row->ptr[i++]);
        buf_add_char(cell, row->ptr[i]);
    }
    *row = slice_skip(*row, i < row->len ? i + 1 : i);
    return true;
}

static void convert_row(struct slice row, const bool *right, const char *tag, struct buf *out)
{
    struct buf cell = {0};

    buf_add_str(out, "<tr>");
    row = slice_skip(slice_trim(row), 1);
    for (size_t i = 0; next_cell(&row, &cell); i++) {
        buf_printf(out, "<%s%s>", tag,
                   i < MOST_COLUMNS && right[i] ? " style=\"text-align: right;\"" : "");
        convert_cell(slice_trim(buf_slice(&cell)), out);
        buf_printf(out, "</%s>", tag);
    }
    buf_add_str(out, "</tr>\n");
    buf_release(&cell);
}

/* Converts the rows of a table: the heads, the alignments, and the others. */
static void convert_table(struct slice rows, struct buf *out)
{
    bool right[MOST_COLUMNS] = {false};
    struct slice heads, alignments, row;
    struct buf cell = {0};

    slice_line(&rows, &heads);
    slice_line(&rows, &alignments);
    alignments = slice_skip(slice_trim(alignments), 1);
    for (size_t i = 0; i < MOST_COLUMNS && next_cell(&alignments, &cell); i++)
        right[i] = slice_starts(slice_trim(buf_slice(&cell)), SLICE("-"));
    buf_add_str(out, "<table><tbody>\n");
    convert_row(heads, right, "th", out);
    while (slice_line(&rows, &row))
        convert_row(row, right, "td", out);
    buf_add_str(out, "</tbody></table>\n");
    buf_release(&cell);
}

/* ---- the page -------------------------------------------------------------------------------- */

/* True if a table begins at `text`: a row, and a row of alignments. */
static bool begins_table(struct slice text)
{
    struct slice first, second;

    return text.len && text.ptr[0] == '|' && slice_line(&text, &first) &&
           slice_line(&text, &second) &&
           (slice_starts(second, SLICE("| -")) || slice_starts(second, SLICE("| :-")));
}

/* Converts Markdown, in which fenced code has no tables. */
static void convert_page(struct slice markdown, struct buf *out)
{
    struct slice text = slice_take(markdown, 0), line;
    bool fenced = false;

    while (markdown.len) {
        struct slice rest = markdown;

        if (!fenced && begins_table(markdown)) {
            convert_blocks(text, out);
            buf_add_char(out, '\n');
            while (rest.len && rest.ptr[0] == '|')
                slice_line(&rest, &line);
            convert_table(slice_take(markdown, (size_t)(rest.ptr - markdown.ptr)), out);
            text = slice_take(rest, 0);
        } else {
            slice_line(&rest, &line);
            fenced ^= slice_starts(line, SLICE("```"));
            text.len = (size_t)(rest.ptr - text.ptr);
        }
        markdown = rest;
    }
    convert_blocks(text, out);
}

static void write_request(const struct report *r, struct slice markdown, struct buf *out)
{
    struct arena memory = {0};
    struct site_front front;
    struct json_writer w;
    struct buf storage = {0};

    convert_page(markdown, &storage);
    report_fill_front(r, &memory, &front);
    json_writer_init(&w, out);
    json_writer_object(&w, NULL, JSON_LINES);
    json_writer_text(&w, "type", SLICE("page"));
    json_writer_text(&w, "title", front.title);
    json_writer_object(&w, "metadata", JSON_LINES);
    json_writer_list(&w, "labels", JSON_LINES);
    vec_each (const struct slice, tag, &front.tags) {
        json_writer_object(&w, NULL, JSON_INLINE);
        json_writer_text(&w, "prefix", SLICE("global"));
        json_writer_text(&w, "name", *tag);
        json_writer_close(&w);
    }
    json_writer_close(&w);
    json_writer_close(&w);
    json_writer_object(&w, "body", JSON_LINES);
    json_writer_object(&w, "storage", JSON_LINES);
    json_writer_text(&w, "value", buf_slice(&storage));
    json_writer_text(&w, "representation", SLICE("storage"));
    json_writer_close(&w);
    json_writer_close(&w);
    json_writer_close(&w);
    buf_add_char(out, '\n');
    vec_release(&front.tags);
    buf_release(&storage);
    arena_release(&memory);
}

const struct site site_confluence = {
    .index = "confluence.json",
    .one_page = true,
    .inside = {"[](" ANCHOR, ")"},
    .convert = write_request,
};
