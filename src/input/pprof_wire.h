/*
 * The wire format of protobuf, walked in place.
 */
#ifndef INPUT_PPROF_WIRE_H
#define INPUT_PPROF_WIRE_H

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

/* Takes a varint off `*rest`. False, taking nothing, where there is none. */
bool pprof_wire_long_varint(struct slice *rest, uint64_t *value);
static inline bool pprof_wire_varint(struct slice *rest, uint64_t *value)
{
    if (!rest->len || *rest->ptr & 0x80)
        return pprof_wire_long_varint(rest, value);
    *value = (uint64_t)*rest->ptr++;
    rest->len--;
    return true;
}

/* The same for a field; most are bytes, not many, with a small number. */
bool pprof_wire_any(struct slice *rest, struct pprof_field *field);
static inline bool pprof_wire_next(struct slice *rest, struct pprof_field *field)
{
    enum { HEADER = 2, MORE = 0x80 };
    const unsigned char *header = (const unsigned char *)rest->ptr;

    if (rest->len < HEADER || (header[0] & (MORE | 7)) != PPROF_BYTES || header[0] < 8 ||
        header[1] >= MORE || header[1] > rest->len - HEADER)
        return pprof_wire_any(rest, field);
    field->number = header[0] >> 3;
    field->wire = PPROF_BYTES;
    field->bytes = slice_make(rest->ptr + HEADER, header[1]);
    rest->ptr += HEADER + header[1];
    rest->len -= HEADER + header[1];
    return true;
}

/* Takes the key and, of a field of bytes, the length, which may be more than is there. */
bool pprof_wire_key(struct slice *rest, struct pprof_field *field, uint64_t *len);

#endif
