/*
 * The texts of a JSON value that is being read: where they are, and how long.
 *
 * As long as a block of the file is in memory, texts in it are not copied.
 * What the parser unescaped or put together, what is no valid UTF-8, and all
 * texts of a value that goes on behind the block are kept beside the value.
 */
#ifndef INPUT_PARSE_JSON_TEXT_H
#define INPUT_PARSE_JSON_TEXT_H

#include "input/parse/json.h"

/* The value in hand. */
struct json_hand {
    struct json_document value;
    bool has_key; /* a member's key is there and its value is not */
    struct slice key;
    struct slice block; /* what the parser works on */
    bool ascii;         /* it is nothing else, so that its texts are valid */
    size_t kept;        /* values whose texts are not in it */
};

/* Copies a text to where it stays as long as the value, unless it is valid and in the block. */
struct slice json_text_copy(struct json_hand *h, struct slice text);

/* A text from the parser, which may be in the block or in a place of the parser's own. */
static inline struct slice json_text_take(struct json_hand *h, enum json_type type,
                                          struct slice text)
{
    bool in_block = (uintptr_t)text.ptr - (uintptr_t)h->block.ptr < h->block.len;

    return in_block && (h->ascii || type == JSON_NUMBER) ? text : json_text_copy(h, text);
}

/* The block goes, or the value: copies the texts that are in the block. */
void json_text_keep(struct json_hand *h);

/* The values from this one on may have other texts by now. */
static inline void json_text_unkeep(struct json_hand *h, size_t value)
{
    if (h->kept > value)
        h->kept = value;
}

/* Adds to the text of the value that got one last: numbers that were in two blocks. */
void json_text_extend(struct json_hand *h, struct json_value *v, struct slice text);

#endif
