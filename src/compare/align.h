/*
 * Gives the frames of base and new runs the names under which they are compared, for pictures of
 * the change: otherwise a process that was renamed from "orders-w1" to "orders-w2" would split a
 * graph into stacks that are gone and stacks that are new.
 *
 * If each side has names that the other one lacks, with one key (compare/keys.h), these become the
 * first such name of the new runs; for processes and threads of which the new runs have several,
 * they become the key. Names that both sides have stay, but for those of generated functions: their
 * numbers mean nothing. Marks such as that of kernel functions are removed if the other side has
 * none (reshape_match_marks()).
 */
#ifndef COMPARE_ALIGN_H
#define COMPARE_ALIGN_H

#include "profile/profile.h"

/* A function that has another name in the base. */
struct align_rename {
    struct slice from, to;
};

struct align_renames VEC_OF(struct align_rename);

/* Renames frames of both profiles. `renames` adds pairs whose keys differ. */
void compare_align(struct profile *base, struct profile *new, const struct align_renames *renames);

#endif
