#include "report/commentary.h"

#include <stdlib.h>
#include <strings.h>

#include <cmark.h>

#include "base/utf8.h"
#include "report/display.h"
#include "report/html.h"
#include "report/inert.h"
#include "report/markdown.h"

enum { MAX_HEADING = 6 };

/* The state of cleaning one commentary. */
struct cleaner {
    struct diag *diag;
    int top;
    bool warned_of_html;
    struct buf headings;
};

/* Appends the text of a heading without its markup. */
static void add_plain_text(cmark_node *node, struct buf *out)
{
    cmark_iter *iter = cmark_iter_new(node);
    cmark_event_type event;

    while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
        cmark_node *inner = cmark_iter_get_node(iter);
        cmark_node_type type = cmark_node_get_type(inner);

        if (event != CMARK_EVENT_ENTER)
            continue;
        if (type == CMARK_NODE_TEXT || type == CMARK_NODE_CODE)
            buf_add_str(out, cmark_node_get_literal(inner));
        else if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK)
            buf_add_char(out, ' ');
    }
    cmark_iter_free(iter);
}

/* Replaces control characters and noncharacters, which entities can make, by U+FFFD. */
static void clean_literal(cmark_node *node)
{
    struct slice rest = slice_str(cmark_node_get_literal(node));
    struct buf clean = {0};
    uint32_t c;

    while (rest.len) {
        size_t n = utf8_decode(rest, &c);
        bool blank = c == '\n' || c == '\t' || c == '\r';

        if ((c < ' ' && !blank) || (c >= 0x7f && c < 0xa0) || display_is_noncharacter(c))
            utf8_encode(&clean, UTF8_REPLACEMENT);
        else
            buf_add(&clean, rest.ptr, n);
        rest = slice_skip(rest, n);
    }
    cmark_node_set_literal(node, buf_string(&clean));
    buf_release(&clean);
}

/* True for an address that runs a program or opens a file of the reader's. */
static bool is_unsafe_link(struct slice url)
{
    static const char *const schemes[] = {"javascript:", "vbscript:", "file:", "data:"};

    for (size_t i = 0; i < sizeof(schemes) / sizeof(*schemes); i++) {
        size_t n = strlen(schemes[i]);

        if (url.len >= n && strncasecmp(url.ptr, schemes[i], n) == 0)
            return true;
    }
    return false;
}

/* True for an address with a scheme or a host. Browsers skip blanks and take a \ for a /. */
static bool is_elsewhere(struct slice url)
{
    bool first = true, slash = false;

    for (size_t i = 0; i < url.len; i++) {
        char c = url.ptr[i];

        if ((unsigned char)c <= ' ')
            continue;
        if (c == '/' || c == '\\') {
            if (slash || !first)
                return slash;
            slash = true;
        } else if (slash || c == '?' || c == '#') {
            return false;
        } else if (c == ':') {
            return true;
        }
        first = false;
    }
    return false;
}

static bool is_inside_link(cmark_node *node)
{
    while ((node = cmark_node_parent(node)))
        if (cmark_node_get_type(node) == CMARK_NODE_LINK)
            return true;
    return false;
}

/*
 * Replaces an image by a link to it, so that who reads the report tells nobody. In a link only
 * the image's text stays: links do not nest. Returns what replaces the image.
 */
static cmark_node *link_image(cmark_node *image)
{
    const char *url = cmark_node_get_url(image);
    bool linked = is_inside_link(image);
    cmark_node *link = cmark_node_new(linked ? CMARK_NODE_EMPH : CMARK_NODE_LINK);
    cmark_node *child;

    if (!cmark_node_first_child(image)) {
        cmark_node *text = cmark_node_new(CMARK_NODE_TEXT);

        cmark_node_set_literal(text, url);
        clean_literal(text);
        cmark_node_append_child(link, text);
    }
    while ((child = cmark_node_first_child(image)))
        cmark_node_append_child(link, child);
    if (!linked) {
        cmark_node_set_url(link, url);
        cmark_node_set_title(link, cmark_node_get_title(image));
    }
    cmark_node_replace(image, link);
    cmark_node_free(image);
    return link;
}

