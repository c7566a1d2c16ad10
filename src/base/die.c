#include "base/die.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

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

void *xmalloc(size_t size)
{
    void *block = malloc(size ? size : 1);

    if (!block)
        die("out of memory (%zu bytes)", size);
    return block;
}

void *xcalloc(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size ? size : 1);

    if (!block)
        die("out of memory (%zu times %zu bytes)", count, size);
    return block;
}

void *xreallocarray(void *old, size_t count, size_t size)
{
    void *block;

    if (size && count > SIZE_MAX / size)
        die("out of memory (%zu times %zu bytes)", count, size);
    size *= count;
    block = realloc(old, size ? size : 1);
    if (!block)
        die("out of memory (%zu bytes)", size);
    return block;
}

void *xrealloc(void *old, size_t size)
{
    return xreallocarray(old, size, 1);
}
