#include "base/vec.h"

#include "base/budget.h"

void *vec_grow(void *items, size_t *cap, size_t need, size_t size)
{
    /* Large elements begin with one: many arrays of them have no more. */
    enum { LEAST = 8, LEAST_BYTES = 256 };
    size_t least = size * LEAST <= LEAST_BYTES ? LEAST : LEAST_BYTES / size;
    size_t grown = need < least ? least : need;

    /* A size beyond SIZE_MAX is left to xreallocarray(). */
    if (grown <= SIZE_MAX / size)
        grown = budget_growth(*cap * size, grown * size) / size;
    items = xreallocarray(items, grown, size);
    *cap = grown;
    return items;
}
