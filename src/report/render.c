#include "report/render.h"

#include "base/ascii.h"
#include "base/json_writer.h"
#include "base/num.h"
#include "report/commentary.h"
#include "report/html.h"
#include "report/markdown.h"
#include "report/pages.h"

/* The deepest nesting of list sections, through all partials. */
enum { MAX_SCOPES = TEMPLATE_MAX_DEPTH };

/* Partials visited while checking: a template that includes itself twice doubles at each depth. */
enum { MAX_PARTIALS = 10000 };

/* The state of rendering. A partial gets a copy. */
struct state {
    const struct render *render;
    struct diag *diag;
    const struct template *template;
    enum render_language language;
    struct scope scopes[MAX_SCOPES];
    const struct field *const *fields[MAX_SCOPES]; /* of each scope, by the numbers of names */
    unsigned scope_count;
    bool checking;
    unsigned *partials; /* visited so far, while checking */
    unsigned depth;     /* nesting of partials */
    struct buf *out;
    struct slice indent;
};

/* The layout that every VEC shares. */
struct list {
    const char *items;
    size_t count, cap;
};

static bool run(struct state *s, uint32_t from, uint32_t to);

static const void *member(const struct scope *scope, const struct field *field)
{
    return (const char *)scope->object + field->offset;
}

static struct slice get_slice(const struct scope *scope, const struct field *field)
{
    struct slice text;

    memcpy(&text, member(scope, field), sizeof(text));
    return text;
}

static struct list get_list(const struct scope *scope, const struct field *field)
{
    struct list list;

    memcpy(&list, member(scope, field), sizeof(list));
    return list;
}

static void open_scope(struct state *s, struct scope scope)
{
    s->scopes[s->scope_count] = scope;
    s->fields[s->scope_count++] = lookup_fields(&s->render->templates->lookup, scope.record);
}

/* Looks the name of a node up, innermost record first. */
static const struct field *find_field(const struct state *s, const struct template_node *node,
                                      const struct scope **found)
{
    for (unsigned i = s->scope_count; i-- > 0;) {
        const struct field *field = s->fields[i][node->name];

        if (!field)
            continue;
        *found = &s->scopes[i];
        return field;
    }
    return NULL;
}

static bool say_unknown(const struct state *s, const struct template_node *node)
{
    const struct record *record = s->scopes[s->scope_count - 1].record;
    struct buf known = {0};

    for (size_t i = 0; i < record->count; i++)
        buf_printf(&known, "%s%.*s", i ? ", " : "", SLICE_ARG(record->fields[i].name));
    template_error(s->template, node->line, s->diag, "unknown name '%.*s'; %s has %s",
                   SLICE_ARG(node->text), record->what, buf_string(&known));
    buf_release(&known);
    return false;
}

static bool is_true(const struct scope *scope, const struct field *field)
{
    switch (field->kind) {
    case FIELD_FLAG:
        return *(const bool *)member(scope, field);
    case FIELD_UNSIGNED:
        return *(const unsigned *)member(scope, field) != 0;
    case FIELD_COUNT:
        return *(const uint64_t *)member(scope, field) != 0;
    case FIELD_SIZE:
    case FIELD_ANY:
    case FIELD_LIST:
        return get_list(scope, field).count != 0;
    default:
        return get_slice(scope, field).len != 0;
    }
}

/* True if the last line of `out` begins with '|', so that it is a row of a pipe table. */
static bool in_table(const struct buf *out)
{
    const char *text = buf_string(out);
    size_t at = out->len;

    while (at > 0 && text[at - 1] != '\n')
        at--;
    while (text[at] == ' ')
        at++;
    return text[at] == '|';
}

void render_link(struct buf *out, struct slice link)
{
    for (size_t i = 0; i < link.len; i++) {
        unsigned char c = (unsigned char)link.ptr[i];
        bool plain = ascii_is_letter(link.ptr[i]) || ascii_is_digit(link.ptr[i]) ||
                     (c && memchr("-._~/@", c, 6));

        if (plain)
            buf_add_char(out, (char)c);
        else
            buf_printf(out, "%%%02X", c);
    }
}

