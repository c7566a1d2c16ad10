#include "input/parse/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/num.h"
#include "base/utf8.h"
#include "input/parse/json_tree.h"
#include "input/parse/json_yajl.h"

/* ---- escapes that stand for half a character ------------------------------------------------- */

/*
 * A character beyond U+FFFF is written as two escapes, "\ud83d\ude00". One alone is no
 * character, and yajl would turn it into some other one. So it becomes the escape of
 * U+FFFD before yajl sees it. That escape is as long, so that places in the file stay
 * right.
 */

/* The surrogate that the four digits name; 0 for anything else. */
static uint64_t surrogate(const char *digits)
{
    uint64_t value;

    if (!num_parse_hex(slice_make(digits, 4), &value) || (value & 0xf800) != 0xd800)
        return 0;
    return value;
}

/*
 * Mends the first `len` bytes in place. Returns how many of them are done: all if they are
 * the `last` of the content, else those before an escape that may continue after them.
 */
static size_t json_escape_mend(char *bytes, size_t len, bool last)
{
    enum { ESCAPE = 6, PAIR = 12 };
    char *p = bytes, *limit = bytes + len;

    while ((p = memchr(p, '\\', (size_t)(limit - p)))) {
        size_t left = (size_t)(limit - p);
        uint64_t half;

        if (left < PAIR && !last)
            return (size_t)(p - bytes);
        if (left < ESCAPE)
            break;
        half = p[1] == 'u' ? surrogate(p + 2) : 0;
        if (!half) {
            p += 2;
        } else if (half < 0xdc00 && left >= PAIR && p[6] == '\\' && p[7] == 'u' &&
                   surrogate(p + 8) >= 0xdc00) {
            p += PAIR;
        } else {
            memcpy(p + 2, "fffd", 4);
            p += ESCAPE;
        }
    }
    return len;
}

/* ---- texts of the value in hand -------------------------------------------------------------- */

/*
 * Texts of the value that is being read. As long as a block of the file is in memory,
 * texts in it are not copied. Copied to the value are: texts that the parser unescaped or
 * assembled, texts that are not valid UTF-8, and all texts of a value that continues after
 * the block.
 */

/* The value in hand. */
struct json_hand {
    struct json_document value;
    bool has_key; /* a member's key is there and its value is not */
    struct slice key;
    struct slice block; /* what the parser works on */
    bool ascii;         /* it is nothing else, so that its texts are valid */
    size_t kept;        /* values whose texts are not in it */
};

/* The values from this one on may have other texts by now. */
static inline void json_text_unkeep(struct json_hand *h, size_t value)
{
    if (h->kept > value)
        h->kept = value;
}

static bool is_in(struct slice text, const char *ptr, size_t len)
{
    return (uintptr_t)text.ptr >= (uintptr_t)ptr && (uintptr_t)text.ptr < (uintptr_t)ptr + len;
}

/* Adjusts `*text` to the new place if it is one of the texts that moved. */
static void follow(struct slice *text, uintptr_t old, size_t len, uintptr_t moved)
{
    if (text->len && is_in(*text, (const char *)old, len))
        text->ptr = (const char *)(moved + ((uintptr_t)text->ptr - old));
}

/* Makes room for a text; the texts so far may move with it. */
static void reserve_text(struct json_hand *h, size_t extra)
{
    struct buf *texts = &h->value.texts;
    uintptr_t old = (uintptr_t)texts->ptr, moved;

    if (texts->cap && extra <= texts->cap - texts->len)
        return;
    buf_reserve(texts, extra);
    moved = (uintptr_t)texts->ptr;
    if (moved == old)
        return;
    vec_each (struct json_value, v, &h->value.values) {
        follow(&v->key, old, texts->len, moved);
        follow(&v->text, old, texts->len, moved);
    }
    follow(&h->key, old, texts->len, moved);
}

/* Copies a text into the value. */
static struct slice keep_text(struct json_hand *h, struct slice text)
{
    struct buf *texts = &h->value.texts;
    size_t at = texts->len;

    if (!text.len)
        return SLICE("");
    reserve_text(h, text.len * 3 + 1); /* an ill-formed byte becomes at most U+FFFD */
    if (utf8_valid(text))
        buf_add_slice(texts, text);
    else
        utf8_add_clean(texts, text);
    return slice_make(texts->ptr + at, texts->len - at);
}

/* Copies a text into the value unless it is valid and in the block. */
static struct slice json_text_copy(struct json_hand *h, struct slice text)
{
    return is_in(text, h->block.ptr, h->block.len) && utf8_valid(text) ? text : keep_text(h, text);
}

/* A text from the parser, which may be in the block or in a place of the parser's own. */
static inline struct slice json_text_take(struct json_hand *h, enum json_type type,
                                          struct slice text)
{
    bool in_block = (uintptr_t)text.ptr - (uintptr_t)h->block.ptr < h->block.len;

