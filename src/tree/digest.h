/*
 * A digest of a graph's data.
 */
#ifndef TREE_DIGEST_H
#define TREE_DIGEST_H

#include "base/buf.h"
#include "tree/tree.h"

/*
 * Appends 16 hexadecimal digits that depend on each node's function, caller and
 * total, and on its base in differential graphs, but not on the order of nodes.
 * Graphs with equal digests almost certainly have the same data. The hash is not
 * cryptographic: collisions can be made on purpose.
 */
void tree_digest(const struct tree *t, struct buf *out);

#endif
