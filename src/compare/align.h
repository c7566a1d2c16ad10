/*
 * Gives the frames of base and new runs the names under which they are compared, for pictures of
 * the change: otherwise a process that was renamed from "orders-w1" to "orders-w2" would split a
 * graph into stacks that are gone and stacks that are new.
 *
 * Names with one key (compare/keys.h) become one if the two sides have different ones of them: the
 * first name of the new runs, or, for processes and threads of which the new runs have several, the
 * key. All other names stay as they are.
 */
#ifndef COMPARE_ALIGN_H
#define COMPARE_ALIGN_H

#include "profile/profile.h"

/* A function that has another name in the base. */
struct align_rename {
    struct slice from, to;
};

struct align_renames VEC_OF(struct align_rename);

/* Renames frames of both profiles. `renames` are functions that keys do not recognise. */
void compare_align(struct profile *base, struct profile *new, const struct align_renames *renames);

#endif
