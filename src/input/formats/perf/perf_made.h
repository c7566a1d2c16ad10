/*
 * What is made of events in perf script beside the series that count them:
 * bytes of memory, what of it is not freed, time between events, time that
 * locks are held.
 *
 * Each is made by a maker of its own, which is at work where the first bytes
 * of the input show its events. They all begin and end anywhere, so the input
 * is read in one piece.
 */
#ifndef INPUT_FORMATS_PERF_PERF_MADE_H
#define INPUT_FORMATS_PERF_PERF_MADE_H

#include <stdbool.h>
#include <stdint.h>

#include "input/formats/perf/perf_allocs.h"
#include "input/formats/perf/perf_event.h"
#include "input/formats/perf/perf_holds.h"
#include "input/formats/perf/perf_memory.h"
#include "input/formats/perf/perf_origin.h"
#include "input/formats/perf/perf_waits.h"
#include "input/core/text.h"

struct perf_made {
    bool any, maps, allocates, waits, holds; /* whether each is at work */
    struct perf_memory memory;
    struct perf_allocs allocs;
    struct perf_waits wait;
    struct perf_holds hold;
};

/* Whether the first bytes of an input hold events that something is made of. */
bool perf_made_is_in(struct slice start);

/* `origins` is NULL where samples are not told apart. */
void perf_made_init(struct perf_made *m, const struct text *t, struct perf_origins *origins);
void perf_made_release(struct perf_made *m);

/* All return false where the sums do not fit in 64 bits. */
/* A sample begins. */
bool perf_made_open(struct perf_made *m, const struct perf_event *e);
/* It is complete, with its stack. */
bool perf_made_close(struct perf_made *m, uint32_t stack);
/* All is read. */
bool perf_made_end(struct perf_made *m);

#endif
