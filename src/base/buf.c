#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/budget.h"

void buf_release(struct buf *b)
{
    xfree(b->ptr);
    *b = (struct buf){0};
}

void buf_cut(struct buf *b, size_t len)
{
    BUG_ON(len > b->len);
    b->len = len;
    if (b->ptr)
        b->ptr[len] = '\0';
}

char *buf_grow(struct buf *b, size_t extra)
{
    enum { LEAST = 64 };
    size_t need, cap;

    if (__builtin_add_overflow(b->len, extra, &need) || need == SIZE_MAX)
        die("out of memory (%zu bytes more)", extra);
    if (need >= b->cap) {
        cap = budget_growth(b->cap, need < LEAST ? LEAST : need + 1);
        b->ptr = xreallocarray(b->ptr, cap, 1);
        b->cap = cap;
        b->ptr[b->len] = '\0';
    }
    return b->ptr + b->len;
}

void buf_add_u64(struct buf *b, uint64_t value)
{
    static const char pairs[] = "0001020304050607080910111213141516171819"
                                "2021222324252627282930313233343536373839"
                                "4041424344454647484950515253545556575859"
                                "6061626364656667686970717273747576777879"
                                "8081828384858687888990919293949596979899";
    enum { MOST = 20 };
    size_t len = 1;
    char *to;

    for (uint64_t limit = 10; len < MOST && value >= limit; limit *= 10)
        len++;
    to = buf_reserve(b, len) + len;
    *to = '\0';
    for (; value >= 100; value /= 100)
        memcpy(to -= 2, pairs + value % 100 * 2, 2);
    if (value >= 10)
        memcpy(to - 2, pairs + value * 2, 2);
    else
        to[-1] = (char)('0' + value);
    b->len += len;
}

void buf_add_i64(struct buf *b, int64_t value)
{
    if (value < 0)
        buf_add_char(b, '-');
    buf_add_u64(b, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void buf_vprintf(struct buf *b, const char *format, va_list args)
{
    char text[256]; /* most are shorter, and are formatted once */
    va_list again;
    int need;

    va_copy(again, args);
    need = vsnprintf(text, sizeof(text), format, args);
    BUG_ON(need < 0);
    if ((size_t)need < sizeof(text)) {
        buf_add(b, text, (size_t)need);
    } else {
        vsnprintf(buf_reserve(b, (size_t)need), (size_t)need + 1, format, again);
        b->len += (size_t)need;
    }
    va_end(again);
}

void buf_add_hex(struct buf *b, struct slice bytes)
{
    for (size_t i = 0; i < bytes.len; i++)
        buf_printf(b, "%02x", (unsigned char)bytes.ptr[i]);
}

void buf_printf(struct buf *b, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    buf_vprintf(b, format, args);
    va_end(args);
}

char *buf_detach(struct buf *b, size_t *len)
{
    char *bytes;

    buf_reserve(b, 0);
    bytes = b->ptr;
    if (len)
        *len = b->len;
    *b = (struct buf){0};
    return bytes;
}
