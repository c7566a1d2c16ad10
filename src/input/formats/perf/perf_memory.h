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
#ifndef INPUT_FORMATS_PERF_PERF_MEMORY_H
#define INPUT_FORMATS_PERF_PERF_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "input/formats/perf/perf_event.h"
#include "input/formats/perf/perf_origin.h"
#include "profile/profile.h"

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

#endif
