/*
 * Other stacks for a profile: what filters and groupings make of it.
 *
 * Whoever takes weight out of a series says so in its removals, so that the
 * sum of what is left and what was taken is what was read.
 */
#ifndef PROFILE_RESHAPE_H
#define PROFILE_RESHAPE_H

#include <stdint.h>

#include "profile/profile.h"

/* Where stacks go that are left out. */
#define STACK_NONE UINT32_MAX

/*
 * Moves the weight of every stack to the stack `to[id]`, or out of the
 * profile where that is STACK_NONE. The ids are those of `stacks`, which the
 * profile takes over; NULL where its own stay. A series that loses weight no
 * longer knows the number of its samples.
 */
void profile_reshape(struct profile *p, struct stacks *stacks, const uint32_t *to);

/* Puts all stacks below one more frame. */
void reshape_add_root(struct profile *p, struct slice name);

/*
 * Takes the stacks out of a series that have one of the bits in `marks`, which
 * is by stack; returns what they weighed. Likewise for its samples.
 */
uint64_t reshape_drop(struct series *s, const unsigned char *marks, unsigned char bits);

/* Notes what an option took out, adding to what it took before; nothing for no weight. */
void reshape_add_removal(struct series *s, const char *option, uint64_t weight, bool stayed);

/* The weight that was read: the total and all that was taken out of it. */
uint64_t reshape_whole(const struct series *s);

#endif
