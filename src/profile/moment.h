/*
 * The samples of a series in the order of time.
 *
 * Moments are kept only on request (`keep_moments` of struct profile): without them, the size of
 * a series depends on its distinct stacks alone. A moment is one sample, or the interval between
 * two. Its time is in nanoseconds from the input's own origin; 0 if the input has no times.
 * A span is a moment that lasts: it begins at its time, and its weight is how long it lasts.
 * Moments are in the order of the input until moments_sort().
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
    bool span;
};

struct moments {
    VEC(struct moment) items;
    uint64_t now; /* the time of the last moments_meet() */
    bool fresh;   /* no moment was added since then */
    bool span;    /* the next moment is a span */
    size_t timed; /* moments with a time of their own */
};

/* Adds a moment at the time of the last moments_meet(). */
void moments_add(struct moments *m, uint32_t stack, uint64_t weight);

/* Sets the time of the moment that is added next, or of the span. */
void moments_meet(struct moments *m, uint64_t ns);
void moments_begin(struct moments *m, uint64_t ns);
/* Moves a time that no moment has used yet from `from` to `to`. */
void moments_pass_on(struct moments *from, struct moments *to);

/* True if there are moments and each has a time of its own. */
static inline bool moments_are_timed(const struct moments *m)
{
    return m->items.count && m->timed == m->items.count;
}

/* True if some moments are spans. */
bool moments_have_spans(const struct moments *m);

/*
 * Appends the moments of `from` to those of `to`, with weights multiplied by `factor`. If `stacks`
 * is not NULL, stack `id` of `from` becomes stacks[id].
 */
void moments_join(struct moments *to, const struct moments *from, const uint32_t *stacks,
                  uint64_t factor);

/* Sorts timed moments by time; moments of equal time keep their order. */
void moments_sort(struct moments *m);

void moments_release(struct moments *m);

#endif
