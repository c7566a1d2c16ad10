/*
 * Kinds of graph: on-CPU time, off-CPU time, memory, locks, ...
 *
 * A kind is a row of one table: the title of the picture, its palette, and the
 * unit of its weights if the input does not state one. A kind is recognised
 * from the format, the event and the unit of a series, or named by a recipe.
 * Options of the user take precedence over what a kind sets. A new kind needs a
 * row, and a row for each way of recognising it.
 */
#ifndef PREPARE_KIND_H
#define PREPARE_KIND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "profile/profile.h"

enum kind_id {
    KIND_STACKS, /* no special kind */
    KIND_CPU,
    KIND_WALL,
    KIND_OFF_CPU,
    KIND_WAKEUP,
    KIND_WAKEUPS,
    KIND_OFF_WAKE,
    KIND_CHAIN,
    KIND_HEATMAP, /* drawn as a heat map instead of a flame graph */
    KIND_HOTCOLD, /* made of two series (prepare/hotcold.h) */
    KIND_SWITCHES,
    KIND_IO,
    KIND_IO_TIME,
    KIND_LOCKS,
    KIND_LOCK_WAIT,
    KIND_COND_WAIT,
    KIND_JOIN_WAIT,
    KIND_FUTEX_WAIT,
    KIND_LOCK_HOLD,
    KIND_CPI, /* made of two counters (prepare/counters.h) */
    KIND_CACHE_MISSES,
    KIND_BRANCH_MISSES,
    KIND_STALLS,
    KIND_MEMORY,
    KIND_MALLOC,
    KIND_ALLOCATIONS,
    KIND_HEAP,
    KIND_OBJECTS,
    KIND_LEAK,
    KIND_BRK,
    KIND_MMAP,
    KIND_PAGE_FAULTS,
    KIND_GPU,
    KIND_GPU_KERNELS,
    KINDS,
};

struct kind {
    const char *name;    /* the value of --kind */
    const char *title;   /* of the picture, before " Flame Graph"; empty for nothing */
    const char *palette; /* layout/palette.h */
    const char *unit;    /* replaces "samples" as the unit of weights; NULL: samples stay */
    const char *about;   /* one line */
    uint64_t each;       /* bytes per counted thing; 0 if things have no size */
    bool waits;          /* shows waiting, so --idle=drop also drops threads that wait for work */
};

/* The table of kinds, indexed by enum kind_id; a row without a name ends it. */
extern const struct kind kinds[KINDS + 1];

/* Returns the kind called `name`, or NULL. */
const struct kind *kind_find(struct slice name);

/* Returns the kind that a series is recognised as, or the first row of the table. */
const struct kind *kind_recognise(const struct profile *p, uint32_t series);

/*
 * Returns the greatest number of wakers' stacks above a blocked stack: 0, 1, or 2
 * for two and more.
 */
unsigned kind_count_wakers(const struct profile *p);

#endif
