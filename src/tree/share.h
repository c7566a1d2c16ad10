/*
 * The share of a search in a call tree.
 *
 * The share is a union: the weight of all stacks with at least one matching
 * frame, each counted once. In a tree that is the sum of the totals of the
 * matching nodes that have no matching ancestor.
 */
#ifndef TREE_SHARE_H
#define TREE_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "match/search.h"
#include "tree/tree.h"

struct share {
    const struct search *search;
    uint64_t weight;    /* of the stacks that match, exact */
    uint64_t base;      /* their weight in the base, for differential graphs */
    uint32_t symbols;   /* distinct matching symbols with a weight */
    uint32_t exhausted; /* names given up at the work limit */
};

/* Matches every symbol once and sums over the whole tree. */
void share_sum(const struct search *s, const struct tree *t, struct share *share);

/* The shares of several searches, in their order. */
struct shares VEC_OF(struct share);

/* Appends the share of each search of the list. */
void share_sum_all(const struct search_list *list, const struct tree *t, struct shares *shares);

/* Sets hit[id] for each symbol: whether its name matches. Returns the number of names given up. */
uint32_t share_match(const struct search *s, const struct symbols *symbols, bool *hit);

#endif
