#include "input/parse/xml.h"

#include <stdlib.h>

#include <expat.h>

#include "base/vec.h"
#include "input/core/cut_off.h"

/* Expat 2.9 warns of its functions for positions, whose type depends on the machine. */
#if XML_MAJOR_VERSION > 2 || (XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION >= 9)
#define CURRENT_LINE XML_GetCurrentLineNumber64
#define CURRENT_BYTE XML_GetCurrentByteIndex64
#else
#define CURRENT_LINE XML_GetCurrentLineNumber
#define CURRENT_BYTE XML_GetCurrentByteIndex
#endif

/* An open element. */
struct open {
    size_t text; /* where its text starts */
    size_t name; /* length of its name */
};

struct xml_reader {
    XML_Parser parser;
    struct content *content;
    const struct xml_handler *handler;
    struct buf text; /* texts of all open elements in sequence */
    VEC(struct open) open;
    uint64_t fed; /* bytes given to the parser */
    bool ended;   /* that was all */
    bool stopped; /* an error was reported */
};

static void stop(struct xml_reader *r)
{
    r->stopped = true;
    XML_StopParser(r->parser, XML_FALSE);
}

static void stop_with(struct xml_reader *r, const char *why)
{
    diag_add(r->content->diag, DIAG_ERROR, DIAG_AT_LINE(CURRENT_LINE(r->parser)), "%s", why);
    stop(r);
}

static void XMLCALL on_open(void *context, const XML_Char *name, const XML_Char **attributes)
{
    struct xml_reader *r = context;
    struct xml_element e = {.name = slice_str(name), .attributes = attributes, .reader = r};

    if (r->stopped)
        return;
    if (r->open.count == XML_MOST_DEPTH) {
        stop_with(r, "elements lie too deep in each other");
        return;
    }
    *vec_add(&r->open) = (struct open){r->text.len, e.name.len};
    if (!r->handler->open(r->handler->context, &e))
        stop(r);
}

static void XMLCALL on_close(void *context, const XML_Char *name)
{
    struct xml_reader *r = context;
    struct open closed;

    if (r->stopped)
        return;
    closed = r->open.items[--r->open.count];
    if (!r->handler->close(r->handler->context, slice_make(name, closed.name),
                           slice_skip(buf_slice(&r->text), closed.text)))
        stop(r);
    if (closed.text < r->text.len)
        buf_cut(&r->text, closed.text);
}

static void XMLCALL on_text(void *context, const XML_Char *text, int len)
{
    struct xml_reader *r = context;

    if (r->stopped)
        return;
    if (r->text.len > r->content->options->limits.max_line) {
        stop_with(r, "a text is longer than a line may be; --max-line N raises the limit");
        return;
    }
    buf_add(&r->text, text, (size_t)len);
}

static void XMLCALL on_entity(void *context, const XML_Char *name, int is_parameter,
                              const XML_Char *value, int value_length, const XML_Char *base,
                              const XML_Char *system, const XML_Char *public,
                              const XML_Char *notation)
{
    (void)name;
    (void)is_parameter;
    (void)value;
    (void)value_length;
    (void)base;
    (void)system;
    (void)public;
    (void)notation;
    stop_with(context, "entities of the document's own are not read");
}

/* Reports the parser's error. If the text ends too early, that is only a warning. */
static bool tell_damage(struct xml_reader *r)
{
    enum XML_Error error = XML_GetErrorCode(r->parser);
    uint64_t line = CURRENT_LINE(r->parser);
    bool cut =
        r->ended && (error == XML_ERROR_NO_ELEMENTS || error == XML_ERROR_UNCLOSED_TOKEN ||
                     error == XML_ERROR_PARTIAL_CHAR || error == XML_ERROR_UNCLOSED_CDATA_SECTION);

    if (r->stopped)
        return false;
    if (cut)
        cut_off(r->content, DIAG_AT_LINE(line),
                "the XML ends in the middle; what is complete was read");
    else
        diag_add(r->content->diag, DIAG_ERROR, DIAG_AT_LINE(line), "this is not XML: %s",
                 XML_ErrorString(error));
    return cut;
}

/*
 * A single tag or comment that goes on and on is held by the parser, which begins anew with each
 * block on it; so blocks must grow, and tags end. Returns false after reporting one that does not.
 */
static bool next_room(struct xml_reader *r, size_t *room)
{
    int64_t at = CURRENT_BYTE(r->parser);
    uint64_t held = at < 0 ? 0 : r->fed - (uint64_t)at;

    if (held <= r->content->options->limits.max_line) {
        *room = held < SOURCE_BLOCK ? SOURCE_BLOCK : (size_t)held;
        return true;
    }
    stop_with(r, "a tag is longer than a line may be; --max-line N raises the limit");
    return false;
}

static bool feed_all(struct xml_reader *r)
{
    size_t room = SOURCE_BLOCK;
    struct buf block = {0};
    bool good;

    do {
        buf_clear(&block);
        r->ended = !content_fill(r->content, room, &block);
        r->fed += block.len;
        good = XML_Parse(r->parser, block.ptr, (int)block.len, r->ended) == XML_STATUS_OK
                   ? r->ended || next_room(r, &room)
                   : tell_damage(r);
    } while (good && !r->ended);
    buf_release(&block);
    return good && !r->stopped && !r->content->source->failed;
}

bool xml_read(struct content *c, const struct xml_handler *handler)
{
    static const XML_Memory_Handling_Suite memory = {xmalloc, xrealloc, xfree};
    struct xml_reader r = {.content = c, .handler = handler};
    bool good;

    r.parser = XML_ParserCreate_MM(NULL, &memory, NULL);
    BUG_ON(!r.parser);
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, on_open, on_close);
    if (!handler->without_texts)
        XML_SetCharacterDataHandler(r.parser, on_text);
    XML_SetEntityDeclHandler(r.parser, on_entity);
    good = feed_all(&r);
    XML_ParserFree(r.parser);
    release_each(&r, (buf, text), (vec, open));
    return good;
}

uint64_t xml_line(const struct xml_element *e)
{
    return CURRENT_LINE(e->reader->parser);
}
