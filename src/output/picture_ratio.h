/*
 * What the picture of two counters (layout/ratio.h) says of them.
 */
#ifndef OUTPUT_PICTURE_RATIO_H
#define OUTPUT_PICTURE_RATIO_H

#include "base/buf.h"
#include "output/picture.h"

/* True where the graph is one of two counters. */
bool picture_ratio_is(const struct picture *p);

/* "1,234 cycles, 12.30%; 1,500 instructions; IPC 1.22, self IPC 0.98" */
void picture_ratio_write_box(const struct picture *p, const struct box *box, struct buf *out);

/* "1,500 instructions . IPC 1.22, CPI 0.82", behind the cycles. */
void picture_ratio_write_total(const struct picture *p, const char *separator, struct buf *out);

/* "of the function itself: IPC 0.12 (stalled) to 2.40 (flowing), of all 1.22" */
void picture_ratio_write_scale(const struct picture *p, struct buf *out);

/* The unit of the other counter: "instructions". */
struct unit picture_ratio_unit(const struct picture *p);

#endif
