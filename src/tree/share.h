/*
 * The share of a search in a call tree.
 *
 * A search's share is the weight of all stacks with at least one matching frame,
 * each counted once. In a tree the share is the sum of the totals of all matching
 * nodes without a matching ancestor.
 */
#ifndef TREE_SHARE_H
#define TREE_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "match/search.h"
#include "tree/tree.h"

struct share {
    const struct search *search;
    uint64_t weight;    /* of the matching stacks, exact */
    uint64_t base;      /* of the matching stacks in the base, for differential graphs */
    uint32_t symbols;   /* number of matching symbols with a weight */
    uint32_t exhausted; /* names left when the search was given up; then nothing is known */
};

/* Fills `share` for a search. Matches every symbol once. */
void share_sum(const struct search *s, const struct tree *t, struct share *share);

/* The shares of several searches, in their order. */
struct shares VEC_OF(struct share);

/* Appends the share of each search of the list. */
void share_sum_all(const struct search_list *list, const struct tree *t, struct shares *shares);

/* Warns of each search that was given up. */
void share_warn_given_up(const struct shares *shares, struct diag *diag);

/*
 * Sets hit[id] of each symbol to whether its name matches. Returns 0, or the number of names that
 * were left when the search was given up; then no hit is set.
 */
uint32_t share_match(const struct search *s, const struct symbols *symbols, bool *hit);

#endif
