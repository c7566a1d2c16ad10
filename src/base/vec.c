#include "base/vec.h"

#include <stdint.h>

void *vec_grow(void *items, size_t *cap, size_t need, size_t size)
{
    size_t grown = *cap > SIZE_MAX / 2 ? need : *cap * 2;

    if (grown < need)
        grown = need;
    if (grown < 8)
        grown = 8;
    items = xreallocarray(items, grown, size);
    *cap = grown;
    return items;
}
