/*
 * Ends the program on failures that no caller can handle.
 *
 * There are two: the system gives no more memory (die), or an invariant of the
 * program is broken (BUG). Recovering from either would need code that no test
 * runs. Whatever input or the user can cause is reported through base/diag.h.
 *
 * Every file of the program gets base/banned.h through this header.
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
 * Allocate `count * size` bytes, checked for overflow. They never return NULL;
 * a size of 0 also returns a block. xcalloc() zeroes the bytes. The bytes are
 * charged to the budget of the thread, if it has one (base/budget.h). The caller
 * frees blocks with xfree(), or with free() where no budget can apply.
 */
void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull, warn_unused_result));
void *xcalloc(size_t count, size_t size)
    __attribute__((malloc, returns_nonnull, warn_unused_result));
void *xreallocarray(void *old, size_t count, size_t size)
    __attribute__((returns_nonnull, warn_unused_result));
/* Resizes a block of bytes. libiberty allocates through xrealloc() and xmalloc(), too. */
void *xrealloc(void *old, size_t size) __attribute__((returns_nonnull, warn_unused_result));
/* Frees a block, which may be NULL, and gives its bytes back to the budget of the thread. */
void xfree(void *block);

#endif