/* Removes raw HTML; comments without a warning. */
static void drop_html(struct cleaner *c, cmark_node *node)
{
    struct slice html = slice_trim(slice_str(cmark_node_get_literal(node)));

    if (!c->warned_of_html && !slice_starts(html, SLICE("<!--"))) {
        cmark_node *place = node;

        while (place && !cmark_node_get_start_line(place))
            place = cmark_node_parent(place);
        diag_warn_line(c->diag, place ? (uint64_t)cmark_node_get_start_line(place) : 0,
                       "raw HTML is left out");
        c->warned_of_html = true;
    }
    cmark_node_free(node);
}

static void clean_node(struct cleaner *c, cmark_node *node)
{
    int level;

    switch (cmark_node_get_type(node)) {
    case CMARK_NODE_HTML_BLOCK:
    case CMARK_NODE_HTML_INLINE:
        drop_html(c, node);
        break;
    case CMARK_NODE_HEADING:
        level = cmark_node_get_heading_level(node) + c->top - 2;
        level = level < c->top ? c->top : level;
        cmark_node_set_heading_level(node, level > MAX_HEADING ? MAX_HEADING : level);
        add_plain_text(node, &c->headings);
        buf_add_char(&c->headings, '\n');
        break;
    case CMARK_NODE_LINK:
    case CMARK_NODE_IMAGE:
        if (is_unsafe_link(slice_str(cmark_node_get_url(node))))
            cmark_node_set_url(node, "");
        else if (cmark_node_get_type(node) == CMARK_NODE_IMAGE &&
                 is_elsewhere(slice_str(cmark_node_get_url(node))))
            link_image(node);
        break;
    case CMARK_NODE_TEXT:
    case CMARK_NODE_CODE:
    case CMARK_NODE_CODE_BLOCK:
        clean_literal(node);
        break;
    default:
        break;
    }
}

/* True for types for which cmark's iterator has no EXIT event. */
static bool is_leaf(cmark_node *node)
{
    switch (cmark_node_get_type(node)) {
    case CMARK_NODE_HTML_BLOCK:
    case CMARK_NODE_THEMATIC_BREAK:
    case CMARK_NODE_CODE_BLOCK:
    case CMARK_NODE_TEXT:
    case CMARK_NODE_SOFTBREAK:
    case CMARK_NODE_LINEBREAK:
    case CMARK_NODE_CODE:
    case CMARK_NODE_HTML_INLINE:
        return true;
    default:
        return false;
    }
}

/*
 * Writes the title of a link or image as entities, which libcmark leaves as they are: site
 * generators expand templates before they parse Markdown, in titles, too.
 */
static void encode_title(cmark_node *node)
{
    struct buf title = {0};

    markdown_escape_html(&title, slice_str(cmark_node_get_title(node)));
    cmark_node_set_title(node, buf_string(&title));
    buf_release(&title);
}

/* Appends a document as Markdown, without a line end. */
static void render(cmark_node *document, struct buf *out)
{
    cmark_iter *iter = cmark_iter_new(document);
    cmark_event_type event;
    char *text;

    while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
        cmark_node *node = cmark_iter_get_node(iter);
        cmark_node_type type = cmark_node_get_type(node);

        if (event == CMARK_EVENT_ENTER && (type == CMARK_NODE_LINK || type == CMARK_NODE_IMAGE))
            encode_title(node);
    }
    cmark_iter_free(iter);
    text = cmark_render_commonmark(document, CMARK_OPT_DEFAULT, 0);
    buf_add_slice(out, slice_trim_right(slice_str(text)));
    free(text);
}

