/*
 * Who calls a function, and which function is below which: for finding renames and causes.
 */
#ifndef COMPARE_CALLERS_H
#define COMPARE_CALLERS_H

#include "compare/functions.h"

/*
 * Fills out[caller] with the samples of one side in which the outermost frame of `function` is
 * called by `caller`; out[functions] counts frames without a caller. `out` has one element more
 * than there are functions.
 */
void callers_of(const struct functions *f, uint32_t function, enum stats_side side, double *out);

/* Functions of interest, and for each side the samples in which one is below another. */
struct nesting {
    size_t count;
    uint32_t *number; /* by function: its place in the list, or FUNCTION_NONE */
    double *below[2]; /* [caller * count + callee]: samples of base and new */
};

void callers_nesting_init(struct nesting *n, const struct functions *f, const uint32_t *list,
                          size_t count);
void callers_nesting_release(struct nesting *n);

#endif
