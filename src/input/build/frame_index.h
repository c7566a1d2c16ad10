/*
 * Frames met before, found by everything that decides their names.
 *
 * That is the name, its kind and class and the module; with --srcline also the place in
 * the source; and the address if it replaces a missing name.
 */
#ifndef INPUT_BUILD_FRAME_INDEX_H
#define INPUT_BUILD_FRAME_INDEX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "input/build/frame.h"
#include "input/core/options.h"

struct frame_index {
    struct arena texts;
    struct map map;
    VEC(struct frame) frames; /* by entry, without what does not matter */
};

void frame_index_release(struct frame_index *x);

/* The entry of a frame, added if it is new: entries count up from 0. */
uint32_t frame_index_add(struct frame_index *x, const struct frame *f,
                         const struct input_options *options);

#endif
