/*
 * Numbers of as many bytes as they need, seven bits in each, the lowest first: the varints of
 * protobuf. Bit 7 is set in all bytes but the last.
 */
#ifndef BASE_VARINT_H
#define BASE_VARINT_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* Bytes of a number of 64 bits and of 32. */
enum { VARINT_MOST = 10, VARINT_MOST_32 = 5 };
enum { VARINT_BITS = 7, VARINT_MORE = 1 << VARINT_BITS };

/* Writes a number to `at`, where there is room, and returns its end. */
static inline char *varint_put(char *at, uint64_t value)
{
    for (; value >= VARINT_MORE; value >>= VARINT_BITS)
        *at++ = (char)(value | VARINT_MORE);
    *at++ = (char)value;
    return at;
}

static inline void varint_add(struct buf *out, uint64_t value)
{
    char *to = buf_reserve(out, VARINT_MOST);

    out->len += (size_t)(varint_put(to, value) - to);
}

/* Returns the number of bytes that varint_put() writes. */
static inline size_t varint_size(uint64_t value)
{
    size_t size = 1;

    for (; value >= VARINT_MORE; value >>= VARINT_BITS)
        size++;
    return size;
}

#endif
