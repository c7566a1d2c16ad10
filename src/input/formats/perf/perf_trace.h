/*
 * The trace points of a recording: the section of its header that describes them, as the kernel
 * does, and the fields of their samples.
 *
 * The section begins with two descriptions of the trace itself; those of events follow, first of
 * ftrace's, then of each system. A section that is damaged describes what is before the damage.
 *
 * Source: tools/perf/util/trace-event-read.c of Linux 6.1.
 */
#ifndef INPUT_FORMATS_PERF_PERF_TRACE_H
#define INPUT_FORMATS_PERF_PERF_TRACE_H

#include "base/vec.h"
#include "input/formats/perf/perf_header.h"
#include "input/formats/perf/perf_layout.h"

struct perf_point {
    uint64_t id; /* the event's config */
    struct slice system, name, description;
    bool known; /* `layout` is ready */
    struct perf_layout layout;
};

struct perf_trace {
    VEC(struct perf_point) points;
    struct perf_fields fields; /* of the current sample */
};

/* Finds the descriptions in `section`, which must outlive `t`; it may be empty. */
void perf_trace_init(struct perf_trace *t, struct slice section);
void perf_trace_release(struct perf_trace *t);

/* Names the trace points that the recording does not name: "sched:sched_switch". */
void perf_trace_name(struct perf_trace *t, struct perf_header *h);

/*
 * Returns the fields of a sample, or NULL if the event is no trace point. They are valid until the
 * next call.
 */
const struct perf_fields *perf_trace_fields(struct perf_trace *t, const struct perf_attr *event,
                                            struct slice sample, bool swapped);

#endif
