/*
 * Stacks of threads and CPUs that have nothing to do, known by their functions.
 *
 * A CPU is idle in the kernel's idle loop, unless an interrupt came; a thread
 * where it waits for work: in an event loop or a pool of threads. The second is
 * no idling where the time on the CPU is measured: what runs there is work.
 * The stacks of wakers say nothing of the thread that they wake.
 */
#ifndef TREE_IDLE_H
#define TREE_IDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

struct idle {
    unsigned char *marks; /* by stack */
};

void idle_init(struct idle *i, const struct profile *p);
void idle_release(struct idle *i);

/*
 * Takes idle stacks out of a series, those of waiting threads only where
 * `waits`, and says so in its removals. The profile's stacks must be those of
 * idle_init().
 */
void idle_drop(const struct idle *i, struct series *s, bool waits);

#endif
