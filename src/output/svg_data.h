/*
 * The exact weights of an SVG's boxes, for its script.
 *
 * A <metadata> element holds what markup cannot say. Its attributes give the
 * geometry, how weights are shown, and the weight of frames that have no box
 * (`unseen`). Its text has two parts, parted by an
 * empty line:
 *
 *     rrggbb name             colour and name of boxes without markup of their own
 *     ...
 *
 *     gap,weight gap,weight   a line for each row from the root on: the boxes from
 *     ,weight,7               left to right, the weight left free before the box
 *     ,weight,7,-12           (nothing for 0), and the weight of the box. The third
 *                             number is there where the box has no markup: its line
 *                             in the first part; the fourth, its change in self weight,
 *                             where that is not 0. Boxes with markup take the row's
 *                             groups in order, and their name from the title.
 *
 * Weights are whole numbers in the layout's units; they may exceed 2^53.
 */
#ifndef OUTPUT_SVG_DATA_H
#define OUTPUT_SVG_DATA_H

#include "base/buf.h"
#include "output/picture.h"

/* Appends the element. */
void svg_data_write(const struct picture *p, struct buf *out);

#endif
