/*
 * What a recording of perf says of itself: its events, and the sections of its header.
 *
 * A recording in a file has a header, which gives the places of the events' attributes and of
 * the features, in sections after the data. A recording that was written to a pipe has the same
 * as records among the others. Both are gathered in struct perf_header.
 *
 * Source: tools/perf/Documentation/perf.data-file-format.txt of Linux 6.1 and linux/perf_event.h,
 * which has the bits of sample_type, read_format and branch_type.
 */
#ifndef INPUT_FORMATS_PERF_PERF_HEADER_H
#define INPUT_FORMATS_PERF_PERF_HEADER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "input/formats/perf/perf_recorded.h"
#include "input/parse/bytes.h"
#include "profile/profile.h"

enum { PERF_FILE_HEADER = 104, PERF_PIPE_HEADER = 16 }; /* bytes */

/* An event that was recorded. */
struct perf_attr {
    uint32_t type;
    uint64_t config, period, sample_type, read_format, branch_type, regs_user;
    uint64_t regs_intr;
    bool has_sample_id; /* sample_id_all */
    bool inherited;     /* by threads that a recorded thread starts */
    bool no_user, no_kernel, no_hypervisor;
    unsigned precise;
    struct slice name; /* as perf script prints it; empty until it is known */
};

/* The build id of a file, as the recording's list gives it. */
struct perf_build_id {
    struct slice path, id;
};

struct perf_header {
    struct arena texts;
    bool swapped; /* bytes are in the other order */
    bool big;     /* the recording's order is big-endian */
    bool piped;
    uint64_t data,
        data_size; /* place of the records; the size is UINT64_MAX for all that follows */
    uint64_t attrs, attrs_size, attr_size;
    uint64_t features[4];
    bool in_directory; /* more files may have records (perf_stream.h) */
    VEC(struct perf_attr) events;
    struct map ids; /* of events, to the index of an id */
    VEC(uint64_t) id_keys;
    VEC(uint32_t) id_events;
    VEC(struct perf_build_id) build_ids;
    struct perf_recorded recorded; /* files with their symbols, of simpleperf */
    struct slice release;          /* of the kernel */
    struct slice arch;             /* of the machine */
    struct slice tracing_data;     /* formats of trace points, empty if there are none */
    struct slice kallsyms;         /* the kernel's symbols as simpleperf records them, else empty */
};

void perf_header_release(struct perf_header *h);

/*
 * Reads the header at the start of a recording. Returns NULL or what is wrong with it.
 */
const char *perf_header_read(struct perf_header *h, struct slice start);

/* Adds an event from its attribute and the ids of its counters. Returns its index. */
uint32_t perf_header_add_event(struct perf_header *h, struct slice attr);
void perf_header_add_id(struct perf_header *h, uint32_t event, uint64_t id);

/* The event with an id, or UINT32_MAX. */
uint32_t perf_header_find(const struct perf_header *h, uint64_t id);

/* Reads the content of a feature; facts go to the profile. Damaged ones are ignored. */
void perf_header_feature(struct perf_header *h, unsigned feature, struct slice bytes,
                         struct profile *profile);

/* Reads one record of a list of build ids, without its header of 8 bytes. */
void perf_header_build_id(struct perf_header *h, unsigned misc, struct slice bytes);

/* Sets the name of an event, copied. */
void perf_header_name(struct perf_header *h, uint32_t event, struct slice name);

/* Names events that the recording does not name, by their attributes. Call after all features. */
void perf_header_complete(struct perf_header *h);

#endif
