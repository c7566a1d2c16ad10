/*
 * Which stacks a graph is of, and which of their frames.
 *
 * Patterns are those of match/search.h, over function names. They mean what
 * they mean in pprof, and are asked in this order:
 *
 *     focus       stacks with a matching frame stay, the others go
 *     ignore      stacks with a matching frame go
 *     hide        matching frames go; what they weigh is their callers'
 *     show        other frames go, likewise
 *     show-from   frames below the first match, from the root, go; stacks
 *                 without one go
 *     prune-from  what the last match calls goes; its weight is the match's
 *
 * Focus and ignore see all frames, show-from and prune-from those that are not
 * hidden. A stack that has no frames left goes. Then frames become their
 * groups, and runs of the same frame become one where that is asked for.
 */
#ifndef TREE_FILTER_H
#define TREE_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/vec.h"
#include "profile/profile.h"
#include "tree/group.h"
#include "match/search.h"

enum filter_role {
    FILTER_FOCUS,
    FILTER_IGNORE,
    FILTER_HIDE,
    FILTER_SHOW,
    FILTER_SHOW_FROM,
    FILTER_PRUNE_FROM,
    FILTER_ROLES,
};

/* "--focus" and so on, as removals name them. */
extern const char *const filter_options[FILTER_ROLES];

struct filter {
    struct search_list searches[FILTER_ROLES]; /* any of a role's patterns may match */
    enum group_by group;
    bool collapse_recursion;
};

/* What the patterns met. */
struct filter_matches {
    uint32_t symbols[FILTER_ROLES]; /* that match */
    uint32_t grouped;               /* that are known to be in a group */
    uint32_t exhausted;             /* names given up at the work limit */
};

void filter_init(struct filter *f);
void filter_release(struct filter *f);

/* Adds a pattern; false where it is none, as search_new(). */
bool filter_add(struct filter *f, enum filter_role role, struct slice pattern, bool ignore_case,
                struct buf *why);

/* Applies it to every series; their removals tell what that took. */
void filter_run(const struct filter *f, struct profile *p, struct filter_matches *matches);

#endif