    return in_block && (h->ascii || type == JSON_NUMBER) ? text : json_text_copy(h, text);
}

/* The block goes, or the value: copies the texts that are in the block. */
static void json_text_keep(struct json_hand *h)
{
    const char *block = h->block.ptr;
    size_t len = h->block.len;

    for (size_t i = h->kept; i < h->value.values.count; i++) {
        struct json_value *v = &h->value.values.items[i];

        if (is_in(v->key, block, len))
            v->key = keep_text(h, v->key);
        if (is_in(v->text, block, len))
            v->text = keep_text(h, v->text);
    }
    h->kept = h->value.values.count;
    if (h->has_key && is_in(h->key, block, len))
        h->key = keep_text(h, h->key);
}

/* Adds to the text of the value that got one last: numbers that were in two blocks. */
static void json_text_extend(struct json_hand *h, struct json_value *v, struct slice text)
{
    struct buf *texts = &h->value.texts;

    BUG_ON(v->text.ptr + v->text.len != texts->ptr + texts->len);
    reserve_text(h, text.len);
    buf_add_slice(texts, text);
    v->text.len += text.len;
}

/* ---- from the parser's calls to values ------------------------------------------------------- */

/*
 * Values are built by the callbacks of yajl, which is fed in blocks. Yajl does not see
 * numbers in a row: between two blocks they are taken from the bytes if
 * json_parser.numbers says that they may follow.
 */

struct json_parser {
    const struct json_handler *handler;
    struct diag *diag;
    yajl_handle yajl;
    struct json_hand hand; /* the value that is being built */
    VEC(uint32_t) open;    /* its containers that have not ended */
    VEC(bool) above;       /* the containers around it: whether they are arrays */
    struct buf parent;     /* key of the member of the top that the value is in */
    uint64_t documents;
    uint64_t fed;      /* bytes that were read before those the parser works on */
    uint64_t array_at; /* offset after the bracket of the array that began last */
    bool numbers;      /* what comes next may be numbers of the innermost array, from its start */
    bool heard;        /* the end of a value or a key was met since this was set */
    bool stopped;      /* an error was reported */
    bool muted;        /* a new yajl is being brought to the state of the old one */
};

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

/* Passes a value on: to the tree that is open, or else to value(). */
static bool pass_on(struct json_parser *p, const struct json_value *v, uint64_t at)
{
    const struct json_handler *h = p->handler;
    uint32_t node;

    if (!h->tree || !json_tree_is_open(h->tree))
        return h->value(h->context, buf_slice(&p->parent), v, at) || stop(p);
    node = json_tree_value(h->tree);
    if (node != JSON_TREE_NONE)
        h->tree->member(h->context, node, v);
    return true;
}

/* A value that is wanted one by one and is no container: it needs no place among values. */
static bool hand_over_scalar(struct json_parser *p, enum json_type type, struct slice text)
{
    struct json_value v = {.type = type, .size = 1};

    p->heard = true;
    v.text = json_text_take(&p->hand, type, text);
    if (p->hand.has_key)
        v.key = p->hand.key;
    p->hand.has_key = false;
    if (!pass_on(p, &v, here(p)))
        return false;
    buf_clear(&p->hand.value.texts);
    return true;
}

static bool hand_over(struct json_parser *p, uint64_t at)
{
    if (!pass_on(p, p->hand.value.values.items, at))
        return false;
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
    if (!budget_affords(array->count * sizeof(*array)))
        return budget_tell(p->diag, DIAG_AT_BYTE(here(p))) || stop(p);
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
    struct slice key;

    if (!p->above.count || p->open.count)
        return false;
    key = p->hand.has_key ? p->hand.key : SLICE("");
    if (h->tree && json_tree_is_open(h->tree))
        return json_tree_open(h->tree, key);
    if (h->open)
        return h->open(h->context, key);
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
    if (h->tree && json_tree_is_open(h->tree)) {
        json_tree_close(h->tree);
        return true;
    }
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

static const yajl_callbacks callbacks = {on_null,   on_boolean, NULL,      NULL,
                                         on_number, on_string,  on_object, on_key,
                                         on_end,    on_array,   on_end};

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

/*
 * Returns whether the refused bracket closes the innermost container, so that it followed
 * a comma.
 */
static bool is_behind_comma(const struct json_parser *p, char bracket)
{
    size_t depth = p->above.count + p->open.count;

    return depth > 0 && depth <= MOST_DEPTH_MENDED && !p->hand.has_key &&
           bracket == (is_array_at(p, depth - 1) ? ']' : '}');
}

/* A new parser in the state of the old one, as if the last comma had not been there. */
static void restart(struct json_parser *p)
{
    struct buf prefix = {0};

    for (size_t i = 0; i < p->above.count + p->open.count; i++)
        buf_add_str(&prefix, is_array_at(p, i) ? "[" : "{\"\":");
    buf_add_str(&prefix, "0 "); /* a number ends where something comes after it */
    yajl_free(p->yajl);
    p->yajl = json_yajl(&callbacks, p);
    p->muted = true;
    BUG_ON(yajl_parse(p->yajl, (const unsigned char *)prefix.ptr, prefix.len) != yajl_status_ok);
    p->muted = false;
    buf_release(&prefix);
}

/* Gives bytes to the parser. Returns false after reporting an error. */
static bool json_parser_feed(struct json_parser *p, struct slice rest)
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
    struct json_value v = {.size = 1};
    const char *from = rest->ptr;

    while (json_numbers_take(rest, &v.text)) {
        p->fed += (uint64_t)(rest->ptr - from);
        from = rest->ptr;
        v.type = json_numbers_type(v.text);
        if (!pass_on(p, &v, p->fed))
            return false;
    }
    return true;
}

