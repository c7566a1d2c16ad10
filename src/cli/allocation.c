/*
 * Ends the program if a library cannot allocate.
 *
 * Fontconfig crashes without memory, and HarfBuzz leaves glyphs out and reports nothing. So the
 * program replaces the C library's functions, for itself and for all libraries, by ones that
 * return NULL only for large blocks: those are the buffers of decompressors, whose libraries check
 * them. base/die.h checks what the program itself allocates. Sanitizers bring their own functions.
 */
#include "cli/allocation.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/die.h"
#include "cli/sanitized.h"

#ifndef SANITIZED

/* The functions of the GNU C Library below the ones that a program may replace. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

enum { LARGE = 1 << 20 };

static void *checked(void *block, size_t size)
{
    if (__builtin_expect(!block && size < LARGE, 0))
        die("out of memory (%zu bytes)", size);
    return block;
}

void *malloc(size_t size)
{
    return checked(__libc_malloc(size), size);
}

void *calloc(size_t count, size_t size)
{
    size_t bytes;

    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    return checked(__libc_calloc(count, size), bytes);
}

void *realloc(void *old, size_t size)
{
    void *block = __libc_realloc(old, size);

    return old && !size ? block : checked(block, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return checked(__libc_memalign(alignment, size), size);
}

/* Grows the heap by at least `size` bytes, and asks for huge pages for these. */
static void grow_heap(size_t size)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), before = (uintptr_t)sbrk(0), end;

    free(xmalloc(size)); /* leaves the bytes in the heap, at its end */
    end = (uintptr_t)sbrk(0);
    if (end > before)
        madvise((void *)(before / page * page), end - before / page * page, MADV_HUGEPAGE);
}

void allocation_expect(uint64_t bytes)
{
    enum { LEAST_INPUT = 2 << 20, MAPPED = 4 << 20, STEP = 16 << 20, SMALL_STEP = 1 << 20 };

    /* The heap neither shrinks and grows again nor grows in many steps. */
    mallopt(M_MMAP_THRESHOLD, MAPPED);
    mallopt(M_TRIM_THRESHOLD, 2 * STEP);
    mallopt(M_TOP_PAD, bytes < LEAST_INPUT ? SMALL_STEP : STEP);
    if (bytes < LEAST_INPUT)
        return;
    mallopt(M_ARENA_MAX, 1);
    grow_heap(MAPPED / 2);
}

#else

void allocation_expect(uint64_t bytes)
{
    (void)bytes;
}

#endif
