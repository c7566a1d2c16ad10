/*
 * The boxes of a picture as markup: what is seen of an SVG where no script runs.
 *
 * Boxes that are wide enough to point at have a title each; thinner ones are
 * joined to one path per colour.
 */
#ifndef OUTPUT_SVG_BOXES_H
#define OUTPUT_SVG_BOXES_H

#include "base/buf.h"
#include "output/picture.h"

void svg_boxes_write(const struct picture *p, struct buf *out);

#endif
