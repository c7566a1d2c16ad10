/*
 * Who calls a function, and which function is below which: for finding renames and causes.
 */
#ifndef COMPARE_CALLERS_H
#define COMPARE_CALLERS_H

#include "compare/functions.h"

/*
 * Fills out[i][caller] with the samples of one side in which the outermost frame of function
 * list[i] is called by `caller`; out[i][functions] counts frames without a caller. Each out[i] has
 * one element more than there are functions, all 0.
 */
void callers_of(const struct functions *f, const uint32_t *list, size_t count, enum stats_side side,
                double *const *out);

/*
 * Adds to out[i][callee] the samples of one side that are below function list[i], in `callee` and
 * what that calls.
 */
void callers_callees(const struct functions *f, const uint32_t *list, size_t count,
                     enum stats_side side, double *const *out);

/*
 * Fills most[function] with the caller of at least `part` of the samples of a function on one side,
 * or FUNCTION_NONE if no function calls it as often. Requires that `part` is more than one half.
 */
void callers_main(const struct functions *f, enum stats_side side, double part, uint32_t *most);

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
