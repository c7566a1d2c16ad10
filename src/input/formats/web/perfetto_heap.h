/*
 * The heap profiles in Perfetto's packets, which heapprofd and libraries like it write.
 *
 *     ProfilePacket       5 dumps of processes, 6 the next packet continues this one;
 *                         1 to 4 tables of Android 10
 *     ProcessHeapSamples  1 pid, 2 samples, 11 heap, 13 interval before it was adjusted
 *     HeapSample          1 stack, 2 bytes allocated, 3 freed, 5 allocations, 6 releases;
 *                         8 bytes, 9 allocations in use when the process used most
 *
 * What a sample counts has been added up since profiling began, so that of several dumps the last
 * sample of each stack counts. A stack that is not used any more is left out of later dumps; if it
 * comes back, it has another number and counts from 0, so that the numbers are added up. The
 * series have pprof's names, and that of the heap if it is not malloc's. Java's heap is never told
 * of releases and has no series of what is in use.
 *
 * Source: protos/perfetto/trace/profiling/profile_packet.proto and src/trace_processor/importers/
 * proto/profile_packet_sequence_state.cc in github.com/google/perfetto.
 */
#ifndef INPUT_FORMATS_WEB_PERFETTO_HEAP_H
#define INPUT_FORMATS_WEB_PERFETTO_HEAP_H

#include "input/formats/web/perfetto_items.h"
#include "input/build/trace_threads.h"

enum {
    HEAP_ALLOCATED,
    HEAP_FREED,
    HEAP_ALLOCATIONS,
    HEAP_RELEASES,
    HEAP_PEAK,
    HEAP_PEAK_OBJECTS,
    HEAP_COUNTERS
};

struct perfetto_heap_sample {
    uint32_t process; /* index of a thread that has no number of its own */
    uint32_t heap;    /* number of its name */
    uint64_t stack;   /* as interned */
    uint64_t counters[HEAP_COUNTERS];
};

/* The last sample of a stack. */
struct perfetto_heap_total {
    uint32_t process, heap, stack;
    uint64_t counters[HEAP_COUNTERS];
};

struct perfetto_heap_dump VEC_OF(struct perfetto_heap_sample);

struct perfetto_heap {
    struct perfetto_items *items;
    struct trace_threads *threads;
    struct builder *b;
    struct intern heaps;                  /* names */
    VEC(struct perfetto_heap_dump) dumps; /* by index of the sequence: packets to be continued */
    struct intern keys;                   /* of totals */
    VEC(struct perfetto_heap_total) totals;
    uint64_t unknown; /* samples without a known stack */
};

void perfetto_heap_release(struct perfetto_heap *h);

/* Takes a ProfilePacket. Returns false after reporting an error. */
bool perfetto_heap_read(struct perfetto_heap *h, const struct perfetto_sequence *s,
                        struct slice message);
/* Adds the profiles, with the processes as first frames if there are several. */
bool perfetto_heap_finish(struct perfetto_heap *h);

#endif
