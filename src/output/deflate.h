/*
 * Compresses bytes: zlib's format, mostly as text in base64.
 *
 * A script in a browser can decode it with atob() and
 * DecompressionStream('deflate').
 */
#ifndef OUTPUT_DEFLATE_H
#define OUTPUT_DEFLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/*
 * What a stream consists of, in this order. Repetition in `numbers` is not searched for: that is
 * faster, and smaller for small numbers.
 */
struct deflate_parts {
    struct slice text, numbers, more_text;
};

/*
 * A piece of a stream that consists of several, each compressed without a look at the others,
 * so that threads can make them at the same time. It begins zeroed. Its numbers are compressed
 * by our own code, in half of zlib's time.
 */
struct deflate_piece {
    struct buf bytes;
    uint32_t sum; /* Adler-32 of what was compressed */
    size_t len;   /* number of these bytes */
};

/* Fills a piece. `last` ends the stream. */
void deflate_piece_make(struct deflate_piece *piece, struct deflate_parts parts, bool last);

/* Appends base64 of the stream, and frees the pieces. */
void deflate_join(struct buf *out, struct deflate_piece *pieces, size_t count);

/* Appends base64 of a zlib stream. */
void deflate_write(struct buf *out, struct deflate_parts parts);

/* Appends such a stream without base64. */
void deflate_bytes(struct buf *out, struct deflate_parts parts);

/* Appends `bytes` as base64. */
void deflate_base64(struct buf *out, struct slice bytes);

#endif
