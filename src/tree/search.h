/*
 * Regular expressions over function names.
 *
 * A pattern is ECMAScript's language with the `u` flag, as the browser runs
 * it; it is compiled by PCRE2 set to JavaScript's meaning. It is matched
 * against the symbol's clean name, unanchored. Work per name is bounded
 * (match and depth limits); a name that exceeds the limit does not match and
 * is counted.
 *
 * The share of a search is a union over the tree: the totals of the matching
 * nodes that have no matching ancestor, so that no sample counts twice.
 */
#ifndef TREE_SEARCH_H
#define TREE_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/slice.h"
#include "tree/tree.h"

struct search; /* a compiled pattern; may be shared by threads */

/*
 * Compiles `pattern`. Returns NULL and appends to `why` what is wrong and the
 * byte offset at which ("missing closing parenthesis at offset 7").
 */
struct search *search_new(struct slice pattern, bool ignore_case, struct buf *why);
void search_free(struct search *s);

struct search_result {
    uint64_t weight;    /* union of the matching stacks, exact */
    uint64_t base;      /* the same before, for differential graphs */
    uint32_t symbols;   /* distinct symbols that match */
    uint32_t exhausted; /* names given up at the work limit */
};

/* Matches every symbol once and sums over the whole tree. */
void search_run(const struct search *s, const struct tree *t, struct search_result *result);

/* Sets hit[id] for each of the profile's symbols that matches; returns the names given up. */
uint32_t search_symbols(const struct search *s, const struct symbols *symbols, bool *hit);

#endif