/* Writes the link from this page to a file of the report. */
static void write_file(struct state *s, struct slice path)
{
    struct buf front = {0};

    pages_add_front(s->render->report, s->render->inside, &front);
    render_link(s->out, buf_slice(&front));
    render_link(s->out, path);
    buf_release(&front);
}

/* True if a graph has an address of its own. */
static bool is_paged(const struct state *s)
{
    return s->render->report->paged || s->render->inside;
}

/* Writes the link from this page to a graph. */
static void write_graph(struct state *s, const struct slice name_and_anchor[2])
{
    const struct render *r = s->render;
    struct slice name = name_and_anchor[0];
    struct buf path = {0};

    if (is_paged(s)) {
        pages_link(r->report, name, s->language == RENDER_HTML ? ".html" : ".md", r->inside, &path);
        render_link(s->out, buf_slice(&path));
    } else {
        buf_add_char(s->out, '#');
        render_link(s->out, s->language == RENDER_HTML ? name : name_and_anchor[1]);
    }
    buf_release(&path);
}

/* Writes what is before the text of a link to a graph in Markdown, or after it. */
static void write_around_link(struct state *s, const struct slice name_and_anchor[2], bool before)
{
    bool html = s->render->report->html_links && !is_paged(s);

    buf_add_str(s->out, before ? (html ? "<a href=\"" : "[") : (html ? "</a>" : "]("));
    if (before == html)
        write_graph(s, name_and_anchor);
    buf_add_str(s->out, before ? (html ? "\">" : "") : (html ? "" : ")"));
}

/* The site that the report is written for; a page that is no report is for none. */
static enum report_site target_site(const struct state *s)
{
    return s->render->report ? s->render->report->site : REPORT_PAGE;
}

/* Writes an anchor as the site generator expects it at one of three places of a heading. */
static void write_anchor(struct state *s, enum field_kind place, struct slice anchor)
{
    const struct site *site = site_of(target_site(s));
    const struct site_mark *mark = place == FIELD_BEFORE   ? &site->before
                                   : place == FIELD_INSIDE ? &site->inside
                                                           : &site->after;

    if (mark->front)
        buf_printf(s->out, "%s%.*s%s", mark->front, SLICE_ARG(anchor), mark->end);
}

/* Writes a user's Markdown for a site generator. */
static void write_commentary(struct state *s, struct slice text, enum report_site site)
{
    struct buf up = {0};

    if (s->render->report)
        pages_add_front(s->render->report, s->render->inside, &up);
    commentary_write_for_site(s->out, text, site, buf_slice(&up));
    buf_release(&up);
}

static void write_text(struct state *s, const struct field *field, struct slice text, bool raw)
{
    enum report_site site = target_site(s);
    bool converted = s->render->blocks; /* to HTML, by this program */

    if (field->kind == FIELD_QUOTED)
        json_writer_string(s->out, text);
    else if (field->kind == FIELD_MARKDOWN && s->language == RENDER_MARKDOWN && !converted)
        write_commentary(s, text, site);
    else if (raw || field->kind == FIELD_MARKDOWN)
        buf_add_slice(s->out, text);
    else if (s->language == RENDER_HTML)
        html_escape(s->out, text);
    else if (field->kind == FIELD_HTML)
        markdown_escape_html(s->out, text);
    else if (field->kind == FIELD_CODE)
        markdown_escape(s->out, text, site, in_table(s->out) ? MARKDOWN_CODE_TABLE : MARKDOWN_CODE);
    else
        markdown_escape(s->out, text, site, converted ? MARKDOWN_TEXT : MARKDOWN_INERT);
}

