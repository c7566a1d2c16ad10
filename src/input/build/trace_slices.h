/*
 * From the events of a trace to stacks: slices nest by time.
 *
 * A slice is a name with a begin and an end, stated by one event (X) or by two
 * (B, E). Events may come in any order; no stack is made before all are read:
 *
 * 1. B and E become slices, in the order of time and, at equal times, in that of
 *    the file. An E ends the innermost open slice if it has that slice's name
 *    or none. Slices that began at the time of the E may lie in between, the B
 *    may follow the E if both have the same time, and so may the E of callees.
 *    Any other E ends nothing. A slice without an end lasts until the last
 *    event of its thread.
 * 2. All slices are sorted: by begin, then longest first, then B and E before X,
 *    then in the order of the file. So a caller precedes its callees, although
 *    most tracers write it after them.
 * 3. Each thread has a stack of open slices. Time is charged to the innermost
 *    one; a slice that ended is added to its stack and dropped.
 *
 * A slice that ends after the slice it began in is cut at that end, and its rest
 * begins anew there. So a thread's sum is the time in which any slice was open,
 * and each slice keeps all of its time. (After MOST_CUTS cuts it replaces the
 * slice that it overlaps instead, which bounds the work.)
 *
 * Memory: the open slices, the rests of cut slices, and the sort (trace_sort.h).
 */
#ifndef INPUT_BUILD_TRACE_SLICES_H
#define INPUT_BUILD_TRACE_SLICES_H

#include "input/build/trace_sort.h"
#include "input/build/trace_threads.h"
#include "input/parse/trace_time.h"

/* The sum for a stack. */
struct trace_sum {
    uint64_t ns, slices;
};

struct trace_slices {
    struct builder *builder;
    struct trace_threads *threads;
    unsigned workers;               /* threads of the program that may nest slices; 0 counts as 1 */
    struct trace_sort marks, whole; /* B and E; complete slices */
    struct intern texts;            /* names, by which an E is matched with a B */
    VEC(uint32_t) entry_of;         /* indexed by text: the entry of a frame of that name alone */
    VEC(uint32_t) text_of;          /* indexed by entry: the text */
    uint32_t series;                /* the first one: its times are added up in `sums` */
    VEC(struct trace_sum) sums;     /* indexed by stack */
    VEC(int64_t) last;              /* indexed by thread: the latest time */
    VEC(bool) carries;              /* indexed by thread: it has slices with a duration */
    uint32_t asked;                 /* questions; their answer is given to: */
    bool (*answer)(void *context, uint32_t stack, int64_t ns, uint32_t what, uint64_t weight);
    void *context;
    uint32_t order;       /* of the next event */
    uint64_t unmatched;   /* E that end nothing */
    uint64_t unclosed;    /* B that are never ended */
    uint64_t overlapping; /* slices that were cut, by more than rounding explains */
    uint64_t covered;     /* slices left out because others have their time */
};

void trace_slices_init(struct trace_slices *s, struct builder *builder,
                       struct trace_threads *threads);
void trace_slices_release(struct trace_slices *s);

/*
 * Add events, times in nanoseconds; `name` may be empty in an E. Return false after reporting an
 * error.
 */
bool trace_slices_begin(struct trace_slices *s, uint32_t thread, int64_t ns,
                        const struct frame *frame);
bool trace_slices_end(struct trace_slices *s, uint32_t thread, int64_t ns, struct slice name);
bool trace_slices_whole(struct trace_slices *s, uint32_t thread, int64_t ns, int64_t length,
                        const struct frame *frame);

/*
 * Asks for the stack of a thread at `ns`. While slices are nested, answer() gets the stack of all
 * slices that began then or earlier and go on, with `what` and `weight`; it returns false after
 * reporting an error. Times are above -TRACE_SLICES_RANGE, the weight is below it.
 */
#define TRACE_SLICES_RANGE ((int64_t)1 << 61)
bool trace_slices_ask(struct trace_slices *s, uint32_t thread, int64_t ns, uint32_t what,
                      uint64_t weight);

/* After the last event: makes slices of B and E. Returns false after reporting an error. */
bool trace_slices_pair(struct trace_slices *s);
/* Returns true if any slice has a duration. */
bool trace_slices_any(const struct trace_slices *s);
/* Adds all slices to the series of an event. Returns false after reporting an error. */
bool trace_slices_nest(struct trace_slices *s, struct slice event);
/* Reports what is odd about the slices, after all were nested. */
void trace_slices_tell(const struct trace_slices *s, struct diag *diag);

#endif
