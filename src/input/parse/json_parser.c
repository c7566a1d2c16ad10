#include "input/parse/json_parser.h"

#include <yajl/yajl_parse.h>

#include "input/parse/json_numbers.h"

/* A comma before a closing bracket is tolerated down to this depth. */
enum { MOST_DEPTH_MENDED = 64 };

/* ---- values -------------------------------------------------------------------------------- */

static bool stop(struct json_parser *p)
{
    p->stopped = true;
    return false;
}

static uint64_t here(const struct json_parser *p)
{
    return p->fed + yajl_get_bytes_consumed(p->yajl);
}

static void clear_value(struct json_parser *p)
{
    vec_clear(&p->hand.value.values);
    vec_clear(&p->open);
    buf_clear(&p->hand.value.texts);
    p->hand.kept = 0;
}

/* A value that is wanted one by one and is no container: it needs no place among values. */
static bool hand_over_scalar(struct json_parser *p, enum json_type type, struct slice text)
{
    const struct json_handler *h = p->handler;
    struct json_value v = {.type = type, .size = 1};

    p->heard = true;
    v.text = json_text_take(&p->hand, type, text);
    if (p->hand.has_key)
        v.key = p->hand.key;
    p->hand.has_key = false;
    if (!h->value(h->context, buf_slice(&p->parent), &v, here(p)))
        return stop(p);
    buf_clear(&p->hand.value.texts);
    return true;
}

static bool hand_over(struct json_parser *p, uint64_t at)
{
    const struct json_handler *h = p->handler;

    if (!h->value(h->context, buf_slice(&p->parent), p->hand.value.values.items, at))
        return stop(p);
    clear_value(p);
    return true;
}

static bool has_room(struct json_parser *p, size_t values)
{
    if (p->hand.value.values.count + values < UINT32_MAX)
        return true;
    diag_add(p->diag, DIAG_ERROR, DIAG_AT_BYTE(here(p)), "too many JSON values");
    return stop(p);
}

/* The innermost container in the value. */
static struct json_value *open_container(struct json_parser *p)
{
    return &p->hand.value.values.items[p->open.items[p->open.count - 1]];
}

/* An array that began with numbers has something else as well: they become values. */
static bool end_numbers(struct json_parser *p)
{
    struct json_value *array = open_container(p);
    struct slice rest = array->text, number;

    if (!has_room(p, array->count))
        return false;
    array->text = SLICE("");
    p->hand.value.values.count--;
    json_text_unkeep(&p->hand, p->hand.value.values.count);
    while (json_numbers_next(&rest, &number))
        *vec_add(&p->hand.value.values) =
            (struct json_value){.type = json_numbers_type(number), .size = 1, .text = number};
    return true;
}

/* A value begins; its key is the one that came before. */
static bool push(struct json_parser *p, enum json_type type, struct slice text)
{
    struct json_value *v;

    p->heard = true;
    if (p->open.count && json_are_numbers(open_container(p)) && !end_numbers(p))
        return false;
    if (!has_room(p, 1))
        return false;
    text = json_text_take(&p->hand, type, text);
    v = vec_add(&p->hand.value.values);
    *v = (struct json_value){.type = type, .size = 1, .text = text};
    if (p->hand.has_key)
        v->key = p->hand.key;
    p->hand.has_key = false;
    if (p->open.count)
        open_container(p)->count++;
    return true;
}

static int scalar(struct json_parser *p, enum json_type type, struct slice text)
{
    if (p->muted)
        return true;
    if (p->open.count)
        return push(p, type, text);
    if (p->above.count)
        return hand_over_scalar(p, type, text);
    if (p->handler->whole_documents)
        return push(p, type, text) && hand_over(p, here(p));
    diag_add(p->diag, DIAG_ERROR, DIAG_AT_BYTE(here(p)),
             "the JSON is damaged: neither an object nor an array");
    return stop(p);
}

/* A container that is not kept begins: the top, or a member wanted one by one. */
static bool enter(struct json_parser *p, bool is_array)
{
    if (p->above.count == 1) {
        buf_clear(&p->parent);
        buf_add_slice(&p->parent, p->hand.key);
    }
    clear_value(p);
    p->hand.has_key = false;
    *vec_add(&p->above) = is_array;
    return true;
}

static bool wanted_one_by_one(const struct json_parser *p)
{
    const struct json_handler *h = p->handler;

    if (!p->above.count || p->open.count)
        return false;
    if (h->open)
        return h->open(h->context, p->hand.has_key ? p->hand.key : SLICE(""));
    return p->above.count == 1 && p->hand.has_key && h->each && h->each(h->context, p->hand.key);
}

