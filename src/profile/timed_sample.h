/*
 * Timestamped samples: the samples of a series, each with its time.
 *
 * Timed samples are kept only on request (`keep_timed` of struct profile): without them, the size
 * of a series depends on its distinct stacks alone. A timed sample is one sample, or the interval
 * between two. Its time is in nanoseconds from the input's own origin; 0 if the input has no times.
 * A span is a timed sample that lasts: it begins at its time, and its weight is how long it lasts.
 * They are in the order of the input until timed_samples_sort().
 */
#ifndef PROFILE_TIMED_SAMPLE_H
#define PROFILE_TIMED_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct timed_sample {
    uint64_t ns;
    uint64_t weight; /* in the series' units */
    uint32_t stack;
    bool span;
};

struct timed_samples {
    VEC(struct timed_sample) items;
    uint64_t now; /* the time of the last timed_samples_meet() */
    bool fresh;   /* no timed sample was added since then */
    bool span;    /* the next timed sample is a span */
    size_t timed; /* timed samples with a time of their own */
};

/* Adds a timed sample at the time of the last timed_samples_meet(). */
void timed_samples_add(struct timed_samples *m, uint32_t stack, uint64_t weight);

/* Sets the time of the timed sample that is added next, or of the span. */
void timed_samples_meet(struct timed_samples *m, uint64_t ns);
void timed_samples_begin(struct timed_samples *m, uint64_t ns);
/* Moves a time that no timed sample has used yet from `from` to `to`. */
void timed_samples_pass_on(struct timed_samples *from, struct timed_samples *to);

/* True if there are timed samples and each has a time of its own. */
static inline bool timed_samples_are_timed(const struct timed_samples *m)
{
    return m->items.count && m->timed == m->items.count;
}

/* True if some timed samples are spans. */
bool timed_samples_have_spans(const struct timed_samples *m);

/*
 * Appends the timed samples of `from` to those of `to`, with weights multiplied by `factor`. If
 * `stacks` is not NULL, stack `id` of `from` becomes stacks[id].
 */
void timed_samples_join(struct timed_samples *to, const struct timed_samples *from,
                        const uint32_t *stacks, uint64_t factor);

/* Sorts timed samples by time; timed samples of equal time keep their order. */
void timed_samples_sort(struct timed_samples *m);

void timed_samples_release(struct timed_samples *m);

#endif
