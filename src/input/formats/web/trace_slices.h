/*
 * From the events of a trace to stacks: slices nest by time.
 *
 * A slice is a name and the time between its begin and its end, told by one
 * event that knows both (X), or by one each (B, E). Events may come in any
 * order; nothing is drawn before all are known:
 *
 * 1. B and E, in the order of time and at one time in that of the file, become
 *    slices. An E ends the innermost open slice if it has its name or none;
 *    what began at that very moment may lie in between, and a B of its name
 *    may still come at that moment. Any other E ends nothing. A slice that is
 *    never ended lasts as long as its thread does.
 * 2. All slices are put in order: those that begin first, then the longer,
 *    then those of B and E, then as in the file. So a caller comes before what
 *    it calls, though most tracers write it after.
 * 3. Each thread keeps the slices that are open. Every moment is the time of
 *    the innermost one; what is over is added to its stack and forgotten.
 *
 * A slice that goes on behind the end of the one it began in is cut there, and
 * its rest begins anew; thus the sum of a thread is the time in which any
 * slice was open, and each slice has all of its time. (After MOST_CUTS cuts,
 * it takes the place of what it overlaps instead, which bounds the work.)
 *
 * Memory: the open slices, the rests of cut ones, and what the order of time
 * takes (input/formats/web/trace_sort.h).
 */
#ifndef INPUT_FORMATS_WEB_TRACE_SLICES_H
#define INPUT_FORMATS_WEB_TRACE_SLICES_H

#include "input/formats/web/trace_sort.h"
#include "input/formats/web/trace_threads.h"
#include "input/parse/trace_time.h"

/* The time that was found for a stack. */
struct trace_sum {
    uint64_t ns, slices;
};

struct trace_slices {
    struct builder *builder;
    struct trace_threads *threads;
    struct trace_sort marks, whole; /* B and E; slices */
    struct intern texts;            /* names, by which an E is known to mean a B */
    VEC(uint32_t) entry_of;     /* by text, the builder's entry for a frame of that name alone */
    VEC(uint32_t) text_of;      /* by entry, the text */
    uint32_t series;            /* the first one: its times are summed up in `sums` */
    VEC(struct trace_sum) sums; /* by stack */
    VEC(int64_t) last;          /* by thread, the latest time */
    VEC(bool) carries;          /* by thread, there are slices that take time */
    uint32_t order;             /* of the next event */
    uint64_t unmatched;         /* E that end nothing */
    uint64_t unclosed;          /* B that are never ended */
    uint64_t overlapping;       /* slices that were cut, by more than rounding explains */
};

void trace_slices_init(struct trace_slices *s, struct builder *builder,
                       struct trace_threads *threads);
void trace_slices_release(struct trace_slices *s);

/* The events, times in nanoseconds; `name` may be empty in an E. False where told. */
bool trace_slices_begin(struct trace_slices *s, uint32_t thread, int64_t ns,
                        const struct frame *frame);
bool trace_slices_end(struct trace_slices *s, uint32_t thread, int64_t ns, struct slice name);
bool trace_slices_whole(struct trace_slices *s, uint32_t thread, int64_t ns, int64_t length,
                        const struct frame *frame);

/* All events are there: makes slices of B and E. False where told. */
bool trace_slices_pair(struct trace_slices *s);
/* True where there are slices that take time. */
bool trace_slices_any(const struct trace_slices *s);
/* Adds all slices to the series of an event. False where told. */
bool trace_slices_nest(struct trace_slices *s, struct slice event);

#endif
