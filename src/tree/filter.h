/*
 * Removes stacks and frames by patterns, and replaces frames by their groups.
 *
 * Patterns (match/search.h) match function names. They mean what they mean in
 * pprof, and apply in this order:
 *
 *     focus       removes stacks without a matching frame
 *     ignore      removes stacks with a matching frame
 *     hide        removes matching frames; their weight goes to their callers
 *     show        removes frames that do not match; their weight goes to their
 *                 callers
 *     show-from   removes the frames between the root and the first match, and
 *                 stacks without a match
 *     prune-from  removes the callees of the last match, which gets their weight
 *
 * Focus and ignore match all frames; show-from and prune-from match only frames
 * that are not hidden. A stack without remaining frames is removed. Then groups
 * replace frames, and `collapse_recursion` joins consecutive equal frames.
 *
 * Patterns of collapse-module match modules, by the names of GROUP_MODULE:
 * consecutive frames of a matching module become one frame with the module's
 * name. An inlined function whose module is unknown is in its caller's module.
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
    FILTER_COLLAPSE_MODULE,
    FILTER_ROLES,
};

/* The options by role, such as "--focus", for removals. */
extern const char *const filter_options[FILTER_ROLES];

struct filter {
    struct search_list searches[FILTER_ROLES]; /* a role matches if any of its patterns does */
    enum group_by group;
    bool collapse_recursion;
    bool chosen; /* set by the program, not by --focus: messages name no option */
};

/* What a filter matched. */
struct filter_matches {
    uint32_t symbols[FILTER_ROLES]; /* number of matching symbols, or of symbols in such modules */
    uint32_t grouped;               /* number of symbols with a known group */
    const struct search *given_up;  /* a pattern that takes too much work, else NULL */
};

void filter_init(struct filter *f);
void filter_release(struct filter *f);

/*
 * Adds a pattern, read as enum search_how says. Returns false if it is invalid, after appending the
 * reason to `why`.
 */
bool filter_add(struct filter *f, enum filter_role role, struct slice pattern, unsigned how,
                struct buf *why);

/*
 * Filters every series of `p`, adds the removed weight to their removals and fills `matches`.
 * Returns false, with `matches->given_up` set and `p` as it was, if a pattern was given up.
 */
bool filter_run(const struct filter *f, struct profile *p, struct filter_matches *matches);

#endif
