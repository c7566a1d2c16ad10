/*
 * Draws a graph with the embedded fonts as SVG and PNG, for the tests of output/.
 */
#ifndef SUPPORT_DRAWN_H
#define SUPPORT_DRAWN_H

#include "output/picture.h"
#include "unit/support/graph.h"

struct drawn {
    struct graph graph;
    struct layout layout;
    struct diag diag;
    struct fonts *fonts;
    struct picture picture;
    struct buf png, svg;
};

/* Draws the graph; exits if that fails. `options` may be NULL for the defaults. */
void drawn_init(struct drawn *d, struct slice folded, const struct picture_options *options,
                unsigned ratio);
void drawn_release(struct drawn *d);

#endif
