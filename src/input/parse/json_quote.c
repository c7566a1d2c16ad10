/* The beginning of a JSON value as one line, for messages about a value that is not understood. */
#include "input/parse/json.h"

#include <string.h>

/* A quote that is being made; what does not fit ends in "...". */
struct quote {
    struct json_quote *out;
    size_t len;
    bool full;
};

static void add(struct quote *q, struct slice text)
{
    static const char dots[] = "...";
    size_t room = sizeof(q->out->text) - sizeof(dots) - q->len;

    if (q->full)
        return;
    q->full = text.len > room;
    while (q->full && room && (text.ptr[room] & 0xc0) == 0x80) /* not within a character */
        room--;
    text = slice_take(text, room);
    if (text.len)
        memcpy(q->out->text + q->len, text.ptr, text.len);
    q->len += text.len;
    if (q->full)
        memcpy(q->out->text + q->len, dots, sizeof(dots));
}

/* Adds a value that contains no others; of a container, its brackets. */
static void add_value(struct quote *q, const struct json_value *v)
{
    static const struct slice texts[] = {
        [JSON_NULL] = {"null", 4},   [JSON_FALSE] = {"false", 5},  [JSON_TRUE] = {"true", 4},
        [JSON_ARRAY] = {"[...]", 5}, [JSON_OBJECT] = {"{...}", 5},
    };
    bool empty = v->size <= 1, container = v->type == JSON_ARRAY || v->type == JSON_OBJECT;

    if (v->type == JSON_NUMBER) {
        add(q, v->text);
    } else if (v->type == JSON_STRING) {
        add(q, SLICE("\""));
        add(q, v->text);
        add(q, SLICE("\""));
    } else if (container && empty) {
        add(q, v->type == JSON_ARRAY ? SLICE("[]") : SLICE("{}"));
    } else {
        add(q, texts[v->type]);
    }
}

struct json_quote json_quoted(const struct json_value *v)
{
    struct json_quote quote = {""};
    struct quote q = {.out = &quote};
    bool object = v && v->type == JSON_OBJECT, first = true;

    if (!v || v->size <= 1 || (!object && v->type != JSON_ARRAY)) {
        if (v)
            add_value(&q, v);
        else
            add(&q, SLICE("nothing"));
        return quote;
    }
    add(&q, object ? SLICE("{") : SLICE("["));
    for (const struct json_value *e = json_first(v); e && !q.full; e = json_next(v, e)) {
        if (!first)
            add(&q, SLICE(", "));
        first = false;
        if (object) {
            add(&q, SLICE("\""));
            add(&q, e->key);
            add(&q, SLICE("\": "));
        }
        add_value(&q, e);
    }
    add(&q, object ? SLICE("}") : SLICE("]"));
    return quote;
}
