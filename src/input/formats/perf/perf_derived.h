/*
 * Series that are computed from events in perf script, beside the series that
 * count the events: bytes of memory, bytes that are not freed, waiting times
 * and times that locks are held.
 */
#ifndef INPUT_FORMATS_PERF_PERF_DERIVED_H
#define INPUT_FORMATS_PERF_PERF_DERIVED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/map.h"
#include "base/vec.h"
#include "input/core/text.h"
#include "input/formats/perf/perf_line.h"
#include "input/formats/perf/perf_origin.h"
#include "input/formats/perf/perf_waits.h"
#include "profile/profile.h"

/* ---- bytes that processes get ---------------------------------------------------------------- */

/*
 * Bytes of memory that processes get.
 *
 *     syscalls:sys_enter_mmap: addr: 0x00000000, len: 0x00021000, prot: ...
 *     syscalls:sys_enter_brk: brk: 0x564cebcda000
 *
 * The bytes are a series of their own, beside the series that counts the event. A call of
 * brk counts each rise of the heap's end over the end before, also after a fall. A program
 * asks for the end by brk(0); the answer is in syscalls:sys_exit_brk. If that event is not
 * recorded, the first rise after the question is estimated as 132 KiB, by which the GNU C
 * library grows a heap first, and reported. The first call in a process that was running
 * before the recording has no end to compare with and counts nothing.
 *
 * The rises and the maps without a file are counted as allocations in further series.
 */

/* A process and the end of its heap, 0 as long as that is not known. */
struct perf_heap {
    uint64_t process, end;
    bool asked; /* brk(0) was called last */
};

struct perf_memory {
    struct profile *profile;
    struct perf_origins *origins; /* NULL if samples are not split or selected */
    struct map index;
    VEC(struct perf_heap) heaps;
    uint32_t series; /* of the current sample; SERIES_NONE if it has no bytes */
    uint32_t calls;  /* the series that counts it as an allocation, or SERIES_NONE */
    uint64_t bytes;
    uint64_t estimated; /* first rises */
};

/* ---- bytes that are not freed ---------------------------------------------------------------- */

/*
 * Memory that is allocated and freed.
 *
 *     probe_libc:malloc: (7f..) size=48                  and its return: (7f.. <- 56..) ptr=0x7f..
 *     probe_libc:calloc: (7f..) n=1 size=32              and its return
 *     probe_libc:realloc: (7f..) ptr=0x7f.. size=96      frees as well
 *     probe_libc:free: (7f..) ptr=0x7f..
 *     kmem:kmalloc: ... ptr=0xffff888... bytes_alloc=96  to kmem:kfree; kmem_cache_*; mm_page_*
 *
 * Three series are made beside those that count the events: the bytes, the bytes that are
 * not freed when the recording ends, and, for programs, the allocations. They go to the
 * stack that allocated. Addresses belong to a process if perf script printed its number
 * (-F pid,tid). An allocation inside another one (calloc calls malloc) is not counted
 * again. Two irregularities are counted: memory that is freed but was not seen being
 * allocated, and memory that is allocated again though it was not seen being freed.
 */

/* A piece of memory: its address, and what was allocated there last. */
struct perf_block {
    uint64_t space, address; /* of the process, of the kernel, or the number of a page */
    uint64_t changed;        /* the number of the event that changed it last */
    uint64_t since_ns, bytes;
    uint32_t stack, left; /* the series of what is not freed */
    uint8_t set;          /* of functions, which allocated it */
    bool alive, timed;
};

/* What the recording lacks of the allocations of a set of functions. */
struct perf_missing {
    uint64_t frees_unpaired, frees_unseen, calls_unpaired;
};

/* A thread, and the functions that it has called and that have not returned. */
struct perf_caller {
    uint64_t thread;
    struct perf_call {
        uint64_t began; /* the number of the event; 0 if it is not called */
        uint64_t bytes, old;
    } calls[8];
};

struct perf_allocs {
    struct profile *profile;
    struct perf_origins *origins; /* NULL if samples are not split or selected */
    struct map index, caller_index;
    VEC(struct perf_block) blocks;
    VEC(struct perf_caller) callers;
    struct perf_missing missing[4]; /* by set of functions */
    uint64_t events;
    unsigned frees;  /* sets of functions, as bits, whose frees are in the recording */
    uint32_t block;  /* that the current sample allocates, or MAP_NONE */
    uint32_t series; /* for its bytes, or SERIES_NONE */
    uint32_t calls;  /* counts allocations of programs, or SERIES_NONE */
    uint64_t bytes;
};

/* ---- all of them ----------------------------------------------------------------------------- */

/*
 * All computed series. Each maker is active if the first bytes of the input contain its
 * events. Allocations, waits and locks begin and end anywhere, so such an input is read in
 * one piece.
 */

struct perf_derived {
    bool any, maps, allocates, waits, holds; /* which makers are active */
    struct perf_memory memory;
    struct perf_allocs allocs;
    struct perf_waits wait;
    struct perf_holds hold;
};

/* Returns whether the first bytes of an input contain events of any of the derived series. */
bool perf_derived_is_in(struct slice start);

/* `origins` is NULL if samples are not split or selected by process or thread. */
void perf_derived_init(struct perf_derived *m, const struct text *t, struct perf_origins *origins);
void perf_derived_release(struct perf_derived *m);

/* These three return false if the sums do not fit in 64 bits. */

/* Begins a sample. */
bool perf_derived_open(struct perf_derived *m, const struct perf_event *e);
/* Ends the sample, with its stack. */
bool perf_derived_close(struct perf_derived *m, uint32_t stack);
/* Ends the input: reports estimates. */
bool perf_derived_end(struct perf_derived *m, struct diag *diag);

#endif
