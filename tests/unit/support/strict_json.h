/*
 * Is a text JSON, by the letter of RFC 8259? For tests of what writes it.
 */
#ifndef SUPPORT_STRICT_JSON_H
#define SUPPORT_STRICT_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "base/slice.h"

/*
 * True where all of `text` is one JSON value, in UTF-8, without a key twice in
 * an object. Else `*at` is the offset of the first byte that is wrong.
 */
bool strict_json(struct slice text, size_t *at);

#endif
