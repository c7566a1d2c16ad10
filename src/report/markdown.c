#include "report/markdown.h"

#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "report/fields.h"
#include "report/html.h"
#include "report/inert.h"
#include "report/render.h"

static bool ends_marker(struct slice text, size_t at)
{
    return at >= text.len || text.ptr[at] == ' ' || text.ptr[at] == '\t';
}

/*
 * Returns how many bytes at the front would begin a list, a heading's underline
 * or a rule, or 0. Escaping the last of them prevents that.
 */
static size_t find_block_start(struct slice text)
{
    size_t n = 0;

    if (text.len && memchr("+-=", text.ptr[0], 3))
        return ends_marker(text, 1) || text.ptr[1] == text.ptr[0] ? 1 : 0;
    while (n < text.len && ascii_is_digit(text.ptr[n]))
        n++;
    if (!n || n == text.len || (text.ptr[n] != '.' && text.ptr[n] != ')'))
        return 0;
    return ends_marker(text, n + 1) ? n + 1 : 0;
}

/* Hugo replaces quotes, dashes and dots by typographic ones: "--json" would get one dash. */
static bool is_typographic(struct slice text, size_t at)
{
    char c = text.ptr[at];

    if (c == '"' || c == '\'')
        return true;
    return (c == '-' || c == '.') &&
           ((at > 0 && text.ptr[at - 1] == c) || (at + 1 < text.len && text.ptr[at + 1] == c));
}

static bool is_letter_or_digit(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c);
}

/* True for an underscore in a word, which Python-Markdown takes for no emphasis. */
static bool is_in_word(struct slice text, size_t at)
{
    return text.ptr[at] == '_' && at > 0 && at + 1 < text.len &&
           is_letter_or_digit(text.ptr[at - 1]) && is_letter_or_digit(text.ptr[at + 1]);
}

/* True if `text` begins with a word that is special there. */
static bool begins_word(struct slice text, const char *const *words)
{
    for (; words && *words; words++)
        if (slice_starts(text, slice_str(*words)))
            return true;
    return false;
}

static bool contains(const char *characters, char c)
{
    return characters && c && strchr(characters, c);
}

/* True if a character of running text would be read as markup. */
static bool is_markup(const struct site *site, struct slice text, size_t at)
{
    char c = text.ptr[at];

    if (contains("\\`*_[]<>|&~$#{}", c) || contains(site->escaped, c))
        return true;
    if (at == 0 && (contains(site->first, c) || begins_word(text, site->first_words)))
        return true;
    return site->typographic && is_typographic(text, at);
}

/*
 * Python-Markdown shows the backslash before some characters, and the others as numbers in the
 * list of contents ("a95b" for "a\_b"), so entities replace them. MDX and templates of pages read
 * what is behind a backslash.
 */
static void write_markup(struct buf *out, const struct site *site, struct slice text, size_t at)
{
    char c = text.ptr[at];

    if (site->all_entities && is_in_word(text, at))
        buf_add_char(out, c);
    else if (site->all_entities || contains(site->entities, c) || is_letter_or_digit(c))
        buf_printf(out, "&#%d;", c);
    else
        buf_printf(out, "\\%c", c);
}

/* Appends the running text from `from` to `to`. */
static void escape_part(struct buf *out, const struct site *site, struct slice text, size_t from,
                        size_t to)
{
    size_t start = find_block_start(text);

    for (size_t i = from; i < to; i++) {
        char c = text.ptr[i];

        if (c == '\n' || c == '\r')
            buf_add_char(out, ' ');
        else if (i + 1 == start || is_markup(site, text, i))
            write_markup(out, site, text, i);
        else
            buf_add_char(out, c);
    }
}

/* Returns the length of the longest run of backticks. The fence must be longer. */
static size_t count_ticks(struct slice text)
{
    size_t longest = 0, run = 0;

    for (size_t i = 0; i < text.len; i++) {
        run = text.ptr[i] == '`' ? run + 1 : 0;
        if (run > longest)
            longest = run;
    }
    return longest;
}

static void escape_code(struct buf *out, struct slice text, bool bars)
{
    size_t fence = count_ticks(text) + 1;
    char first = text.ptr[0];
    char last = text.ptr[text.len - 1];
    bool pad = first == '`' || last == '`' || (first == ' ' && last == ' ');

    for (size_t i = 0; i < fence; i++)
        buf_add_char(out, '`');
    if (pad)
        buf_add_char(out, ' ');
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];

        if (c == '|' && bars)
            buf_add_char(out, '\\');
        buf_add_char(out, c == '\n' || c == '\r' ? ' ' : c);
    }
    if (pad)
        buf_add_char(out, ' ');
    for (size_t i = 0; i < fence; i++)
        buf_add_char(out, '`');
}

