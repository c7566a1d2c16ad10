/*
 * The numbers in the samples of trace points and probes, by the names of the kernel's fields.
 *
 * perf.data has them in binary form (perf_layout.h). perf_fields_parse() takes them from the text
 * of perf script, which leaves out some names and writes others in several ways:
 *
 *     sched:sched_switch: prev_comm=io prev_pid=7 ... ==> next_comm=db next_pid=8 ...
 *     sched:sched_switch: io:7 [120] S ==> db:8 [120]        the same, as libtraceevent prints it
 *     syscalls:sys_enter_brk: brk: 0x564cebcda000
 *     syscalls:sys_exit_brk: 0x564cebcda000
 *     block:block_rq_issue: 254,0 R 4096 () 1952 + 8 [app]
 *     lock:contention_end: 0xffff888... (ret=0)
 *     kmem:kmalloc: call_site=f+0x1 ptr=0xffff888 bytes_req=100 bytes_alloc=128
 *     probe_libc:malloc: (7f5da47a6930) size=48
 *     probe_libc:malloc__return: (7f5da47a6930 <- 560ef78275c9) ptr=0x7f5d9c000b70
 */
#ifndef INPUT_FORMATS_PERF_PERF_FIELDS_H
#define INPUT_FORMATS_PERF_PERF_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "base/vec.h"

struct perf_field {
    struct slice name;
    bool is_number; /* false for texts, arrays and negative numbers */
    uint64_t number;
};

/* Zeroed, there are none. The slices point into the sample or its description. */
struct perf_fields {
    VEC(struct perf_field) items;
    struct slice state; /* in which sched_switch leaves a thread: "S", "R+" */
};

void perf_fields_release(struct perf_fields *f);

/* Replaces the fields by those of an event of perf script, whose arguments are `text`. */
void perf_fields_parse(struct perf_fields *f, struct slice event, struct slice text);

/* The number of a field. Returns false if there is no such number; `f` may be NULL. */
bool perf_fields_number(const struct perf_fields *f, struct slice name, uint64_t *value);

/* ---- probes ---------------------------------------------------------------------------------- */

/*
 * The name of a probe's event contains the function. perf appends "__return" to return probes, and
 * "_1" if there are several. Users name the arguments freely, so their order decides what they
 * are.
 */

enum { PERF_ARGS_MOST = 4 };

struct perf_probe {
    struct slice function; /* "malloc", without the prefixes of libraries */
    bool returns;          /* it is the end of a call */
    uint64_t args[PERF_ARGS_MOST];
    unsigned count; /* of args: those that are numbers, up to the first that is none */
};

/* Returns false if the event is not of a probe. */
bool perf_fields_probe(const struct perf_fields *f, struct slice event, struct perf_probe *probe);

#endif
