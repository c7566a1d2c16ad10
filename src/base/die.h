/*
 * Stopping loudly.
 *
 * Two things end the program where they happen, because no caller could do
 * better and an untested recovery path would be worse: memory that the system
 * will not give (die) and an invariant of our own that does not hold (BUG).
 * Everything that input or the user can cause goes through base/diag.h.
 *
 * This header is also where each file of the program gets base/banned.h from.
 */
#ifndef BASE_DIE_H
#define BASE_DIE_H

#include <stddef.h>

#include "base/banned.h"

#define DIE_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* Prints "flamepress: fatal: ..." to stderr and aborts. */
_Noreturn void die(const char *format, ...) DIE_PRINTF(1, 2);

/* Prints the place and the broken invariant to stderr and aborts. */
_Noreturn void die_bug(const char *file, int line, const char *format, ...) DIE_PRINTF(3, 4);

#define BUG(...) die_bug(__FILE__, __LINE__, __VA_ARGS__)
#define BUG_ON(condition)                                                                          \
    do {                                                                                           \
        if (__builtin_expect(!!(condition), 0))                                                    \
            die_bug(__FILE__, __LINE__, "%s", #condition);                                         \
    } while (0)

/*
 * Allocation that never returns NULL: sizes are `count * size` bytes, checked
 * for overflow; zero bytes give a block that may be freed. xcalloc's bytes are
 * zero. Blocks are released with free().
 */
void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull, warn_unused_result));
void *xcalloc(size_t count, size_t size)
    __attribute__((malloc, returns_nonnull, warn_unused_result));
void *xreallocarray(void *old, size_t count, size_t size)
    __attribute__((returns_nonnull, warn_unused_result));
/* For bytes; libiberty allocates through this and xmalloc(), which replace its own. */
void *xrealloc(void *old, size_t size) __attribute__((returns_nonnull, warn_unused_result));

#endif
