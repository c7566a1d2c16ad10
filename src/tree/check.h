/*
 * The invariants of a tree, checked by tests and debug builds.
 */
#ifndef TREE_CHECK_H
#define TREE_CHECK_H

#include <stdbool.h>

#include "base/buf.h"
#include "tree/tree.h"

/*
 * Parents come first, no total is below the sum of its children's, siblings
 * have distinct symbols, the root's total is the series' total. Returns false
 * and appends what is broken.
 */
bool tree_check(const struct tree *t, struct buf *why);

#endif
