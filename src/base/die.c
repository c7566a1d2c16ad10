#include "base/die.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/budget.h"

enum { PAGE = 4096, HUGE_PAGE = 2 * 1024 * 1024 };

void die(const char *format, ...)
{
    va_list args;

    fputs("flamepress: fatal: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    abort();
}

void die_bug(const char *file, int line, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "flamepress: bug: %s:%d: ", file, line);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    abort();
}

/*
 * Asks for huge pages for a large block that is new or has grown: half of the time of filling
 * such a block is faults of small pages. The range has all pages of the block, as mremap() refuses
 * a block in which some pages are advised. A system without huge pages refuses, which is harmless.
 */
static void prefer_huge_pages(void *block)
{
    size_t before = (uintptr_t)block % PAGE;

    madvise((char *)block - before, before + malloc_usable_size(block), MADV_HUGEPAGE);
}

/* malloc() may give more than was asked for; what it gave is charged, and given back. */
static void *charged(void *block, size_t before, size_t size)
{
    if (size >= 2 * HUGE_PAGE)
        prefer_huge_pages(block);
    if (budget_current)
        budget_charge(budget_current, (ptrdiff_t)(malloc_usable_size(block) - before));
    return block;
}

void *xmalloc(size_t size)
{
    void *block = malloc(size ? size : 1);

    if (!block)
        die("out of memory (%zu bytes)", size);
    return charged(block, 0, size);
}

void *xcalloc(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size ? size : 1);

    if (!block)
        die("out of memory (%zu times %zu bytes)", count, size);
    return charged(block, 0, count * size);
}

void *xreallocarray(void *old, size_t count, size_t size)
{
    size_t before = budget_current ? malloc_usable_size(old) : 0;
    void *block;

    if (size && count > SIZE_MAX / size)
        die("out of memory (%zu times %zu bytes)", count, size);
    size *= count;
    block = realloc(old, size ? size : 1);
    if (!block)
        die("out of memory (%zu bytes)", size);
    return charged(block, before, size);
}

void *xrealloc(void *old, size_t size)
{
    return xreallocarray(old, size, 1);
}

void xfree(void *block)
{
    if (budget_current && block)
        budget_charge(budget_current, -(ptrdiff_t)malloc_usable_size(block));
    free(block);
}
