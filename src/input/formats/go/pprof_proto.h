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
#include "input/parse/proto.h"

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
