/*
 * Memory that is freed all at once.
 *
 * An arena hands out pieces that stay where they are until arena_release() or
 * arena_clear(); nothing is freed alone. Pieces are aligned for any type. Not
 * shared between threads: each thread has its own.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

#include "base/slice.h"

struct arena_block;

struct arena {
    struct arena_block *last; /* the block that is being filled, then older ones */
    char *next, *end;         /* free room in it */
};

void arena_init(struct arena *a);
void arena_release(struct arena *a);

/* `size` bytes, not initialised; `count * size` zeroed bytes. */
void *arena_alloc(struct arena *a, size_t size) __attribute__((returns_nonnull));
void *arena_calloc(struct arena *a, size_t count, size_t size) __attribute__((returns_nonnull));

/* A copy of `s` followed by a NUL. */
char *arena_strdup(struct arena *a, struct slice s) __attribute__((returns_nonnull));
/* The same as a slice (without the NUL). */
struct slice arena_copy(struct arena *a, struct slice s);
/* A formatted string. */
char *arena_printf(struct arena *a, const char *format, ...) DIE_PRINTF(2, 3);

#endif
