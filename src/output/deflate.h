/*
 * Compresses bytes: zlib's format, mostly as text in base64.
 *
 * A script in a browser can decode it with atob() and
 * DecompressionStream('deflate').
 */
#ifndef OUTPUT_DEFLATE_H
#define OUTPUT_DEFLATE_H

#include "base/buf.h"

/*
 * Appends base64 of a zlib stream of `text` followed by `numbers`. Repetition in
 * `numbers` is not searched for: that is faster, and smaller for small numbers.
 */
void deflate_write(struct buf *out, struct slice text, struct slice numbers);

/* Appends such a stream without base64. */
void deflate_bytes(struct buf *out, struct slice text, struct slice numbers);

/* Appends `bytes` as base64. */
void deflate_base64(struct buf *out, struct slice bytes);

#endif
