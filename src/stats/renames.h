/*
 * Which function that is gone and which new one are probably the same under two names.
 *
 * A pair is a candidate if both are of one module or file, if their callers are the same to
 * STATS_RENAMES_OVERLAP, and if the names are alike to STATS_RENAMES_ALIKE or nothing else fits
 * either of the two. How alike two names
 * are, and what a caller is, is the caller's business; here are the numbers.
 */
#ifndef STATS_RENAMES_H
#define STATS_RENAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STATS_RENAMES_OVERLAP 0.8
#define STATS_RENAMES_ALIKE 0.5

/*
 * How much two distributions over the same classes have in common: sum min(a_i, b_i) of their
 * shares, from 0 to 1. Two samples of one distribution differ by chance, by
 *     sum sqrt((1 / n_a + 1 / n_b) p_i (1 - p_i) / (2 pi))
 * on average (the mean of half an absolute normal difference); that much is forgiven, so few
 * samples do not hide a rename. `a` and `b` are samples, n_a and n_b their sums. 0 if a side has
 * none.
 */
double stats_renames_overlap(const double *a, const double *b, size_t classes);

struct stats_rename {
    uint32_t gone, new; /* numbers of functions, each list from 0 */
    double overlap;     /* of callers */
    double alike;       /* of names, 0 to 1 */
    bool same_place;    /* one module or one file */
    bool alone;         /* they cost the same, and neither is like another in callers and cost */
    bool chosen;        /* set by stats_renames_choose() */
};

/*
 * Chooses pairs so that each function is in one pair at most: the largest overlap + alike first,
 * then the smallest numbers. Returns how many are chosen. The order of the list does not matter,
 * and changes.
 */
size_t stats_renames_choose(struct stats_rename *list, size_t count, size_t gone, size_t new);

#endif
