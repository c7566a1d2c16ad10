/*
 * Reads the call tree in a picture of flamepress: the bytes of output/svg_tree.h.
 */
#ifndef INPUT_FORMATS_PICTURES_FLAME_TREE_H
#define INPUT_FORMATS_PICTURES_FLAME_TREE_H

#include "input/build/builder.h"
#include "input/formats/pictures/flame_words.h"

/* The weight of frames that the picture had no room for, which stays with their callers. */
struct flame_left {
    uint64_t weight, frames;
};

/* Reads words and compressed tree as a graph. Returns false after reporting an error. */
bool flame_tree_read_graph(struct builder *b, struct slice words, struct slice packed,
                           struct slice title);

#endif
