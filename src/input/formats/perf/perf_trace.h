/*
 * The trace points of a recording: the section of its header that describes them, as the kernel
 * does, and the text of their samples.
 *
 * The section begins with two descriptions of the trace itself; those of events follow, first of
 * ftrace's, then of each system. A section that is damaged describes what is before the damage.
 *
 * Source: tools/perf/util/trace-event-read.c of Linux 6.1.
 */
#ifndef INPUT_FORMATS_PERF_PERF_TRACE_H
#define INPUT_FORMATS_PERF_PERF_TRACE_H

#include "base/buf.h"
#include "base/vec.h"
#include "input/formats/perf/perf_header.h"
#include "input/formats/perf/perf_print.h"

struct perf_point {
    uint64_t id; /* the event's config */
    struct slice system, name, description;
    bool compiled;
    struct perf_print print;
};

struct perf_trace {
    VEC(struct perf_point) points;
    struct buf text;
};

/* Finds the descriptions in `section`, which must outlive `t`; it may be empty. */
void perf_trace_init(struct perf_trace *t, struct slice section);
void perf_trace_release(struct perf_trace *t);

/* Names the trace points that the recording does not name: "sched:sched_switch". */
void perf_trace_name(struct perf_trace *t, struct perf_header *h);

/*
 * The text of a sample, as perf script prints it after the event; valid until the next call. It is
 * empty if the event is no trace point.
 */
struct slice perf_trace_text(struct perf_trace *t, const struct perf_attr *event,
                             struct slice sample, bool swapped);

#endif
