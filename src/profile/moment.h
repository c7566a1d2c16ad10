/*
 * The samples of a series in the order of time.
 *
 * They are kept only where somebody asks for them (struct profile, `keep_moments`), since a series
 * is otherwise as large as its distinct stacks. A moment is one sample, or one stretch between two;
 * its time is in nanoseconds from whatever the input counts from, 0 where the input has none. They
 * stand as they were read until moments_sort().
 */
#ifndef PROFILE_MOMENT_H
#define PROFILE_MOMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct moment {
    uint64_t ns;
    uint64_t weight; /* in the series' units */
    uint32_t stack;
};

struct moments {
    VEC(struct moment) items;
    uint64_t now; /* the time met last */
    bool fresh;   /* it was met since the last moment was added */
    size_t timed; /* moments that had a time of their own */
};

/* Adds a moment at the time met last. */
void moments_add(struct moments *m, uint32_t stack, uint64_t weight);

/* Meets a time: that of the moment that is added next. */
void moments_meet(struct moments *m, uint64_t ns);
/* The moment that is added next to `from` is added to `to` instead. */
void moments_pass_on(struct moments *from, struct moments *to);

/* True where each moment has a time of its own. */
static inline bool moments_are_timed(const struct moments *m)
{
    return m->items.count && m->timed == m->items.count;
}

/*
 * Adds the moments of another series behind those that are there. Their stacks are looked up in
 * `stacks` where that is not NULL, their weights multiplied.
 */
void moments_join(struct moments *to, const struct moments *from, const uint32_t *stacks,
                  uint64_t factor);

/* Brings timed moments into the order of time; those of one time stay as they were read. */
void moments_sort(struct moments *m);

void moments_release(struct moments *m);

#endif
