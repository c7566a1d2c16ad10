/*
 * Typed growable arrays.
 *
 *     VEC(uint32_t) ids = {0};
 *     *vec_add(&ids) = 7;
 *     vec_each (uint32_t, id, &ids) ...
 *     vec_release(&ids);
 *
 * A zeroed VEC is empty and ready for use. Elements move when the array grows,
 * so a pointer to one is valid only until the next vec_add(). To pass a VEC to a
 * function, name its struct: `struct ids VEC_OF(uint32_t);`.
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>
#include <stdlib.h>

#include "base/die.h"
#include "base/release.h"

#define VEC_OF(type)                                                                               \
    {                                                                                              \
        type *items;                                                                               \
        size_t count, cap;                                                                         \
    }
#define VEC(type) struct VEC_OF(type)

/* Makes room for `n` elements in total. */
#define vec_reserve(v, n)                                                                          \
    ((n) > (v)->cap                                                                                \
         ? (void)((v)->items = vec_grow((v)->items, &(v)->cap, (n), sizeof(*(v)->items)))          \
         : (void)0)

/* Adds an uninitialised element and returns its address. */
#define vec_add(v) (vec_reserve(v, (v)->count + 1), &(v)->items[(v)->count++])

#define vec_each(type, name, v)                                                                    \
    for (type *name = (v)->items; name && name < (v)->items + (v)->count; name++)

#define vec_clear(v) ((void)((v)->count = 0))
#define vec_release(v) (xfree((v)->items), (v)->items = NULL, (v)->count = (v)->cap = 0, (void)0)

/*
 * Reallocates `items` for `need` elements of `size` bytes. Doubles `*cap`, unless the budget of the
 * thread has too little left (base/budget.h).
 */
void *vec_grow(void *items, size_t *cap, size_t need, size_t size);

#endif
