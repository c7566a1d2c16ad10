/*
 * The boxes that a reader can point at in a picture that answers nothing: what
 * the image map of a page is made of.
 *
 * Each area has what the box's title says and its place as the graph's script writes it
 * into an address ("#zoom=..."; templates/flame_tree.js, Paths): a hash of the
 * names from the root to it, so that it is found in another drawing as well.
 */
#ifndef OUTPUT_AREAS_H
#define OUTPUT_AREAS_H

#include "base/arena.h"
#include "base/vec.h"
#include "output/picture.h"

enum { AREA_PLACE = 14 }; /* digits of a place */

struct area {
    struct rect rect;           /* in CSS pixels */
    char place[AREA_PLACE + 1]; /* where a click leads to */
    struct slice name;          /* "malloc" */
    struct slice share;         /* "(272,959 samples, 78.34%)" */
};

struct areas {
    struct arena memory;
    VEC(struct area) items; /* in the order of the picture's boxes */
};

/* The first `most` boxes above the root's that are `least` pixels wide. Nothing is borrowed. */
void areas_init(struct areas *a, const struct picture *p, int32_t least, size_t most);
void areas_release(struct areas *a);

#endif
