/*
 * The messages of pprof's profiles: protobuf-c.
 *
 * A profile is one message whose fields are further messages, a hundred
 * megabytes of them. Its outer level is walked here field by field, in place,
 * and each inner message is decoded alone, so that memory follows the largest
 * message and not the file. What protobuf-c asks for comes out of one small
 * arena that the next message uses again; a message that wants more than
 * PPROF_PROTO_MOST bytes is refused. Samples, which nearly all of a profile
 * is, are walked as well: lists of numbers, whose messages and labels
 * protobuf-c would allocate one by one.
 *
 * Texts are numbers here: indexes into the profile's table of strings.
 */
#ifndef INPUT_FORMATS_GO_PPROF_PROTO_H
#define INPUT_FORMATS_GO_PPROF_PROTO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/slice.h"
#include "base/vec.h"

/*
 * The wire format of protobuf, walked in place.
 */

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
bool pprof_proto_long_varint(struct slice *rest, uint64_t *value);
static inline bool pprof_proto_varint(struct slice *rest, uint64_t *value)
{
    const unsigned char *p = (const unsigned char *)rest->ptr;
    size_t size = 1;

    if (rest->len && p[0] < PPROF_MORE) {
        *value = p[0];
    } else if (rest->len > 1 && p[1] < PPROF_MORE) {
        *value = (p[0] & (PPROF_MORE - 1u)) | (unsigned)p[1] << 7;
        size = 2;
    } else {
        return pprof_proto_long_varint(rest, value);
    }
    rest->ptr += size;
    rest->len -= size;
    return true;
}

/* The same for a field; most are bytes, not very many, with a small number. */
bool pprof_proto_any(struct slice *rest, struct pprof_field *field);
static inline bool pprof_proto_next(struct slice *rest, struct pprof_field *field)
{
    enum { LONGEST = 3 };
    const unsigned char *p = (const unsigned char *)rest->ptr;
    size_t header = 2, len;

    if (rest->len < LONGEST || (p[0] & (PPROF_MORE | 7)) != PPROF_BYTES || p[0] < 8)
        return pprof_proto_any(rest, field);
    len = p[1];
    if (len >= PPROF_MORE) {
        len = (len & (PPROF_MORE - 1)) | (size_t)p[2] << 7;
        header = LONGEST;
    }
    if ((header == LONGEST && p[2] >= PPROF_MORE) || len > rest->len - header)
        return pprof_proto_any(rest, field);
    field->number = p[0] >> 3;
    field->wire = PPROF_BYTES;
    field->bytes = slice_make(rest->ptr + header, len);
    rest->ptr += header + len;
    rest->len -= header + len;
    return true;
}

/* The same for a varint with a small number; false, taking nothing, for any other field. */
static inline bool pprof_proto_number(struct slice *rest, struct pprof_field *field)
{
    struct slice at = slice_skip(*rest, 1);
    unsigned key = rest->len ? (unsigned char)*rest->ptr : 0;

    if (key < 8 || (key & (PPROF_MORE | 7)) != PPROF_VARINT ||
        !pprof_proto_varint(&at, &field->value))
        return false;
    field->number = key >> 3;
    field->wire = PPROF_VARINT;
    *rest = at;
    return true;
}

/* Takes the key and, of a field of bytes, the length, which may be more than is there. */
bool pprof_proto_key(struct slice *rest, struct pprof_field *field, uint64_t *len);

/* What one decoded message may take; a sample of a million frames takes 16 MB. */
enum { PPROF_PROTO_MOST = 256 * 1024 * 1024 };

/* The fields of a profile. */
enum pprof_number {
    PPROF_SAMPLE_TYPE = 1,
    PPROF_SAMPLE = 2,
    PPROF_MAPPING = 3,
    PPROF_LOCATION = 4,
    PPROF_FUNCTION = 5,
    PPROF_STRING = 6,
    PPROF_DROP_FRAMES = 7,
    PPROF_KEEP_FRAMES = 8,
    PPROF_TIME = 9,
    PPROF_DURATION = 10,
    PPROF_PERIOD_TYPE = 11,
    PPROF_PERIOD = 12,
    PPROF_COMMENT = 13,
    PPROF_DEFAULT_TYPE = 14,
    PPROF_DOC_URL = 15,
};

/*
 * Whether all fields of a profile in `bytes`, and the fields in them, are such
 * as a profile has: numbers, wire types, an empty first string. A profile that
 * was cut fits as well where enough of it is there.
 */
bool pprof_proto_fits(struct slice bytes, bool whole);

/* ---- messages ------------------------------------------------------------------------------ */

struct pprof_type {
    int64_t name, unit;
};

struct pprof_label {
    int64_t key, text, number; /* `text` 0: the number is the value */
};

struct pprof_sample {
    struct slice packed;       /* the locations as they are written, where that is one list */
    const uint64_t *locations; /* ids, leaf first, by pprof_proto_locations() */
    const int64_t *values;     /* one for each type */
    const struct pprof_label *labels;
    size_t location_count, value_count, label_count;
};

struct pprof_mapping {
    uint64_t id, start, limit, offset;
    int64_t file;
};

struct pprof_line {
    uint64_t function;
    int64_t line;
};

struct pprof_location {
    uint64_t id, mapping, address;
    const struct pprof_line *lines; /* innermost first */
    size_t line_count;
};

struct pprof_function {
    uint64_t id;
    int64_t name, system_name, file;
};

struct pprof_numbers VEC_OF(uint64_t);

/* The decoder: where the messages live. What one gave is gone with the next one. */
struct pprof_proto {
    char *room; /* PPROF_PROTO_ROOM bytes */
    size_t used;
    struct arena more; /* what does not fit there */
    size_t spent;
    struct pprof_numbers locations, values; /* of the sample in hand */
    struct slice packed;                    /* its locations that were not asked for */
    VEC(struct pprof_label) labels;
};

void pprof_proto_init(struct pprof_proto *p);
void pprof_proto_release(struct pprof_proto *p);

/* False where the bytes are not such a message, or it wants too much. */
bool pprof_proto_type(struct pprof_proto *p, struct slice bytes, struct pprof_type *out);
bool pprof_proto_sample(struct pprof_proto *p, struct slice bytes, struct pprof_sample *out);
bool pprof_proto_locations(struct pprof_proto *p, struct pprof_sample *sample);
bool pprof_proto_mapping(struct pprof_proto *p, struct slice bytes, struct pprof_mapping *out);
bool pprof_proto_location(struct pprof_proto *p, struct slice bytes, struct pprof_location *out);
bool pprof_proto_function(struct pprof_proto *p, struct slice bytes, struct pprof_function *out);

#endif
