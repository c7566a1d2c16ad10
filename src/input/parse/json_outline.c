/*
 * The outline of a JSON document, from its first bytes alone: paths of members, and values
 * only of strings. Memory follows the nesting.
 */
#include "input/parse/json.h"

#include "base/utf8.h"
#include "input/parse/json_yajl.h"

/* An object or array that is open. */
struct level {
    size_t len;     /* of its own path, "[]" included */
    unsigned names; /* in that path */
};

struct outline {
    unsigned depth;
    void (*add)(void *context, struct slice path, struct slice text);
    void *context;
    struct buf path, text;
    VEC(struct level) levels;
    bool has_key; /* the path is that of a member whose value comes next */
};

static unsigned names_above(const struct outline *o)
{
    return o->levels.count ? o->levels.items[o->levels.count - 1].names : 0;
}

/* Passes a value on if it is a member and not too deep. */
static int tell(struct outline *o, struct slice text)
{
    if (o->has_key && names_above(o) < o->depth) {
        buf_clear(&o->text);
        utf8_add_clean(&o->text, text);
        o->add(o->context, buf_slice(&o->path), buf_slice(&o->text));
    }
    return true;
}

static int scalar(struct outline *o, struct slice text)
{
    tell(o, text);
    o->has_key = false;
    return true;
}

static int on_null(void *context)
{
    return scalar(context, SLICE(""));
}

static int on_boolean(void *context, int value)
{
    (void)value;
    return scalar(context, SLICE(""));
}

static int on_number(void *context, const char *text, size_t len)
{
    (void)text;
    (void)len;
    return scalar(context, SLICE(""));
}

static int on_string(void *context, const unsigned char *text, size_t len)
{
    return scalar(context, slice_make((const char *)text, len));
}

static int on_key(void *context, const unsigned char *text, size_t len)
{
    struct outline *o = context;

    o->path.len = o->levels.items[o->levels.count - 1].len;
    if (names_above(o) < o->depth) {
        if (o->path.len)
            buf_add_char(&o->path, '.');
        utf8_add_clean(&o->path, slice_make((const char *)text, len));
    }
    o->has_key = true;
    return true;
}

static int begin(struct outline *o, const char *suffix)
{
    unsigned names = names_above(o);

    tell(o, SLICE(""));
    if (!o->has_key)
        o->path.len = o->levels.count ? o->levels.items[o->levels.count - 1].len : 0;
    else if (names <= o->depth)
        names++;
    o->has_key = false;
    if (names <= o->depth)
        buf_add_str(&o->path, suffix);
    *vec_add(&o->levels) = (struct level){o->path.len, names};
    return true;
}

static int on_object(void *context)
{
    return begin(context, "");
}

static int on_array(void *context)
{
    return begin(context, "[]");
}

static int on_end(void *context)
{
    struct outline *o = context;

    o->levels.count--;
    return true;
}

static const yajl_callbacks callbacks = {on_null,   on_boolean, NULL,      NULL,
                                         on_number, on_string,  on_object, on_key,
                                         on_end,    on_array,   on_end};

bool json_outline(struct slice bytes, unsigned depth,
                  void (*add)(void *context, struct slice path, struct slice text), void *context)
{
    struct outline o = {.depth = depth, .add = add, .context = context};
    yajl_handle parser = json_yajl(&callbacks, &o);
    bool intact;

    intact = yajl_parse(parser, (const unsigned char *)bytes.ptr, bytes.len) == yajl_status_ok;
    yajl_free(parser);
    vec_release(&o.levels);
    buf_release(&o.path);
    buf_release(&o.text);
    return intact;
}