/* Returns the offset of the next text that is expanded even in code, or the length. */
static size_t find_live(struct slice text, const char *const *live)
{
    size_t first = text.len;

    for (; live && *live; live++) {
        size_t at = slice_search(text, slice_str(*live));

        first = at < first ? at : first;
    }
    return first;
}

/*
 * Ends the code span inside each such text, before its second character, and begins another, which
 * does not begin with a blank: Python-Markdown removes those.
 */
static void escape_live_code(struct buf *out, struct slice text, bool bars, const struct site *site)
{
    size_t at;

    while ((at = find_live(text, site->live) + 1) < text.len) {
        escape_code(out, slice_take(text, at), bars);
        do
            buf_add_char(out, text.ptr[at++]);
        while (at < text.len && text.ptr[at] == ' ');
        text = slice_skip(text, at);
    }
    if (text.len)
        escape_code(out, text, bars);
}

/* Writes code as HTML, in which entities replace all special characters. */
static void write_html_code(struct buf *out, struct slice text)
{
    buf_add_str(out, "<code>");
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];

        if (c == '\n' || c == '\r')
            buf_add_char(out, ' ');
        else if ((unsigned char)c >= 0x80 || c == ' ' || is_letter_or_digit(c))
            buf_add_char(out, c);
        else
            buf_printf(out, "&#%d;", c);
    }
    buf_add_str(out, "</code>");
}

static bool needs_html(struct slice text, const struct site *site)
{
    for (size_t i = 0; i < text.len; i++)
        if (contains(site->html_code, text.ptr[i]))
            return true;
    return false;
}

/* True if `text` cannot be written as code. */
static bool breaks_code(struct slice text, const struct site *site, bool bars)
{
    /* In a table's code "\|" means a bar, so a backslash before a bar cannot be written. */
    if (bars && slice_search(text, SLICE("\\|")) < text.len)
        return true;
    /* Python-Markdown adds a semicolon after text that begins like an entity, even in code. */
    for (size_t i = 0; site->entities_in_code && i + 1 < text.len; i++) {
        char next = text.ptr[i + 1];

        if (text.ptr[i] == '&' && (next == '#' || ascii_is_letter(next)))
            return true;
    }
    return false;
}

/* Appends a code span. */
static void write_code(struct buf *out, struct slice text, const struct site *site, bool bars,
                       bool broken)
{
    if (broken || needs_html(text, site))
        write_html_code(out, text);
    else
        escape_live_code(out, text, bars, site);
}

/* Appends running text, in which words that are live somewhere are code unless `live` is true. */
static void escape_text(struct buf *out, struct slice text, const struct site *site, bool live)
{
    size_t first, end = 0, written = 0;

    if (site->ticked_box && text.len == 1 && ascii_lower(text.ptr[0]) == 'x') {
        buf_printf(out, "&#%d;", text.ptr[0]);
        return;
    }
    while (!live && inert_find(text, end, &first, &end)) {
        struct slice word = slice_make(text.ptr + first, end - first);

        if (breaks_code(word, site, false))
            continue;
        escape_part(out, site, text, written, first);
        write_code(out, word, site, false, false);
        written = end;
    }
    escape_part(out, site, text, written, text.len);
}

void markdown_escape(struct buf *out, struct slice text, enum report_site reader,
                     enum markdown_style style)
{
    const struct site *site = site_of(reader);
    bool code = style == MARKDOWN_CODE || style == MARKDOWN_CODE_TABLE;
    bool bars = style == MARKDOWN_CODE_TABLE && !site->bars_in_code;
    bool broken = code && breaks_code(text, site, bars);
    bool isolated =
        utf8_has_rtl(text) && slice_search(text, SLICE(UTF8_FIRST_STRONG_ISOLATE)) == text.len;

    if (!text.len)
        return;
    if (isolated)
        buf_add_str(out, UTF8_FIRST_STRONG_ISOLATE);
    if (code && (!broken || reader == REPORT_PAGE || needs_html(text, site)))
        write_code(out, text, site, bars, broken);
    else
        escape_text(out, text, site, style == MARKDOWN_TEXT);
    if (isolated)
        buf_add_str(out, UTF8_POP_ISOLATE);
}

void markdown_escape_html(struct buf *out, struct slice text)
{
    for (; text.len; text = slice_skip(text, 1)) {
        if (contains("`*_[]\\{}", text.ptr[0]))
            buf_printf(out, "&#%d;", text.ptr[0]);
        else
            html_escape(out, slice_take(text, 1));
    }
}

