/*
 * Times between two events in perf script: of waiting, and of holding a lock.
 */
#ifndef INPUT_FORMATS_PERF_PERF_WAITS_H
#define INPUT_FORMATS_PERF_PERF_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "input/formats/perf/perf_futex.h"
#include "input/formats/perf/perf_line.h"
#include "input/formats/perf/perf_origin.h"
#include "profile/profile.h"

/* ---- waits ----------------------------------------------------------------------------------- */

/*
 * Times between two events: waiting for a lock, for input and output.
 *
 *     lock:contention_begin: 0xffff888... (flags=MUTEX)    to contention_end, in the same thread
 *     syscalls:sys_enter_futex: uaddr: 0x7f..., op: ...    to sys_exit_futex, in the same thread;
 *                                                          see perf_futex.h
 *     syscalls:sys_enter_read: fd: 0x3, ...                for reading, writing and syncing
 *     block:block_rq_issue: 254,0 R 4096 () 1952 + 8 [app] to block_rq_complete of the sector
 *
 * The time goes to the stack of the first event, in a separate series. Waits that do not
 * end in the recording are counted and left out.
 */

/* Key that two events must share to belong together. */
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
    struct perf_origins *origins; /* NULL if samples are not split or selected */
    struct map index;
    VEC(struct perf_wait) items;
    struct perf_wait *begun;           /* by the current sample, or NULL */
    uint32_t series[PERF_FUTEX_WAITS]; /* of that sample, by what it waits for; all are equal
                                          unless it is a futex call */
    enum perf_futex_wait operation;    /* of that sample */
    struct perf_futex_names names;
    uint64_t without_end;
};

/* Returns whether the first bytes of an input contain such events. */
bool perf_waits_is_in(struct slice start);

void perf_waits_init(struct perf_waits *w, struct profile *profile, struct perf_origins *origins);
void perf_waits_release(struct perf_waits *w);

/* Begins a sample. Returns false if the times do not fit in 64 bits. */
bool perf_waits_open(struct perf_waits *w, const struct perf_event *e);
/* Ends the sample, with its stack. */
void perf_waits_close(struct perf_waits *w, uint32_t stack);
/* Ends the input: counts the waits without an end. */
void perf_waits_end(struct perf_waits *w);

/* ---- locks that are held --------------------------------------------------------------------- */

/*
 * How long locks were held, from the events that record taking and releasing them.
 *
 *     lock:lock_acquired: 0xffff888... &mm->mmap_lock      to lock:lock_release of the same
 *     lock:lock_acquire: 0xffff888... try read &p->lock    as well: the lock was free
 *     lock:contention_end: 0xffff888... (ret=0)            to probe:mutex_unlock
 *     probe_libc:pthread_mutex_lock: (7f..) mutex=0x7f..   and its return, to pthread_mutex_unlock
 *     sdt_libpthread:mutex_acquired: (7f..) arg1=9402..    to mutex_release
 *
 * A thread holds a lock from taking it to releasing it. The return of a function counts as
 * taking the lock that the function was called with. The time goes to the stack that took
 * the lock. A lock taken again while it is held is counted and held once if that is
 * possible (mutexes of programs); otherwise the release in between is missing. Locks
 * without a beginning or an end are counted.
 */

/* A lock and a thread that met it. The lock 0 is one whose address is not known. */
struct perf_hold {
    uint64_t thread, lock;
    uint64_t since_ns;
    uint32_t depth; /* how often it is taken; 0 if not held */
    uint32_t stack, series;
    uint64_t asked; /* of the entry with lock 0: the lock that the thread is about to take */
};

struct perf_holds {
    struct profile *profile;
    struct perf_origins *origins; /* NULL if samples are not split or selected */
    struct map index;
    VEC(struct perf_hold) items;
    uint32_t taken;  /* by the current sample: its entry, or MAP_NONE */
    uint64_t unseen; /* releases of locks that were not seen being taken */
};

/* Returns whether the first bytes of an input contain such events. */
bool perf_holds_is_in(struct slice start);

void perf_holds_init(struct perf_holds *h, struct profile *profile, struct perf_origins *origins);
void perf_holds_release(struct perf_holds *h);

/* Begins a sample. Returns false if the times do not fit in 64 bits. */
bool perf_holds_open(struct perf_holds *h, const struct perf_event *e);
/* Ends the sample, with its stack. */
void perf_holds_close(struct perf_holds *h, uint32_t stack);
/* Ends the input: counts the locks without an end. */
void perf_holds_end(struct perf_holds *h);

#endif
