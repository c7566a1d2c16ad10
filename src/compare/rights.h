/*
 * What both sides have, if their runs were recorded with other rights: one side has samples in the
 * kernel, and the other does not.
 *
 * The modifiers of an event say so ("cycles:u"): then samples in the kernel are left out, and all
 * shares are of what both sides have. A tool may also remove the kernel's functions from the stacks
 * of one side, and the samples are then their callers'. If only one side has functions of the
 * kernel and the events do not say why, that of the two which makes the sides more alike is true.
 *
 * A program that did not enter the kernel and now does is no such case: even a program that only
 * computes is interrupted. So it takes many samples without any function of the kernel on one side,
 * and a hundredth of each run on the other.
 */
#ifndef COMPARE_RIGHTS_H
#define COMPARE_RIGHTS_H

#include "compare/functions.h"

struct rights {
    enum kernel_use kernel;
    enum stats_side with; /* the side that has what the other lacks */
    double part;          /* of its samples: in what the other side lacks */
};

/*
 * Finds what both sides have, and sets the rest apart in the runs. `rates` says that the samples of
 * a run are what it was exposed to. `least_share` and `renames` are those of functions_init().
 */
void rights_find(struct rights *r, struct compare_run *runs, size_t count, bool rates,
                 double least_share, const struct rename_list *renames);

#endif
