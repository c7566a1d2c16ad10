/*
 * One record of a recording of perf: its header, its time, and, of a sample, the fields that its
 * event was recorded with.
 */
#ifndef INPUT_FORMATS_PERF_PERF_RECORD_H
#define INPUT_FORMATS_PERF_PERF_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "input/formats/perf/perf_header.h"

enum { PERF_RECORD_HEADER = 8 }; /* bytes */

/* A cookie follows it in a call chain, for the user's part of which there is another record. */
#define PERF_DEFERRED_CONTEXT ((uint64_t)-640)

/* The types that perf writes; linux/perf_event.h has those of the kernel. */
enum perf_record_type {
    PERF_RECORD_DEFERRED = 22,                      /* of the kernel since Linux 6.19 */
    PERF_RECORD_KERNEL_LAST = PERF_RECORD_DEFERRED, /* that is known */
    PERF_RECORD_USER = 64,                          /* from here on */
    PERF_RECORD_HEADER_ATTR = 64,
    PERF_RECORD_TRACING_DATA = 66,
    PERF_RECORD_BUILD_ID = 67,
    PERF_RECORD_FINISHED_ROUND = 68,
    PERF_RECORD_AUXTRACE_INFO = 70,
    PERF_RECORD_AUXTRACE = 71,
    PERF_RECORD_STAT_CONFIG = 75, /* of perf stat record */
    PERF_RECORD_EVENT_UPDATE = 78,
    PERF_RECORD_FEATURE = 80,
    PERF_RECORD_COMPRESSED = 81,
    PERF_RECORD_COMPRESSED2 = 83,
    PERF_RECORD_USER_LAST = 86,     /* that is known: perf sched stats, of a domain */
    PERF_RECORD_SIMPLEPERF = 32768, /* simpleperf's own, whose sizes have 32 bits; from here on */
    PERF_RECORD_KERNEL_SYMBOLS = 32769,
    PERF_RECORD_EVENT_IDS = 32774,
    PERF_RECORD_TRACE_FORMATS = 32777,
};

struct perf_record {
    uint32_t type;
    uint16_t misc;
    uint32_t size;
    struct slice bytes; /* after the header */
    uint64_t offset;    /* in the recording, for messages */
};

/* What is not recorded is 0 or empty. The slices point into the record. */
struct perf_sample {
    const struct perf_attr *event;
    bool has_time, has_cpu, has_cgroup;
    uint64_t ip, time_ns, id, period, cgroup;
    uint32_t pid, tid, cpu;
    struct slice values;   /* of the event, or of its group: counters, each with its id */
    size_t each;           /* words of 64 bits of a counter */
    size_t id_at;          /* the word of a counter that is its id; the first one is its value */
    struct slice chain;    /* of the call: addresses of 64 bits */
    struct slice raw;      /* of a trace point */
    struct slice branches; /* three numbers each: from, to, flags */
    uint64_t regs_abi;
    struct slice regs;  /* of the user, by the mask regs_user of the event */
    struct slice stack; /* of the user, copied from the stack pointer on */
};

/* A user call chain that was recorded when its thread returned from the kernel. */
struct perf_calls {
    uint64_t cookie; /* as in the samples that it belongs to */
    uint32_t pid, tid;
    struct slice chain;
};

/* Reads a sample. Returns false if it is cut or of no known event. */
bool perf_record_sample(const struct perf_header *h, const struct perf_record *r,
                        struct perf_sample *out);

/* Reads a deferred call chain. Returns false if it is cut or does not name its thread. */
bool perf_record_deferred(const struct perf_header *h, const struct perf_record *r,
                          struct perf_calls *out);

/* The time of a record, 0 if it has none. */
uint64_t perf_record_time(const struct perf_header *h, const struct perf_record *r);

#endif
