/*
 * Decompresses zlib streams (RFC 1950) that are part of an input, in memory or piece by piece.
 */
#ifndef INPUT_CORE_INFLATE_H
#define INPUT_CORE_INFLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"

/*
 * Appends the content of a stream, at most `most` bytes. Returns false if the stream is damaged,
 * ends early or has more, or if the thread's budget is spent; `out` then has what was read.
 */
bool inflate_add(struct buf *out, struct slice stream, uint64_t most);

/* A stream that is decompressed as its bytes come. */
struct inflate {
    void *z;
    bool ended, damaged; /* the stream ended as it should; cannot be read further */
};

void inflate_begin(struct inflate *i);
void inflate_release(struct inflate *i);

/*
 * Takes bytes of the stream off `bytes` and appends what they decompress to, until either all were
 * taken or 64 KB were appended. Does nothing once the stream ended or is damaged.
 */
void inflate_more(struct inflate *i, struct slice *bytes, struct buf *out);

/* Returns the CRC-32 of bytes that continue those with the CRC-32 `before`; 0 to begin. */
uint32_t inflate_crc(uint32_t before, struct slice bytes);

#endif
