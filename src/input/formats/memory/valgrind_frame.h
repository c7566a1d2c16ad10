/*
 * Frames as Valgrind's heap profilers write them:
 *
 *     0x10B4FA: work::alloc_loop() (thr.cpp:26)
 *     0x492B4A2: ??? (in /usr/lib/libstdc++.so.6)
 *     0x1FFF000986: ???
 *
 * A column may follow the line ("mod.rs:605:20").
 */
#ifndef INPUT_FORMATS_MEMORY_VALGRIND_FRAME_H
#define INPUT_FORMATS_MEMORY_VALGRIND_FRAME_H

#include "input/build/frame.h"
#include "input/core/options.h"

/* Parses a frame. Its slices point into `text`. */
struct frame valgrind_frame(struct slice text, const struct input_options *options);

#endif
