#include "base/arena.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"

enum {
    ARENA_ALIGN = _Alignof(max_align_t),
    ARENA_FIRST = 128, /* many arenas hold a few texts; each further block is twice as large */
    ARENA_BLOCK = 64 * 1024,
};

struct arena_block {
    struct arena_block *older;
    max_align_t bytes[];
};

void arena_release(struct arena *a)
{
    struct arena_block *block = a->last;

    while (block) {
        struct arena_block *older = block->older;

        xfree(block);
        block = older;
    }
    *a = (struct arena){0};
}

size_t arena_footprint(const struct arena *a)
{
    size_t bytes = 0;

    for (struct arena_block *block = a->last; block; block = block->older)
        bytes += malloc_usable_size(block);
    return bytes;
}

static void *arena_alloc_large(struct arena *a, size_t size)
{
    struct arena_block *block = xmalloc(sizeof(*block) + size);

    /* Linked after the current block, whose free room still serves small pieces. */
    if (a->last) {
        block->older = a->last->older;
        a->last->older = block;
    } else {
        block->older = NULL;
        a->last = block;
    }
    return block->bytes;
}

void *arena_alloc(struct arena *a, size_t size)
{
    void *piece;

    if (size > SIZE_MAX / 2)
        die("out of memory (%zu bytes)", size);
    size = (size + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
    if (size > (size_t)(a->end - a->next)) {
        struct arena_block *block;

        if (size > ARENA_BLOCK / 4)
            return arena_alloc_large(a, size);
        if (a->room < ARENA_BLOCK)
            a->room = a->room ? a->room * 2 : ARENA_FIRST;
        while (a->room < size)
            a->room *= 2;
        block = xmalloc(sizeof(*block) + a->room);
        block->older = a->last;
        a->last = block;
        a->next = (char *)block->bytes;
        a->end = a->next + a->room;
    }
    piece = a->next;
    a->next += size;
    return piece;
}

void *arena_calloc(struct arena *a, size_t count, size_t size)
{
    size_t bytes;
    void *piece;

    if (__builtin_mul_overflow(count, size, &bytes))
        die("out of memory (%zu times %zu bytes)", count, size);
    piece = arena_alloc(a, bytes);
    memset(piece, 0, bytes);
    return piece;
}

char *arena_strdup(struct arena *a, struct slice s)
{
    char *copy = arena_alloc(a, s.len + 1);

    if (s.len)
        memcpy(copy, s.ptr, s.len);
    copy[s.len] = '\0';
    return copy;
}

struct slice arena_copy(struct arena *a, struct slice s)
{
    return slice_make(arena_strdup(a, s), s.len);
}

char *arena_printf(struct arena *a, const char *format, ...)
{
    struct buf text = {0};
    va_list args;
    char *copy;

    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    copy = arena_strdup(a, buf_slice(&text));
    buf_release(&text);
    return copy;
}
