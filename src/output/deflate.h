/*
 * Bytes made small, and made text: zlib's format, in base64.
 *
 * What a script in a browser can undo by itself, with atob() and
 * DecompressionStream('deflate').
 */
#ifndef OUTPUT_DEFLATE_H
#define OUTPUT_DEFLATE_H

#include "base/buf.h"

/*
 * Appends base64 of a zlib stream of `text` and, behind it, `numbers`: in these
 * nothing is looked for that repeats, which is faster and for small numbers
 * smaller.
 */
void deflate_write(struct buf *out, struct slice text, struct slice numbers);

/* Appends `bytes` as base64. */
void deflate_base64(struct buf *out, struct slice bytes);

#endif