static int begin(struct json_parser *p, bool is_array)
{
    if (p->muted)
        return true;
    if (p->above.count + p->open.count >= JSON_MOST_DEPTH) {
        diag_add(p->diag, DIAG_ERROR, DIAG_AT_BYTE(here(p)), "JSON nested deeper than %d levels",
                 JSON_MOST_DEPTH);
        return stop(p);
    }
    if (is_array)
        p->array_at = here(p);
    if ((!p->above.count && !p->handler->whole_documents) || wanted_one_by_one(p))
        return enter(p, is_array);
    if (!push(p, is_array ? JSON_ARRAY : JSON_OBJECT, SLICE("")))
        return false;
    *vec_add(&p->open) = (uint32_t)(p->hand.value.values.count - 1);
    return true;
}

static void close_container(struct json_parser *p)
{
    uint32_t index = p->open.items[--p->open.count];

    p->hand.value.values.items[index].size = (uint32_t)p->hand.value.values.count - index;
}

static bool end_document(struct json_parser *p, uint64_t at)
{
    const struct json_handler *h = p->handler;

    if (h->one_document && p->documents++) {
        diag_add(p->diag, DIAG_ERROR, DIAG_AT_BYTE(at),
                 "a second JSON document ends here where one was expected");
        return stop(p);
    }
    return !h->end || h->end(h->context) || stop(p);
}

/* A container that is not kept ends. */
static bool leave(struct json_parser *p)
{
    const struct json_handler *h = p->handler;

    if (--p->above.count == 0)
        return end_document(p, here(p));
    if (p->above.count == 1)
        buf_clear(&p->parent);
    return !h->close || h->close(h->context) || stop(p);
}

