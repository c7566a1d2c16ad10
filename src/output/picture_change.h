/*
 * What the picture of a differential graph says of changes.
 */
#ifndef OUTPUT_PICTURE_CHANGE_H
#define OUTPUT_PICTURE_CHANGE_H

#include "base/buf.h"
#include "output/picture.h"

/* Frames of a differential graph are white, which no bright ground sets off. */
extern const struct background picture_change_ground;

/* The name of the lane's first box. */
struct slice picture_change_lane(const struct picture *p);

/* What hatching a box has: 1 for more, -1 for less, 0 for none. */
int picture_change_hatch(const struct picture *p, const struct box *box);

/* Appends "base 10 samples, 45.45%; new 15 samples, 62.50%; change +5 samples, self +3 samples". */
void picture_change_write_box(const struct picture *p, const struct box *box, struct buf *out);

/*
 * Appends the change of the total and what it is made of: "change +2 samples (+9.1%): new paths
 * +5, grown +5, shrunk -1, gone -7".
 */
void picture_change_write_total(const struct picture *p, struct buf *out);

/* Appends a weight, or a change with its sign, as lines of text have them: times short. */
void picture_change_write_weight(const struct picture *p, uint64_t weight, struct buf *out);
void picture_change_write(const struct picture *p, int64_t change, struct buf *out);

#endif
