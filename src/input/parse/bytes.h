/*
 * The bytes of a binary file in memory, read one value after the other in the file's byte order.
 *
 * Reading beyond the end gives zeros or empty slices and sets `failed`, which stays set, so that
 * a whole record is read first and checked once. Nothing is copied.
 */
#ifndef INPUT_PARSE_BYTES_H
#define INPUT_PARSE_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/slice.h"

struct bytes {
    struct slice rest;
    bool swapped; /* the file's byte order is not this machine's */
    bool failed;  /* more was read than there is */
};

static inline struct bytes bytes_make(struct slice bytes, bool swapped)
{
    return (struct bytes){bytes, swapped, false};
}

/* The bytes of a file whose numbers begin with their lowest byte, whatever machine wrote it. */
static inline struct bytes bytes_make_little(struct slice bytes)
{
    return bytes_make(bytes, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

static inline struct slice bytes_take(struct bytes *b, uint64_t len)
{
    struct slice taken = slice_make(b->rest.ptr, 0);

    if (len > b->rest.len) {
        b->failed = true;
        b->rest.len = 0;
        return taken;
    }
    taken.len = len;
    b->rest = slice_skip(b->rest, len);
    return taken;
}

/* bytes_u64() and its like: the next number. */
#define BYTES_NUMBER(bits)                                                                         \
    static inline uint##bits##_t bytes_u##bits(struct bytes *b)                                    \
    {                                                                                              \
        struct slice s = bytes_take(b, bits / 8);                                                  \
        uint##bits##_t value = 0;                                                                  \
                                                                                                   \
        if (s.len)                                                                                 \
            memcpy(&value, s.ptr, sizeof(value));                                                  \
        return b->swapped ? __builtin_bswap##bits(value) : value;                                  \
    }
BYTES_NUMBER(64)
BYTES_NUMBER(32)
BYTES_NUMBER(16)

static inline unsigned bytes_u8(struct bytes *b)
{
    struct slice s = bytes_take(b, 1);

    return s.len ? (unsigned char)s.ptr[0] : 0;
}

/* The next number of `size` bytes: 1, 2, 4 or 8. What has another size is skipped, and 0. */
static inline uint64_t bytes_number(struct bytes *b, size_t size)
{
    switch (size) {
    case 1:
        return bytes_u8(b);
    case 2:
        return bytes_u16(b);
    case 4:
        return bytes_u32(b);
    case 8:
        return bytes_u64(b);
    default:
        bytes_take(b, size);
        return 0;
    }
}

/* A 64-bit number at index `i` of an array that was taken as bytes. */
static inline uint64_t bytes_at(struct slice array, size_t i, bool swapped)
{
    uint64_t value;

    memcpy(&value, array.ptr + i * sizeof(value), sizeof(value));
    return swapped ? __builtin_bswap64(value) : value;
}

/* All that is left, up to the first NUL. */
static inline struct slice bytes_text(struct bytes *b)
{
    struct slice all = bytes_take(b, b->rest.len);

    return slice_take(all, slice_find(all, '\0'));
}

/* A text after its length, which may be padded with NUL. */
static inline struct slice bytes_string(struct bytes *b)
{
    struct slice all = bytes_take(b, bytes_u32(b));

    return slice_take(all, slice_find(all, '\0'));
}

#endif
