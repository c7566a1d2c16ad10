/*
 * Replaces parts of function names by regular expressions.
 *
 * A rename is a pattern (match/search.h) and a text. Each match in a name is replaced by the text,
 * from left to right, as String.prototype.replace does with the flag `g`: "$1" to "$99" are the
 * groups of the pattern, "$&" is the match, and "$$" is a dollar sign. A group that did not take
 * part in the match is empty. Several renames are applied one after the other.
 */
#ifndef MATCH_RENAME_H
#define MATCH_RENAME_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/slice.h"
#include "base/vec.h"
#include "match/search.h"

struct rename {
    struct search *search;
    struct slice text; /* borrowed */
};

struct rename_list VEC_OF(struct rename);

/*
 * Compiles a rename and adds it; the texts must outlive the list. On an error, appends the reason
 * to `why` and returns false.
 */
bool rename_list_add(struct rename_list *list, struct slice pattern, struct slice text,
                     bool ignore_case, struct buf *why);

/* Adds "REGEX=TEXT". The last '=' ends the pattern, so that it can contain "(?=". */
bool rename_list_parse(struct rename_list *list, struct slice rule, bool ignore_case,
                       struct buf *why);
void rename_list_release(struct rename_list *list);

/* Applies a list to many names. Each thread needs its own; the list must outlive it. */
struct rename_pass {
    const struct rename_list *list;
    VEC(struct search_matcher *) matchers; /* by rename */
    const struct rename *given_up;         /* a rename that takes too much work, else NULL */
    struct buf texts[2];
};

void rename_pass_init(struct rename_pass *r, const struct rename_list *list);
void rename_pass_release(struct rename_pass *r);

/*
 * Returns the new name, which is valid until the next call, or `name` itself if nothing matches or
 * the new name would be empty or longer than RENAMED_MOST bytes. `name` is valid UTF-8, and so is
 * the result. A rename that takes too much work is not applied from then on; see `given_up`.
 */
struct slice rename_apply(struct rename_pass *r, struct slice name);

enum { RENAMED_MOST = 1 << 20 };

#endif
