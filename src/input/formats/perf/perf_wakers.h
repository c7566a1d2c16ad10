/*
 * Who woke a thread, who woke that one, and so on: the chain behind the end of
 * a time off the CPU.
 *
 * When A is woken by B, and B itself was woken by C since A went to sleep, then
 * A waited for C, too. So the chain of A is B, and what of B's own chain is not
 * older than A's sleep. It ends at a thread that has run all the while, at an
 * interrupt, which means nothing to the thread that it interrupts, at an idle
 * CPU, where it would come back to a thread that is in it (a loop), and at
 * PERF_WAKERS_MOST threads.
 */
#ifndef INPUT_FORMATS_PERF_PERF_WAKERS_H
#define INPUT_FORMATS_PERF_PERF_WAKERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "profile/profile.h"

enum { PERF_WAKERS_MOST = 16 };

struct perf_waker {
    uint64_t task, time_ns; /* of the wake-up */
    uint32_t stack;         /* the process first */
};

struct perf_wakers {
    struct perf_waker items[PERF_WAKERS_MOST]; /* the one that woke the thread first */
    uint32_t count;
    bool certain;     /* told by sched_waking, which happens in the thread that wakes */
    bool looped, cut; /* it ends at a thread that is in it already; at the limit */
};

/* Which symbols are entries of interrupts: by id, 0 as long as that is not known. */
struct perf_interrupts {
    VEC(unsigned char) known;
};

/* Whether the last frames of a stack were called by an interrupt. */
bool perf_wakers_interrupted(struct perf_interrupts *i, const struct profile *p, uint32_t stack);
void perf_wakers_release(struct perf_interrupts *i);

/*
 * `task`, off since then, is woken: fills its chain. `behind` is the chain of
 * the thread that wakes it, NULL where there is none to follow.
 */
void perf_wakers_set(struct perf_wakers *w, uint64_t task, uint64_t since_ns,
                     const struct perf_waker *by, const struct perf_wakers *behind);

#endif