static int end(struct json_parser *p)
{
    if (p->muted)
        return true;
    p->numbers = false;
    if (p->open.count) {
        close_container(p);
        if (p->open.count)
            return true;
        if (!hand_over(p, here(p)))
            return false;
        return p->above.count || end_document(p, here(p));
    }
    return leave(p);
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
    struct json_parser *p = context;

    if (p->muted)
        return true;
    p->heard = true;
    p->hand.key = json_text_take(&p->hand, JSON_STRING, slice_make((const char *)text, len));
    p->hand.has_key = true;
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

static yajl_handle make_yajl(struct json_parser *p)
{
    yajl_handle yajl = yajl_alloc(&callbacks, NULL, p);

    if (!yajl)
        die("out of memory");
    yajl_config(yajl, yajl_dont_validate_strings, 1);
    yajl_config(yajl, yajl_allow_multiple_values, 1);
    return yajl;
}

/* ---- damage and its mending ------------------------------------------------------------------ */

static bool tell_damage(struct json_parser *p, uint64_t at)
{
    unsigned char *text = yajl_get_error(p->yajl, 0, NULL, 0);
    struct slice why = slice_trim(slice_str((const char *)text));

    if (slice_starts(why, SLICE("parse error: ")))
        why = slice_skip(why, sizeof("parse error: ") - 1);
    diag_add(p->diag, DIAG_ERROR, DIAG_AT_BYTE(at), "the JSON is damaged: %.*s", SLICE_ARG(why));
    yajl_free_error(p->yajl, text);
    return stop(p);
}

/* Whether the container at a depth, counted from the top, is an array. */
static bool is_array_at(const struct json_parser *p, size_t depth)
{
    if (depth < p->above.count)
        return p->above.items[depth];
    return p->hand.value.values.items[p->open.items[depth - p->above.count]].type == JSON_ARRAY;
}

/* The bracket that was refused closes what is open, so it came behind a comma. */
static bool is_behind_comma(const struct json_parser *p, char bracket)
{
    size_t depth = p->above.count + p->open.count;

    return depth > 0 && depth <= MOST_DEPTH_MENDED && !p->hand.has_key &&
           bracket == (is_array_at(p, depth - 1) ? ']' : '}');
}

/* A new parser in the state of the old one, as if the last comma had not been there. */
static void restart(struct json_parser *p)
{
    struct buf prefix;

    buf_init(&prefix);
    for (size_t i = 0; i < p->above.count + p->open.count; i++)
        buf_add_str(&prefix, is_array_at(p, i) ? "[" : "{\"\":");
    buf_add_str(&prefix, "0 "); /* a number ends where something comes behind it */
    yajl_free(p->yajl);
    p->yajl = make_yajl(p);
    p->muted = true;
    BUG_ON(yajl_parse(p->yajl, (const unsigned char *)prefix.ptr, prefix.len) != yajl_status_ok);
    p->muted = false;
    buf_release(&prefix);
}

bool json_parser_feed(struct json_parser *p, struct slice rest)
{
    while (rest.len) {
        yajl_status status = yajl_parse(p->yajl, (const unsigned char *)rest.ptr, rest.len);
        size_t used = yajl_get_bytes_consumed(p->yajl);

        if (status == yajl_status_ok) {
            p->fed += rest.len;
            p->numbers = p->array_at == p->fed;
            break;
        }
        if (p->stopped)
            return false;
        if (!used || !is_behind_comma(p, rest.ptr[used - 1]))
            return tell_damage(p, p->fed + (used ? used - 1 : 0));
        restart(p);
        rest = slice_skip(rest, used - 1);
        p->fed += used - 1;
    }
    return true;
}

/* ---- numbers, which the parser need not see ------------------------------------------------ */

/* The numbers of an array that is handed over one by one. */
static bool hand_over_numbers(struct json_parser *p, struct slice *rest)
{
    const struct json_handler *h = p->handler;
    struct json_value v = {.size = 1};
    const char *from = rest->ptr;

    while (json_numbers_take(rest, &v.text)) {
        p->fed += (uint64_t)(rest->ptr - from);
        from = rest->ptr;
        v.type = json_numbers_type(v.text);
        if (!h->value(h->context, buf_slice(&p->parent), &v, p->fed))
            return stop(p);
    }
    return true;
}

/* Adds to the text of an array; behind it in the values is the place of the element in hand. */
static bool add_numbers(struct json_parser *p, struct slice *rest)
{
    uint32_t index = p->open.items[p->open.count - 1];
    struct slice text = *rest, number;
    size_t count = 0;

    while (json_numbers_take(rest, &number))
        count++;
    text.len -= rest->len;
    if (!count)
        return true;
    if (!has_room(p, count + open_container(p)->count))
        return false;
    open_container(p)->count += (uint32_t)count;
    p->fed += text.len;
    if (open_container(p)->text.len) {
        json_text_extend(&p->hand, open_container(p), text);
        return true;
    }
    json_text_unkeep(&p->hand, index);
    open_container(p)->text = text;
    *vec_add(&p->hand.value.values) = (struct json_value){.type = JSON_NUMBER, .size = 1};
    return true;
}

bool json_parser_take_numbers(struct json_parser *p, struct slice *rest)
{
    const char *from = rest->ptr;

    if (!(p->open.count ? add_numbers(p, rest) : hand_over_numbers(p, rest)))
        return false;
    p->heard = p->heard || rest->ptr > from;
    return true;
}

/* ---- the end ------------------------------------------------------------------------------- */

/* Takes an element that was cut out of the value in hand, with what is open in it. */
static void drop_cut_element(struct json_parser *p)
{
    struct json_values *values = &p->hand.value.values;

    for (size_t i = 0; i < p->open.count; i++) {
        if (p->above.count + i == 0 || !is_array_at(p, p->above.count + i - 1))
            continue;
        values->count = p->open.items[i];
        p->open.count = i;
        if (i > 0)
            values->items[p->open.items[i - 1]].count--;
    }
}

static bool end_in_the_middle(struct json_parser *p)
{
    diag_add(p->diag, DIAG_WARNING, DIAG_AT_BYTE(p->fed),
             "the JSON ends in the middle; what is complete was read");
    drop_cut_element(p);
    if (p->open.count) {
        while (p->open.count)
            close_container(p);
        if (!hand_over(p, p->fed))
            return false;
    }
    return end_document(p, p->fed);
}

bool json_parser_end(struct json_parser *p)
{
    if (p->above.count || p->open.count)
        return end_in_the_middle(p);
    return yajl_complete_parse(p->yajl) == yajl_status_ok || p->stopped || tell_damage(p, p->fed);
}

void json_parser_init(struct json_parser *p, const struct json_handler *handler, struct diag *diag)
{
    *p = (struct json_parser){.handler = handler, .diag = diag};
    buf_init(&p->hand.value.texts);
    buf_init(&p->parent);
    p->yajl = make_yajl(p);
}

void json_parser_release(struct json_parser *p)
{
    yajl_free(p->yajl);
    vec_release(&p->open);
    vec_release(&p->above);
    buf_release(&p->parent);
    json_release(&p->hand.value);
}
