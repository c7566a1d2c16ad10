/*
 * A cache of frames by their text. A zeroed cache is empty and ready for use.
 *
 * Profiles print the same frames again and again. What the text of one became
 * is looked up here, so that it is taken apart and cleaned only once:
 *
 *     if (!frame_cache_find(&k, text, &entry))
 *         frame_cache_add(&k, entry = builder_entry(b, &frame));
 */
#ifndef INPUT_BUILD_FRAME_CACHE_H
#define INPUT_BUILD_FRAME_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/vec.h"

struct frame_cache {
    struct intern texts;
    VEC(uint32_t) entries; /* by text: builder's */
};

void frame_cache_release(struct frame_cache *k);

/* Finds the entry of a text. Returns false if the text is new: frame_cache_add() must follow. */
bool frame_cache_find(struct frame_cache *k, struct slice text, uint32_t *entry);
void frame_cache_add(struct frame_cache *k, uint32_t entry);

/* Returns whether a text has been added. */
bool frame_cache_has(const struct frame_cache *k, struct slice text);

#endif
