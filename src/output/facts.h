/*
 * The line of facts below the frames: the total, what it was measured by, and
 * what the picture does not show.
 */
#ifndef OUTPUT_FACTS_H
#define OUTPUT_FACTS_H

#include "base/buf.h"
#include "output/picture.h"

/* Ends the line if the colours of frames mean nothing. templates/flame_controls.js has it, too. */
#define FACTS_PLAIN_COLORS "colours only tell frames apart"

/*
 * Appends the line: the event, the total and the number of samples, whether the stacks are
 * estimated (the profile's fact "estimated"), the self weight of each class of symbols but user
 * code, the shares of frames that are too thin to draw or above the last row, and
 * FACTS_PLAIN_COLORS. Requires the layout, options, scale and colours of `p`.
 */
void facts_write(const struct picture *p, struct buf *out);

#endif
