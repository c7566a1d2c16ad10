#include "input/json.h"

#include <stdlib.h>
#include <yajl/yajl_parse.h>

#include "input/json_escape.h"
#include "input/json_text.h"

/* A comma before a closing bracket is tolerated down to this depth. */
enum { MOST_DEPTH_MENDED = 64 };
/* Containers above the values that are handed over: the top and a member wanted one by one. */
enum { MOST_ABOVE = 2 };

struct reader {
    struct content *content;
    const struct slice *text; /* in place of the source of the content; or NULL */
    const struct json_handler *handler;
    yajl_handle parser;
    struct json_hand hand;     /* the value that is being built */
    VEC(uint32_t) open;        /* its containers that have not ended */
    bool is_array[MOST_ABOVE]; /* the containers above it */
    unsigned above;
    struct buf parent; /* key of the member whose elements are handed over */
    uint64_t fed;      /* bytes that the parser got before those it works on */
    bool heard;        /* the block in hand held the end of a value or a key */
    bool stopped;      /* an error was told */
    bool muted;        /* the parser is led back to where it was */
};

/* ---- values -------------------------------------------------------------------------------- */

static bool stop(struct reader *r)
{
    r->stopped = true;
    return false;
}

static uint64_t here(const struct reader *r)
{
    return r->fed + yajl_get_bytes_consumed(r->parser);
}

static void clear_value(struct reader *r)
{
    vec_clear(&r->hand.value.values);
    vec_clear(&r->open);
    buf_clear(&r->hand.value.texts);
    r->hand.kept = 0;
}

static bool hand_over(struct reader *r, uint64_t at)
{
    const struct json_handler *h = r->handler;

    if (!h->value(h->context, buf_slice(&r->parent), r->hand.value.values.items, at))
        return stop(r);
    clear_value(r);
    return true;
}

/* A value begins; its key is the one that came before. */
static bool push(struct reader *r, enum json_type type, struct slice text)
{
    struct json_values *values = &r->hand.value.values;
    struct json_value *v;

    r->heard = true;
    if (values->count >= UINT32_MAX) {
        diag_add(r->content->diag, DIAG_ERROR, DIAG_AT_BYTE(here(r)), "too many JSON values");
        return stop(r);
    }
    text = json_text_take(&r->hand, type, text);
    v = vec_add(values);
    *v = (struct json_value){.type = type, .size = 1, .text = text};
    if (r->hand.has_key)
        v->key = r->hand.key;
    r->hand.has_key = false;
    if (r->open.count)
        values->items[r->open.items[r->open.count - 1]].count++;
    return true;
}

static int scalar(struct reader *r, enum json_type type, struct slice text)
{
    if (r->muted)
        return true;
    if (!r->above && !r->open.count && !r->handler->whole_documents) {
        diag_add(r->content->diag, DIAG_ERROR, DIAG_AT_BYTE(here(r)),
                 "the JSON is damaged: neither an object nor an array");
        return stop(r);
    }
    return push(r, type, text) && (r->open.count || hand_over(r, here(r)));
}

/* A container that is not kept begins: the top, or a member wanted one by one. */
static bool enter(struct reader *r, bool is_array)
{
    if (r->above == 1) {
        buf_clear(&r->parent);
        buf_add_slice(&r->parent, r->hand.key);
    }
    clear_value(r);
    r->hand.has_key = false;
    r->is_array[r->above++] = is_array;
    return true;
}

static bool wanted_one_by_one(const struct reader *r)
{
    const struct json_handler *h = r->handler;

    return r->above == 1 && !r->open.count && r->hand.has_key && h->each &&
           h->each(h->context, r->hand.key);
}

static int begin(struct reader *r, bool is_array)
{
    if (r->muted)
        return true;
    if (r->above + r->open.count >= JSON_MOST_DEPTH) {
        diag_add(r->content->diag, DIAG_ERROR, DIAG_AT_BYTE(here(r)),
                 "JSON nested deeper than %d levels", JSON_MOST_DEPTH);
        return stop(r);
    }
    if ((!r->above && !r->handler->whole_documents) || wanted_one_by_one(r))
        return enter(r, is_array);
    if (!push(r, is_array ? JSON_ARRAY : JSON_OBJECT, SLICE("")))
        return false;
    *vec_add(&r->open) = (uint32_t)(r->hand.value.values.count - 1);
    return true;
}

