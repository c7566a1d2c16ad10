#include "input/parse/json_parser.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/num.h"
#include "base/utf8.h"
#include "input/parse/json_tree.h"

/* ---- texts of the current value -------------------------------------------------------------- */

/*
 * Texts of the value that is being read point into the block of the file that is in memory. A
 * value gets copies of texts with escapes, of texts that are not valid UTF-8, and, if it
 * continues after the block, of all its texts.
 */

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

/* Returns the scanned text without escapes, as valid UTF-8. */
static inline struct slice json_text_take(struct json_hand *h, const struct json_scan *scan)
{
    if (!scan->escaped)
        return scan->ascii || utf8_valid(scan->text) ? scan->text : keep_text(h, scan->text);
    buf_clear(&h->plain);
    json_scan_unescape(&h->plain, scan->text);
    return keep_text(h, buf_slice(&h->plain));
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

/* ---- from tokens to values ------------------------------------------------------------------- */

/*
 * Values are built from the tokens of a scanner, which is given blocks. It does not see numbers in
 * a row: they are taken from the bytes if json_parser.numbers says that they may follow.
 */

/* ---- values -------------------------------------------------------------------------------- */

static bool stop(struct json_parser *p)
{
    p->stopped = true;
    return false;
}

static uint64_t here(const struct json_parser *p)
{
    return p->before + (uint64_t)(p->scan.token_end - p->scan.begin);
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
    h->tree->member(h->context, node, v);
    return true;
}

/* A value that is wanted one by one and is no container: it needs no place among values. */
static bool hand_over_scalar(struct json_parser *p, enum json_type type, struct slice text)
{
    struct json_value v = {.type = type, .size = 1, .text = text};

    if (p->hand.has_key)
        v.key = p->hand.key;
    p->hand.has_key = false;
    if (!pass_on(p, &v, here(p)))
        return false;
    buf_clear(&p->hand.value.texts);
    return true;
}

/* The value that has ended is an element; the next one begins after it. */
static bool collect_element(struct json_parser *p)
{
    struct json_batch *b = p->batch;

    *vec_add(&b->elements) = (struct json_element){b->begun, here(p)};
    b->begun = p->hand.value.values.count;
    b->used = (size_t)(p->scan.at - p->scan.begin);
    b->state = p->scan.state;
    return true;
}

static bool hand_over(struct json_parser *p, uint64_t at)
{
    if (p->batch)
        return collect_element(p);
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

    if (p->open.count && json_are_numbers(open_container(p)) && !end_numbers(p))
        return false;
    if (!has_room(p, 1))
        return false;
    v = vec_add(&p->hand.value.values);
    *v = (struct json_value){.type = type, .size = 1, .text = text};
    if (p->hand.has_key)
        v->key = p->hand.key;
    p->hand.has_key = false;
    if (p->open.count)
        open_container(p)->count++;
    return true;
}

static bool scalar(struct json_parser *p, enum json_type type, struct slice text)
{
    if (p->open.count)
        return push(p, type, text);
    if (p->above)
        return hand_over_scalar(p, type, text);
    if (p->handler->whole_documents)
        return push(p, type, text) && hand_over(p, here(p));
    diag_add(p->diag, DIAG_ERROR, DIAG_AT_BYTE(here(p)),
             "the JSON is damaged: neither an object nor an array");
    return stop(p);
}

/* A container that is not kept begins: the top, or a member wanted one by one. */
static bool enter(struct json_parser *p)
{
    if (p->above == 1) {
        buf_clear(&p->parent);
        buf_add_slice(&p->parent, p->hand.key);
    }
    clear_value(p);
    p->hand.has_key = false;
    p->above++;
    return true;
}

static bool wanted_one_by_one(const struct json_parser *p)
{
    const struct json_handler *h = p->handler;
    struct slice key;

    if (!p->above || p->open.count)
        return false;
    key = p->hand.has_key ? p->hand.key : SLICE("");
    if (h->tree && json_tree_is_open(h->tree))
        return json_tree_open(h->tree, key);
    if (h->open)
        return h->open(h->context, key);
    return p->above == 1 && p->hand.has_key && h->each && h->each(h->context, p->hand.key);
}

static bool begin(struct json_parser *p, bool is_array)
{
    if (p->above + p->open.count >= JSON_MOST_DEPTH) {
        diag_add(p->diag, DIAG_ERROR, DIAG_AT_BYTE(here(p)), "JSON nested deeper than %d levels",
                 JSON_MOST_DEPTH);
        return stop(p);
    }
    p->numbers = is_array;
    if ((!p->above && !p->handler->whole_documents) || wanted_one_by_one(p))
        return enter(p);
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

    if (--p->above == 0)
        return end_document(p, here(p));
    if (p->above == 1)
        buf_clear(&p->parent);
    if (h->tree && json_tree_is_open(h->tree)) {
        json_tree_close(h->tree);
        return true;
    }
    return !h->close || h->close(h->context) || stop(p);
}

static bool end(struct json_parser *p)
{
    if (p->open.count) {
        close_container(p);
        if (p->open.count)
            return true;
        if (!hand_over(p, here(p)))
            return false;
        return p->above || end_document(p, here(p));
    }
    return leave(p);
}

/* Takes the token that the scanner has met. Returns false after reporting an error. */
static bool take_token(struct json_parser *p, enum json_token token)
{
    static const enum json_type types[] = {
        [JSON_SCAN_NULL] = JSON_NULL,     [JSON_SCAN_FALSE] = JSON_FALSE,
        [JSON_SCAN_TRUE] = JSON_TRUE,     [JSON_SCAN_NUMBER] = JSON_NUMBER,
        [JSON_SCAN_STRING] = JSON_STRING,
    };

    switch (token) {
    case JSON_SCAN_KEY:
        p->hand.key = json_text_take(&p->hand, &p->scan);
        p->hand.has_key = true;
        return true;
    case JSON_SCAN_STRING:
        return scalar(p, JSON_STRING, json_text_take(&p->hand, &p->scan));
    case JSON_SCAN_NUMBER:
        return scalar(p, JSON_NUMBER, p->scan.text);
    case JSON_SCAN_OBJECT:
    case JSON_SCAN_ARRAY:
        return begin(p, token == JSON_SCAN_ARRAY);
    case JSON_SCAN_END:
        return end(p);
    default:
        return scalar(p, types[token], SLICE(""));
    }
}

static bool tell_damage(struct json_parser *p, uint64_t at, const char *why)
{
    diag_add(p->diag, DIAG_ERROR, DIAG_AT_BYTE(at), "the JSON is damaged: %s", why);
    return stop(p);
}

/* Whether the container at a depth, counted from the top, is an array. */
static bool is_array_at(const struct json_parser *p, size_t depth)
{
    return p->scan.open.ptr[depth] == '[';
}

/* ---- numbers in a row ------------------------------------------------------------------------ */

static struct slice unscanned(const struct json_parser *p)
{
    return slice_make(p->scan.at, (size_t)(p->scan.end - p->scan.at));
}

/* Takes bytes from the scanner. */
static void scanned(struct json_parser *p, struct slice rest)
{
    p->scan.at = p->scan.token_end = rest.ptr;
}

/* The numbers of an array that is handed over one by one. */
static bool hand_over_numbers(struct json_parser *p)
{
    struct json_value v = {.size = 1};
    struct slice rest = unscanned(p);

    while (json_numbers_take(&rest, &v.text)) {
        scanned(p, rest);
        v.type = json_numbers_type(v.text);
        if (!pass_on(p, &v, here(p)))
            return false;
    }
    return true;
}

/*
 * Appends to the text of an array of numbers. The value after it is the place of the
 * current element.
 */
static bool add_numbers(struct json_parser *p)
{
    uint32_t index = p->open.items[p->open.count - 1];
    struct slice text = unscanned(p), rest = text, number;
    size_t count = 0;

    while (json_numbers_take(&rest, &number))
        count++;
    text.len -= rest.len;
    if (!count)
        return true;
    if (!has_room(p, count + open_container(p)->count))
        return false;
    open_container(p)->count += (uint32_t)count;
    scanned(p, rest);
    if (open_container(p)->text.len) {
        json_text_extend(&p->hand, open_container(p), text);
        return true;
    }
    json_text_unkeep(&p->hand, index);
    open_container(p)->text = text;
    *vec_add(&p->hand.value.values) = (struct json_value){.type = JSON_NUMBER, .size = 1};
    return true;
}

/*
 * Takes the numbers that the current array begins or goes on with. What comes next is known unless
 * the bytes end there. Returns false after reporting an error.
 */
static bool take_numbers(struct json_parser *p)
{
    const char *from = p->scan.at;

    if (!(p->open.count ? add_numbers(p) : hand_over_numbers(p)))
        return false;
    p->heard = p->heard || p->scan.at > from;
    p->numbers = !p->scan.last && json_numbers_cut(unscanned(p));
    return true;
}

/* Takes all bytes that the scanner has, but for a token without an end. Returns false
 * after reporting an error. */
static bool run(struct json_parser *p)
{
    enum json_token token;

    for (;;) {
        if (p->numbers && !take_numbers(p))
            return false;
        if (p->numbers)
            return true;
        token = json_scan_next(&p->scan);
        if (token == JSON_SCAN_CUT)
            return true;
        if (token == JSON_SCAN_DAMAGED)
            return tell_damage(p, p->before + (uint64_t)(p->scan.wrong_at - p->scan.begin),
                               p->scan.why);
        p->heard = true;
        if (p->batch && !p->open.count && token != JSON_SCAN_OBJECT && token != JSON_SCAN_ARRAY)
            return true;
        if (!take_token(p, token))
            return false;
    }
}

/* ---- the end ------------------------------------------------------------------------------- */

/* Takes an element that was cut out of the current value, with what is open in it. */
static void drop_cut_element(struct json_parser *p)
{
    struct json_values *values = &p->hand.value.values;

    for (size_t i = 0; i < p->open.count; i++) {
        if (p->above + i == 0 || !is_array_at(p, p->above + i - 1))
            continue;
        values->count = p->open.items[i];
        p->open.count = i;
        if (i > 0)
            values->items[p->open.items[i - 1]].count--;
    }
}

static bool end_in_the_middle(struct json_parser *p)
{
    p->cut = true;
    diag_add(p->diag, DIAG_WARNING, DIAG_AT_BYTE(p->before),
             "the JSON ends in the middle; what is complete was read");
    drop_cut_element(p);
    if (p->open.count) {
        while (p->open.count)
            close_container(p);
        if (!hand_over(p, p->before))
            return false;
    }
    return end_document(p, p->before);
}

bool json_parser_end(struct json_parser *p)
{
    if (p->scan.open.len)
        return end_in_the_middle(p);
    return p->scan.state != JSON_SCAN_AT_START || tell_damage(p, p->before, "premature EOF");
}

void json_parser_init(struct json_parser *p, const struct json_handler *handler, struct diag *diag)
{
    *p = (struct json_parser){.handler = handler, .diag = diag};
}

void json_parser_release(struct json_parser *p)
{
    release_each(p, (json_scan, scan), (vec, open), (buf, parent, hand.plain), (json, hand.value));
}

/* ---- for readers ----------------------------------------------------------------------------- */

bool json_parser_feed(struct json_parser *p, struct slice bytes, bool last, size_t *left)
{
    p->hand.block = bytes;
    json_scan_give(&p->scan, bytes, last);
    if (!run(p))
        return false;
    json_text_keep(&p->hand);
    p->hand.block = SLICE("");
    *left = last ? 0 : unscanned(p).len;
    p->before += bytes.len - *left;
    return true;
}

void json_parser_keep_texts(struct json_parser *p)
{
    json_text_keep(&p->hand);
}

bool json_parser_is_at_element(const struct json_parser *p, struct slice brackets)
{
    return !p->open.count && p->scan.state == JSON_SCAN_ELEMENT &&
           slice_equal(buf_slice(&p->scan.open), brackets);
}

void json_parser_collect(struct json_parser *p, struct slice brackets, struct slice bytes,
                         struct json_batch *batch)
{
    clear_value(p);
    p->numbers = p->hand.has_key = p->stopped = false;
    p->batch = batch;
    p->above = brackets.len;
    buf_clear(&p->scan.open);
    buf_add_slice(&p->scan.open, brackets);
    vec_clear(&batch->elements);
    batch->begun = batch->used = 0;
    batch->state = p->scan.state = JSON_SCAN_ELEMENT;
    p->hand.block = bytes;
    json_scan_give(&p->scan, bytes, false);
    run(p);
}

bool json_parser_take(struct json_parser *p, const struct json_parser *collected)
{
    const struct json_batch *b = collected->batch;

    vec_each (struct json_element, e, &b->elements)
        if (!pass_on(p, &collected->hand.value.values.items[e->value], p->before + e->at))
            return false;
    p->heard = b->used > 0;
    p->before += b->used;
    p->scan.state = b->state;
    return true;
}