static bool write_value(struct state *s, const struct template_node *node)
{
    const struct scope *scope;
    const struct field *field = find_field(s, node, &scope);

    if (!field)
        return say_unknown(s, node);
    if (field->kind >= FIELD_FLAG)
        return template_error(s->template, node->line, s->diag,
                              "'%.*s' has no text, use it as a section: {{#%.*s}}",
                              SLICE_ARG(node->text), SLICE_ARG(node->text));
    if (field->kind == FIELD_MARKDOWN && s->language == RENDER_HTML)
        return template_error(s->template, node->line, s->diag,
                              "'%.*s' is Markdown and cannot be used in an HTML template",
                              SLICE_ARG(node->text));
    if (s->checking)
        return true;
    switch (field->kind) {
    case FIELD_UNSIGNED:
        buf_add_u64(s->out, *(const unsigned *)member(scope, field));
        break;
    case FIELD_COUNT:
        num_write_grouped(s->out, *(const uint64_t *)member(scope, field), 0);
        break;
    case FIELD_SIZE:
        num_write_grouped(s->out, get_list(scope, field).count, 0);
        break;
    case FIELD_LINK:
        render_link(s->out, get_slice(scope, field));
        break;
    case FIELD_FILE:
        write_file(s, get_slice(scope, field));
        break;
    case FIELD_GRAPH:
        write_graph(s, member(scope, field));
        break;
    case FIELD_OPEN:
    case FIELD_CLOSE:
        write_around_link(s, member(scope, field), field->kind == FIELD_OPEN);
        break;
    case FIELD_BEFORE:
    case FIELD_INSIDE:
    case FIELD_AFTER:
        write_anchor(s, field->kind, get_slice(scope, field));
        break;
    default:
        write_text(s, field, get_slice(scope, field), node->kind == TEMPLATE_RAW);
    }
    return true;
}

/* Renders the body of a section once for each item. */
static bool run_list(struct state *s, const struct template_node *node, uint32_t body,
                     const struct scope *scope, const struct field *field)
{
    struct list list = {0};

    if (!s->checking)
        list = get_list(scope, field);
    if (s->scope_count == MAX_SCOPES)
        return template_error(s->template, node->line, s->diag, "lists nest deeper than %d",
                              MAX_SCOPES);
    if (!list.count && !s->checking)
        return true;
    open_scope(s, (struct scope){field->record, NULL});
    for (size_t i = 0; i < list.count + s->checking; i++) {
        if (!s->checking)
            s->scopes[s->scope_count - 1].object = list.items + i * field->record->size;
        if (!run(s, body, node->end))
            return false;
    }
    s->scope_count--;
    return true;
}

static bool run_section(struct state *s, uint32_t index)
{
    const struct template_node *node = &s->template->nodes.items[index];
    const struct scope *scope;
    const struct field *field = find_field(s, node, &scope);
    bool inverted = node->kind == TEMPLATE_INVERTED;

    if (!field)
        return say_unknown(s, node);
    if (field->kind == FIELD_LIST && !inverted)
        return run_list(s, node, index + 1, scope, field);
    if (s->checking || is_true(scope, field) != inverted)
        return run(s, index + 1, node->end);
    return true;
}

/* In Markdown, a partial that has only an HTML form. */
static const struct template no_markdown;

/* Returns the template of a partial and sets its language. Returns NULL if there is none. */
static const struct template *find_partial(const struct state *s, const struct template_node *node,
                                           enum render_language *language)
{
    const struct template *const *forms = node->forms;
    bool html = s->language == RENDER_HTML || s->render->blocks;

    *language = RENDER_MARKDOWN;
    if (s->language == RENDER_MARKDOWN && forms[TEMPLATE_BOTH])
        return forms[TEMPLATE_BOTH];
    if (!html)
        return forms[TEMPLATE_MARKDOWN] || !forms[TEMPLATE_HTML] ? forms[TEMPLATE_MARKDOWN]
                                                                 : &no_markdown;
    *language = RENDER_HTML;
    return forms[TEMPLATE_HTML];
}

/* Leaves the partial of `s` for later, and marks its place in `out`. */
static void add_block(const struct state *s, struct buf *out)
{
    struct render_blocks *blocks = s->render->blocks;

    buf_printf(out, "\n" RENDER_MARK "%zu" RENDER_MARK "\n\n", blocks->items.count);
    *vec_add(&blocks->items) = (struct render_block){
        .template = s->template,
        .indent = s->indent,
        .depth = s->depth,
        .first = blocks->scopes.count,
        .count = s->scope_count,
    };
    for (unsigned i = 0; i < s->scope_count; i++)
        *vec_add(&blocks->scopes) = s->scopes[i];
}

