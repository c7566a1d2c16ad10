/*
 * Owned, growable bytes.
 *
 * `ptr` is never NULL after buf_init() and the byte behind the last one is
 * always NUL, so that a buffer without inner NULs is a string. The buffer owns
 * its bytes until buf_detach(). Growth doubles; running out of memory dies.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

struct buf {
    char *ptr;  /* never NULL, ptr[len] == '\0' */
    size_t len; /* bytes in use */
    size_t cap; /* bytes allocated, 0 while ptr is the shared empty string */
};

void buf_init(struct buf *b);
void buf_release(struct buf *b);

/* Empties the buffer and keeps its memory. */
void buf_clear(struct buf *b);

/* Makes room for `extra` more bytes; returns where they go. Does not change len. */
char *buf_reserve(struct buf *b, size_t extra);

void buf_add(struct buf *b, const void *bytes, size_t len);
void buf_add_slice(struct buf *b, struct slice s);
void buf_add_str(struct buf *b, const char *string);
void buf_add_char(struct buf *b, char c);
/* Decimal digits, without asking the locale; the fast way to write numbers. */
void buf_add_u64(struct buf *b, uint64_t value);
void buf_add_i64(struct buf *b, int64_t value);
/* printf in the C locale; `%f` is safe because the program never calls setlocale(). */
void buf_printf(struct buf *b, const char *format, ...) DIE_PRINTF(2, 3);
void buf_vprintf(struct buf *b, const char *format, va_list args) DIE_PRINTF(2, 0);

static inline struct slice buf_slice(const struct buf *b)
{
    return slice_make(b->ptr, b->len);
}

/* Hands the bytes over (free() them) and leaves the buffer empty and ready. */
char *buf_detach(struct buf *b, size_t *len);

#endif
