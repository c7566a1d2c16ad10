/*
 * Borrowed bytes: a pointer and a length.
 *
 * A slice owns nothing, need not end in NUL, and is valid only as long as the
 * bytes it points into. It is passed by value. An empty slice may have a NULL
 * pointer. Functions that cut return a slice of the same bytes.
 */
#ifndef BASE_SLICE_H
#define BASE_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/die.h"

struct slice {
    const char *ptr;
    size_t len;
};

/* The slice of a string literal. */
#define SLICE(literal) ((struct slice){"" literal, sizeof(literal) - 1})
/* For printf's "%.*s"; what is longer than INT_MAX is cut. */
#define SLICE_ARG(s) ((s).len > 0x7fffffff ? 0x7fffffff : (int)(s).len), ((s).len ? (s).ptr : "")

static inline struct slice slice_make(const char *ptr, size_t len)
{
    return (struct slice){ptr, len};
}

/* The slice of a NUL-ended string, which may be NULL. */
static inline struct slice slice_str(const char *string)
{
    return (struct slice){string, string ? strlen(string) : 0};
}

static inline bool slice_equal(struct slice a, struct slice b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

/* Bytewise order, a prefix first: <0, 0, >0. */
int slice_compare(struct slice a, struct slice b);

static inline bool slice_starts(struct slice s, struct slice prefix)
{
    return s.len >= prefix.len && (!prefix.len || memcmp(s.ptr, prefix.ptr, prefix.len) == 0);
}

static inline bool slice_ends(struct slice s, struct slice suffix)
{
    return s.len >= suffix.len &&
           (!suffix.len || memcmp(s.ptr + s.len - suffix.len, suffix.ptr, suffix.len) == 0);
}

/* `s` without its first `n` bytes (all of them when it has fewer). */
static inline struct slice slice_skip(struct slice s, size_t n)
{
    if (n > s.len)
        n = s.len;
    return (struct slice){s.len ? s.ptr + n : s.ptr, s.len - n};
}

/* The first `n` bytes of `s` (all of them when it has fewer). */
static inline struct slice slice_take(struct slice s, size_t n)
{
    return (struct slice){s.ptr, n < s.len ? n : s.len};
}

/* Index of the first `byte`; s.len when there is none. */
static inline size_t slice_find(struct slice s, char byte)
{
    const char *hit = s.len ? (const char *)memchr(s.ptr, byte, s.len) : NULL;

    return hit ? (size_t)(hit - s.ptr) : s.len;
}

/* The same for the last. */
size_t slice_find_last(struct slice s, char byte);
/* Index of the first occurrence of `needle`; s.len when there is none. */
size_t slice_search(struct slice s, struct slice needle);

static inline bool slice_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* `s` without blanks (space, tab, CR, LF) at the left, at the right, at both ends. */
static inline struct slice slice_trim_left(struct slice s)
{
    size_t n = 0;

    while (n < s.len && slice_is_blank(s.ptr[n]))
        n++;
    return slice_skip(s, n);
}

static inline struct slice slice_trim_right(struct slice s)
{
    while (s.len && slice_is_blank(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

static inline struct slice slice_trim(struct slice s)
{
    return slice_trim_left(slice_trim_right(s));
}

/*
 * Takes the text up to `byte` off the front of `*rest` and steps over the byte.
 * Where it does not occur, all of `*rest` is taken. Returns false, taking
 * nothing, when `*rest` is empty.
 */
bool slice_cut(struct slice *rest, char byte, struct slice *head);

/*
 * Takes one line off the front of `*rest`, without its LF or CR LF. Returns
 * false when `*rest` is empty.
 */
bool slice_line(struct slice *rest, struct slice *line);

/* Takes the next blank-separated word off `*rest`; false when none is left. */
bool slice_word(struct slice *rest, struct slice *word);

#endif
