/*
 * A library to preload that lets one allocation of the program fail.
 *
 * FAIL_AT=N returns NULL for the Nth call of the C library's malloc(), calloc(), realloc() or
 * memalign(), whoever makes it; calls count from 1. FAIL_COUNT=FILE writes the number of calls to
 * FILE at exit. Threads share the count, so a run repeats only with one thread.
 *
 * The program replaces malloc() by functions that call these (src/cli/allocation.c).
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static void *(*next_malloc)(size_t size);
static void *(*next_calloc)(size_t count, size_t size);
static void *(*next_realloc)(void *old, size_t size);
static void *(*next_memalign)(size_t alignment, size_t size);

static atomic_ulong calls;
static unsigned long fail_at;

static void find(void *function, const char *name)
{
    *(void **)function = dlsym(RTLD_NEXT, name);
    if (!*(void **)function)
        abort();
}

static void find_all(void)
{
    const char *n = getenv("FAIL_AT");

    find(&next_malloc, "__libc_malloc");
    find(&next_calloc, "__libc_calloc");
    find(&next_realloc, "__libc_realloc");
    find(&next_memalign, "__libc_memalign");
    fail_at = n ? strtoul(n, NULL, 10) : 0;
}

__attribute__((destructor)) static void end(void)
{
    unsigned long n = atomic_load(&calls);
    const char *path = getenv("FAIL_COUNT");
    FILE *out = path ? fopen(path, "w") : NULL;

    if (!out)
        return;
    fprintf(out, "%lu\n", n);
    fclose(out);
}

static int fails(void)
{
    if (!next_memalign)
        find_all();
    if (atomic_fetch_add(&calls, 1) + 1 != fail_at)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *__libc_malloc(size_t size)
{
    return fails() ? NULL : next_malloc(size);
}

void *__libc_calloc(size_t count, size_t size)
{
    return fails() ? NULL : next_calloc(count, size);
}

void *__libc_realloc(void *old, size_t size)
{
    return fails() ? NULL : next_realloc(old, size);
}

void *__libc_memalign(size_t alignment, size_t size)
{
    return fails() ? NULL : next_memalign(alignment, size);
}
