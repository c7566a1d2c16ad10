/*
 * Frames of memray, in its pages and in the files of memray transform.
 */
#ifndef INPUT_FORMATS_MEMORY_MEMRAY_FRAME_H
#define INPUT_FORMATS_MEMORY_MEMRAY_FRAME_H

#include "input/build/frame.h"

/*
 * The frame of a function of Python, or of a compiled one (memray run --native). The name may be
 * written into `scratch`.
 */
struct frame memray_frame(struct slice function, struct slice file, uint64_t line,
                          struct buf *scratch);

#endif
