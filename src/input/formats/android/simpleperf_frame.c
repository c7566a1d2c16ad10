#include "input/formats/android/simpleperf_frame.h"

enum frame_kind android_frame_kind(struct slice path, enum simpleperf_execution execution)
{
    static const struct slice ends[] = {{".oat", 4}, {".odex", 5}, {".vdex", 5},
                                        {".dex", 4}, {".jar", 4},  {".apk", 4}};

    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        if (slice_ends(path, ends[i]))
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
