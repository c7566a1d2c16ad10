/*
 * The frames of a pprof profile that its patterns drop.
 *
 * A profile may have a regular expression of frames to drop and one of exceptions, such as the
 * hooks of an allocator. A matching frame is removed with all that it calls, so that what remains
 * ends in its caller, unless no frame above it stays.
 *
 * Source: Prune() in profile/prune.go of github.com/google/pprof.
 */
#ifndef INPUT_FORMATS_GO_PPROF_PRUNE_H
#define INPUT_FORMATS_GO_PPROF_PRUNE_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/diag.h"
#include "match/search.h"

/* What is removed of a location, which may have several inlined functions. */
enum pprof_pruned {
    PPROF_PRUNED_NOT,
    PPROF_PRUNED_BELOW, /* what it calls; its own functions that are dropped are not in it */
    PPROF_PRUNED_WHOLE, /* the location, too */
};

struct pprof_pattern {
    struct search *search;
    struct search_matcher *matcher; /* NULL if there is no pattern */
};

/* A zeroed struct drops nothing. */
struct pprof_prune {
    struct pprof_pattern drop, keep;
    struct diag *diag;
    struct buf name;
    bool told;
};

/* Compiles both patterns, each empty if there is none. Warns if they cannot be used. */
void pprof_prune_init(struct pprof_prune *p, struct slice drop, struct slice keep,
                      struct diag *diag);
void pprof_prune_release(struct pprof_prune *p);

/* Whether a function with this name is dropped. */
bool pprof_prune_drops(struct pprof_prune *p, struct slice name);

#endif
