/*
 * Functions to point out in a picture, each with a note or without.
 */
#ifndef MATCH_MARK_H
#define MATCH_MARK_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/slice.h"
#include "base/vec.h"
#include "match/search.h"

struct mark {
    struct search *search;
    struct slice note; /* borrowed; empty for an outline alone */
};

struct mark_list VEC_OF(struct mark);

enum { MARKS_MOST = 32 };

/*
 * Adds "REGEX" or "REGEX=NOTE"; `how` is of enum search_how. The last '=' ends the pattern, unless
 * it is part of "(?=" or "(?<=", so that a pattern can contain it. The text must outlive the list.
 * On an error, appends the reason to `why` and returns false.
 */
bool mark_list_parse(struct mark_list *list, struct slice text, unsigned how, struct buf *why);
void mark_list_release(struct mark_list *list);

#endif
