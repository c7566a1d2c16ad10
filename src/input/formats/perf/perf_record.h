/*
 * One record of a recording of perf: its header, its time, and, of a sample, the fields that its
 * event was recorded with.
 *
 * Source: include/uapi/linux/perf_event.h of Linux 6.1.
 */
#ifndef INPUT_FORMATS_PERF_PERF_RECORD_H
#define INPUT_FORMATS_PERF_PERF_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "input/formats/perf/perf_header.h"

enum { PERF_RECORD_HEADER = 8 }; /* bytes */

enum perf_record_type {
    PERF_RECORD_MMAP = 1,
    PERF_RECORD_LOST = 2,
    PERF_RECORD_COMM = 3,
    PERF_RECORD_FORK = 7,
    PERF_RECORD_SAMPLE = 9,
    PERF_RECORD_MMAP2 = 10,
    PERF_RECORD_LOST_SAMPLES = 13,
    PERF_RECORD_KSYMBOL = 17,
    PERF_RECORD_USER = 64, /* from here on they are of perf, not of the kernel */
    PERF_RECORD_HEADER_ATTR = 64,
    PERF_RECORD_TRACING_DATA = 66,
    PERF_RECORD_BUILD_ID = 67,
    PERF_RECORD_FINISHED_ROUND = 68,
    PERF_RECORD_AUXTRACE_INFO = 70,
    PERF_RECORD_AUXTRACE = 71,
    PERF_RECORD_EVENT_UPDATE = 78,
    PERF_RECORD_FEATURE = 80,
    PERF_RECORD_COMPRESSED = 81,
    PERF_RECORD_COMPRESSED2 = 83,
};

/* Where the CPU was, in the lowest bits of `misc`. */
enum perf_cpu_mode {
    PERF_MODE_UNKNOWN,
    PERF_MODE_KERNEL,
    PERF_MODE_USER,
    PERF_MODE_HYPERVISOR,
    PERF_MODE_GUEST_KERNEL,
    PERF_MODE_GUEST_USER,
    PERF_MODE_MASK = 7,
};

/* Other bits of `misc`. */
enum {
    PERF_MISC_RUNNING = 1 << 13,  /* FORK: perf made it of a process that was running */
    PERF_MISC_BUILD_ID = 1 << 14, /* MMAP2: has a build id in place of an inode */
};

struct perf_record {
    uint32_t type;
    uint16_t misc, size;
    struct slice bytes; /* after the header */
    uint64_t offset;    /* in the recording, for messages */
};

/* Addresses from here on are not addresses, but say of what the following ones are. */
#define PERF_CONTEXT_FIRST ((uint64_t)-4095)
#define PERF_CONTEXT_HYPERVISOR ((uint64_t)-32)
#define PERF_CONTEXT_KERNEL ((uint64_t)-128)
#define PERF_CONTEXT_USER ((uint64_t)-512)

/* What is not recorded is 0 or empty. The slices point into the record. */
struct perf_sample {
    const struct perf_attr *event;
    bool has_time, has_cpu;
    uint64_t ip, time_ns, id, period;
    uint32_t pid, tid, cpu;
    struct slice values;   /* of the event's group: pairs of value and id, as read_format says */
    struct slice chain;    /* of the call: addresses of 64 bits */
    struct slice raw;      /* of a trace point */
    struct slice branches; /* three numbers each: from, to, flags */
    uint64_t regs_abi;
    struct slice regs;  /* of the user, by the mask regs_user of the event */
    struct slice stack; /* of the user, copied from the stack pointer on */
};

/* Reads a sample. Returns false if it is cut or of no known event. */
bool perf_record_sample(const struct perf_header *h, const struct perf_record *r,
                        struct perf_sample *out);

/* The time of a record, 0 if it has none. */
uint64_t perf_record_time(const struct perf_header *h, const struct perf_record *r);

#endif
