/*
 * Borrowed bytes: a pointer and a length.
 *
 * A slice owns nothing, need not end in NUL, and is valid only as long as the
 * bytes that it points to. It is passed by value. An empty slice may have a NULL
 * pointer. Functions that return a part of a slice copy nothing.
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

/* Makes a slice of a string literal. */
#define SLICE(literal) ((struct slice){"" literal, sizeof(literal) - 1})
/* The two arguments of printf's "%.*s". A longer slice is cut to INT_MAX bytes. */
#define SLICE_ARG(s) ((s).len > 0x7fffffff ? 0x7fffffff : (int)(s).len), ((s).len ? (s).ptr : "")

static inline struct slice slice_make(const char *ptr, size_t len)
{
    return (struct slice){ptr, len};
}

/* Returns the slice of a NUL-terminated string; an empty slice if `string` is NULL. */
static inline struct slice slice_str(const char *string)
{
    return (struct slice){string, string ? strlen(string) : 0};
}

static inline bool slice_equal(struct slice a, struct slice b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

/* Compares bytewise; returns <0, 0 or >0. A prefix comes before a longer slice. */
int slice_compare(struct slice a, struct slice b);
/* Compares as slice_compare() does, but numbers by their values: "build-9" is before "build-10". */
int slice_compare_numbered(struct slice a, struct slice b);

static inline bool slice_starts(struct slice s, struct slice prefix)
{
    return s.len >= prefix.len && (!prefix.len || memcmp(s.ptr, prefix.ptr, prefix.len) == 0);
}

static inline bool slice_ends(struct slice s, struct slice suffix)
{
    return s.len >= suffix.len &&
           (!suffix.len || memcmp(s.ptr + s.len - suffix.len, suffix.ptr, suffix.len) == 0);
}

/* Returns `s` without its first `n` bytes; an empty slice if it has fewer. */
static inline struct slice slice_skip(struct slice s, size_t n)
{
    if (n > s.len)
        n = s.len;
    return (struct slice){s.len ? s.ptr + n : s.ptr, s.len - n};
}

/* Returns the first `n` bytes of `s`; all of `s` if it has fewer. */
static inline struct slice slice_take(struct slice s, size_t n)
{
    return (struct slice){s.ptr, n < s.len ? n : s.len};
}

/* Returns the index of the first `byte`, or s.len if there is none. */
static inline size_t slice_find(struct slice s, char byte)
{
    const char *hit = s.len ? (const char *)memchr(s.ptr, byte, s.len) : NULL;

    return hit ? (size_t)(hit - s.ptr) : s.len;
}

/* Returns the index of the last `byte`, or s.len if there is none. */
size_t slice_find_last(struct slice s, char byte);
/* Returns the index of the first occurrence of `needle`, or s.len if there is none. */
size_t slice_search(struct slice s, struct slice needle);

static inline bool slice_has(struct slice s, struct slice needle)
{
    return slice_search(s, needle) < s.len;
}

/* Returns whether is(s, word) holds for one of the words, which end with NULL. */
bool slice_any(struct slice s, bool (*is)(struct slice s, struct slice word),
               const char *const *words);
/* Whether `s` is, begins with, ends with or contains one of the words: slice_is_any(s, "a", "b") */
#define SLICE_WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define slice_is_any(s, ...) slice_any(s, slice_equal, SLICE_WORDS(__VA_ARGS__))
#define slice_starts_any(s, ...) slice_any(s, slice_starts, SLICE_WORDS(__VA_ARGS__))
#define slice_ends_any(s, ...) slice_any(s, slice_ends, SLICE_WORDS(__VA_ARGS__))
#define slice_has_any(s, ...) slice_any(s, slice_has, SLICE_WORDS(__VA_ARGS__))

/*
 * Finds a row of a table by its word: the first row for which is(s, word) holds, or else the last
 * one, whose word is NULL. Rows begin with the word, a const char *. Returns the row's index.
 */
size_t slice_row_index(struct slice s, bool (*is)(struct slice s, struct slice word),
                       const void *rows, size_t row_size);
/* The row itself, for a table that is an array: slice_row(name, slice_equal, kinds)->kind */
#define slice_row(s, is, rows) (&(rows)[slice_row_index(s, is, rows, sizeof((rows)[0]))])

/* Returns how many bytes `byte` there are at the start. */
static inline size_t slice_lead(struct slice s, char byte)
{
    size_t n = 0;

    while (n < s.len && s.ptr[n] == byte)
        n++;
    return n;
}

static inline bool slice_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Return `s` without leading blanks (space, tab, CR, LF), trailing blanks, or both. */
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
 * Moves the text before the first `byte` from `*rest` to `*head` and removes the
 * byte. Moves all of `*rest` if it has no such byte. Returns false if `*rest` is
 * empty.
 */
bool slice_cut(struct slice *rest, char byte, struct slice *head);

/*
 * Moves the first line from `*rest` to `*line`, without its LF or CR LF. Returns
 * false if `*rest` is empty.
 */
bool slice_line(struct slice *rest, struct slice *line);

/* Moves the next word, which ends at a blank, from `*rest` to `*word`; false if none is left. */
bool slice_word(struct slice *rest, struct slice *word);

#endif
