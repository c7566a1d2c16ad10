/*
 * A growable byte buffer.
 *
 * A zeroed buffer is empty and ready for use. Its `ptr` is NULL until bytes are added or
 * reserved; from then on the byte after the last one is always NUL, so a buffer without
 * inner NULs is a string. buf_slice() and buf_string() work for all buffers. The buffer
 * owns its bytes until buf_detach(). Its capacity doubles as it grows. Running out of memory
 * ends the program (base/die.h).
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

struct buf {
    char *ptr;  /* ptr[len] == '\0', or NULL */
    size_t len; /* bytes in use */
    size_t cap; /* bytes allocated, 0 while ptr is NULL */
};

void buf_release(struct buf *b);

/* Keeps the first `len` bytes, and the memory. */
void buf_cut(struct buf *b, size_t len);

static inline void buf_clear(struct buf *b)
{
    buf_cut(b, 0);
}

/* As buf_reserve(), which calls it if the memory has to grow. */
char *buf_grow(struct buf *b, size_t extra);

/* Makes room for `extra` more bytes. Returns the address of the first; does not change len. */
static inline char *buf_reserve(struct buf *b, size_t extra)
{
    return extra < b->cap - b->len ? b->ptr + b->len : buf_grow(b, extra);
}

/* The writers of texts call these for a few bytes at a time, so they are compiled in place. */

static inline void buf_add(struct buf *b, const void *bytes, size_t len)
{
    char *to;

    if (!len)
        return;
    to = buf_reserve(b, len);
    memcpy(to, bytes, len);
    to[len] = '\0';
    b->len += len;
}

static inline void buf_add_slice(struct buf *b, struct slice s)
{
    buf_add(b, s.ptr, s.len);
}

static inline void buf_add_str(struct buf *b, const char *string)
{
    buf_add(b, string, strlen(string));
}

static inline void buf_add_char(struct buf *b, char c)
{
    char *to = buf_reserve(b, 1);

    to[0] = c;
    to[1] = '\0';
    b->len++;
}

/* Append a number in decimal digits; faster than buf_printf(). */
void buf_add_u64(struct buf *b, uint64_t value);
void buf_add_i64(struct buf *b, int64_t value);
/* Appends each byte as two hexadecimal digits. */
void buf_add_hex(struct buf *b, struct slice bytes);
/* Append as printf() does. `%f` writes a point because the program never calls setlocale(). */
void buf_printf(struct buf *b, const char *format, ...) DIE_PRINTF(2, 3);
void buf_vprintf(struct buf *b, const char *format, va_list args) DIE_PRINTF(2, 0);

static inline struct slice buf_slice(const struct buf *b)
{
    return slice_make(b->ptr ? b->ptr : "", b->len);
}

/* Returns the bytes as a string, valid until the buffer changes. */
static inline const char *buf_string(const struct buf *b)
{
    return b->ptr ? b->ptr : "";
}

/* Returns the bytes, which the caller must free(), and leaves the buffer empty and usable. */
char *buf_detach(struct buf *b, size_t *len);

#endif
