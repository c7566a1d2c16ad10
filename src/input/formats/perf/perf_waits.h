/*
 * Time between two events in perf script: a lock that is waited for, input and
 * output that are asked for.
 *
 *     lock:contention_begin: 0xffff888... (flags=MUTEX)    to contention_end, in the same thread
 *     syscalls:sys_enter_futex: uaddr: 0x7f..., op: ...    to sys_exit_futex, likewise; and so on
 *     syscalls:sys_enter_read: fd: 0x3, ...                for reading, writing and syncing
 *     block:block_rq_issue: 254,0 R 4096 () 1952 + 8 [app] to block_rq_complete of the sector
 *
 * The time goes to the stack of the first event, in a series of its own. What
 * does not end in the recording is counted and left out.
 */
#ifndef INPUT_FORMATS_PERF_PERF_WAITS_H
#define INPUT_FORMATS_PERF_PERF_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "input/formats/perf/perf_event.h"
#include "input/formats/perf/perf_origin.h"
#include "profile/profile.h"

/* What tells that two events belong together. */
struct perf_wait_key {
    uint64_t kind, place; /* the row with the device, the thread or sector */
};

struct perf_wait {
    struct perf_wait_key key;
    bool open;
    uint64_t since_ns;
    uint32_t stack, series;
};

struct perf_waits {
    struct profile *profile;
    struct perf_origins *origins; /* NULL where samples are not told apart */
    struct map index;
    VEC(struct perf_wait) items;
    struct perf_wait *begun; /* by the sample in hand, or NULL */
    uint64_t without_end;
};

/* Whether the first bytes of an input hold such events. */
bool perf_waits_is_in(struct slice start);

void perf_waits_init(struct perf_waits *w, struct profile *profile, struct perf_origins *origins);
void perf_waits_release(struct perf_waits *w);

/* A sample begins. False where the times do not fit in 64 bits. */
bool perf_waits_open(struct perf_waits *w, const struct perf_event *e);
/* It is complete, with its stack. */
void perf_waits_close(struct perf_waits *w, uint32_t stack);
/* All is read: notes what has no end. */
void perf_waits_end(struct perf_waits *w);

#endif
