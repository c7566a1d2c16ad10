/*
 * Lines of words "key=value", for headers of files that this program writes.
 *
 *     unit=ns samples=1125 event=cpu-clock command=ls%20-l
 *
 * Blanks, control characters, '%', '=' and ';' are written as '%' and two hexadecimal digits,
 * so a line has no blank but those between the words, and no word of such a line is a number.
 */
#ifndef BASE_KEY_VALUE_H
#define BASE_KEY_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"

/* Append `text` with its escapes, and without them. */
void key_value_encode(struct buf *out, struct slice text);
void key_value_decode(struct buf *out, struct slice text);

/* Append a blank and a word. */
void key_value_add(struct buf *out, struct slice key, struct slice value);
void key_value_add_u64(struct buf *out, struct slice key, uint64_t value);

/*
 * Moves the next word from `*rest` to `key` and `value`, decoded; both are cleared first. Skips
 * words without '='. Returns false if no word is left.
 */
bool key_value_next(struct slice *rest, struct buf *key, struct buf *value);

#endif
