/*
 * The event line of perf script: who was running, when, and what was counted.
 *
 *     comm  [pid/]tid  [cpu]  seconds.fraction:  period  event:  rest
 *
 * The number of the process, the CPU, the time and the period may be missing,
 * and where there is a time so may the event or the comm, for which the
 * process's number, or else the thread's, then stands; the comm may
 * hold blanks and numbers, the line may begin with blanks, and the rest may be
 * the arguments of a trace point or the one frame of a sample without call
 * chain. The mode and the time of day, printed before the time, are passed
 * over. Nothing is copied: the slices point into the line.
 */
#ifndef INPUT_FORMATS_PERF_PERF_EVENT_H
#define INPUT_FORMATS_PERF_PERF_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/slice.h"
#include "profile/unit.h"

struct perf_event {
    struct slice comm;     /* without blanks at the ends */
    struct slice pid, tid; /* digits or "-1"; pid is empty where the line gives one number only */
    struct slice cpu;      /* digits, empty where it is not printed or known */
    struct slice period;   /* digits, empty where it is not printed */
    struct slice name;     /* "cycles:u", without the last colon; empty where it is not printed */
    struct slice rest;     /* behind the event, without blanks at the ends */
    bool has_time;
    uint64_t time_ns;
};

/* Takes an event line apart; false where it is none. */
bool perf_event_parse(struct slice line, struct perf_event *e);

/*
 * The unit of an event's periods. The CPU and task clocks and the scheduler's
 * statistics count nanoseconds, other events themselves; without a period each
 * record counts as one sample.
 */
struct unit perf_event_unit(const struct perf_event *e);

#endif
