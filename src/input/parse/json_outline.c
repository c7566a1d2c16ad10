/*
 * The outline of a JSON document, from its first bytes alone: paths of members, and values
 * only of strings. Memory follows the nesting.
 */
#include "input/parse/json.h"

#include "base/utf8.h"
#include "input/parse/json_scan.h"

/* An object or array that is open. */
struct level {
    size_t len;     /* of its own path, "[]" included */
    unsigned names; /* in that path */
};

struct outline {
    unsigned depth;
    void (*add)(void *context, struct slice path, struct slice text);
    void *context;
    struct json_scan scan;
    struct buf path, text, plain;
    VEC(struct level) levels;
    bool has_key; /* the path is that of a member whose value comes next */
};

static unsigned names_above(const struct outline *o)
{
    return o->levels.count ? o->levels.items[o->levels.count - 1].names : 0;
}

/* Passes a value on if it is a member and not too deep. */
static void tell(struct outline *o, struct slice text)
{
    if (o->has_key && names_above(o) < o->depth) {
        buf_clear(&o->text);
        utf8_add_clean(&o->text, text);
        o->add(o->context, buf_slice(&o->path), buf_slice(&o->text));
    }
}

/* The text of the token as it reads without its escapes. */
static struct slice text_of(struct outline *o)
{
    if (!o->scan.escaped)
        return o->scan.text;
    buf_clear(&o->plain);
    json_scan_unescape(&o->plain, o->scan.text);
    return buf_slice(&o->plain);
}

static void take_key(struct outline *o)
{
    o->path.len = o->levels.items[o->levels.count - 1].len;
    if (names_above(o) < o->depth) {
        if (o->path.len)
            buf_add_char(&o->path, '.');
        utf8_add_clean(&o->path, text_of(o));
    }
    o->has_key = true;
}

static void begin(struct outline *o, const char *suffix)
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
}

static void take_token(struct outline *o, enum json_token token)
{
    switch (token) {
    case JSON_SCAN_KEY:
        take_key(o);
        return;
    case JSON_SCAN_OBJECT:
        begin(o, "");
        return;
    case JSON_SCAN_ARRAY:
        begin(o, "[]");
        return;
    case JSON_SCAN_END:
        o->levels.count--;
        return;
    default:
        tell(o, token == JSON_SCAN_STRING ? text_of(o) : SLICE(""));
        o->has_key = false;
    }
}

bool json_outline(struct slice bytes, unsigned depth,
                  void (*add)(void *context, struct slice path, struct slice text), void *context)
{
    struct outline o = {.depth = depth, .add = add, .context = context};
    enum json_token token;

    json_scan_give(&o.scan, bytes, false);
    while ((token = json_scan_next(&o.scan)) > JSON_SCAN_DAMAGED)
        take_token(&o, token);
    release_each(&o, (json_scan, scan), (vec, levels), (buf, path, text, plain));
    return token == JSON_SCAN_CUT;
}
