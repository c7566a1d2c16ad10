/*
 * Memory that is freed all at once.
 *
 * The pieces that an arena allocates never move. They are freed together, by
 * arena_release(), never singly. Pieces are aligned for any type. Running out of memory
 * ends the program (base/die.h). Threads must not share an arena. A zeroed arena is empty
 * and ready for use.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

#include "base/slice.h"

struct arena_block;

struct arena {
    struct arena_block *last; /* the block being filled; it links to the older ones */
    char *next, *end;         /* free room in `last` */
    size_t room;              /* of `last` */
};

/* Frees all pieces. */
void arena_release(struct arena *a);

/* Returns the bytes that the arena has taken from the system. */
size_t arena_footprint(const struct arena *a);

/* Returns `size` uninitialised bytes. */
void *arena_alloc(struct arena *a, size_t size) __attribute__((returns_nonnull));
/* Returns `count * size` zeroed bytes. */
void *arena_calloc(struct arena *a, size_t count, size_t size) __attribute__((returns_nonnull));

/* Returns a copy of `s`, followed by a NUL. */
char *arena_strdup(struct arena *a, struct slice s) __attribute__((returns_nonnull));
/* Returns a copy of `s` as a slice, without a NUL. */
struct slice arena_copy(struct arena *a, struct slice s);
/* Formats as printf() does; returns a NUL-terminated string. */
char *arena_printf(struct arena *a, const char *format, ...) DIE_PRINTF(2, 3);

#endif
