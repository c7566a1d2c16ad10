/*
 * Recognises stacks of idle CPUs and idle threads by their functions.
 *
 * A CPU is idle in the kernel's idle loop, except during interrupts. A thread is
 * idle while it waits for work, in an event loop or a thread pool; in profiles
 * of time on the CPU such a thread is working. Frames of wakers do not count.
 */
#ifndef TREE_IDLE_H
#define TREE_IDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile.h"

struct idle {
    unsigned char *marks; /* by stack: which kinds of idleness it has */
};

/* True if a function is a part of the kernel's idle loop, or represents an idle CPU. */
bool idle_is_cpu(const struct symbols *symbols, uint32_t id);

void idle_init(struct idle *i, const struct profile *p);
void idle_release(struct idle *i);

/*
 * Removes stacks of idle CPUs and, if `waits`, of waiting threads from a series,
 * and adds their weight to its removals. The profile's stacks must not have
 * changed since idle_init().
 */
void idle_drop(const struct idle *i, struct series *s, bool waits);

#endif
