/*
 * A table of distinct strings with small stable ids.
 *
 * Ids count up from 0 in the order in which strings were first added. The
 * table copies each string into its own arena, so a slice passed to
 * intern_add() need not outlive the call. The slices that intern_get() returns
 * live as long as the table. More than UINT32_MAX strings end the program. A zeroed table
 * is empty and ready for use.
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stdint.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

struct intern {
    struct arena bytes;
    struct map index;
    VEC(struct slice) strings; /* by id */
};

void intern_release(struct intern *t);

/* Returns the id of `s`, which is added if it is new. */
uint32_t intern_add(struct intern *t, struct slice s);
/* Returns the id of `s`, or MAP_NONE if it was never added. */
uint32_t intern_find(const struct intern *t, struct slice s);

static inline struct slice intern_get(const struct intern *t, uint32_t id)
{
    BUG_ON(id >= t->strings.count);
    return t->strings.items[id];
}

static inline uint32_t intern_count(const struct intern *t)
{
    return (uint32_t)t->strings.count;
}

#endif
