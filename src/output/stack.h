/*
 * Pictures under each other, written as one.
 *
 * Each is below the one before by its member `below`. They have one width, one
 * ground and one theme.
 */
#ifndef OUTPUT_STACK_H
#define OUTPUT_STACK_H

#include <stdint.h>

#include "output/picture.h"

/* The height of a picture and all below it. */
static inline uint64_t stack_height(const struct picture *p)
{
    uint64_t height = 0;

    for (; p; p = p->below)
        height += p->geometry.height;
    return height;
}

/* The one at the bottom, which those above are sides of: its title is that of all. */
static inline const struct picture *stack_last(const struct picture *p)
{
    while (p->below)
        p = p->below;
    return p;
}

#endif
