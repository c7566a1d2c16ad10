/*
 * The palette of waker chains: stacks that wait, and stacks that wake them.
 */
#include <stddef.h>

#include "layout/palette.h"

enum { WAITS, WAKES };

static unsigned chain(const struct palette_subject *s)
{
    return s->class == SYMBOL_WAKER ? WAKES : WAITS;
}

const struct palette palette_chain = {
    .name = "chain",
    .about = "blue for waiting frames, blue-green for wakers",
    .background = "blue",
    .classes =
        (const struct palette_class[]){
            [WAITS] = {"who waits", &hue_blue},
            [WAKES] = {"who wakes", &hue_aqua},
            {NULL, NULL},
        },
    .classify = chain,
    .roles = true,
};
