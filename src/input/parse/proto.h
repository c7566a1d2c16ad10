/*
 * Protobuf's wire format, read in place: fields, whose numbers and types a reader knows.
 *
 *     struct proto_field field;
 *
 *     while (proto_next(&message, &field))
 *         if (field.number == 3 && field.wire == PROTO_BYTES) ...
 *
 * Nothing is copied and no length is trusted. A field that is not complete ends the loop, and
 * `message` keeps what was not read.
 *
 * Source: protobuf.dev/programming-guides/encoding.
 */
#ifndef INPUT_PARSE_PROTO_H
#define INPUT_PARSE_PROTO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "input/parse/stream.h"

enum proto_wire {
    PROTO_VARINT = 0,
    PROTO_FIXED64 = 1,
    PROTO_BYTES = 2,
    PROTO_FIXED32 = 5,
};

struct proto_field {
    uint64_t number;
    enum proto_wire wire;
    uint64_t value;     /* of a varint */
    struct slice bytes; /* of any other field; points into the content */
};

/* Set in all bytes of a varint but the last. */
enum { PROTO_MORE = 0x80 };

/*
 * Takes a varint off `*rest`; one or two bytes are the fast path. Returns
 * false and takes nothing if there is no complete varint.
 */
bool proto_long_varint(struct slice *rest, uint64_t *value);
static inline bool proto_varint(struct slice *rest, uint64_t *value)
{
    const unsigned char *p = (const unsigned char *)rest->ptr;
    size_t size = 1;

    if (rest->len && p[0] < PROTO_MORE) {
        *value = p[0];
    } else if (rest->len > 1 && p[1] < PROTO_MORE) {
        *value = (p[0] & (PROTO_MORE - 1u)) | (unsigned)p[1] << 7;
        size = 2;
    } else {
        return proto_long_varint(rest, value);
    }
    rest->ptr += size;
    rest->len -= size;
    return true;
}

/*
 * Takes a field off `*rest`; short bytes with a small field number are the
 * fast path. Returns false and takes nothing if there is no complete field.
 */
bool proto_any(struct slice *rest, struct proto_field *field);
static inline bool proto_next(struct slice *rest, struct proto_field *field)
{
    enum { LONGEST = 3 };
    const unsigned char *p = (const unsigned char *)rest->ptr;
    size_t header = 2, len;

    if (rest->len < LONGEST || (p[0] & (PROTO_MORE | 7)) != PROTO_BYTES || p[0] < 8)
        return proto_any(rest, field);
    len = p[1];
    if (len >= PROTO_MORE) {
        len = (len & (PROTO_MORE - 1)) | (size_t)p[2] << 7;
        header = LONGEST;
    }
    if ((header == LONGEST && p[2] >= PROTO_MORE) || len > rest->len - header)
        return proto_any(rest, field);
    field->number = p[0] >> 3;
    field->wire = PROTO_BYTES;
    field->bytes = slice_make(rest->ptr + header, len);
    rest->ptr += header + len;
    rest->len -= header + len;
    return true;
}

/* Takes a varint field with a number below 16. Returns false and takes nothing otherwise. */
static inline bool proto_number(struct slice *rest, struct proto_field *field)
{
    struct slice at = slice_skip(*rest, 1);
    unsigned key = rest->len ? (unsigned char)*rest->ptr : 0;

    if (key < 8 || (key & (PROTO_MORE | 7)) != PROTO_VARINT || !proto_varint(&at, &field->value))
        return false;
    field->number = key >> 3;
    field->wire = PROTO_VARINT;
    *rest = at;
    return true;
}

/*
 * Takes the next field of a content that is one message; its bytes are valid until the next call.
 * Returns false and takes nothing if there is no complete field: stream_peek() tells whether the
 * content ends.
 */
bool proto_stream_next(struct stream *s, struct proto_field *field);

/* Takes a field's key and, for bytes, their length, which may exceed `*rest`. */
bool proto_key(struct slice *rest, struct proto_field *field, uint64_t *len);

#endif