static void close_container(struct reader *r)
{
    uint32_t index = r->open.items[--r->open.count];

    r->hand.value.values.items[index].size = (uint32_t)r->hand.value.values.count - index;
}

static bool end_document(struct reader *r)
{
    const struct json_handler *h = r->handler;

    return !h->end || h->end(h->context) || stop(r);
}

static int end(struct reader *r)
{
    if (r->muted)
        return true;
    if (r->open.count) {
        close_container(r);
        if (r->open.count)
            return true;
        if (!hand_over(r, here(r)))
            return false;
        return r->above || end_document(r);
    }
    buf_clear(&r->parent);
    return --r->above || end_document(r);
}

/* ---- the parser's calls -------------------------------------------------------------------- */

static int on_null(void *context)
{
    return scalar(context, JSON_NULL, SLICE(""));
}

static int on_boolean(void *context, int value)
{
    return scalar(context, value ? JSON_TRUE : JSON_FALSE, SLICE(""));
}

static int on_number(void *context, const char *text, size_t len)
{
    return scalar(context, JSON_NUMBER, slice_make(text, len));
}

static int on_string(void *context, const unsigned char *text, size_t len)
{
    return scalar(context, JSON_STRING, slice_make((const char *)text, len));
}

static int on_key(void *context, const unsigned char *text, size_t len)
{
    struct reader *r = context;

    if (r->muted)
        return true;
    r->heard = true;
    r->hand.key = json_text_take(&r->hand, JSON_STRING, slice_make((const char *)text, len));
    r->hand.has_key = true;
    return true;
}

static int on_object(void *context)
{
    return begin(context, false);
}

static int on_array(void *context)
{
    return begin(context, true);
}

static int on_end(void *context)
{
    return end(context);
}

static const yajl_callbacks callbacks = {
    .yajl_null = on_null,
    .yajl_boolean = on_boolean,
    .yajl_number = on_number,
    .yajl_string = on_string,
    .yajl_start_map = on_object,
    .yajl_map_key = on_key,
    .yajl_end_map = on_end,
    .yajl_start_array = on_array,
    .yajl_end_array = on_end,
};

static yajl_handle make_parser(struct reader *r)
{
    yajl_handle parser = yajl_alloc(&callbacks, NULL, r);

    if (!parser)
        die("out of memory");
    yajl_config(parser, yajl_dont_validate_strings, 1);
    yajl_config(parser, yajl_allow_multiple_values, 1);
    return parser;
}

/* ---- feeding ------------------------------------------------------------------------------- */

static bool tell_damage(struct reader *r, uint64_t at)
{
    unsigned char *text = yajl_get_error(r->parser, 0, NULL, 0);
    struct slice why = slice_trim(slice_str((const char *)text));

    if (slice_starts(why, SLICE("parse error: ")))
        why = slice_skip(why, sizeof("parse error: ") - 1);
    diag_add(r->content->diag, DIAG_ERROR, DIAG_AT_BYTE(at), "the JSON is damaged: %.*s",
             SLICE_ARG(why));
    yajl_free_error(r->parser, text);
    return stop(r);
}

/* Whether the container at a depth, counted from the top, is an array. */
static bool is_array_at(const struct reader *r, size_t depth)
{
    if (depth < r->above)
        return r->is_array[depth];
    return r->hand.value.values.items[r->open.items[depth - r->above]].type == JSON_ARRAY;
}

/* The bracket that was refused closes what is open, so it came behind a comma. */
static bool is_behind_comma(const struct reader *r, char bracket)
{
    size_t depth = r->above + r->open.count;

    return depth > 0 && depth <= MOST_DEPTH_MENDED && !r->hand.has_key &&
           bracket == (is_array_at(r, depth - 1) ? ']' : '}');
}

