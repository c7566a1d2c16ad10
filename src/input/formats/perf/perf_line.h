/*
 * The lines of perf script, told apart.
 *
 * Each line is classified by itself and never by what came before, so that a
 * file can be cut at any event line and a record lost to damage does not take
 * the next one with it.
 */
#ifndef INPUT_FORMATS_PERF_PERF_LINE_H
#define INPUT_FORMATS_PERF_PERF_LINE_H

#include <stdbool.h>

#include "base/slice.h"
#include "input/formats/perf/perf_event.h"
#include "profile/profile.h"

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
