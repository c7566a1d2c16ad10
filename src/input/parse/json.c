#include "input/parse/json.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "input/parse/json_escape.h"
#include "input/parse/json_numbers.h"
#include "input/parse/json_parser.h"

struct reader {
    struct content *content;
    const struct slice *text; /* in place of the source of the content; or NULL */
    struct json_parser parser;
    size_t wary; /* bytes that are passed by before the next try to find numbers */
};

/* ---- feeding ------------------------------------------------------------------------------- */

/*
 * How many bytes the parser gets: up to the bracket of what looks like an array of numbers. In a
 * string it is none; there each try comes twice as far behind the one before, since the
 * parser begins anew with the string.
 */
static size_t find_array(const struct reader *r, struct slice rest)
{
    size_t at = r->wary < rest.len ? r->wary : rest.len;

    while (at < rest.len) {
        at += slice_find(slice_skip(rest, at), '[');
        if (at < rest.len && json_numbers_begin(slice_skip(rest, ++at)))
            break;
    }
    return at;
}

/* Gives a block to the parser. What is left of it, where more comes, belongs before the next. */
static bool feed(struct reader *r, struct slice block, bool last, size_t *left)
{
    enum { WARY = 64 };
    struct json_parser *p = &r->parser;
    struct slice rest = block;

    p->hand.block = block;
    p->hand.ascii = utf8_is_ascii(block);
    while (rest.len) {
        size_t len;

        if (p->numbers && !json_parser_take_numbers(p, &rest))
            return false;
        if (p->numbers && !last && json_numbers_cut(rest))
            break;
        len = find_array(r, rest);
        if (!json_parser_feed(p, slice_take(rest, len)))
            return false;
        if (p->numbers)
            r->wary = 0;
        else if (len < rest.len)
            r->wary = r->wary * 2 + WARY;
        rest = slice_skip(rest, len);
    }
    json_text_keep(&p->hand);
    p->hand.block = SLICE("");
    *left = rest.len;
    return true;
}

static bool feed_text(struct reader *r, struct slice text)
{
    struct buf copy;
    size_t left;
    bool good;

    buf_init(&copy);
    buf_add_slice(&copy, text);
    json_escape_mend(copy.ptr, copy.len, true);
    good = feed(r, buf_slice(&copy), true, &left);
    buf_release(&copy);
    return good;
}

/* Reads on until there are `room` bytes. False at the end. */
static bool fill(struct source *source, size_t room, struct buf *block)
{
    size_t n = 1;

    for (; n > 0 && block->len < room; block->len += n)
        n = source_read(source, buf_reserve(block, SOURCE_BLOCK), SOURCE_BLOCK);
    return n > 0;
}

/* The parser begins anew with each block on a text that has not ended; so these must grow. */
static bool feed_all(struct reader *r)
{
    size_t room = SOURCE_BLOCK, done, left = 0;
    bool good, more;
    struct buf block;

    if (r->text)
        return feed_text(r, *r->text);
    buf_init(&block);
    do {
        more = fill(r->content->source, room, &block);
        r->parser.heard = false;
        done = json_escape_mend(block.ptr, block.len, !more);
        good = feed(r, slice_make(block.ptr, done), !more, &left);
        done -= left;
        block.len -= done;
        memmove(block.ptr, block.ptr + done, block.len);
        room = r->parser.heard ? SOURCE_BLOCK : room * 2;
    } while (good && more);
    buf_release(&block);
    return good && !r->content->source->failed;
}

static bool read_with(struct reader *r, const struct json_handler *handler)
{
    bool good;

    json_parser_init(&r->parser, handler, r->content->diag);
    good = feed_all(r) && json_parser_end(&r->parser) && !r->parser.stopped;
    json_parser_release(&r->parser);
    return good;
}

bool json_read(struct content *c, const struct json_handler *handler)
{
    return read_with(&(struct reader){.content = c}, handler);
}

/* ---- whole documents ----------------------------------------------------------------------- */

struct loader {
    struct reader *reader;
    struct json_document *document;
};

static bool keep(void *context, struct slice parent, const struct json_value *v, uint64_t at)
{
    struct loader *l = context;

    (void)parent;
    (void)v;
    if (l->document->values.count) {
        diag_add(l->reader->content->diag, DIAG_ERROR, DIAG_AT_BYTE(at),
                 "a second JSON document ends here where one was expected");
        return false;
    }
    json_text_keep(&l->reader->parser.hand);
    *l->document = l->reader->parser.hand.value;
    l->reader->parser.hand.value = (struct json_document){0};
    buf_init(&l->reader->parser.hand.value.texts);
    return true;
}

static bool load(struct content *c, const struct slice *text, struct json_document *d)
{
    struct loader loader = {.document = d};
    struct json_handler handler = {.context = &loader, .whole_documents = true, .value = keep};
    struct reader r = {.content = c, .text = text};

    *d = (struct json_document){0};
    buf_init(&d->texts);
    loader.reader = &r;
    return read_with(&r, &handler);
}

bool json_load(struct content *c, struct json_document *d)
{
    return load(c, NULL, d);
}

bool json_load_text(struct slice text, struct diag *diag, struct json_document *d)
{
    return load(&(struct content){.diag = diag}, &text, d);
}

void json_release(struct json_document *d)
{
    buf_release(&d->texts);
    vec_release(&d->values);
}
