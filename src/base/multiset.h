/*
 * A multiset of strings of bytes: the distinct ones, each with how often it was added.
 *
 * For records that wait in memory, which grows with the distinct ones. Ids count up from 0 in the
 * order in which strings were first added. If `in_order` is set, the multiset remembers the order
 * of all strings, too. To visit what was added:
 *
 *     for (size_t i = 0; i < multiset_steps(&t); i++) {
 *         uint32_t id = multiset_step(&t, i);
 *         ... intern_get(&t.keys, id), multiset_times(&t, id) times in a row
 *     }
 *
 * A zeroed multiset is empty and ready for use.
 */
#ifndef BASE_MULTISET_H
#define BASE_MULTISET_H

#include "base/intern.h"

struct multiset {
    struct intern keys;
    VEC(uint64_t) counts; /* by id */
    bool in_order;
    VEC(uint32_t) order; /* ids, one for each string that was added, if `in_order` */
};

void multiset_release(struct multiset *t);

/* Adds `key` once more and returns its id. */
uint32_t multiset_add(struct multiset *t, struct slice key);

/* Returns the number of distinct strings. */
static inline uint32_t multiset_size(const struct multiset *t)
{
    return intern_count(&t->keys);
}

/* A step is a distinct string or, if `in_order`, one that was added. Returns how many there are. */
static inline size_t multiset_steps(const struct multiset *t)
{
    return t->in_order ? t->order.count : t->counts.count;
}

/* Returns the id of the string of a step. */
static inline uint32_t multiset_step(const struct multiset *t, size_t step)
{
    return t->in_order ? t->order.items[step] : (uint32_t)step;
}

/* Returns how often a step was added. */
static inline uint64_t multiset_times(const struct multiset *t, uint32_t id)
{
    return t->in_order ? 1 : t->counts.items[id];
}

#endif
