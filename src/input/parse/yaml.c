#include "input/parse/yaml.h"

#include <string.h>

#include "base/die.h"

/* ---- events as bytes ------------------------------------------------------------------------- */

/* An error is an event, too: of the text's encoding at a byte, or of its syntax at a line. */
#define BAD_ENCODING ((yaml_event_type_t)200)
#define BAD_SYNTAX ((yaml_event_type_t)201)

/* What precedes the bytes of an event's value. Lines and columns are counted from 1. */
struct event_head {
    uint32_t type, plain, length, column;
    uint64_t at;
};

static void add_event(struct buf *events, struct event_head head, const void *value)
{
    buf_add(events, (const char *)&head, sizeof(head));
    buf_add(events, value, head.length);
}

/*
 * How deep lists and mappings may be within one another; settings need less. The time that libyaml
 * takes for an event grows with the depth.
 */
enum { MOST_NESTED = 32 };

/* How many lists and mappings an event opens. */
static int opened_by(yaml_event_type_t type)
{
    switch (type) {
    case YAML_SEQUENCE_START_EVENT:
    case YAML_MAPPING_START_EVENT:
        return 1;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return -1;
    default:
        return 0;
    }
}

static void add_nested(struct buf *events, struct event_head head)
{
    static const char problem[] = "lists or mappings are nested too deeply";

    head.type = BAD_SYNTAX;
    head.length = sizeof(problem) - 1;
    add_event(events, head, problem);
}

static void add_error(struct buf *events, const yaml_parser_t *parser)
{
    const char *problem = parser->problem ? parser->problem : "unreadable";
    bool bytes = parser->error == YAML_READER_ERROR;
    struct event_head head = {
        .type = bytes ? BAD_ENCODING : BAD_SYNTAX,
        .length = (uint32_t)strlen(problem),
        .at = bytes ? parser->problem_offset : parser->problem_mark.line + 1,
        .column = bytes ? 0 : (uint32_t)parser->problem_mark.column + 1,
    };

    add_event(events, head, problem);
}

void yaml_flatten(struct slice text, struct buf *events)
{
    yaml_parser_t parser;
    yaml_event_t event;
    bool more = true;
    int depth = 0;

    if (!yaml_parser_initialize(&parser))
        die("out of memory (YAML parser)");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text.ptr, text.len);
    while (more && yaml_parser_parse(&parser, &event)) {
        bool scalar = event.type == YAML_SCALAR_EVENT;
        struct event_head head = {
            .type = event.type,
            .plain = scalar && event.data.scalar.plain_implicit,
            .length = scalar ? (uint32_t)event.data.scalar.length : 0,
            .at = event.start_mark.line + 1,
            .column = (uint32_t)event.start_mark.column + 1,
        };

        add_event(events, head, scalar ? (const char *)event.data.scalar.value : "");
        more = event.type != YAML_STREAM_END_EVENT;
        depth += opened_by(event.type);
        yaml_event_delete(&event);
        if (depth > MOST_NESTED) {
            add_nested(events, head);
            more = false;
        }
    }
    if (more)
        add_error(events, &parser);
    yaml_parser_delete(&parser);
}

/* Takes the next event. Returns false if the bytes end early. */
static bool take_event(struct yaml_reader *r)
{
    struct event_head head;

    if (r->rest.len < sizeof(head))
        return false;
    memcpy(&head, r->rest.ptr, sizeof(head));
    r->rest = slice_skip(r->rest, sizeof(head));
    if (r->rest.len < head.length)
        return false;
    r->event = (struct yaml_event){
        .type = (yaml_event_type_t)head.type,
        .place = head.type == BAD_ENCODING ? DIAG_AT_BYTE(head.at)
                                           : DIAG_AT_COLUMN(head.at, head.column),
        .value = slice_take(r->rest, head.length),
        .plain = head.plain != 0,
    };
    r->rest = slice_skip(r->rest, head.length);
    return true;
}

/* ---- events as values ------------------------------------------------------------------------ */

struct diag_place yaml_place(const struct yaml_reader *r)
{
    return r->event.place;
}