static bool run_partial(struct state *s, const struct template_node *node)
{
    enum render_language language;
    const struct template *partial = find_partial(s, node, &language);
    struct state inner = *s;

    if (!partial)
        return template_error(s->template, node->line, s->diag, "there is no template '%.*s%s'",
                              SLICE_ARG(node->text),
                              s->language == RENDER_HTML ? ".html.mustache" : ".mustache");
    if (++inner.depth > TEMPLATE_MAX_DEPTH || (s->checking && ++*s->partials > MAX_PARTIALS))
        return template_error(s->template, node->line, s->diag,
                              "templates include each other deeper than %d or more than %d times",
                              TEMPLATE_MAX_DEPTH, MAX_PARTIALS);
    inner.template = partial;
    inner.language = language;
    inner.indent = node->indent;
    if (language == s->language || s->checking)
        return run(&inner, 0, (uint32_t)partial->nodes.count);
    add_block(&inner, s->out);
    return true;
}

/* Writes literal text; each line starts with the indent of the partial. */
static void write_literal(struct state *s, const struct template_node *node)
{
    struct slice text = node->text;

    while (text.len) {
        size_t n = slice_find(text, '\n');
        bool fresh = !s->out->len || s->out->ptr[s->out->len - 1] == '\n';

        if (n < text.len)
            n++;
        if (fresh && text.ptr[0] != '\n')
            buf_add_slice(s->out, s->indent);
        buf_add(s->out, text.ptr, n);
        text = slice_skip(text, n);
    }
}

static bool run(struct state *s, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        const struct template_node *node = &s->template->nodes.items[i];
        bool good = true;

        switch (node->kind) {
        case TEMPLATE_TEXT:
            if (!s->checking)
                write_literal(s, node);
            break;
        case TEMPLATE_VALUE:
        case TEMPLATE_RAW:
            good = write_value(s, node);
            break;
        case TEMPLATE_SECTION:
        case TEMPLATE_INVERTED:
            good = run_section(s, i);
            i = node->end;
            break;
        case TEMPLATE_PARTIAL:
            good = run_partial(s, node);
            break;
        case TEMPLATE_END:
            break;
        }
        if (!good)
            return false;
    }
    return true;
}

static bool start(const struct render *r, struct slice name, bool checking, struct buf *out,
                  struct diag *d)
{
    unsigned partials = 0;
    struct state s = {
        .render = r,
        .diag = d,
        .template = templates_find(r->templates, name),
        .language = r->language,
        .checking = checking,
        .partials = &partials,
        .out = out,
    };

    if (!s.template)
        return diag_error(d, "there is no template '%.*s'", SLICE_ARG(name));
    for (unsigned i = 0; i < r->scope_count; i++)
        open_scope(&s, r->scopes[i]);
    return run(&s, 0, (uint32_t)s.template->nodes.count);
}

void render_blocks_release(struct render_blocks *blocks)
{
    release_all(blocks, vec, items, scopes);
}

bool render_block(const struct render *r, size_t number, struct buf *out, struct diag *d)
{
    const struct render_block *block = &r->blocks->items.items[number];
    struct state s = {
        .render = r,
        .diag = d,
        .template = block->template,
        .language = RENDER_HTML,
        .depth = block->depth,
        .out = out,
        .indent = block->indent,
    };

    for (size_t i = 0; i < block->count; i++)
        open_scope(&s, r->blocks->scopes.items[block->first + i]);
    return run(&s, 0, (uint32_t)block->template->nodes.count);
}

bool render_template(const struct render *r, struct slice name, struct buf *out, struct diag *d)
{
    return start(r, name, false, out, d);
}

bool render_check(const struct render *r, struct slice name, struct diag *d)
{
    struct buf nothing = {0};
    bool good;

    good = start(r, name, true, &nothing, d);
    buf_release(&nothing);
    return good;
}
