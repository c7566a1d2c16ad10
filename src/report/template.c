#include "report/template.h"

#include <stdarg.h>

#include "base/buf.h"

struct parser {
    struct template *template;
    struct diag *diag;
    size_t at;                         /* of the next byte to read */
    size_t line_start;                 /* of the line that has `at` */
    uint32_t line;                     /* the number of that line */
    uint32_t open[TEMPLATE_MAX_DEPTH]; /* nodes of the open sections */
    unsigned depth;
};

/* One tag of the source. */
struct tag {
    size_t start, end; /* braces included */
    char sign;         /* '#', '^', '/', '>', '!', '&', '{' or 0 */
    struct slice name;
    uint32_t line;
};

bool template_error(const struct template *t, uint32_t line, struct diag *d, const char *format,
                    ...)
{
    struct buf text = {0};
    va_list args;

    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    if (!d->path.len)
        d->path = arena_copy(&d->memory, t->path);
    diag_add(d, DIAG_ERROR, DIAG_AT_LINE(line), "%s", buf_string(&text));
    buf_release(&text);
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Moves to `to`, counting lines. */
static void advance(struct parser *p, size_t to)
{
    const char *source = p->template->source.ptr;

    for (; p->at < to; p->at++) {
        if (source[p->at] == '\n') {
            p->line++;
            p->line_start = p->at + 1;
        }
    }
}

static struct template_node *add_node(struct parser *p, enum template_kind kind, struct slice text,
                                      uint32_t line)
{
    struct template_node *node = vec_add(&p->template->nodes);

    *node = (struct template_node){.kind = kind, .text = text, .line = line};
    return node;
}

static void add_text(struct parser *p, size_t from, size_t to)
{
    if (from < to)
        add_node(p, TEMPLATE_TEXT, slice_make(p->template->source.ptr + from, to - from), p->line);
}

/* A name is one word. Braces in it come from a damaged tag. */
static bool is_name(struct slice name)
{
    for (size_t i = 0; i < name.len; i++) {
        if ((unsigned char)name.ptr[i] <= ' ' || name.ptr[i] == '{' || name.ptr[i] == '}')
            return false;
    }
    return name.len > 0;
}

/* Reads the tag that begins at p->at. */
static bool read_tag(struct parser *p, struct tag *tag)
{
    struct slice rest = slice_skip(p->template->source, p->at);
    struct slice inner;
    size_t close, head = 2;

    *tag = (struct tag){.start = p->at, .line = p->line};
    if (rest.len > 2 && memchr("#^/>!&{=", rest.ptr[2], 8)) {
        tag->sign = rest.ptr[2];
        head = 3;
    }
    if (tag->sign == '=')
        return template_error(p->template, p->line, p->diag,
                              "cannot change delimiters: {{=...=}} is not supported");
    inner = slice_skip(rest, head);
    close = slice_search(inner, tag->sign == '{' ? SLICE("}}}") : SLICE("}}"));
    if (close == inner.len)
        return template_error(p->template, p->line, p->diag, "tag without closing \"%s\"",
                              tag->sign == '{' ? "}}}" : "}}");
    tag->name = slice_trim(slice_take(inner, close));
    tag->end = p->at + head + close + (tag->sign == '{' ? 3 : 2);
    if (tag->sign != '!' && !is_name(tag->name))
        return template_error(p->template, p->line, p->diag,
                              "invalid name '%.*s', expected one word", SLICE_ARG(tag->name));
    return true;
}

/* True if the tag is alone on its line. Then `*next` is the start of the next line. */
static bool is_alone(const struct parser *p, const struct tag *tag, size_t *next)
{
    struct slice source = p->template->source;
    size_t after = tag->end;

    if (!tag->sign || tag->sign == '&' || tag->sign == '{')
        return false;
    for (size_t i = p->line_start; i < tag->start; i++) {
        if (!is_blank(source.ptr[i]))
            return false;
    }
    while (after < source.len && is_blank(source.ptr[after]))
        after++;
    if (after < source.len && source.ptr[after] == '\r')
        after++;
    if (after < source.len && source.ptr[after] != '\n')
        return false;
    *next = after < source.len ? after + 1 : after;
    return true;
}

static bool open_section(struct parser *p, const struct tag *tag)
{
    if (p->depth == TEMPLATE_MAX_DEPTH)
        return template_error(p->template, tag->line, p->diag, "sections nest deeper than %d",
                              TEMPLATE_MAX_DEPTH);
    p->open[p->depth++] = (uint32_t)p->template->nodes.count;
    add_node(p, tag->sign == '#' ? TEMPLATE_SECTION : TEMPLATE_INVERTED, tag->name, tag->line);
    return true;
}

static bool close_section(struct parser *p, const struct tag *tag)
{
    struct template_node *open;

    if (!p->depth)
        return template_error(p->template, tag->line, p->diag, "{{/%.*s}} closes no open section",
                              SLICE_ARG(tag->name));
    open = &p->template->nodes.items[p->open[--p->depth]];
    if (!slice_equal(open->text, tag->name))
        return template_error(p->template, tag->line, p->diag,
                              "expected {{/%.*s}}, which closes line %u, not {{/%.*s}}",
                              SLICE_ARG(open->text), open->line, SLICE_ARG(tag->name));
    open->end = (uint32_t)p->template->nodes.count;
    add_node(p, TEMPLATE_END, tag->name, tag->line);
    return true;
}

static bool add_tag(struct parser *p, const struct tag *tag, struct slice indent)
{
    switch (tag->sign) {
    case '!':
        return true;
    case '#':
    case '^':
        return open_section(p, tag);
    case '/':
        return close_section(p, tag);
    case '>':
        add_node(p, TEMPLATE_PARTIAL, tag->name, tag->line)->indent = indent;
        return true;
    case '&':
    case '{':
        add_node(p, TEMPLATE_RAW, tag->name, tag->line);
        return true;
    default:
        add_node(p, TEMPLATE_VALUE, tag->name, tag->line);
        return true;
    }
}

bool template_parse(struct template *t, struct diag *d)
{
    struct parser p = {.template = t, .diag = d, .line = 1};

    while (p.at < t->source.len) {
        size_t from = p.at;
        size_t until = from + slice_search(slice_skip(t->source, from), SLICE("{{"));
        struct slice indent = {0};
        struct tag tag;
        size_t next;

        advance(&p, until);
        if (until == t->source.len) {
            add_text(&p, from, until);
            break;
        }
        if (!read_tag(&p, &tag))
            return false;
        next = tag.end;
        if (is_alone(&p, &tag, &next)) {
            until = p.line_start > from ? p.line_start : from;
            indent = slice_make(t->source.ptr + until, tag.start - until);
        }
        add_text(&p, from, until);
        if (!add_tag(&p, &tag, indent))
            return false;
        advance(&p, next);
    }
    if (p.depth) {
        const struct template_node *open = &t->nodes.items[p.open[p.depth - 1]];

        return template_error(t, open->line, d, "section {{#%.*s}} is not closed",
                              SLICE_ARG(open->text));
    }
    return true;
}

void template_release(struct template *t)
{
    vec_release(&t->nodes);
}
