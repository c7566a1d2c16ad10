/*
 * Texts, hatching and background of a picture whose frames have two weights.
 *
 * A differential graph has the weights of the base and the new profile and
 * shows changes (layout/change.h). A graph of two counters has cycles and
 * instructions or stalled cycles and shows ratios (layout/ratio.h). All
 * functions but picture_pair_hatch() require such a graph.
 */
#ifndef OUTPUT_PICTURE_PAIR_H
#define OUTPUT_PICTURE_PAIR_H

#include "base/buf.h"
#include "output/facts.h"
#include "output/picture.h"

/* Unchanged frames are white, so the background must not be bright. */
extern const struct background picture_pair_ground;

/* True for a graph of two counters. Any graph may be asked. */
bool picture_pair_is_ratio(const struct picture *p);

/* Returns the unit of the second counter: "instructions". */
struct unit picture_pair_other_unit(const struct picture *p);

/* Returns the name of the first box of the stacks that only one side has. */
struct slice picture_pair_lane(const struct picture *p);

/* Returns 1 if the box is hatched as grown, -1 as shrunk, 0 if it is not hatched. */
int picture_pair_hatch(const struct picture *p, const struct box *box);

/*
 * Appends the weights of a box: "base 10 samples, 45.45%; new 15 samples, 62.50%; change +5
 * samples, self +3 samples", or "1,234 cycles, 12.30%; 1,500 instructions; IPC 1.22, self IPC
 * 0.98".
 */
void picture_pair_write_box(const struct picture *p, const struct box *box, struct buf *out);

/*
 * Adds the totals as facts: the base, the change and its parts, or the second counter and the
 * ratio. The caller has added the first total.
 */
void picture_pair_add_total(const struct picture *p, struct facts *f);

/* Appends what the ends of the scale of colours mean. */
void picture_pair_write_scale(const struct picture *p, struct buf *out);

#endif
