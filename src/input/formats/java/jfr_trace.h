/*
 * Calls of traced methods (jdk.MethodTrace), each with its duration, become self times.
 *
 * The duration of a call contains those of the traced calls within it, which are written before
 * it, possibly in an earlier chunk. So all calls are held until the end of the recording; then the
 * self time of a call is its duration without those of the calls directly within it.
 */
#ifndef INPUT_FORMATS_JAVA_JFR_TRACE_H
#define INPUT_FORMATS_JAVA_JFR_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "input/build/builder.h"

struct jfr_call {
    uint64_t thread;     /* a number that differs between threads */
    uint64_t start, end; /* in ticks */
    uint64_t start_ns;   /* since 1970 */
    uint64_t self_ns;    /* at first the duration */
    uint32_t series, stack;
};

struct jfr_calls VEC_OF(struct jfr_call);

/* Adds the self time of each call to the profile. Returns false after reporting an error. */
bool jfr_trace_end(struct jfr_calls *calls, struct builder *b);

#endif
