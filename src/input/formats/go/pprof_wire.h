/*
 * The wire format of protobuf, walked in place.
 */
#ifndef INPUT_FORMATS_GO_PPROF_WIRE_H
#define INPUT_FORMATS_GO_PPROF_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

enum pprof_wire {
    PPROF_VARINT = 0,
    PPROF_FIXED64 = 1,
    PPROF_BYTES = 2,
    PPROF_FIXED32 = 5,
};

struct pprof_field {
    uint64_t number;
    enum pprof_wire wire;
    uint64_t value;     /* of a varint */
    struct slice bytes; /* of the others: what stands in the content */
};

/* The highest bit of a byte that is not the last one of a varint. */
enum { PPROF_MORE = 0x80 };

/* Takes a varint off `*rest`; most are of one byte or two. False, taking nothing, for none. */
bool pprof_wire_long_varint(struct slice *rest, uint64_t *value);
static inline bool pprof_wire_varint(struct slice *rest, uint64_t *value)
{
    const unsigned char *p = (const unsigned char *)rest->ptr;
    size_t size = 1;

    if (rest->len && p[0] < PPROF_MORE) {
        *value = p[0];
    } else if (rest->len > 1 && p[1] < PPROF_MORE) {
        *value = (p[0] & (PPROF_MORE - 1u)) | (unsigned)p[1] << 7;
        size = 2;
    } else {
        return pprof_wire_long_varint(rest, value);
    }
    rest->ptr += size;
    rest->len -= size;
    return true;
}

/* The same for a field; most are bytes, not very many, with a small number. */
bool pprof_wire_any(struct slice *rest, struct pprof_field *field);
static inline bool pprof_wire_next(struct slice *rest, struct pprof_field *field)
{
    enum { LONGEST = 3 };
    const unsigned char *p = (const unsigned char *)rest->ptr;
    size_t header = 2, len;

    if (rest->len < LONGEST || (p[0] & (PPROF_MORE | 7)) != PPROF_BYTES || p[0] < 8)
        return pprof_wire_any(rest, field);
    len = p[1];
    if (len >= PPROF_MORE) {
        len = (len & (PPROF_MORE - 1)) | (size_t)p[2] << 7;
        header = LONGEST;
    }
    if ((header == LONGEST && p[2] >= PPROF_MORE) || len > rest->len - header)
        return pprof_wire_any(rest, field);
    field->number = p[0] >> 3;
    field->wire = PPROF_BYTES;
    field->bytes = slice_make(rest->ptr + header, len);
    rest->ptr += header + len;
    rest->len -= header + len;
    return true;
}

/* The same for a varint with a small number; false, taking nothing, for any other field. */
static inline bool pprof_wire_number(struct slice *rest, struct pprof_field *field)
{
    struct slice at = slice_skip(*rest, 1);
    unsigned key = rest->len ? (unsigned char)*rest->ptr : 0;

    if (key < 8 || (key & (PPROF_MORE | 7)) != PPROF_VARINT ||
        !pprof_wire_varint(&at, &field->value))
        return false;
    field->number = key >> 3;
    field->wire = PPROF_VARINT;
    *rest = at;
    return true;
}

/* Takes the key and, of a field of bytes, the length, which may be more than is there. */
bool pprof_wire_key(struct slice *rest, struct pprof_field *field, uint64_t *len);

#endif
