/*
 * What a graph is of: time on the CPU, off it, memory, locks, ...
 *
 * A kind is a row of one table: what the picture is called, which palette it
 * has, what its weights are if the input does not say. It is recognised
 * from the format, the event and the unit of a series, or named by a recipe;
 * what the user sets by other options wins over what a kind sets. A new kind
 * is a row, and a row for each way of recognising it.
 */
#ifndef PREPARE_KIND_H
#define PREPARE_KIND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "profile/profile.h"

enum kind_id {
    KIND_STACKS, /* of no special kind */
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
    KINDS,
};

struct kind {
    const char *name;    /* as --kind has it */
    const char *title;   /* of the picture, before " Flame Graph"; empty for nothing */
    const char *palette; /* layout/palette.h */
    const char *unit;    /* of weights that are mere samples; NULL leaves them so */
    const char *about;   /* one line */
    uint64_t each;       /* bytes that each counted thing stands for; 0 if that means nothing */
    bool waits;          /* its threads are off the CPU: waiting is what it shows */
};

/* The table, by enum kind_id; a row without a name ends it. */
extern const struct kind kinds[KINDS + 1];

/* The kind of that name, or NULL. */
const struct kind *kind_find(struct slice name);

/* What a series is by itself; the first row if nothing is recognised. */
const struct kind *kind_recognise(const struct profile *p, uint32_t series);

/*
 * The greatest number of wakers' stacks after a blocked one: 0 if there are
 * none, else 1, or 2 for any more.
 */
unsigned kind_count_wakers(const struct profile *p);

#endif
