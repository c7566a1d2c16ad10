/*
 * Time off the CPU in perf script, and who ended it.
 */
#ifndef INPUT_FORMATS_PERF_PERF_SCHED_H
#define INPUT_FORMATS_PERF_PERF_SCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/vec.h"
#include "input/core/text.h"
#include "input/formats/perf/perf_line.h"
#include "input/formats/perf/perf_origin.h"
#include "profile/profile.h"

/* ---- chains of wakers ------------------------------------------------------------------------ */

/*
 * Chains of wakers: who woke a thread, who woke that one, and so on.
 *
 * If A is woken by B, and B was woken by C since A went to sleep, then A waited for C,
 * too. So the chain of A is B, followed by the part of B's chain that is not older than
 * A's sleep. It ends at a thread that has run all the time, at an interrupt, which has
 * nothing to do with the thread that it interrupts, at an idle CPU, at a thread that is
 * already in the chain (a loop), and after PERF_WAKERS_MOST threads.
 */

enum { PERF_WAKERS_MOST = 16 };

struct perf_waker {
    uint64_t task, time_ns; /* of the wake-up */
    uint32_t stack;         /* the process first */
};

struct perf_wakers {
    struct perf_waker items[PERF_WAKERS_MOST]; /* the one that woke the thread first */
    uint32_t count;
    bool certain;     /* from sched_waking, which is recorded in the thread that wakes */
    bool looped, cut; /* it ends in a loop; at the limit */
};

/* Which symbols are entries of interrupts: by id, 0 as long as that is not known. */
struct perf_interrupts {
    VEC(unsigned char) known;
};

/* Whether the last frames of a stack were called by an interrupt. */
bool perf_wakers_interrupted(struct perf_interrupts *i, const struct profile *p, uint32_t stack);
void perf_wakers_release(struct perf_interrupts *i);

/*
 * Fills the chain of `task`, which is woken after it was off the CPU since then. `behind`
 * is the chain of the thread that wakes it, or NULL.
 */
void perf_wakers_set(struct perf_wakers *w, uint64_t task, uint64_t since_ns,
                     const struct perf_waker *by, const struct perf_wakers *behind);

/* ---- time off the CPU ------------------------------------------------------------------------ */

/*
 * Time off the CPU, from the scheduler's events.
 *
 *     sched:sched_switch: prev_comm=io prev_pid=7 ... ==> next_comm=db next_pid=8 ...
 *     sched:sched_switch: io:7 [120] S ==> db:8 [120]        the same, as libtraceevent prints it
 *     sched:sched_stat_sleep: comm=io pid=7 delay=250000 [ns]
 *     sched:sched_wakeup: comm=io pid=7 ...                  in the thread that wakes
 *
 * A thread is off the CPU from the switch away from it to the next switch to it, or for
 * the delay if one is given. The time goes to the stack at the switch away, in the series
 * "off-cpu". If the file has wakers, the time also goes to that stack followed by the
 * waker's, leaf first, in "off-cpu by waker". If requested, it goes to the stack followed
 * by all wakers of the chain, in "off-cpu chain", or to the waker's stack and then the
 * woken process, in "wakeup". --state selects by the state in which the thread left the
 * CPU. Records must be in the order of time; the reader refuses others. A thread that
 * leaves the CPU as a zombie or dead (Z, X) has ended, and its number may be used again. A
 * thread that is off the CPU at the end of the recording gets the time until then. If that
 * cannot be known, and if a switch is missing, the time is counted as one without an end.
 * Threads 0 are idle.
 */

/* What an event says of scheduling. */
enum perf_sched_kind {
    PERF_SCHED_NOTHING,
    PERF_SCHED_SWITCH, /* from `task` to `next` */
    PERF_SCHED_DELAY,  /* `task` was off for `delay` ns, and wakes */
    PERF_SCHED_WAKE,   /* `task` wakes */
};

struct perf_sched_event {
    enum perf_sched_kind kind;
    uint64_t task, next, delay, time_ns;
    struct diag_place place;
    uint64_t by;        /* the thread in which it happened */
    struct slice state; /* "S", in which `task` is left; borrowed from the event's line */
    bool preempted;     /* it could have run on */
    bool certain;       /* `by` is known to be the waker */
    bool ends;          /* `task` is dead or a zombie: it will not run again */
};

/* A thread that was met. */
struct perf_task {
    uint64_t id;
    bool off;       /* it was switched away from */
    bool woken;     /* and is woken */
    bool preempted; /* it could have run on */
    uint64_t since_ns;
    uint32_t stack;
    uint32_t series, with_waker, with_chain, by_waker; /* the series of its time */
    struct perf_wakers wakers;                         /* who ended the last time that it slept */
};

struct perf_sched {
    struct text *text;
    struct perf_origins *origins; /* NULL if samples are not split or selected */
    /*
     * For these events the reference script uses other names than for samples: everything
     * between address and module. Such frames come by perf_sched_frame().
     */
    bool whole_names;
    bool wakers;   /* the file has events of waking */
    bool chains;   /* add stacks of the wakers' wakers */
    bool wakeups;  /* add time by waker alone */
    bool left_out; /* the current sample has a state that is left out */
    struct perf_interrupts interrupts;
    bool disabled;                 /* the periods are times already, as perf inject -s makes them */
    struct perf_sched_event event; /* of the current sample */
    uint32_t series, with_waker, with_chain, by_waker; /* for its time */
    VEC(uint32_t) frames;                              /* its whole names, leaf first */
    struct map index;
    VEC(struct perf_task) tasks;
    VEC(uint32_t) path;
    struct buf name;
    bool system_wide;     /* the idle thread was recorded, which needs perf record -a */
    uint64_t end_ns;      /* of the recording: the latest time of an event */
    uint64_t without_end; /* switched away from again, without having been switched to */
};

/* Returns whether the first bytes of an input contain such events. */
bool perf_sched_is_in(struct slice start);

void perf_sched_init(struct perf_sched *s, struct text *text, struct perf_origins *origins);
void perf_sched_release(struct perf_sched *s);

/* Begins a sample. */
void perf_sched_open(struct perf_sched *s, const struct perf_event *e, struct diag_place place);
/* A frame of it: what follows the address. */
void perf_sched_frame(struct perf_sched *s, struct slice text);
/*
 * Ends a sample, with its stack and its process. The stack is STACK_ROOT if the sample is
 * left out; it still ends the times of others. Returns false after reporting an error.
 */
bool perf_sched_close(struct perf_sched *s, uint32_t stack, uint32_t comm);

/*
 * Ends the input: adds the times of threads that are off until the end of the recording,
 * and reports them and the times without an end. Returns false after reporting an error.
 */
bool perf_sched_end(struct perf_sched *s);

#endif