/*
 * Appends to the text of an array of numbers. The value after it is the place of the
 * current element.
 */
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

/* Takes the numbers off the front of the bytes that the array in hand begins or goes on with. */
static bool json_parser_take_numbers(struct json_parser *p, struct slice *rest)
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

/* All bytes were given. */
static bool json_parser_end(struct json_parser *p)
{
    if (p->above.count || p->open.count)
        return end_in_the_middle(p);
    return yajl_complete_parse(p->yajl) == yajl_status_ok || p->stopped || tell_damage(p, p->fed);
}

static void json_parser_init(struct json_parser *p, const struct json_handler *handler,
                             struct diag *diag)
{
    *p = (struct json_parser){.handler = handler, .diag = diag};
    p->yajl = json_yajl(&callbacks, p);
}

static void json_parser_release(struct json_parser *p)
{
    yajl_free(p->yajl);
    release_all(p, vec, open, above);
    buf_release(&p->parent);
    json_release(&p->hand.value);
}

/* ---- feeding the parser ---------------------------------------------------------------------- */

struct reader {
    struct content *content;
    const struct slice *text; /* in place of the source of the content; or NULL */
    struct json_parser parser;
    uint64_t heard_at; /* offset after the last value or key that was met */
    size_t wary;       /* bytes that are passed by before the next try to find numbers */
};

/* ---- feeding ------------------------------------------------------------------------------- */

/*
 * Returns how many bytes the parser gets: up to a bracket that seems to begin an array of
 * numbers. In a string there is none; there each try is twice as far from the one before,
 * because the parser starts the string anew.
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

/*
 * Gives a block to the parser. If more blocks follow, the `left` bytes at its end belong
 * before the next one.
 */
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
    struct buf copy = {0};
    size_t left;
    bool good;

    buf_add_slice(&copy, text);
    json_escape_mend(copy.ptr, copy.len, true);
    good = feed(r, buf_slice(&copy), true, &left);
    buf_release(&copy);
    return good;
}

/*
 * Sets the size of the next block. The parser begins anew with each block on a text that has not
 * ended, and holds it whole; so blocks must grow, and texts end. Returns false after reporting that
 * a text, or the blanks between two values, goes on and on. `left` bytes at the end of the block
 * before come again.
 */
static bool next_room(struct reader *r, size_t left, size_t *room)
{
    struct json_parser *p = &r->parser;
    uint64_t most = r->content->options->limits.max_line, unheard;

    if (p->heard) {
        r->heard_at = p->fed;
        *room = SOURCE_BLOCK;
        return true;
    }
    unheard = p->fed + left - r->heard_at;
    if (unheard <= most) {
        uint64_t more = most - unheard + SOURCE_BLOCK;

        *room = left + (2 * *room < more ? 2 * *room : (size_t)more);
        return true;
    }
    diag_add(p->diag, DIAG_ERROR, DIAG_AT_BYTE(r->heard_at),
             "a JSON text is longer than %llu bytes; --max-line N raises the limit",
             (unsigned long long)most);
    return stop(p);
}

static bool feed_all(struct reader *r)
{
    size_t room = SOURCE_BLOCK, done, left = 0;
    bool good, more;
    struct buf block = {0};

    if (r->text)
        return feed_text(r, *r->text);
    do {
        more = content_fill(r->content, room, &block);
        r->parser.heard = false;
        done = json_escape_mend(block.ptr, block.len, !more);
        good = feed(r, slice_make(block.ptr, done), !more, &left);
        done -= left;
        block.len -= done;
        memmove(block.ptr, block.ptr + done, block.len);
        good = good && next_room(r, block.len, &room);
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
    return true;
}

static bool load(struct content *c, const struct slice *text, struct json_document *d)
{
    struct loader loader = {.document = d};
    struct json_handler handler = {.context = &loader, .whole_documents = true, .value = keep};
    struct reader r = {.content = c, .text = text};

    *d = (struct json_document){0};
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
