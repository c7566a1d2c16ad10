/*
 * Numbers and texts as Java Flight Recorder writes them.
 *
 * Integers are LEB128: seven bits per byte, low bits first, the high bit set if
 * more bytes follow; a ninth byte has eight bits. A recording can also have
 * them uncompressed, big-endian.
 *
 * Reading beyond the end sets `bad` and returns zeros, so a caller reads a
 * whole record and checks `bad` once.
 */
#ifndef INPUT_FORMATS_JAVA_JFR_BYTES_H
#define INPUT_FORMATS_JAVA_JFR_BYTES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"

struct jfr_bytes {
    const char *bytes; /* of the chunk */
    size_t at, end;
    bool fixed; /* integers are not compressed */
    bool bad;
};

/* The encodings of a string. */
enum jfr_encoding { JFR_NULL, JFR_EMPTY, JFR_POOL, JFR_UTF8, JFR_CHARS, JFR_LATIN1 };

struct jfr_text {
    enum jfr_encoding encoding;
    uint64_t constant;  /* JFR_POOL: the id in the pool of strings */
    struct slice bytes; /* as encoded in the file */
};

static inline size_t jfr_bytes_left(const struct jfr_bytes *b)
{
    return b->end - b->at;
}

/* Skips `count` bytes. */
static inline void jfr_bytes_skip(struct jfr_bytes *b, uint64_t count)
{
    if (count > jfr_bytes_left(b)) {
        b->bad = true;
        b->at = b->end;
    } else {
        b->at += (size_t)count;
    }
}

/* Reads a big-endian number of `size` bytes, 8 at most. */
uint64_t jfr_bytes_fixed(struct jfr_bytes *b, unsigned size);

/*
 * Reads an integer that has `size` bytes if integers are not compressed; one byte is the fast path.
 */
uint64_t jfr_bytes_any_number(struct jfr_bytes *b, unsigned size);
static inline uint64_t jfr_bytes_number(struct jfr_bytes *b, unsigned size)
{
    if (b->fixed || b->at >= b->end || b->bytes[b->at] & 0x80)
        return jfr_bytes_any_number(b, size);
    return (uint64_t)b->bytes[b->at++];
}

struct jfr_text jfr_bytes_text(struct jfr_bytes *b);
/* Appends a string as UTF-8; a JFR_POOL string appends nothing. */
void jfr_bytes_add_text(struct buf *out, const struct jfr_text *text, bool fixed);

#endif
