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

/*
 * Appends them. Where they would take more than `most` bytes, the thinnest are
 * left out, none of them below one that stays; the first stays always. Returns
 * how many were left out.
 */
uint32_t svg_boxes_write(const struct picture *p, size_t most, struct buf *out);

#endif
