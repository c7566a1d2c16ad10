#include "input/parse/yaml.h"

#include <string.h>

#include "base/die.h"

struct diag_place yaml_place(const struct yaml_reader *r)
{
    const yaml_mark_t *mark = &r->event.start_mark;

    return DIAG_AT_COLUMN(mark->line + 1, (uint32_t)mark->column + 1);
}

bool yaml_advance(struct yaml_reader *r)
{
    if (r->has_event)
        yaml_event_delete(&r->event);
    r->has_event = yaml_parser_parse(&r->parser, &r->event) == 1;
    if (!r->has_event && r->parser.error == YAML_READER_ERROR) {
        diag_add(r->diag, DIAG_ERROR, DIAG_AT_BYTE(r->parser.problem_offset), "not YAML: %s",
                 r->parser.problem);
        return false;
    }
    if (!r->has_event) {
        diag_add(r->diag, DIAG_ERROR,
                 DIAG_AT_COLUMN(r->parser.problem_mark.line + 1,
                                (uint32_t)r->parser.problem_mark.column + 1),
                 "not YAML: %s", r->parser.problem ? r->parser.problem : "unreadable");
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
    const char *value = (const char *)r->event.data.scalar.value;

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (r->event.data.scalar.plain_implicit && strcmp(value, words[i]) == 0)
            return true;
    return false;
}

const char *yaml_scalar(struct yaml_reader *r, const char *key)
{
    struct slice text;

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
    text = slice_make((const char *)r->event.data.scalar.value, r->event.data.scalar.length);
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
    if (r->event.type == YAML_SCALAR_EVENT && r->event.data.scalar.length == 0)
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

bool yaml_read(struct yaml_reader *r, struct slice text, const char *what,
               bool (*read)(void *context, const char *key), void *context)
{
    bool ok;

    r->has_event = false;
    if (!yaml_parser_initialize(&r->parser))
        die("out of memory (YAML parser)");
    yaml_parser_set_input_string(&r->parser, (const unsigned char *)text.ptr, text.len);
    ok = read_document(r, what, read, context);
    if (r->has_event)
        yaml_event_delete(&r->event);
    yaml_parser_delete(&r->parser);
    return ok;
}
