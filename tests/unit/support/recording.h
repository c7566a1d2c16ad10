/*
 * Makes small recordings of Java Flight Recorder: chunks with the types that events
 * and stacks need, and with the constants and events that a test adds.
 */
#ifndef UNIT_SUPPORT_RECORDING_H
#define UNIT_SUPPORT_RECORDING_H

#include "base/buf.h"

/* Ids of the types that each chunk describes. */
enum {
    RECORDING_STRING = 5,
    RECORDING_SYMBOL,
    RECORDING_CLASS,
    RECORDING_METHOD,
    RECORDING_FRAME_TYPE,
    RECORDING_FRAME,
    RECORDING_TRACE,
    RECORDING_THREAD,
    RECORDING_SAMPLE,  /* jdk.ExecutionSample: start, thread, stack */
    RECORDING_PARK,    /* jdk.ThreadPark: start, duration, thread, stack */
    RECORDING_READ,    /* app.Read, with an int between the others: start, length, stack */
    RECORDING_LOOP,    /* a type that is a field of itself */
    RECORDING_STATE,   /* with `states`: jdk.types.ThreadState */
    RECORDING_WALL,    /* with `states`: jdk.ExecutionSample with a state before the stack */
    RECORDING_CPU,     /* with `recent`: jdk.CPUTimeSample: start, stack, thread, period */
    RECORDING_LOST,    /* with `recent`: jdk.CPUTimeSamplesLost: start, count, thread */
    RECORDING_CALL,    /* with `recent`: jdk.MethodTrace: as jdk.ThreadPark, then the method */
    RECORDING_LOCK,    /* with `recent`: profiler.NativeLock: as jdk.ThreadPark */
    RECORDING_SETTING, /* with `recent`: jdk.ActiveSetting: start, id, name, value */
};

struct recording {
    struct buf bytes; /* of the file */
    struct buf chunk; /* of the current chunk, after its header */
    bool fixed;       /* numbers are not compressed */
    bool oracle;      /* types have the names of JDK 9 and 10 */
    bool states;      /* the types of samples with states are described, too */
    bool recent;      /* types that recent JDKs and async-profiler have are described, too */
    size_t metadata;
};

void recording_init(struct recording *r, bool fixed);
void recording_release(struct recording *r);

/* Parts of an event: a number of `size` bytes, a text, bytes as they are. */
void recording_number(const struct recording *r, struct buf *b, uint64_t value, unsigned size);
void recording_text(const struct recording *r, struct buf *b, const char *text);

/* Adds an event with this payload to the chunk. */
void recording_event(struct recording *r, uint64_t type, const struct buf *payload);
void recording_metadata(struct recording *r);

/*
 * Adds a checkpoint: symbols 1.. "run" "main" "pkg/App" "libc.so" "read"
 * "Foo$$Lambda$14+0x0000f0"; methods 1.. App.run, App.main, libc.so's read,
 * the lambda's run; frame types 1.. Interpreted, "JIT compiled", Inlined,
 * Native and (`native`) Kernel; threads 1.. "main" 77, "worker" 78; stacks
 * 1.. main;run, main;Lambda.run (cut by the profiler), main;run;read, none.
 */
void recording_constants(struct recording *r, bool native);

void recording_sample(struct recording *r, uint64_t ticks, uint64_t thread, uint64_t stack);

/* Ends the chunk: two ticks to the nanosecond. */
void recording_chunk(struct recording *r);

#endif
