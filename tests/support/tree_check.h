/*
 * Checks the invariants of a call tree, for unit tests and fuzz targets.
 */
#ifndef SUPPORT_TREE_CHECK_H
#define SUPPORT_TREE_CHECK_H

#include <stdbool.h>

#include "base/buf.h"
#include "tree/tree.h"

/*
 * Parents come first, no total is below the sum of its children's totals, siblings
 * have distinct symbols, the root's total is the series' total. Returns false
 * and appends what is broken.
 */
bool tree_check(const struct tree *t, struct buf *why);

#endif
