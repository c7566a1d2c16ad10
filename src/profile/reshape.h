/*
 * Replaces or removes stacks of a profile, for filters and groups.
 *
 * Code that removes weight from a series must add it to the series' removals, so
 * that the total and the removals always add up to the weight that was read.
 */
#ifndef PROFILE_RESHAPE_H
#define PROFILE_RESHAPE_H

#include <stdint.h>

#include "profile/profile.h"

/* The new id of a stack that is removed. */
#define STACK_NONE UINT32_MAX

/*
 * Moves the weight of each stack `id` to the stack to[id], or removes the weight
 * if to[id] is STACK_NONE. The new ids refer to `stacks`, which replaces the
 * profile's stacks and becomes the profile's property; if `stacks` is NULL, the
 * profile keeps its own. `samples` of a series that loses weight becomes 0,
 * which means unknown.
 */
void profile_reshape(struct profile *p, struct stacks *stacks, const uint32_t *to);

/*
 * Replaces the symbol `id` in all stacks by the symbol to[id], which the profile has. Stacks that
 * become equal are merged.
 */
void reshape_symbols(struct profile *p, const uint32_t *to);

/*
 * Gives each symbol `id` the name names[id], which is copied, unless that is empty. Symbols that
 * become equal are one, which keeps the first module and place in the source.
 */
void reshape_rename(struct profile *p, const struct slice *names);

/* Inserts a frame `name` between the root and all stacks. */
void reshape_add_root(struct profile *p, struct slice name);

/*
 * Prepares `part` for merging or pairing with `whole` if only one of the two says which frames are
 * owners: folded stacks do not. First frames of `part` become owners if they are owners in `whole`;
 * if `whole` has no owners, those of `part` become functions. So equal stacks stay equal.
 */
void reshape_match_owners(const struct profile *whole, struct profile *part);

/*
 * Prepares two profiles for pairing if only one of them says which functions are the kernel's,
 * inlined or compiled at run time: `fold` and most scripts that make folded stacks do not. If the
 * other one has functions of these names without any mark, the marks are removed, so that a
 * function is the same in both.
 */
void reshape_match_marks(struct profile *a, struct profile *b);

/*
 * Removes all stacks `id` with marks[id] & bits from a series, and their
 * timed samples. Returns the removed weight.
 */
uint64_t reshape_drop(struct series *s, const unsigned char *marks, unsigned char bits);

/* Returns size * part / whole, rounded up. */
uint64_t reshape_part(uint64_t size, uint64_t part, uint64_t whole);

/* Adds `weight` to the removal of `option`. Does nothing if `weight` is 0. */
void reshape_add_removal(struct series *s, const char *option, uint64_t weight, bool stayed);

/* Returns how a removal is worded after a share and before the option: "left out by ". */
const char *reshape_removal_verb(const struct removal *r);

/* Returns the weight that was read: the total plus all removed weight. */
uint64_t reshape_whole(const struct series *s);

#endif
