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
 * What a stream consists of, in this order. Repetition in `numbers` is not searched for: that is
 * faster, and smaller for small numbers.
 */
struct deflate_parts {
    struct slice text, numbers, more_text;
};

/* Appends base64 of a zlib stream. */
void deflate_write(struct buf *out, struct deflate_parts parts);

/* Appends such a stream without base64. */
void deflate_bytes(struct buf *out, struct deflate_parts parts);

/* Appends `bytes` as base64. */
void deflate_base64(struct buf *out, struct slice bytes);

#endif
