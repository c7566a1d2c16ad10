/*
 * Decompresses zlib streams (RFC 1950) that are part of an input, in memory.
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

/* Returns the CRC-32 of bytes that continue those with the CRC-32 `before`; 0 to begin. */
uint32_t inflate_crc(uint32_t before, struct slice bytes);

#endif
