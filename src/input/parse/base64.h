/*
 * Base64 (RFC 4648), with blanks and line ends between its digits.
 */
#ifndef INPUT_PARSE_BASE64_H
#define INPUT_PARSE_BASE64_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/slice.h"

/* Appends the bytes. Returns false at a character that is no digit; the bytes before it stay. */
bool base64_add(struct buf *out, struct slice text);

#endif
