/*
 * Blocks of a text taken apart ahead of their turn.
 *
 * For formats whose lines mean something by those before them, so that their
 * file cannot be read in parts, but most of whose work is finding out what a
 * line says. That is scan()'s, for several blocks at a time, each thread with
 * memory of its own: a lane. What it found is handed to take(), block after
 * block in the order of the file and never two at a time, which alone touches
 * the profile. So the result is the same for any number of threads, and
 * whoever has scanned the block whose turn it is takes it.
 */
#ifndef INPUT_CORE_TEXT_AHEAD_H
#define INPUT_CORE_TEXT_AHEAD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/slice.h"
#include "input/core/text_blocks.h"

struct text;
struct text_reader;

struct text_ahead {
    size_t lane_size, found_size; /* zeroed before they are used */
    /* Before any block is read. */
    void (*begin)(const struct text *t, const void *state, void *lane);
    /*
     * Takes a block of whole lines apart. What was found may lie in the block, and in the lane
     * what only take() looks at later.
     */
    void (*scan)(void *lane, struct slice block, void *found);
    /* As text_reader's lines(). */
    bool (*take)(struct text *t, void *state, const void *found);
    void (*release)(void *lane);
    void (*release_found)(void *found);
};

/* Reads all blocks with up to `threads` threads; false where an error was told. */
bool text_ahead_read(const struct text_reader *reader, struct text *t, void *state,
                     struct text_blocks *blocks, unsigned threads);

#endif
