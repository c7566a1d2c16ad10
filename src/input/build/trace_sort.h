/*
 * Sorts the records of a trace by time, in bounded memory.
 *
 * Tracers write slices when they begin, when they end, or thread by thread. Up
 * to TRACE_SORT_HELD records are sorted in memory; more are sorted in parts,
 * which are kept in an unnamed temporary file ($TMPDIR or /tmp) and merged. That
 * takes about 64 bytes of memory for each record held, and 32 bytes of the file
 * for each record. Records that arrive in order are not sorted.
 */
#ifndef INPUT_BUILD_TRACE_SORT_H
#define INPUT_BUILD_TRACE_SORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/vec.h"

enum { TRACE_SORT_HELD = 1 << 18 };

/* Sorted by group, begin, later end first, then order, which must be unique. */
struct trace_record {
    int64_t begin, end; /* ns */
    uint32_t group, order;
    uint32_t thread, name; /* not used by the sort */
};

struct trace_records VEC_OF(struct trace_record);

/* A sorted part in the file: what was not read back yet, and the piece in memory. */
struct trace_part {
    uint64_t at, left; /* in the file: byte offset, records */
    struct trace_records piece;
    size_t used;
};

struct trace_sort {
    struct diag *diag;
    struct trace_records held;
    bool in_order;  /* the records in memory arrived in order */
    bool grouped;   /* the records in memory have groups */
    size_t given;   /* number of records in memory already returned */
    int fd;         /* -1 if there is no file */
    bool in_memory; /* the file is held by the kernel's memory */
    uint64_t written;
    VEC(struct trace_part) parts;
    VEC(uint32_t) heap; /* parts with records left, the one with the next record on top */
};

void trace_sort_init(struct trace_sort *s, struct diag *diag);
void trace_sort_release(struct trace_sort *s);

/* Adds a record. Returns false after reporting that the file cannot be written. */
bool trace_sort_add(struct trace_sort *s, struct trace_record r);

/* Call it after the last record. Returns false after reporting an error. */
bool trace_sort_finish(struct trace_sort *s);

/* Gets the next record. Returns 1, 0 at the end, or -1 after reporting an error. */
int trace_sort_next(struct trace_sort *s, struct trace_record *r);

#endif
