/*
 * Checks that a text is JSON as RFC 8259 defines it, for tests of code that writes
 * JSON.
 */
#ifndef SUPPORT_STRICT_JSON_H
#define SUPPORT_STRICT_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "base/slice.h"

/*
 * Returns true if `text` is one JSON value in UTF-8, and no object has a key twice. If it is not,
 * `*at` is the offset of the first wrong byte.
 */
bool strict_json(struct slice text, size_t *at);

#endif
