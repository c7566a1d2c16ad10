/*
 * What the files of the pattern translator share: the parser's state and its
 * small steps. For pattern*.c alone.
 */
#ifndef MATCH_PATTERN_PARSER_H
#define MATCH_PATTERN_PARSER_H

#include <stdint.h>
#include <string.h>

#include "base/utf8.h"
#include "match/pattern.h"

/* Matches nothing, and may be repeated. */
#define PATTERN_NOTHING "(?:(?!))"

enum pattern_kind { PATTERN_PLAIN, PATTERN_AHEAD, PATTERN_BEHIND };

/* A group; number 0 is the whole pattern. */
struct pattern_group {
    enum pattern_kind kind;
    uint32_t parent;
    uint32_t branch;   /* of the parent's alternatives the one that it stands in */
    uint32_t branches; /* its own alternatives but one */
    uint32_t capture;  /* from 1; 0 where it captures nothing */
    size_t to;         /* where its translation begins */
    bool optional;     /* need not match: repeated from zero times on, or must not */
    bool repeated;     /* more than once */
    bool empty;        /* may match without taking a character */
    bool takes;        /* the alternative in hand cannot */
};

struct pattern_reference {
    uint32_t capture, parent;
    uint32_t groups; /* opened before it */
    size_t at;       /* in the source */
};

struct pattern_parser {
    struct pattern *out;
    struct slice text;
    size_t at;
    struct buf *why;
    bool ignore_case;
    VEC(struct slice) names; /* of the capturing groups in order, empty where they have none */
    VEC(struct pattern_group) groups;
    VEC(struct pattern_reference) references;
    VEC(uint32_t) open; /* the groups around `at` */
    uint32_t captures;  /* groups that capture, opened so far */
    uint32_t closed;    /* the group closed last */
    size_t term;        /* where the translation of the term before `at` begins */
    bool takes;         /* the term before `at` takes a character */
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
bool pattern_atom_property(struct pattern_parser *p, bool in_class);
/* A class; p->at is behind the opening bracket. */
bool pattern_atom_class(struct pattern_parser *p);

/* A repeat of the term before it (pattern_repeat.c); p->at is at its first character. */
bool pattern_repeat_take(struct pattern_parser *p);

/* Whether a reference to this group stands for nothing here, whatever was captured. */
bool pattern_capture_is_nothing(const struct pattern_parser *p, uint32_t capture);

/*
 * False after telling why where a reference may stand for one text here and
 * for another in the browser (pattern_capture.c).
 */
bool pattern_capture_check(struct pattern_parser *p);

/*
 * Appends, for a class, the characters of a set of PCRE2's one by one as far
 * as any has another case, so that these match too where case is ignored
 * (pattern_case.c). The set is a property: "\\p{Lu}".
 */
void pattern_case_add(struct buf *out, const char *set);

#endif
