#include "input/formats/web/trace_mark.h"

bool trace_mark_is(struct slice text)
{
    return slice_equal(text, SLICE("E")) || (text.len > 1 && text.ptr[1] == '|');
}

bool trace_mark_add(struct trace_slices *s, uint32_t thread, int64_t ns, struct slice mark)
{
    struct frame frame = {.kind = FRAME_PLAIN};
    struct slice kind, pid;

    if (!slice_cut(&mark, '|', &kind))
        return true;
    if (slice_equal(kind, SLICE("E")))
        return trace_slices_end(s, thread, ns, SLICE(""));
    if (!slice_equal(kind, SLICE("B")) || !slice_cut(&mark, '|', &pid))
        return true;
    frame.name = mark;
    return trace_slices_begin(s, thread, ns, &frame);
}
