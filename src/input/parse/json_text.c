#include "input/parse/json_text.h"

#include "base/utf8.h"

static bool is_in(struct slice text, const char *ptr, size_t len)
{
    return (uintptr_t)text.ptr >= (uintptr_t)ptr && (uintptr_t)text.ptr < (uintptr_t)ptr + len;
}

/* The texts move: `*text`, where it is one of them. */
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

/* Copies a text to where it stays as long as the value does. */
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

struct slice json_text_copy(struct json_hand *h, struct slice text)
{
    return is_in(text, h->block.ptr, h->block.len) && utf8_valid(text) ? text : keep_text(h, text);
}

void json_text_keep(struct json_hand *h)
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

void json_text_extend(struct json_hand *h, struct json_value *v, struct slice text)
{
    struct buf *texts = &h->value.texts;

    BUG_ON(v->text.ptr + v->text.len != texts->ptr + texts->len);
    reserve_text(h, text.len);
    buf_add_slice(texts, text);
    v->text.len += text.len;
}
