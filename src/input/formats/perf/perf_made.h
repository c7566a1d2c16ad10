/*
 * Series that are computed from events in perf script, beside the series that
 * count the events: bytes of memory, bytes that are not freed, waiting times
 * and times that locks are held.
 */
#ifndef INPUT_FORMATS_PERF_PERF_MADE_H
#define INPUT_FORMATS_PERF_PERF_MADE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "input/core/text.h"
#include "input/formats/perf/perf_line.h"
#include "input/formats/perf/perf_origin.h"
#include "input/formats/perf/perf_waits.h"
#include "profile/profile.h"

/* ---- bytes that processes get ---------------------------------------------------------------- */

/*
 * Bytes of memory that processes get, from the events in perf script that say
 * how many.
 *
 *     syscalls:sys_enter_mmap: addr: 0x00000000, len: 0x00021000, prot: ...
 *     syscalls:sys_enter_brk: brk: 0x564cebcda000
 *
 * Beside the series of the event, which counts, there is one of the bytes. A
 * call of brk is worth what the end of the heap rises above the highest that the
 * process had; the first one of a program, which asks where the end is, and the
 * next have nothing to rise from.
 */

/* A process and the end of its heap, 0 as long as that is not known. */
struct perf_heap {
    uint64_t process, end;
};

struct perf_memory {
    struct profile *profile;
    struct perf_origins *origins; /* NULL where samples are not told apart */
    struct map index;
    VEC(struct perf_heap) heaps;
    uint32_t series; /* of the sample in hand; SERIES_NONE where it says nothing */
    uint64_t bytes;
};

/* Whether the first bytes of an input hold such events. */
bool perf_memory_is_in(struct slice start);

void perf_memory_init(struct perf_memory *m, struct profile *profile, struct perf_origins *origins);
void perf_memory_release(struct perf_memory *m);

/* A sample begins. */
void perf_memory_open(struct perf_memory *m, const struct perf_event *e);
/* It is complete, with its stack. False where its bytes do not fit in 64 bits. */
bool perf_memory_close(struct perf_memory *m, uint32_t stack);

/* ---- bytes that are not freed ---------------------------------------------------------------- */

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

/* ---- all of them ----------------------------------------------------------------------------- */

/*
 * What is made of events in perf script beside the series that count them:
 * bytes of memory, what of it is not freed, time between events, time that
 * locks are held.
 *
 * Each is made by a maker of its own, which is at work where the first bytes
 * of the input show its events. They all begin and end anywhere, so the input
 * is read in one piece.
 */

struct perf_made {
    bool any, maps, allocates, waits, holds; /* whether each is at work */
    struct perf_memory memory;
    struct perf_allocs allocs;
    struct perf_waits wait;
    struct perf_holds hold;
};

/* Whether the first bytes of an input hold events that something is made of. */
bool perf_made_is_in(struct slice start);

/* `origins` is NULL where samples are not told apart. */
void perf_made_init(struct perf_made *m, const struct text *t, struct perf_origins *origins);
void perf_made_release(struct perf_made *m);

/* All return false where the sums do not fit in 64 bits. */
/* A sample begins. */
bool perf_made_open(struct perf_made *m, const struct perf_event *e);
/* It is complete, with its stack. */
bool perf_made_close(struct perf_made *m, uint32_t stack);
/* All is read. */
bool perf_made_end(struct perf_made *m);

#endif
