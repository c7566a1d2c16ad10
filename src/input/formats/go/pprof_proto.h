/*
 * Decoding pprof's protobuf messages.
 *
 * A profile is one message of up to hundreds of megabytes, whose fields are
 * messages. The outer level is walked field by field, in place, and protobuf-c
 * decodes each inner message alone, so that memory depends on the largest
 * message and not on the file. A message is valid until the next one is
 * decoded; one that needs more than PPROF_PROTO_MOST bytes is refused.
 * Samples, most of a profile, are walked in place as well, because protobuf-c
 * would allocate each of their lists and labels.
 *
 * Texts are indexes into the profile's string table.
 */
#ifndef INPUT_FORMATS_GO_PPROF_PROTO_H
#define INPUT_FORMATS_GO_PPROF_PROTO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/slice.h"
#include "base/vec.h"

/* ---- protobuf's wire format ---------------------------------------------------------------- */

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
    struct slice bytes; /* of any other field; points into the content */
};

/* Set in all bytes of a varint but the last. */
enum { PPROF_MORE = 0x80 };

/*
 * Takes a varint off `*rest`; one or two bytes are the fast path. Returns
 * false and takes nothing if there is no complete varint.
 */
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

/*
 * Takes a field off `*rest`; short bytes with a small field number are the
 * fast path. Returns false and takes nothing if there is no complete field.
 */
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

/* Takes a varint field with a number below 16. Returns false and takes nothing otherwise. */
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

/* Takes a field's key and, for bytes, their length, which may exceed `*rest`. */
bool pprof_proto_key(struct slice *rest, struct pprof_field *field, uint64_t *len);

/* ---- messages ------------------------------------------------------------------------------ */

/* Most memory, in bytes, that one decoded message may need; a million frames need 16 MB. */
enum { PPROF_PROTO_MOST = 256 * 1024 * 1024 };

/* Field numbers of the profile. */
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
 * Whether `bytes` are the start of a profile: field numbers and wire types at
 * both levels fit, and the first string is empty. `whole` means that the file
 * has no more bytes; a truncated profile is accepted given enough evidence.
 */
bool pprof_proto_fits(struct slice bytes, bool whole);

struct pprof_type {
    int64_t name, unit;
};

struct pprof_label {
    int64_t key, text, number; /* `number` is the value if `text` is 0 */
};

struct pprof_sample {
    struct slice packed;       /* encoded locations, or empty if they are not one packed list */
    const uint64_t *locations; /* ids, leaf first; set by pprof_proto_locations() */
    const int64_t *values;     /* one for each sample type */
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

/* The decoder, which owns the decoded message. */
struct pprof_proto {
    char *room; /* PPROF_PROTO_ROOM bytes */
    size_t used;
    struct arena more; /* for messages larger than `room` */
    size_t spent;
    struct pprof_numbers locations, values; /* of the current sample */
    struct slice packed;                    /* the current sample's locations, not yet decoded */
    VEC(struct pprof_label) labels;
};

void pprof_proto_init(struct pprof_proto *p);
void pprof_proto_release(struct pprof_proto *p);

/*
 * Decode one message. Return false if the bytes are malformed or need too much
 * memory. The locations of a sample are decoded on demand.
 */
bool pprof_proto_type(struct pprof_proto *p, struct slice bytes, struct pprof_type *out);
bool pprof_proto_sample(struct pprof_proto *p, struct slice bytes, struct pprof_sample *out);
bool pprof_proto_locations(struct pprof_proto *p, struct pprof_sample *sample);
bool pprof_proto_mapping(struct pprof_proto *p, struct slice bytes, struct pprof_mapping *out);
bool pprof_proto_location(struct pprof_proto *p, struct slice bytes, struct pprof_location *out);
bool pprof_proto_function(struct pprof_proto *p, struct slice bytes, struct pprof_function *out);

#endif
