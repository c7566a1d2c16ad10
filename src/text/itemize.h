/*
 * Splits a line into runs of one script, direction and font.
 *
 * The line is a paragraph: its first strong character decides the base
 * direction, left to right if there is none (UAX #9, rules P2 and P3).
 * Characters of no script take the script of the text before them or, at the
 * start of the line, after them. Clusters are never divided.
 */
#ifndef TEXT_ITEMIZE_H
#define TEXT_ITEMIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "text/list.h"

struct item {
    uint32_t start, count; /* characters */
    uint32_t script;       /* as in text/unicode.h */
    uint32_t font;         /* number in the list */
    uint8_t level;         /* of embedding: odd is right to left */
    bool missing;          /* no font has these characters */
};

struct items VEC_OF(struct item);

/* Appends the items of `chars` in visual order, from left to right. */
void itemize(struct list *fonts, const uint32_t *chars, size_t count, struct items *out);

#endif
