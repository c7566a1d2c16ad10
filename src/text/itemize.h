/*
 * Splitting a line into runs of one script, direction and font.
 *
 * The line is a paragraph of its own: its base direction is that of its first
 * strong character, left to right without one (UAX #9, rules P2 and P3).
 * Characters that belong to no script take that of the text before them, at
 * the beginning of the text behind them. Clusters are never divided.
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
    uint32_t script;       /* as text/unicode.h has it */
    uint32_t font;         /* number in the list */
    uint8_t level;         /* of embedding: odd is right to left */
    bool missing;          /* no font has these characters */
};

struct items VEC_OF(struct item);

/* Appends the items of `chars` in the order in which they stand from left to right. */
void itemize(struct list *fonts, const uint32_t *chars, size_t count, struct items *out);

#endif
