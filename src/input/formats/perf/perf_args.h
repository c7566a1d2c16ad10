/*
 * The arguments of a trace point or a probe in perf script, and what a probe
 * is of.
 *
 *     kmem:kmalloc: call_site=f+0x1 ptr=0xffff888 bytes_req=100 bytes_alloc=128
 *     probe_libc:malloc: (7f5da47a6930) size=48
 *     probe_libc:malloc__return: (7f5da47a6930 <- 560ef78275c9) ptr=0x7f5d9c000b70
 *
 * A probe is known by the name of its function, behind the colon; perf appends
 * "__return" to those of returns, and "_1" where there are several. Its arguments
 * are called as the user likes, so their order tells what they are.
 */
#ifndef INPUT_FORMATS_PERF_PERF_ARGS_H
#define INPUT_FORMATS_PERF_PERF_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"
#include "input/formats/perf/perf_event.h"

enum { PERF_ARGS_MOST = 4 };

struct perf_probe {
    struct slice function; /* "malloc", without what libraries put in front */
    bool returns;          /* it is the end of a call */
    uint64_t args[PERF_ARGS_MOST];
    unsigned count; /* of args: those that are numbers, up to the first that is none */
};

/* Takes a probe apart; false where the event is none. */
bool perf_args_probe(const struct perf_event *e, struct perf_probe *probe);

/* The number behind "key=", in hex where it has 0x in front or is an address. */
bool perf_args_number(const struct perf_event *e, struct slice key, uint64_t *value);
bool perf_args_address(const struct perf_event *e, struct slice key, uint64_t *value);

#endif
