#include "base/vec.h"

#include "base/budget.h"

void *vec_grow(void *items, size_t *cap, size_t need, size_t size)
{
    enum { LEAST = 8 };
    size_t grown = need < LEAST ? LEAST : need;

    /* A size beyond SIZE_MAX is left to xreallocarray(). */
    if (grown <= SIZE_MAX / size)
        grown = budget_growth(*cap * size, grown * size) / size;
    items = xreallocarray(items, grown, size);
    *cap = grown;
    return items;
}
