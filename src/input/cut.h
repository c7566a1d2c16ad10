/*
 * Finds stacks that the profiler cut at a depth, without saying so.
 *
 * A profiler that keeps the 64 frames next to the leaf leaves stacks of exactly that depth, the
 * greatest of the profile, which begin with a function in the middle of a call chain: one that
 * shallower stacks have below another root.
 */
#ifndef INPUT_CUT_H
#define INPUT_CUT_H

#include "base/diag.h"
#include "profile/profile.h"

/*
 * Warns about such stacks, with their share of the first series that has them, and adds both as a
 * fact. Does nothing if the reader counted stacks that are cut.
 */
void cut_tell(struct profile *p, struct diag *diag);

#endif
