/*
 * The lines of perf script: told apart, and event lines taken apart.
 */
#ifndef INPUT_FORMATS_PERF_PERF_LINE_H
#define INPUT_FORMATS_PERF_PERF_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/slice.h"
#include "profile/profile.h"
#include "profile/unit.h"

/* ---- event lines ----------------------------------------------------------------------------- */

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

/* ---- arguments of trace points and probes ---------------------------------------------------- */

/*
 * The arguments of a trace point or a probe in perf script, and what a probe
 * is of.
 *
 *     kmem:kmalloc: call_site=f+0x1 ptr=0xffff888 bytes_req=100 bytes_alloc=128
 *     probe_libc:malloc: (7f5da47a6930) size=48
 *     probe_libc:malloc__return: (7f5da47a6930 <- 560ef78275c9) ptr=0x7f5d9c000b70
 *
 * A probe is known by the name of its function, behind the colon; perf appends
 * "__return" to those of returns, and "_1" where there are several. Its arguments
 * are called as the user likes, so their order tells what they are.
 */

enum { PERF_ARGS_MOST = 4 };

struct perf_probe {
    struct slice function; /* "malloc", without what libraries put in front */
    bool returns;          /* it is the end of a call */
    uint64_t args[PERF_ARGS_MOST];
    unsigned count; /* of args: those that are numbers, up to the first that is none */
};

/* Takes a probe apart; false where the event is none. */
bool perf_args_probe(const struct perf_event *e, struct perf_probe *probe);

/* The number behind "key=", in hex where it has 0x in front or is an address. */
bool perf_args_number(const struct perf_event *e, struct slice key, uint64_t *value);
bool perf_args_address(const struct perf_event *e, struct slice key, uint64_t *value);

/* ---- kinds of lines -------------------------------------------------------------------------- */

/*
 * The lines of perf script, told apart.
 *
 * Each line is classified by itself and never by what came before, so that a
 * file can be cut at any event line and a record lost to damage does not take
 * the next one with it.
 */

enum perf_line_kind {
    PERF_BLANK,
    PERF_COMMENT,
    PERF_EVENT,
    PERF_FRAME,
    PERF_SOURCE, /* file and line of the frame before: "  main.c:12" */
    PERF_RECORD, /* a record that is no sample: "... PERF_RECORD_LOST lost 12" */
    PERF_EXTRA,  /* more of the sample, of no use here: registers, branches, source code */
    PERF_REMARK, /* what perf says of itself: "Failed to open /tmp/perf-7.map, ..." */
    PERF_OTHER,
};

/* What a line (without LF) is; `e` is filled where it is PERF_EVENT. */
enum perf_line_kind perf_line_classify(struct slice line, struct perf_event *e);

/* Whether the content is perf script's (struct format, claims). */
bool perf_line_claims(struct slice head, bool whole);

/* Keeps what a comment of perf's header says as a fact of the profile. */
void perf_line_note(struct slice comment, struct profile *profile);

#endif