/* Cleans each node when it is left. Returns false if nodes nest too deep. */
static bool clean_document(struct cleaner *c, cmark_node *document)
{
    cmark_iter *iter = cmark_iter_new(document);
    cmark_event_type event;
    unsigned depth = 0;

    while (depth <= COMMENTARY_MAX_NESTING && (event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
        cmark_node *node = cmark_iter_get_node(iter);

        if (is_leaf(node)) {
            clean_node(c, node);
        } else if (event == CMARK_EVENT_ENTER) {
            depth++;
        } else {
            depth--;
            clean_node(c, node);
        }
    }
    cmark_iter_free(iter);
    return depth <= COMMENTARY_MAX_NESTING;
}

/* Removes a heading of level 1 from the start and returns its text. */
static struct slice take_heading(cmark_node *document, struct arena *memory)
{
    cmark_node *first = cmark_node_first_child(document);
    struct slice heading = {0};
    struct buf text = {0};

    if (!first || cmark_node_get_type(first) != CMARK_NODE_HEADING ||
        cmark_node_get_heading_level(first) != 1)
        return heading;
    add_plain_text(first, &text);
    heading = display_text(memory, buf_slice(&text), DISPLAY_NAME);
    buf_release(&text);
    cmark_node_free(first);
    return heading;
}

void commentary_read(struct commentary *c, struct slice markdown, int top, struct arena *memory,
                     struct diag *d)
{
    struct cleaner cleaner = {.diag = d, .top = top};
    cmark_node *document;
    struct buf text = {0};

    *c = (struct commentary){0};
    if (slice_starts(markdown, SLICE("\xef\xbb\xbf")))
        markdown = slice_skip(markdown, 3);
    if (markdown.len > COMMENTARY_MAX_SIZE) {
        diag_warn(d, "the text is left out: it is longer than %d bytes", COMMENTARY_MAX_SIZE);
        return;
    }
    document = cmark_parse_document(markdown.ptr ? markdown.ptr : "", markdown.len,
                                    CMARK_OPT_VALIDATE_UTF8);
    c->heading = take_heading(document, memory);
    if (clean_document(&cleaner, document)) {
        render(document, &text);
        c->markdown = arena_copy(memory, buf_slice(&text));
        c->headings = arena_copy(memory, buf_slice(&cleaner.headings));
    } else {
        diag_warn(d, "the text is left out: it nests deeper than %d levels",
                  COMMENTARY_MAX_NESTING);
    }
    buf_release(&cleaner.headings);
    buf_release(&text);
    cmark_node_free(document);
}

/* ---- for other pages ------------------------------------------------------------------------- */

static cmark_node *parse(struct slice markdown)
{
    return cmark_parse_document(markdown.len ? markdown.ptr : "", markdown.len, CMARK_OPT_DEFAULT);
}

/* True for an address that depends on the directory of the page. */
static bool is_relative(struct slice url)
{
    return url.len && url.ptr[0] != '#' && url.ptr[0] != '?' && url.ptr[0] != '/' &&
           url.ptr[0] != '\\' && !is_elsewhere(url);
}

static void move_link(cmark_node *node, const char *up)
{
    const char *url = cmark_node_get_url(node);
    struct buf moved = {0};

    if (!is_relative(slice_str(url)))
        return;
    buf_printf(&moved, "%s%s", up, url);
    cmark_node_set_url(node, buf_string(&moved));
    buf_release(&moved);
}

void commentary_write_below(struct buf *out, struct slice markdown, const char *up)
{
    cmark_node *document = parse(markdown);
    cmark_iter *iter = cmark_iter_new(document);
    cmark_event_type event;

    while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
        cmark_node *node = cmark_iter_get_node(iter);
        cmark_node_type type = cmark_node_get_type(node);

        if (event == CMARK_EVENT_ENTER && (type == CMARK_NODE_LINK || type == CMARK_NODE_IMAGE))
            move_link(node, up);
    }
    cmark_iter_free(iter);
    render(document, out);
    cmark_node_free(document);
}

/* ---- for site generators --------------------------------------------------------------------- */

/* Returns the offset of the next character that an entity must replace, or the length. */
static size_t find_entity(const struct site *site, struct slice text, bool first)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];

        if (strchr(site->commentary_entities, c) || (c == '=' && first && i == 0))
            return i;
    }
    return text.len;
}

/* Puts a node before `node` that is written as `text`, as it is. */
static void put_verbatim(cmark_node *node, cmark_node_type type, const char *text)
{
    cmark_node *verbatim = cmark_node_new(type);

    cmark_node_set_on_enter(verbatim, text);
    cmark_node_insert_before(node, verbatim);
}

/* Puts a node with the first `n` bytes of `text` before `node`. */
static void split_off(cmark_node *node, cmark_node_type type, struct slice text, size_t n)
{
    cmark_node *front = cmark_node_new(type);
    char *copy = xmalloc(n + 1);

    memcpy(copy, text.ptr, n);
    copy[n] = '\0';
    cmark_node_set_literal(front, copy);
    cmark_node_insert_before(node, front);
    free(copy);
}

/* True if a text is the first of its paragraph and begins with a special word. */
static bool begins_module(const struct site *site, cmark_node *node, struct slice text)
{
    for (const char *const *word = site->first_words; word && *word; word++)
        if (!cmark_node_previous(node) && slice_starts(text, slice_str(*word)))
            return true;
    return false;
}

static bool is_in_link(cmark_node *node)
{
    while (node && cmark_node_get_type(node) != CMARK_NODE_LINK)
        node = cmark_node_parent(node);
    return node != NULL;
}

