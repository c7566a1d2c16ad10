/*
 * What of the data a graph shows, as far as its picture says it.
 */
#ifndef DRAW_SUBJECT_H
#define DRAW_SUBJECT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/slice.h"
#include "layout/palette.h"

/* Names that samples were chosen by. */
struct subject_names {
    const char *const *items;
    size_t count;
};

struct subject {
    const char *kind_title;        /* "Off-CPU Time"; empty for nothing special */
    const struct palette *palette; /* of the kind */
    bool heatmap;

    struct subject_names processes, threads, states;
    const char *group;         /* what frames are, NULL for functions */
    const char *from_s, *to_s; /* seconds; NULL for all */
    bool collapse_recursion;

    const char *around; /* a function, NULL for all of the graph */
    bool reverse;       /* merged from the leaves */
    bool negate;        /* base and new have changed places */

    struct slice count_name; /* replaces the unit's noun; empty for the unit's own */
    double factor;           /* multiplies the weights shown */
};

#endif