bool yaml_advance(struct yaml_reader *r)
{
    if (!take_event(r))
        return diag_error(r->diag, "not YAML: its events end early");
    if (r->event.type == BAD_ENCODING || r->event.type == BAD_SYNTAX) {
        diag_add(r->diag, DIAG_ERROR, r->event.place, "not YAML: %.*s", SLICE_ARG(r->event.value));
        return false;
    }
    if (r->event.type == YAML_ALIAS_EVENT) {
        diag_add(r->diag, DIAG_ERROR, yaml_place(r),
                 "aliases (*name) are not supported; repeat the value");
        return false;
    }
    return true;
}

static const char *event_word(const struct yaml_reader *r)
{
    switch (r->event.type) {
    case YAML_SCALAR_EVENT:
        return "a single value";
    case YAML_SEQUENCE_START_EVENT:
        return "a list";
    case YAML_MAPPING_START_EVENT:
        return "a mapping";
    default:
        return "nothing";
    }
}

bool yaml_is_null(const struct yaml_reader *r)
{
    static const char *const words[] = {"", "~", "null", "Null", "NULL"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (r->event.plain && slice_equal(r->event.value, slice_str(words[i])))
            return true;
    return false;
}

const char *yaml_scalar(struct yaml_reader *r, const char *key)
{
    struct slice text = r->event.value;

    if (r->event.type != YAML_SCALAR_EVENT) {
        diag_add(r->diag, DIAG_ERROR, yaml_place(r), "%s: expected a single value, found %s", key,
                 event_word(r));
        return NULL;
    }
    if (yaml_is_null(r)) {
        diag_add(r->diag, DIAG_ERROR, yaml_place(r),
                 "%s: expected a single value, found null (text needs quotes)", key);
        return NULL;
    }
    if (slice_find(text, '\0') < text.len) {
        diag_add(r->diag, DIAG_ERROR, yaml_place(r), "%s: the value contains a NUL character", key);
        return NULL;
    }
    return arena_strdup(r->memory, text);
}

bool yaml_expect(struct yaml_reader *r, yaml_event_type_t type, const char *key,
                 const char *expected)
{
    if (r->event.type == type)
        return true;
    diag_add(r->diag, DIAG_ERROR, yaml_place(r), "%s: expected %s, found %s", key, expected,
             event_word(r));
    return false;
}

static bool read_mapping(struct yaml_reader *r, const char *what,
                         bool (*read)(void *context, const char *key), void *context)
{
    for (;;) {
        const char *key;

        if (!yaml_advance(r))
            return false;
        if (r->event.type == YAML_MAPPING_END_EVENT)
            return true;
        if (!(key = yaml_scalar(r, what)) || !read(context, key))
            return false;
    }
}

static bool read_document(struct yaml_reader *r, const char *what,
                          bool (*read)(void *context, const char *key), void *context)
{
    if (!yaml_advance(r) || !yaml_advance(r)) /* stream start, then the document or the end */
        return false;
    if (r->event.type == YAML_STREAM_END_EVENT)
        return true;
    if (!yaml_advance(r))
        return false;
    if (r->event.type == YAML_SCALAR_EVENT && !r->event.value.len)
        return true;
    if (!yaml_expect(r, YAML_MAPPING_START_EVENT, what, "a mapping of keys") ||
        !read_mapping(r, what, read, context) || !yaml_advance(r) || !yaml_advance(r))
        return false;
    if (r->event.type != YAML_STREAM_END_EVENT) {
        diag_add(r->diag, DIAG_ERROR, yaml_place(r), "a second document ('---') is not supported");
        return false;
    }
    return true;
}

bool yaml_read_events(struct yaml_reader *r, struct slice events, const char *what,
                      bool (*read)(void *context, const char *key), void *context)
{
    r->rest = events;
    return read_document(r, what, read, context);
}

bool yaml_read(struct yaml_reader *r, struct slice text, const char *what,
               bool (*read)(void *context, const char *key), void *context)
{
    struct buf events = {0};
    bool ok;

    yaml_flatten(text, &events);
    ok = yaml_read_events(r, buf_slice(&events), what, read, context);
    buf_release(&events);
    return ok;
}
