#include "input/json.h"

#include <stdlib.h>
#include <yajl/yajl_parse.h>

#include "base/utf8.h"
#include "input/json_escape.h"
#include "input/json_numbers.h"
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
    uint64_t documents;
    uint64_t fed;      /* bytes that the parser got before those it works on */
    uint64_t array_at; /* the byte behind the bracket of the array that began last */
    bool numbers;      /* what comes next may be numbers of the innermost array, from its start */
    size_t wary;       /* bytes that are passed by before the next try to find such numbers */
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

static bool has_room(struct reader *r, size_t values)
{
    if (r->hand.value.values.count + values < UINT32_MAX)
        return true;
    diag_add(r->content->diag, DIAG_ERROR, DIAG_AT_BYTE(here(r)), "too many JSON values");
    return stop(r);
}

/* The innermost container in the value. */
static struct json_value *open_container(struct reader *r)
{
    return &r->hand.value.values.items[r->open.items[r->open.count - 1]];
}

/* An array that began with numbers has something else as well: they become values. */
static bool end_numbers(struct reader *r)
{
    struct json_value *array = open_container(r);
    struct slice rest = array->text, number;

    if (!has_room(r, array->count))
        return false;
    array->text = SLICE("");
    r->hand.value.values.count--;
    json_text_unkeep(&r->hand, r->hand.value.values.count);
    while (json_numbers_next(&rest, &number))
        *vec_add(&r->hand.value.values) =
            (struct json_value){.type = json_numbers_type(number), .size = 1, .text = number};
    return true;
}

/* A value begins; its key is the one that came before. */
static bool push(struct reader *r, enum json_type type, struct slice text)
{
    struct json_value *v;

    r->heard = true;
    if (r->open.count && json_are_numbers(open_container(r)) && !end_numbers(r))
        return false;
    if (!has_room(r, 1))
        return false;
    text = json_text_take(&r->hand, type, text);
    v = vec_add(&r->hand.value.values);
    *v = (struct json_value){.type = type, .size = 1, .text = text};
    if (r->hand.has_key)
        v->key = r->hand.key;
    r->hand.has_key = false;
    if (r->open.count)
        open_container(r)->count++;
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
    if (is_array)
        r->array_at = here(r);
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

    if (h->one_document && r->documents++) {
        diag_add(r->content->diag, DIAG_ERROR, DIAG_AT_BYTE(here(r)),
                 "a second JSON document ends here where one was expected");
        return stop(r);
    }
    return !h->end || h->end(h->context) || stop(r);
}

static int end(struct reader *r)
{
    if (r->muted)
        return true;
    r->numbers = false;
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

/* Gives bytes to the parser, and mends what it need not refuse. */
static bool parse(struct reader *r, const char *bytes, size_t len)
{
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
    return true;
}

/* ---- numbers, which the parser need not see ------------------------------------------------ */

/* The numbers of an array that is handed over one by one. */
static bool hand_over_numbers(struct reader *r, struct slice *rest)
{
    const struct json_handler *h = r->handler;
    struct json_value v = {.size = 1};
    const char *from = rest->ptr;

    while (json_numbers_take(rest, &v.text)) {
        r->fed += (uint64_t)(rest->ptr - from);
        from = rest->ptr;
        v.type = json_numbers_type(v.text);
        if (!h->value(h->context, buf_slice(&r->parent), &v, r->fed))
            return stop(r);
    }
    return true;
}

/* Adds to the text of an array; behind it in the values is the place of the element in hand. */
static bool add_numbers(struct reader *r, struct slice *rest)
{
    uint32_t index = r->open.items[r->open.count - 1];
    struct slice text = *rest, number;
    size_t count = 0;

    while (json_numbers_take(rest, &number))
        count++;
    text.len -= rest->len;
    if (!count)
        return true;
    if (!has_room(r, count + open_container(r)->count))
        return false;
    open_container(r)->count += (uint32_t)count;
    r->fed += text.len;
    if (open_container(r)->text.len) {
        json_text_extend(&r->hand, open_container(r), text);
        return true;
    }
    json_text_unkeep(&r->hand, index);
    open_container(r)->text = text;
    *vec_add(&r->hand.value.values) = (struct json_value){.type = JSON_NUMBER, .size = 1};
    return true;
}

/* Takes the numbers that the array in hand begins or goes on with. */
static bool take_numbers(struct reader *r, struct slice *rest)
{
    const char *from = rest->ptr;

    if (!(r->open.count ? add_numbers(r, rest) : hand_over_numbers(r, rest)))
        return false;
    r->heard = r->heard || rest->ptr > from;
    return true;
}

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
    struct slice rest = block;

    r->hand.block = block;
    r->hand.ascii = utf8_is_ascii(block);
    while (rest.len) {
        size_t len;

        if (r->numbers && !take_numbers(r, &rest))
            return false;
        if (r->numbers && !last && json_numbers_cut(rest))
            break;
        len = find_array(r, rest);
        if (!parse(r, rest.ptr, len))
            return false;
        r->numbers = r->array_at == r->fed;
        if (r->numbers)
            r->wary = 0;
        else if (len < rest.len)
            r->wary = r->wary * 2 + WARY;
        rest = slice_skip(rest, len);
    }
    json_text_keep(&r->hand);
    r->hand.block = SLICE("");
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
        r->heard = false;
        done = json_escape_mend(block.ptr, block.len, !more);
        good = feed(r, slice_make(block.ptr, done), !more, &left);
        done -= left;
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
