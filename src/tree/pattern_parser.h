/*
 * What the files of the pattern translator share: the parser's state and its
 * small steps. For pattern*.c alone.
 */
#ifndef TREE_PATTERN_PARSER_H
#define TREE_PATTERN_PARSER_H

#include <stdint.h>
#include <string.h>

#include "base/utf8.h"
#include "tree/pattern.h"

/* Matches nothing, and may be repeated. */
#define PATTERN_NOTHING "(?:(?!))"

enum pattern_group { PATTERN_PLAIN, PATTERN_LOOK };

struct pattern_parser {
    struct pattern *out;
    struct slice text;
    size_t at;
    struct buf *why;
    VEC(struct slice) names;      /* of the capturing groups in order, empty where they have none */
    VEC(enum pattern_group) open; /* the groups around `at` */
};

static inline bool pattern_fail(struct pattern_parser *p, size_t at, const char *what)
{
    buf_printf(p->why, "%s at offset %zu", what, at);
    return false;
}

/* The next byte, or 0 at the end; a NUL in the pattern never equals what is asked for. */
static inline char pattern_peek(const struct pattern_parser *p, size_t ahead)
{
    return p->at + ahead < p->text.len ? p->text.ptr[p->at + ahead] : '\0';
}

static inline bool pattern_take(struct pattern_parser *p, const char *word)
{
    if (!slice_starts(slice_skip(p->text, p->at), slice_str(word)))
        return false;
    p->at += strlen(word);
    return true;
}

static inline bool pattern_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool pattern_is_letter(char c)
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static inline void pattern_add(struct pattern_parser *p, const char *text)
{
    buf_add_str(&p->out->text, text);
}

static inline bool pattern_is_surrogate(uint32_t c)
{
    return c >= 0xd800 && c <= 0xdfff;
}

static inline void pattern_add_character(struct pattern_parser *p, uint32_t c)
{
    if (c < 0x80 && (pattern_is_letter((char)c) || pattern_is_digit((char)c) || c == '_'))
        buf_add_char(&p->out->text, (char)c);
    else if (c < 0x80)
        buf_printf(&p->out->text, "\\x{%x}", c);
    else
        utf8_encode(&p->out->text, c);
}

/*
 * Escapes and character classes (pattern_atom.c). They return false after
 * telling why, but for pattern_atom_set(): there false means "none here", and
 * nothing is taken.
 */

/* An escape that stands for one character; p->at is behind the backslash. */
bool pattern_atom_escaped(struct pattern_parser *p, bool in_class, uint32_t *c);
/* \d and the like, written. */
bool pattern_atom_set(struct pattern_parser *p, bool in_class);
/* \p{...}; p->at is at the letter. */
bool pattern_atom_property(struct pattern_parser *p);
/* A class; p->at is behind the opening bracket. */
bool pattern_atom_class(struct pattern_parser *p);

#endif
