/*
 * Frames known by their text. A zeroed table is empty and ready for use.
 *
 * Profiles print the same frames again and again. What the text of one became
 * is looked up here, so that it is taken apart and cleaned only once:
 *
 *     if (!known_find(&k, text, &entry))
 *         known_add(&k, entry = builder_entry(b, &frame));
 */
#ifndef INPUT_BUILD_KNOWN_H
#define INPUT_BUILD_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/vec.h"

struct known {
    struct intern texts;
    VEC(uint32_t) entries; /* by text: builder's */
};

void known_release(struct known *k);

/* Finds the entry of a text. Returns false if the text is new: known_add() must follow. */
bool known_find(struct known *k, struct slice text, uint32_t *entry);
void known_add(struct known *k, uint32_t entry);

/* Returns whether a text has been added. */
bool known_has(const struct known *k, struct slice text);

#endif
