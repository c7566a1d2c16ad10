/*
 * Memory that is allocated and freed, from the events in perf script that say
 * so.
 *
 *     probe_libc:malloc: (7f..) size=48                  and its return: (7f.. <- 56..) ptr=0x7f..
 *     probe_libc:calloc: (7f..) n=1 size=32              likewise
 *     probe_libc:realloc: (7f..) ptr=0x7f.. size=96      frees as well
 *     probe_libc:free: (7f..) ptr=0x7f..
 *     kmem:kmalloc: ... ptr=0xffff888... bytes_alloc=96  to kmem:kfree; kmem_cache_*; mm_page_*
 *
 * Beside the series of the events, which count, there is one of the bytes, and
 * one of those that are not freed: still allocated when the recording ends. Both
 * go to the stack that allocated. Addresses are those of a process, where perf
 * script printed its number (-F pid,tid). An allocation that another one makes
 * (calloc calls malloc) is one. What is freed and was not seen being allocated is
 * counted, and what is given out again though it was not seen being freed.
 */
#ifndef INPUT_FORMATS_PERF_PERF_ALLOCS_H
#define INPUT_FORMATS_PERF_PERF_ALLOCS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "input/formats/perf/perf_event.h"
#include "input/formats/perf/perf_origin.h"
#include "profile/profile.h"

/* Where memory is and what has its address now. */
struct perf_block {
    uint64_t space, address; /* of the process, of the kernel, or the number of a page */
    uint64_t changed;        /* the number of the event that changed it last */
    uint64_t since_ns, bytes;
    uint32_t stack, left; /* the series of what is not freed */
    uint8_t set;          /* of functions, which allocated it */
    bool alive, timed;
};

/* A thread, and the functions that it has called and that have not returned. */
struct perf_caller {
    uint64_t thread;
    struct perf_call {
        uint64_t began; /* the number of the event; 0 where it is not called */
        uint64_t bytes, old;
    } calls[8];
};

struct perf_allocs {
    struct profile *profile;
    struct perf_origins *origins; /* NULL where samples are not told apart */
    struct map index, caller_index;
    VEC(struct perf_block) blocks;
    VEC(struct perf_caller) callers;
    uint64_t events;
    unsigned frees;  /* sets of functions, as bits, whose frees are in the recording */
    uint32_t block;  /* that the sample in hand allocates, or MAP_NONE */
    uint32_t series; /* for its bytes, or SERIES_NONE */
    uint64_t bytes;
};

/* Whether the first bytes of an input hold such events. */
bool perf_allocs_is_in(struct slice start);

void perf_allocs_init(struct perf_allocs *a, struct profile *profile, struct perf_origins *origins);
void perf_allocs_release(struct perf_allocs *a);

/* A sample begins. */
void perf_allocs_open(struct perf_allocs *a, const struct perf_event *e);
/* It is complete, with its stack. False where its bytes do not fit in 64 bits. */
bool perf_allocs_close(struct perf_allocs *a, uint32_t stack);
/* All is read: adds what is not freed, where frees are in the recording. False as above. */
bool perf_allocs_end(struct perf_allocs *a);

#endif
