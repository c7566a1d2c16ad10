/*
 * The bytes of a recording of perf, read one value after the other in the recording's byte order.
 *
 * Reading beyond the end gives zeros or empty slices and sets `failed`, which stays set, so that
 * a whole record is read first and checked once. Nothing is copied.
 */
#ifndef INPUT_FORMATS_PERF_PERF_BYTES_H
#define INPUT_FORMATS_PERF_PERF_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/slice.h"

struct perf_bytes {
    struct slice rest;
    bool swapped; /* the recording's byte order is not this machine's */
    bool failed;  /* more was read than there is */
};

static inline struct perf_bytes perf_bytes_make(struct slice bytes, bool swapped)
{
    return (struct perf_bytes){bytes, swapped, false};
}

static inline struct slice perf_bytes_take(struct perf_bytes *b, uint64_t len)
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

/* perf_bytes_u64() and its like: the next number. */
#define PERF_BYTES_NUMBER(bits)                                                                    \
    static inline uint##bits##_t perf_bytes_u##bits(struct perf_bytes *b)                          \
    {                                                                                              \
        struct slice s = perf_bytes_take(b, bits / 8);                                             \
        uint##bits##_t value = 0;                                                                  \
                                                                                                   \
        if (s.len)                                                                                 \
            memcpy(&value, s.ptr, sizeof(value));                                                  \
        return b->swapped ? __builtin_bswap##bits(value) : value;                                  \
    }
PERF_BYTES_NUMBER(64)
PERF_BYTES_NUMBER(32)
PERF_BYTES_NUMBER(16)

/* A 64-bit number at index `i` of an array that was taken as bytes. */
static inline uint64_t perf_bytes_at(struct slice array, size_t i, bool swapped)
{
    uint64_t value;

    memcpy(&value, array.ptr + i * sizeof(value), sizeof(value));
    return swapped ? __builtin_bswap64(value) : value;
}

/* All that is left, up to the first NUL. */
static inline struct slice perf_bytes_text(struct perf_bytes *b)
{
    struct slice all = perf_bytes_take(b, b->rest.len);

    return slice_take(all, slice_find(all, '\0'));
}

/* A text of the header's sections: its length, padded, and its bytes. */
static inline struct slice perf_bytes_string(struct perf_bytes *b)
{
    struct slice all = perf_bytes_take(b, perf_bytes_u32(b));

    return slice_take(all, slice_find(all, '\0'));
}

#endif
