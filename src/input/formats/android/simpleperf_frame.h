/*
 * What both forms of simpleperf's reports mean: the kind of a frame, the unit of an event.
 */
#ifndef INPUT_FORMATS_ANDROID_SIMPLEPERF_FRAME_H
#define INPUT_FORMATS_ANDROID_SIMPLEPERF_FRAME_H

#include "base/slice.h"
#include "input/build/frame.h"
#include "profile/unit.h"

/* How a function ran, by the numbers of the protobuf. */
enum simpleperf_execution {
    SIMPLEPERF_NATIVE,
    SIMPLEPERF_INTERPRETED,
    SIMPLEPERF_JIT,
    SIMPLEPERF_ART, /* the runtime itself */
};

/* Java if the function is of a file of Java code or ran as such, else native. */
enum frame_kind android_frame_kind(struct slice path, enum simpleperf_execution execution);

/* Nanoseconds for clocks, else a count of the event, whose text the unit points into. */
struct unit android_event_unit(struct slice event);

#endif
