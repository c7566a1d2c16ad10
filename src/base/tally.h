/*
 * Distinct strings of bytes, each with how often it was added.
 *
 * For records that wait in memory, which grows with the distinct ones. Ids count up from 0 in the
 * order in which strings were first added. If `in_order` is set, the tally remembers the order of
 * all strings, too. To visit what was added:
 *
 *     for (size_t i = 0; i < tally_steps(&t); i++) {
 *         uint32_t id = tally_step(&t, i);
 *         ... intern_get(&t.keys, id), tally_times(&t, id) times in a row
 *     }
 *
 * A zeroed tally is empty and ready for use.
 */
#ifndef BASE_TALLY_H
#define BASE_TALLY_H

#include "base/intern.h"

struct tally {
    struct intern keys;
    VEC(uint64_t) counts; /* by id */
    bool in_order;
    VEC(uint32_t) order; /* ids, one for each string that was added, if `in_order` */
};

void tally_release(struct tally *t);

/* Adds `key` once more and returns its id. */
uint32_t tally_add(struct tally *t, struct slice key);

/* Returns the number of distinct strings. */
static inline uint32_t tally_size(const struct tally *t)
{
    return intern_count(&t->keys);
}

/* A step is a distinct string or, if `in_order`, one that was added. Returns how many there are. */
static inline size_t tally_steps(const struct tally *t)
{
    return t->in_order ? t->order.count : t->counts.count;
}

/* Returns the id of the string of a step. */
static inline uint32_t tally_step(const struct tally *t, size_t step)
{
    return t->in_order ? t->order.items[step] : (uint32_t)step;
}

/* Returns how often a step was added. */
static inline uint64_t tally_times(const struct tally *t, uint32_t id)
{
    return t->in_order ? 1 : t->counts.items[id];
}

#endif
