#include "unit/support/markup.h"

#include <string.h>

#include "base/num.h"
#include "base/utf8.h"

struct reader {
    struct markup *markup;
    struct slice rest;
    VEC(uint32_t) open;
    struct buf *why;
};

static bool fail(struct reader *r, const char *what)
{
    buf_printf(r->why, "%s before '%.*s'", what, SLICE_ARG(slice_take(r->rest, 40)));
    return false;
}

static bool take(struct reader *r, const char *literal)
{
    if (!slice_starts(r->rest, slice_str(literal)))
        return false;
    r->rest = slice_skip(r->rest, strlen(literal));
    return true;
}

static void skip_blanks(struct reader *r)
{
    r->rest = slice_trim_left(r->rest);
}

static bool take_name(struct reader *r, struct slice *name)
{
    size_t len = 0;

    while (len < r->rest.len && strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                       "0123456789-_:",
                                       r->rest.ptr[len]))
        len++;
    *name = slice_take(r->rest, len);
    r->rest = slice_skip(r->rest, len);
    return len > 0 || fail(r, "a name was expected");
}

/* Appends the text up to `end` without entities. */
static bool take_text(struct reader *r, char end, struct buf *text)
{
    static const struct {
        const char *entity, *text;
    } entities[] = {
        {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}};

    while (r->rest.len && *r->rest.ptr != end) {
        size_t i = 0;
        uint32_t c;
        size_t len = utf8_decode(r->rest, &c);

        if (*r->rest.ptr == '<')
            return fail(r, "'<' in text");
        if ((c < 0x20 && !strchr("\t\n\r", (int)c)) || !c || c == 0xfffe || c == 0xffff)
            return fail(r, "a character that XML forbids");
        if (!utf8_valid(slice_take(r->rest, len)))
            return fail(r, "bytes that are not UTF-8");
        if (c != '&') {
            buf_add(text, r->rest.ptr, len);
            r->rest = slice_skip(r->rest, len);
            continue;
        }
        while (i < 5 && !take(r, entities[i].entity))
            i++;
        if (i == 5)
            return fail(r, "an unknown entity");
        buf_add_str(text, entities[i].text);
    }
    return r->rest.len > 0 || fail(r, "the document ends within text");
}

static bool take_attributes(struct reader *r, struct markup_element *e)
{
    struct markup *m = r->markup;

    e->attribute = (uint32_t)m->attributes.count;
    for (;;) {
        struct slice name, before = r->rest;
        struct buf value = {0};
        bool good;

        skip_blanks(r);
        if (slice_starts(r->rest, SLICE(">")) || slice_starts(r->rest, SLICE("/>")))
            return true;
        if (before.len == r->rest.len || !take_name(r, &name) || !take(r, "=\""))
            return fail(r, "an attribute was expected");
        if (markup_get(m, e, arena_strdup(&m->memory, name)).ptr)
            return fail(r, "an attribute twice");
        good = take_text(r, '"', &value) && take(r, "\"");
        *vec_add(&m->attributes) =
            (struct markup_attribute){name, arena_copy(&m->memory, buf_slice(&value))};
        e->attributes++;
        buf_release(&value);
        if (!good)
            return false;
    }
}

static bool take_start(struct reader *r)
{
    struct markup *m = r->markup;
    uint32_t id = (uint32_t)m->elements.count, depth = (uint32_t)r->open.count;
    struct markup_element e = {.parent = depth ? r->open.items[depth - 1] : id, .depth = depth};

    if ((!depth && id) || !take_name(r, &e.name) || !take_attributes(r, &e))
        return fail(r, "an element was expected");
    *vec_add(&m->elements) = e;
    if (!take(r, "/>")) {
        take(r, ">");
        *vec_add(&r->open) = id;
    }
    return true;
}

static bool take_end(struct reader *r)
{
    struct slice name;

    if (!r->open.count || !take_name(r, &name) || !take(r, ">"))
        return fail(r, "an end tag was expected");
    if (!slice_equal(name, r->markup->elements.items[r->open.items[--r->open.count]].name))
        return fail(r, "the wrong end tag");
    return true;
}

static bool take_content(struct reader *r)
{
    struct markup_element *e = &r->markup->elements.items[r->open.items[r->open.count - 1]];
    struct buf text = {0};
    bool good = true;

    buf_add_slice(&text, e->text);
    if (take(r, "<![CDATA[")) {
        size_t end = slice_search(r->rest, SLICE("]]>"));

        buf_add_slice(&text, slice_take(r->rest, end));
        r->rest = slice_skip(r->rest, end + 3);
    } else {
        good = take_text(r, '<', &text);
    }
    e->text = arena_copy(&r->markup->memory, buf_slice(&text));
    buf_release(&text);
    return good;
}

static bool take_document(struct reader *r)
{
    if (take(r, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"))
        skip_blanks(r);
    do {
        bool good =
            r->open.count && (r->rest.ptr[0] != '<' || slice_starts(r->rest, SLICE("<![CDATA[")))
                ? take_content(r)
            : take(r, "</") ? take_end(r)
            : take(r, "<")  ? take_start(r)
                            : fail(r, "an element was expected");

        if (!good)
            return false;
        if (!r->open.count)
            skip_blanks(r);
    } while (r->rest.len);
    return !r->open.count || fail(r, "an element is not closed");
}

bool markup_init(struct markup *m, struct slice document, struct buf *why)
{
    struct reader r = {.markup = m, .rest = document, .why = why};
    bool good;

    *m = (struct markup){0};
    good = take_document(&r);
    vec_release(&r.open);
    return good;
}

void markup_release(struct markup *m)
{
    arena_release(&m->memory);
    vec_release(&m->elements);
    vec_release(&m->attributes);
}

struct slice markup_get(const struct markup *m, const struct markup_element *e, const char *name)
{
    for (uint32_t i = e->attribute; i < e->attribute + e->attributes; i++)
        if (slice_equal(m->attributes.items[i].name, slice_str(name)))
            return m->attributes.items[i].value;
    return slice_make(NULL, 0);
}

double markup_number(const struct markup *m, const struct markup_element *e, const char *name)
{
    double value = 0;

    num_parse_double(markup_get(m, e, name), &value);
    return value;
}

const struct markup_element *markup_child(const struct markup *m, const struct markup_element *e,
                                          const char *name)
{
    uint32_t id = (uint32_t)(e - m->elements.items);

    for (uint32_t i = id + 1; i < m->elements.count; i++)
        if (m->elements.items[i].parent == id &&
            slice_equal(m->elements.items[i].name, slice_str(name)))
            return &m->elements.items[i];
    return NULL;
}
