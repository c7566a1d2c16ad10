/*
 * The areas of the image map that a page puts over a still picture.
 *
 * Each area has the title of a box and its place, which the graph's script
 * takes in the address "#zoom=..." (templates/flame_tree.js, Paths). A place is
 * a hash of the names from the root to the box, so it is also valid in another
 * drawing.
 */
#ifndef OUTPUT_AREAS_H
#define OUTPUT_AREAS_H

#include "base/arena.h"
#include "base/vec.h"
#include "output/picture.h"

enum { AREA_PLACE = 14 }; /* digits of a place */

struct area {
    struct rect rect;           /* in CSS pixels */
    char place[AREA_PLACE + 1]; /* what a click zooms to */
    struct slice name;          /* "malloc" */
    struct slice share;         /* "(272,959 samples, 78.34%)" */
};

struct areas {
    struct arena memory;
    VEC(struct area) items; /* in the order of the picture's boxes */
};

/* Fills `a` with at most `most` boxes, the root's excluded, of at least `least` pixels width. */
void areas_init(struct areas *a, const struct picture *p, int32_t least, size_t most);
void areas_release(struct areas *a);

#endif
