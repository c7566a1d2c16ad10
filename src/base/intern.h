/*
 * Each distinct string once, as a small stable id.
 *
 * Ids count up from 0 in the order of first sight. The table copies the bytes
 * into its own arena, so a slice given to intern_add() need not outlive the
 * call: interning is the border between a file's bytes and what is kept.
 * The slices that intern_get() returns live as long as the table.
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

void intern_init(struct intern *t);
void intern_release(struct intern *t);

/* The id of `s`, added if it is new. */
uint32_t intern_add(struct intern *t, struct slice s);
/* The id of `s`, or MAP_NONE. */
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
