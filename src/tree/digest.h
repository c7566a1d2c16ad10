/*
 * A short name for the data behind a picture.
 */
#ifndef TREE_DIGEST_H
#define TREE_DIGEST_H

#include "base/buf.h"
#include "tree/tree.h"

/*
 * Appends 16 hexadecimal digits made from each node's function, its caller,
 * and its total (before, too, for differential graphs), in any order. Two
 * graphs with equal digests hold, for every practical purpose, the same data;
 * it is no safeguard against someone who wants digests to collide.
 */
void tree_digest(const struct tree *t, struct buf *out);

#endif
