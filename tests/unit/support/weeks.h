/*
 * Weeks of a service for tests of comparisons: runs made from folded stacks, or read from files.
 */
#ifndef SUPPORT_WEEKS_H
#define SUPPORT_WEEKS_H

#include "profile/service.h"

/* A stack of a generated run; "_[o]" and so on as in unit/support/graph.h. */
struct week_stack {
    const char *stack;
    unsigned samples;
};

/*
 * Makes `count` runs of the stacks, whose list ends with an entry without a stack. Counts differ
 * between runs as samples do; `seed` decides how.
 */
void week_init(struct service *s, const char *name, const struct week_stack *stacks, size_t count,
               unsigned seed);

/* Adds a file as a run; the test fails if it cannot be read. */
void week_add_file(struct service *s, const char *path, const char *run);

#endif
