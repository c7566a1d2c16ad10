/*
 * Numbers and texts as Java Flight Recorder writes them.
 *
 * Whole numbers have seven bits to the byte, low ones first, with a bit that
 * says whether more follow; a ninth byte has all eight. A recording can also
 * have them uncompressed, big-endian.
 *
 * Reading beyond the end sets `bad` and gives zeros, so that a whole record is
 * read and asked once whether it was one.
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
    bool fixed; /* numbers are not compressed */
    bool bad;
};

/* The encodings of a text. */
enum jfr_encoding { JFR_NULL, JFR_EMPTY, JFR_POOL, JFR_UTF8, JFR_CHARS, JFR_LATIN1 };

struct jfr_text {
    enum jfr_encoding encoding;
    uint64_t constant;  /* JFR_POOL: in the pool of strings */
    struct slice bytes; /* as encoded */
};

static inline size_t jfr_bytes_left(const struct jfr_bytes *b)
{
    return b->end - b->at;
}

/* Steps over bytes. */
static inline void jfr_bytes_skip(struct jfr_bytes *b, uint64_t count)
{
    if (count > jfr_bytes_left(b)) {
        b->bad = true;
        b->at = b->end;
    } else {
        b->at += (size_t)count;
    }
}

/* A big-endian number of `size` bytes, 8 at most. */
uint64_t jfr_bytes_fixed(struct jfr_bytes *b, unsigned size);

/* A number that has `size` bytes where numbers are not compressed; most are small. */
uint64_t jfr_bytes_any_number(struct jfr_bytes *b, unsigned size);
static inline uint64_t jfr_bytes_number(struct jfr_bytes *b, unsigned size)
{
    if (b->fixed || b->at >= b->end || b->bytes[b->at] & 0x80)
        return jfr_bytes_any_number(b, size);
    return (uint64_t)b->bytes[b->at++];
}

struct jfr_text jfr_bytes_text(struct jfr_bytes *b);
/* Appends a text, which is not one of the pool, as UTF-8. */
void jfr_bytes_add_text(struct buf *out, const struct jfr_text *text, bool fixed);

#endif
