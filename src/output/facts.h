/*
 * The line of facts below the frames: how much the picture stands for, who it
 * belongs to, and what of it cannot be seen.
 */
#ifndef OUTPUT_FACTS_H
#define OUTPUT_FACTS_H

#include "base/buf.h"
#include "output/picture.h"

/*
 * Appends the line: the event, the total with its unit and the samples behind it, whether
 * its stacks are an estimate (the profile's fact "estimated"), the self weight of each
 * class of symbols other than plain user code, and the share of frames that are too thin
 * to draw or lie above the last row. `p` needs its layout, options and scale.
 */
void facts_write(const struct picture *p, struct buf *out);

#endif
