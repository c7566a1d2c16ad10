#include "input/parse/proto.h"

bool proto_long_varint(struct slice *rest, uint64_t *value)
{
    enum { MOST_BYTES = 10, PAYLOAD = 7 };
    const unsigned char *p = (const unsigned char *)rest->ptr;
    size_t most = rest->len < MOST_BYTES ? rest->len : MOST_BYTES;
    uint64_t number = 0;
    unsigned shift = 0;

    for (size_t i = 0; i < most; i++, shift += PAYLOAD) {
        number |= (uint64_t)(p[i] & (PROTO_MORE - 1)) << shift;
        if (p[i] & PROTO_MORE)
            continue;
        *value = number;
        rest->ptr += i + 1;
        rest->len -= i + 1;
        return true;
    }
    return false;
}

bool proto_key(struct slice *rest, struct proto_field *field, uint64_t *len)
{
    uint64_t key;

    if (!proto_varint(rest, &key))
        return false;
    field->number = key >> 3;
    field->wire = (enum proto_wire)(key & 7);
    *len = 0;
    if (field->wire == PROTO_BYTES)
        return proto_varint(rest, len) && field->number > 0;
    if (field->wire == PROTO_FIXED64)
        *len = sizeof(uint64_t);
    else if (field->wire == PROTO_FIXED32)
        *len = sizeof(uint32_t);
    else if (field->wire != PROTO_VARINT)
        return false;
    return field->number > 0;
}

bool proto_any(struct slice *rest, struct proto_field *field)
{
    struct slice at = *rest;
    uint64_t len;

    if (!proto_key(&at, field, &len) || len > at.len)
        return false;
    if (field->wire == PROTO_VARINT && !proto_varint(&at, &field->value))
        return false;
    field->bytes = slice_take(at, len);
    *rest = slice_skip(at, len);
    return true;
}

bool proto_stream_next(struct stream *s, struct proto_field *field)
{
    enum { LONGEST_HEAD = 20 }; /* of a key and a length, or a key and a number */
    struct slice bytes = stream_peek(s, LONGEST_HEAD), rest = bytes;
    uint64_t len;

    if (!proto_next(&rest, field)) {
        if (!proto_key(&rest, field, &len) || len > SIZE_MAX - LONGEST_HEAD)
            return false;
        rest = bytes = stream_peek(s, bytes.len - rest.len + (size_t)len);
        if (!proto_next(&rest, field))
            return false;
    }
    stream_skip(s, bytes.len - rest.len);
    return true;
}
