/*
 * Writes the boxes of a picture as SVG markup, which needs no script.
 *
 * Each box that is wide enough to point at has a title. Thinner boxes are joined
 * into one path per colour.
 */
#ifndef OUTPUT_SVG_BOXES_H
#define OUTPUT_SVG_BOXES_H

#include "base/buf.h"
#include "output/picture.h"

/*
 * Appends the boxes. If they would take more than `most` bytes, leaves out the
 * lightest boxes, but never the first box nor a parent of one that stays.
 * Returns how many were left out.
 */
uint32_t svg_boxes_write(const struct picture *p, size_t most, struct buf *out);

#endif