/* Returns lower case for the letters that titles are likely to have. */
static uint32_t lower(uint32_t c)
{
    if ((c >= 'A' && c <= 'Z') || (c >= 0xc0 && c <= 0xde && c != 0xd7) ||
        (c >= 0x391 && c <= 0x3a9) || (c >= 0x410 && c <= 0x42f))
        return c + 0x20;
    if (c >= 0x400 && c <= 0x40f)
        return c + 0x50;
    if (c >= 0x100 && c <= 0x137 && c != 0x130)
        return c | 1;
    return c;
}

/* True for a character that an anchor keeps: no blanks, punctuation, symbols or emoji. */
static bool is_word(uint32_t c)
{
    static const struct {
        uint32_t first, last;
    } outside[] = {
        {0x80, 0xa9},     {0xab, 0xb4},     {0xb6, 0xb9},     {0xbb, 0xbf},       {0xd7, 0xd7},
        {0xf7, 0xf7},     {0x2000, 0x203e}, {0x2041, 0x2053}, {0x2055, 0x2070},   {0x207a, 0x207e},
        {0x2190, 0x2bff}, {0x3000, 0x3004}, {0x3008, 0x3020}, {0xfe10, 0xfe1f},   {0xff01, 0xff0f},
        {0xff1a, 0xff20}, {0xff5b, 0xff65}, {0xfff9, 0xffff}, {0x1f000, 0x1faff},
    };

    if (c < 0x80)
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    for (size_t i = 0; i < sizeof(outside) / sizeof(*outside); i++) {
        if (c >= outside[i].first && c <= outside[i].last)
            return false;
    }
    return true;
}

void markdown_address(struct buf *out, struct slice address)
{
    bool plain = true;

    for (size_t i = 0; i < address.len; i++)
        plain = plain && address.ptr[i] > ' ' && !strchr("<>\\()", address.ptr[i]);
    if (plain) {
        buf_add_slice(out, address);
        return;
    }
    buf_add_char(out, '<');
    for (size_t i = 0; i < address.len; i++) {
        unsigned char c = (unsigned char)address.ptr[i];

        if (c < ' ' || strchr("<>\\", c))
            buf_printf(out, "%%%02X", c);
        else
            buf_add_char(out, (char)c);
    }
    buf_add_char(out, '>');
}

void markdown_anchor(struct buf *out, struct slice heading)
{
    uint32_t c;

    while (heading.len) {
        heading = slice_skip(heading, utf8_decode(heading, &c));
        c = lower(c);
        if (c == ' ')
            buf_add_char(out, '-');
        else if (is_word(c))
            utf8_encode(out, c);
    }
}

bool report_write_markdown(const struct report *r, const struct templates *t, struct buf *out,
                           struct diag *d)
{
    struct render render = {
        .templates = t,
        .language = RENDER_MARKDOWN,
        .report = r,
        .scopes = {{&fields_report, r}},
        .scope_count = 1,
    };
    const struct site *site = site_of(r->site);
    struct buf text = {0};
    bool good = render_template(&render, SLICE("report.mustache"), site->convert ? &text : out, d);

    if (good && site->convert)
        site->convert(r, buf_slice(&text), out);
    buf_release(&text);
    return good;
}

struct slice markdown_index(const struct report *r)
{
    const struct site *site = site_of(r->site);

    if (!site->index)
        return r->place_index;
    return slice_str(r->paged && site->index_of_pages ? site->index_of_pages : site->index);
}

/* Appends the front matter of a graph's page. */
static void write_front(const struct graph_page *page, struct buf *out)
{
    const struct report *r = page->report;
    const struct site *site = site_of(r->site);
    struct site_front front = {
        .title = page->graph->title,
        .summary = page->graph->subtitle,
        .date = r->calendar_date,
        .name = page->graph->name,
    };
    struct arena memory = {0};

    site_add_tag(&front, &memory, SLICE("flame graphs"));
    report_graph_add_tags(page->graph, &front, &memory);
    site_write_front(site, site->page_keys, &front, out);
    vec_release(&front.tags);
    arena_release(&memory);
}

bool report_write_graph_markdown(const struct graph_page *page, const struct templates *t,
                                 struct buf *out, struct diag *d)
{
    const struct report *r = page->report;
    struct buf front = {0}, index = {0};
    struct fields_neighbours beside;
    struct render render = {
        .templates = t,
        .language = RENDER_MARKDOWN,
        .report = r,
        .inside = true,
        .scopes = {{&fields_report, r},
                   {&fields_neighbours, &beside},
                   {&fields_graph, page->graph}},
        .scope_count = 3,
    };
    bool good;

    pages_link_summary(r, &index);
    pages_neighbours(page, buf_slice(&index), &beside);
    write_front(page, &front);
    beside.front_matter = buf_slice(&front);
    good = render_template(&render, SLICE("graph_page.mustache"), out, d);
    buf_release(&front);
    buf_release(&index);
    return good;
}