/* A new parser in the state of the old one, as if the last comma had not been there. */
static void restart(struct reader *r)
{
    struct buf prefix;

    buf_init(&prefix);
    for (size_t i = 0; i < r->above + r->open.count; i++)
        buf_add_str(&prefix, is_array_at(r, i) ? "[" : "{\"\":");
    buf_add_str(&prefix, "0 "); /* a number ends where something comes behind it */
    yajl_free(r->parser);
    r->parser = make_parser(r);
    r->muted = true;
    BUG_ON(yajl_parse(r->parser, (const unsigned char *)prefix.ptr, prefix.len) != yajl_status_ok);
    r->muted = false;
    buf_release(&prefix);
}

static bool feed(struct reader *r, const char *bytes, size_t len)
{
    r->hand.block = slice_make(bytes, len);
    while (len) {
        yajl_status status = yajl_parse(r->parser, (const unsigned char *)bytes, len);
        size_t used = yajl_get_bytes_consumed(r->parser);

        if (status == yajl_status_ok) {
            r->fed += len;
            break;
        }
        if (r->stopped)
            return false;
        if (!used || !is_behind_comma(r, bytes[used - 1]))
            return tell_damage(r, r->fed + (used ? used - 1 : 0));
        restart(r);
        bytes += used - 1;
        len -= used - 1;
        r->fed += used - 1;
    }
    json_text_keep(&r->hand);
    r->hand.block = SLICE("");
    return true;
}

static bool feed_text(struct reader *r, struct slice text)
{
    struct buf copy;
    bool good;

    buf_init(&copy);
    buf_add_slice(&copy, text);
    json_escape_mend(copy.ptr, copy.len, true);
    good = feed(r, copy.ptr, copy.len);
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
    size_t room = SOURCE_BLOCK, done;
    bool good, more;
    struct buf block;

    if (r->text)
        return feed_text(r, *r->text);
    buf_init(&block);
    do {
        more = fill(r->content->source, room, &block);
        r->heard = false;
        done = json_escape_mend(block.ptr, block.len, !more);
        good = feed(r, block.ptr, done);
        block.len -= done;
        memmove(block.ptr, block.ptr + done, block.len);
        room = r->heard ? SOURCE_BLOCK : room * 2;
    } while (good && more);
    buf_release(&block);
    return good && !r->content->source->failed;
}

/* Takes an element that was cut out of the value in hand, with what is open in it. */
static void drop_cut_element(struct reader *r)
{
    struct json_values *values = &r->hand.value.values;

    for (size_t i = 0; i < r->open.count; i++) {
        if (r->above + i == 0 || !is_array_at(r, r->above + i - 1))
            continue;
        values->count = r->open.items[i];
        r->open.count = i;
        if (i > 0)
            values->items[r->open.items[i - 1]].count--;
    }
}

static bool end_in_the_middle(struct reader *r)
{
    diag_add(r->content->diag, DIAG_WARNING, DIAG_AT_BYTE(r->fed),
             "the JSON ends in the middle; what is complete was read");
    drop_cut_element(r);
    if (r->open.count) {
        while (r->open.count)
            close_container(r);
        if (!hand_over(r, r->fed))
            return false;
    }
    return end_document(r);
}

static bool finish(struct reader *r)
{
    if (r->above || r->open.count)
        return end_in_the_middle(r);
    return yajl_complete_parse(r->parser) == yajl_status_ok || r->stopped || tell_damage(r, r->fed);
}

static bool read_with(struct reader *r)
{
    bool good;

    buf_init(&r->hand.value.texts);
    buf_init(&r->parent);
    r->parser = make_parser(r);
    good = feed_all(r) && finish(r) && !r->stopped;
    yajl_free(r->parser);
    vec_release(&r->open);
    buf_release(&r->parent);
    json_release(&r->hand.value);
    return good;
}

bool json_read(struct content *c, const struct json_handler *handler)
{
    return read_with(&(struct reader){.content = c, .handler = handler});
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
    json_text_keep(&l->reader->hand);
    *l->document = l->reader->hand.value;
    l->reader->hand.value = (struct json_document){0};
    buf_init(&l->reader->hand.value.texts);
    return true;
}

static bool load(struct content *c, const struct slice *text, struct json_document *d)
{
    struct loader loader = {.document = d};
    struct json_handler handler = {.context = &loader, .whole_documents = true, .value = keep};
    struct reader r = {.content = c, .text = text, .handler = &handler};

    *d = (struct json_document){0};
    buf_init(&d->texts);
    loader.reader = &r;
    return read_with(&r);
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
