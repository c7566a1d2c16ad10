/*
 * The palette of time on and off the CPU in one graph.
 */
#include <stddef.h>

#include "layout/palette.h"

enum { ON_CPU, OFF_CPU, THREAD };

static unsigned hotcold(const struct palette_subject *s)
{
    if (s->class == SYMBOL_ON_CPU)
        return ON_CPU;
    return s->class == SYMBOL_OFF_CPU ? OFF_CPU : THREAD;
}

const struct palette palette_hotcold = {
    .name = "hotcold",
    .about = "red to yellow for on-CPU frames, blue for off-CPU frames",
    .background = "grey",
    .classes =
        (const struct palette_class[]){
            [ON_CPU] = {"on-CPU", &hue_hot},
            [OFF_CPU] = {"off-CPU", &hue_io},
            [THREAD] = {"threads", &hue_grey},
            {NULL, NULL},
        },
    .classify = hotcold,
};
