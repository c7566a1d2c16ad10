#include "input/formats/memory/memray_frame.h"

#include "input/build/python.h"

struct frame memray_frame(struct slice function, struct slice file, uint64_t line,
                          struct buf *scratch)
{
    struct frame f = {.name = function, .file = file, .line = line, .kind = FRAME_PLAIN};

    /* "<frozen runpy>" is a file of Python; "<module>" may be in a script without an ending. */
    if (!slice_starts(file, SLICE("<")) && !slice_starts(function, SLICE("<")))
        f.kind = frame_kind_of(file);
    if (f.kind == FRAME_PLAIN)
        f.name = python_name(function, file, scratch);
    return f;
}