/*
 * Inserts a link before the node that leads where it reads. As text, the address would be escaped,
 * and a forge that makes a link of it takes the backslashes in.
 */
static void put_link(cmark_node *node, struct slice address)
{
    cmark_node *link = cmark_node_new(CMARK_NODE_LINK), *text = cmark_node_new(CMARK_NODE_TEXT);
    struct buf copy = {0};

    buf_add_slice(&copy, address);
    cmark_node_set_url(link, buf_string(&copy));
    cmark_node_set_literal(text, buf_string(&copy));
    cmark_node_append_child(link, text);
    cmark_node_insert_before(node, link);
    buf_release(&copy);
}

/*
 * Makes code of what a forge would take for a mention or an issue, and links of addresses, which a
 * forge takes for links.
 */
static void put_inert(cmark_node *node)
{
    struct buf literal = {0};
    struct slice text;
    size_t first, end = 0, written = 0;

    buf_add_str(&literal, cmark_node_get_literal(node));
    text = buf_slice(&literal);
    while (inert_find(text, end, &first, &end)) {
        struct slice word = slice_make(text.ptr + first, end - first);

        bool address = inert_is_address(word);

        if (address && is_in_link(node))
            continue;
        if (first > written)
            split_off(node, CMARK_NODE_TEXT, slice_skip(text, written), first - written);
        if (address)
            put_link(node, word);
        else
            split_off(node, CMARK_NODE_CODE, word, word.len);
        written = end;
    }
    if (written)
        cmark_node_set_literal(node, slice_skip(text, written).ptr);
    buf_release(&literal);
}

static void put_entities(const struct site *site, cmark_node *node)
{
    struct buf literal = {0};
    struct slice text;
    size_t at;
    char entity[8];

    buf_add_str(&literal, cmark_node_get_literal(node));
    text = buf_slice(&literal);
    if (begins_module(site, node, text)) {
        snprintf(entity, sizeof(entity), "&#%d;", text.ptr[0]);
        put_verbatim(node, CMARK_NODE_CUSTOM_INLINE, entity);
        text = slice_skip(text, 1);
    }
    for (bool first = true; (at = find_entity(site, text, first)) < text.len; first = false) {
        char c = text.ptr[at];

        if (at)
            split_off(node, CMARK_NODE_TEXT, text, at);
        snprintf(entity, sizeof(entity), "&#%d;", c);
        put_verbatim(node, CMARK_NODE_CUSTOM_INLINE,
                     c == '<'   ? "&lt;"
                     : c == '&' ? "&amp;"
                                : entity);
        text = slice_skip(text, at + 1);
    }
    if (text.len < literal.len)
        cmark_node_set_literal(node, text.len ? text.ptr : "");
    buf_release(&literal);
}

/* Replaces a code span by what the report's own code spans are. */
static void put_code(enum report_site site, cmark_node *node)
{
    struct buf code = {0};

    markdown_escape(&code, slice_str(cmark_node_get_literal(node)), site, MARKDOWN_CODE);
    put_verbatim(node, CMARK_NODE_CUSTOM_INLINE, buf_string(&code));
    buf_release(&code);
    cmark_node_free(node);
}

/*
 * Replaces a code block by a code span for each line if the site generator would expand what is in
 * it; otherwise it gets a fence without words that are special to the generator.
 */
static void put_block(enum report_site reader, cmark_node *node)
{
    const struct site *site = site_of(reader);
    struct slice rest = slice_str(cmark_node_get_literal(node)), line;
    bool live = false;
    struct buf code = {0};

    if (site->fenced_code)
        cmark_node_set_fence_info(node, "text");
    else if (strchr(cmark_node_get_fence_info(node), '{'))
        cmark_node_set_fence_info(node, "");
    for (const char *const *word = site->live; word && *word; word++)
        live = live || slice_search(rest, slice_str(*word)) < rest.len;
    live = live || (site->html_code && strpbrk(rest.ptr, "{"));
    if (!live)
        return;
    while (slice_line(&rest, &line)) {
        markdown_escape(&code, line, reader, MARKDOWN_CODE);
        buf_add_str(&code, rest.len ? "  \n" : "\n");
    }
    put_verbatim(node, CMARK_NODE_CUSTOM_BLOCK, buf_string(&code));
    buf_release(&code);
    cmark_node_free(node);
}

