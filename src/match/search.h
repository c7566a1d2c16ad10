/*
 * Matches regular expressions against function names.
 *
 * Patterns are ECMAScript regular expressions with the `u` flag, as the browser
 * runs them, or texts (match/literal.h). match/pattern.h translates a pattern, and
 * PCRE2 matches it, unanchored, against a symbol's name. The work of a search is
 * limited.
 */
#ifndef MATCH_SEARCH_H
#define MATCH_SEARCH_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/slice.h"
#include "base/vec.h"

/* How a pattern is read; or-ed. */
enum search_how {
    SEARCH_IGNORE_CASE = 1,
    SEARCH_TEXT = 2, /* the pattern is a text, not a regular expression */
};

/* A search, from the option to its share (tree/share.h). Threads share it; texts are borrowed. */
struct search {
    struct slice name; /* heads its column in reports; empty for the pattern of a filter */
    struct slice pattern;
    bool ignore_case;
    void *code;        /* compiled by PCRE2, for search.c alone */
    struct buf quoted; /* `pattern` of a text as a regular expression; else empty */
};

/* Searches, owned by the list. */
struct search_list VEC_OF(struct search *);

/* Compiles a search and adds it. On an error, appends to `why` like search_new(); returns false. */
bool search_list_add(struct search_list *list, struct slice name, struct slice pattern,
                     unsigned how, struct buf *why);
void search_list_release(struct search_list *list);

/* Appends a pattern that matches exactly `text`. */
void search_quote(struct buf *out, struct slice text);

/*
 * Compiles `pattern`; free it with search_free(). `how` is of enum search_how. A
 * pattern that does not compile is searched for as text if it is meant as one. On
 * an error, appends the reason and byte offset to `why` ("missing closing
 * parenthesis at offset 7") and returns NULL.
 */
struct search *search_new(struct slice pattern, unsigned how, struct buf *why);
void search_free(struct search *s);

/*
 * The working memory for matching one search against many names, and the work that is left to it.
 * Each thread needs its own.
 */
struct search_matcher;

enum search_match {
    SEARCH_MISS,
    SEARCH_HIT,
    SEARCH_GIVEN_UP, /* the work of the search is used up, for all later names too */
};

/* Allocates a matcher; `s` must outlive it. */
struct search_matcher *search_matcher_new(const struct search *s);
void search_matcher_free(struct search_matcher *m);

/* Returns whether `name`, valid UTF-8, contains a match. */
enum search_match search_match(struct search_matcher *m, struct slice name);

/* As search_match(), for a match at or after byte `from`, which begins a character or is the end.
 */
enum search_match search_match_from(struct search_matcher *m, struct slice name, size_t from);

/* The number of groups of the pattern, group 0, the whole match, included. */
unsigned search_matched_groups(const struct search_matcher *m);

/*
 * Returns the part of `name` that a group matched in the last call, which returned SEARCH_HIT;
 * empty if the group did not take part.
 */
struct slice search_matched(const struct search_matcher *m, struct slice name, unsigned group);

#endif
