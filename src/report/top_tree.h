/*
 * Writes a call tree as indented rows, as text, CSV and JSON.
 */
#ifndef REPORT_TOP_TREE_H
#define REPORT_TOP_TREE_H

#include "base/buf.h"
#include "profile/unit.h"
#include "tree/tree.h"

struct top_tree {
    const struct tree *tree; /* from the root, or around a function */
    struct unit_scale scale;
    size_t rows; /* of each side */
};

void top_tree_text(const struct top_tree *t, struct buf *out);
void top_tree_csv(const struct top_tree *t, struct buf *out);
void top_tree_json(const struct top_tree *t, struct buf *out);

#endif