/* Encodes what templates of pages would expand in an address, and what a browser encodes. */
static void clean_address(cmark_node *node)
{
    struct buf url = {0};

    for (const char *c = cmark_node_get_url(node); *c; c++)
        if (strchr("{}<>|\"`\\^", *c))
            buf_printf(&url, "%%%02X", *c);
        else
            buf_add_char(&url, *c);
    cmark_node_set_url(node, buf_string(&url));
    buf_release(&url);
}

/* Replaces a link to a place in the page by HTML. Its text stays. */
static void put_html_link(cmark_node *node)
{
    struct buf start = {0};
    cmark_node *link = cmark_node_new(CMARK_NODE_CUSTOM_INLINE), *child;

    buf_add_str(&start, "<a href=\"");
    html_escape(&start, slice_str(cmark_node_get_url(node)));
    buf_add_str(&start, "\">");
    cmark_node_set_on_enter(link, buf_string(&start));
    cmark_node_set_on_exit(link, "</a>");
    while ((child = cmark_node_first_child(node)))
        cmark_node_append_child(link, child);
    cmark_node_insert_before(node, link);
    cmark_node_free(node);
    buf_release(&start);
}

/* True for an address that may lead out of the directory of the report, or of the whole site. */
static bool leaves_report(struct slice url)
{
    if (!url.len || url.ptr[0] == '#' || url.ptr[0] == '?' || is_elsewhere(url))
        return false;
    return strchr("/\\@~", url.ptr[0]) || slice_search(url, SLICE("..")) < url.len ||
           slice_search(url, SLICE("%2e")) < url.len || slice_search(url, SLICE("%2E")) < url.len;
}

/*
 * Some generators copy the file that a link or an image names into the site, and read it from
 * anywhere. The link to a file outside the report becomes HTML, which they leave alone.
 */
static void fit_link(const struct site *site, cmark_node *node, struct slice up)
{
    bool image = cmark_node_get_type(node) == CMARK_NODE_IMAGE, leaves;
    struct slice url;

    clean_address(node);
    url = slice_str(cmark_node_get_url(node));
    leaves = leaves_report(slice_starts(url, up) ? slice_skip(url, up.len) : url);
    if (leaves && image && site->copies_images)
        node = link_image(node);
    if (cmark_node_get_type(node) != CMARK_NODE_LINK)
        return;
    if ((site->html_links && cmark_node_get_url(node)[0] == '#') || (leaves && site->copies_links))
        put_html_link(node);
}

static void fit_node(enum report_site site, cmark_node *node, struct slice up)
{
    switch (cmark_node_get_type(node)) {
    case CMARK_NODE_TEXT:
        if (site_of(site)->commentary_entities)
            put_entities(site_of(site), node);
        break;
    case CMARK_NODE_CODE:
        if (site_of(site)->html_code || site_of(site)->live)
            put_code(site, node);
        break;
    case CMARK_NODE_CODE_BLOCK:
        put_block(site, node);
        break;
    case CMARK_NODE_LINK:
    case CMARK_NODE_IMAGE:
        fit_link(site_of(site), node, up);
        break;
    case CMARK_NODE_HTML_BLOCK:
        /* A user's HTML is gone: this is the comment by which libcmark separates lists. */
        if (site_of(site)->list_end) {
            put_verbatim(node, CMARK_NODE_CUSTOM_BLOCK, site_of(site)->list_end);
            cmark_node_free(node);
        }
        break;
    default:
        break;
    }
}

static void make_inert(cmark_node *document)
{
    cmark_iter *iter;

    cmark_consolidate_text_nodes(document);
    iter = cmark_iter_new(document);
    while (cmark_iter_next(iter) != CMARK_EVENT_DONE)
        if (cmark_node_get_type(cmark_iter_get_node(iter)) == CMARK_NODE_TEXT)
            put_inert(cmark_iter_get_node(iter));
    cmark_iter_free(iter);
}

void commentary_write_for_site(struct buf *out, struct slice markdown, enum report_site site,
                               struct slice up)
{
    cmark_node *document = parse(markdown);
    cmark_iter *iter;
    cmark_event_type event;

    make_inert(document);
    iter = cmark_iter_new(document);
    while ((event = cmark_iter_next(iter)) != CMARK_EVENT_DONE) {
        cmark_node *node = cmark_iter_get_node(iter);

        if (event == CMARK_EVENT_EXIT || is_leaf(node))
            fit_node(site, node, up);
    }
    cmark_iter_free(iter);
    render(document, out);
    cmark_node_free(document);
}
