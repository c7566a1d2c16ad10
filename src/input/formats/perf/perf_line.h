/* The lines of perf script: their kinds, and the fields of event lines. */
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
 * The event line: what was running, when, and what was counted.
 *
 *     comm  [pid/]tid  [cpu]  seconds.fraction:  period  event:  rest
 *
 * The process number, the CPU, the time and the period may be missing. If there is a time,
 * the event may be missing, too, or the comm, which the process or thread number then
 * replaces. The comm may contain blanks and numbers. The line may begin with blanks. The
 * rest may be the arguments of a trace point, or the one frame of a sample without a call
 * chain. The mode and the time of day, printed before the time, are skipped. The slices
 * point into the line.
 */

/* A process number that is not printed; a thread that has exited has the number -1. */
#define PERF_NO_ID INT64_MIN

struct perf_fields;

struct perf_event {
    struct slice comm;   /* without blanks at the ends */
    int64_t pid, tid;    /* negative if not known; pid is PERF_NO_ID if the line has one number */
    struct slice cgroup; /* the path of the control group; only perf.data has it */
    struct slice name;   /* "cycles:u", without the last colon; empty if it is not printed */
    struct slice rest;   /* after the event, without blanks at the ends */
    bool has_time, has_cpu, has_period;
    uint64_t time_ns, cpu, period;
    const struct perf_fields *fields; /* NULL if the event has none or nobody needs them */
    struct slice too_high;            /* the digits of a period that exceeds 64 bits, else empty */
};

/* Returns the number of the process; that of the thread if the line has only this. */
static inline int64_t perf_event_process(const struct perf_event *e)
{
    return e->pid == PERF_NO_ID ? e->tid : e->pid;
}

/* Parses an event line. Returns false if the line is none. */
bool perf_event_parse(struct slice line, struct perf_event *e);

/*
 * The unit of an event's periods. The CPU and task clocks and the scheduler's
 * statistics count nanoseconds, other events themselves; without a period each
 * record counts as one sample.
 */
struct unit perf_event_unit(const struct perf_event *e);

/* ---- kinds of lines -------------------------------------------------------------------------- */

/*
 * Kinds of lines. Each line is classified by itself and never by the lines before it, so
 * that a file can be cut at any event line, and a damaged record does not affect the next
 * one.
 */

/* Ends an inlined frame, after its place in the source if that is printed. */
#define PERF_LINE_INLINED " (inlined)"

enum perf_line_kind {
    PERF_BLANK,
    PERF_COMMENT,
    PERF_EVENT,
    PERF_FRAME,
    PERF_CHAIN,  /* "sh 7 1.5: DEFERRED CALLCHAIN [cookie: 3]", before a chain of its own */
    PERF_COOKIE, /* "3 (cookie) ([unknown])": a frame in the place of such a chain */
    PERF_SOURCE, /* file and line of the frame before: "  main.c:12" */
    PERF_RECORD, /* a record that is no sample: "... PERF_RECORD_LOST lost 12" */
    PERF_EXTRA,  /* more of the sample, of no use here: registers, branches, source code */
    PERF_REMARK, /* a message of perf */
    PERF_OTHER,
};

/* Returns the kind of a line (without LF); fills `e` if the kind is PERF_EVENT or PERF_CHAIN. */
enum perf_line_kind perf_line_classify(struct slice line, struct perf_event *e);

/*
 * Returns the cookie that joins the samples and the user call chains of a thread, which perf script
 * --no-merge-callchains prints apart: of a PERF_CHAIN, by its event's `rest`, or of a PERF_COOKIE.
 */
uint64_t perf_line_cookie(struct slice text);

/* Returns true if the first bytes of an input have such chains. */
bool perf_line_has_chains(struct slice start);

/* Whether the content is perf script's (struct format, claims). */
bool perf_line_claims(struct slice head, bool whole);

/*
 * Keeps a comment of perf's header as a fact of the profile, and an event in its list. Fixed
 * periods become the facts "period" (perf record -c) and "period of EVENT".
 */
void perf_line_note(struct slice comment, struct profile *profile);

#endif
