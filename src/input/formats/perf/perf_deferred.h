/*
 * Samples that wait for their user call chain.
 *
 * With perf record --call-graph fp,defer (Linux 6.19) a sample that was taken in the kernel has
 * the kernel's frames and a cookie. The user's frames are in a record of their own, which is
 * written when the thread returns from the kernel. It completes all samples of the thread that
 * have its cookie. A sample with another cookie gets none: threads return from the kernel in the
 * order in which they entered it. perf joins them by the same rule.
 *
 * Source: tools/perf/util/session.c of Linux 6.19.
 */
#ifndef INPUT_FORMATS_PERF_PERF_DEFERRED_H
#define INPUT_FORMATS_PERF_PERF_DEFERRED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/map.h"
#include "base/vec.h"
#include "profile/stack.h"

struct perf_waiting_sample {
    uint64_t cookie, weight, time_ns;
    bool has_time;
    uint32_t series, comm;
    uint32_t kernel, depth; /* its frames so far: a stack of `kernel`, and their number */
    uint32_t next;          /* of the same thread; UINT32_MAX for none */
    struct diag_place place;
};

/* A thread and its samples, the oldest first. */
struct perf_waiting_thread {
    uint64_t tid;
    uint32_t first, last;
};

struct perf_deferred {
    struct stacks kernel; /* with the leaf first: the last frame is the one that the user called */
    struct map index;
    VEC(struct perf_waiting_thread) threads;
    VEC(struct perf_waiting_sample) samples;
    uint32_t unused; /* entries of `samples` that are free, by `next` */
};

void perf_deferred_init(struct perf_deferred *d);
void perf_deferred_release(struct perf_deferred *d);

/* Adds a sample of a thread, whose frames are `symbols`, leaf first. */
void perf_deferred_hold(struct perf_deferred *d, uint64_t tid, struct perf_waiting_sample sample,
                        const uint32_t *symbols);

/* Takes the oldest sample of a thread. Returns false if none waits. */
bool perf_deferred_take(struct perf_deferred *d, uint64_t tid, struct perf_waiting_sample *sample);

#endif
