#include "input/formats/android/simpleperf_frame.h"

enum frame_kind android_frame_kind(struct slice path, enum simpleperf_execution execution)
{
    if (slice_ends_any(path, ".oat", ".odex", ".vdex", ".dex", ".jar", ".apk"))
        return FRAME_JAVA;
    return execution == SIMPLEPERF_INTERPRETED || execution == SIMPLEPERF_JIT ? FRAME_JAVA
                                                                              : FRAME_NATIVE;
}

struct unit android_event_unit(struct slice event)
{
    bool clock =
        slice_starts(event, SLICE("cpu-clock")) || slice_starts(event, SLICE("task-clock"));

    return clock ? unit_named(SLICE("ns")) : (struct unit){.kind = UNIT_COUNT, .noun = event};
}
