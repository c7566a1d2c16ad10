/*
 * The samples of a series in the order in which a format with times lists them: each sample at its
 * time if the profile has kept them (profile/timed_sample.h), else one sample for each distinct
 * stack.
 */
#ifndef CONVERT_TIMELINE_H
#define CONVERT_TIMELINE_H

#include "profile/profile.h"

struct timeline {
    const struct series *series; /* borrowed */
    bool timed;                  /* rows are samples, in the order of time */
    size_t count;
};

/* The series must outlive the timeline, which owns nothing. */
struct timeline timeline_of(const struct series *s);

/* Returns a row; its time is 0 unless the timeline is timed. */
static inline struct timed_sample timeline_row(const struct timeline *t, size_t i)
{
    if (t->timed)
        return t->series->timed.items.items[i];
    return (struct timed_sample){.weight = t->series->weight[i], .stack = t->series->stack[i]};
}

#endif
