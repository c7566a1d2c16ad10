/*
 * Blocks of a text parsed ahead of their turn.
 *
 * For formats in which a line's meaning depends on earlier lines, so that a file cannot be
 * read in parts, but in which most of the work is parsing single lines. scan() parses
 * several blocks at a time, each thread with memory of its own, called a lane. take() gets
 * the results block by block in the order of the file, never two at a time, and is the
 * only one to touch the profile. So the result does not depend on the number of threads.
 * The thread that has scanned the block whose turn it is also takes it.
 */
#ifndef INPUT_CORE_TEXT_READAHEAD_H
#define INPUT_CORE_TEXT_READAHEAD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/slice.h"
#include "input/core/text_blocks.h"

struct text;
struct text_reader;

struct text_readahead {
    size_t lane_size, found_size; /* zeroed before they are used */
    /* Before any block is read. */
    void (*begin)(const struct text *t, const void *state, void *lane);
    /*
     * Parses a block of whole lines. The results may point into the block and into memory of
     * the lane that only take() reads later.
     */
    void (*scan)(void *lane, struct slice block, void *found);
    /* As text_reader's lines(). */
    bool (*take)(struct text *t, void *state, const void *found);
    void (*release)(void *lane);
    void (*release_found)(void *found);
};

/* Reads all blocks with up to `threads` threads. Returns false after reporting an error. */
bool text_readahead_read(const struct text_reader *reader, struct text *t, void *state,
                         struct text_blocks *blocks, unsigned threads);

#endif
