/*
 * Records of a trace in the order of time, however many there are.
 *
 * Tracers write slices when they begin, when they end, or thread by thread.
 * So the records of a file are sorted: in memory as long as there are few, in
 * parts that wait in a file without a name ($TMPDIR or /tmp) and are merged
 * when there are more than TRACE_SORT_HELD. Memory is bounded by that number,
 * some 64 bytes for each while they are sorted; the file takes 32 bytes for
 * each record. Records that come in order are never sorted.
 */
#ifndef INPUT_FORMATS_WEB_TRACE_SORT_H
#define INPUT_FORMATS_WEB_TRACE_SORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/vec.h"

enum { TRACE_SORT_HELD = 1 << 18 };

/* Sorted by group, then begin, then the later end first, then order, which is to be unique. */
struct trace_record {
    int64_t begin, end; /* ns */
    uint32_t group, order;
    uint32_t thread, name; /* not looked at */
};

struct trace_records VEC_OF(struct trace_record);

/* A part that waits in the file: what of it was not read back, and the piece that was. */
struct trace_part {
    uint64_t at, left; /* in the file: byte, records */
    struct trace_records piece;
    size_t used;
};

struct trace_sort {
    struct diag *diag;
    struct trace_records held;
    bool in_order; /* what is held came in order */
    bool grouped;  /* there are groups in it */
    size_t given;  /* of what is held */
    int fd;        /* -1 while there is no file */
    uint64_t written;
    VEC(struct trace_part) parts;
    VEC(uint32_t) heap; /* parts that have records, the one with the next record first */
};

void trace_sort_init(struct trace_sort *s, struct diag *diag);
void trace_sort_release(struct trace_sort *s);

/* Adds a record. False where told: the file cannot be written. */
bool trace_sort_add(struct trace_sort *s, struct trace_record r);

/* All records are there. False where told. */
bool trace_sort_finish(struct trace_sort *s);

/* The next record: 1, or 0 behind the last one, or -1 where told. */
int trace_sort_next(struct trace_sort *s, struct trace_record *r);

#endif
