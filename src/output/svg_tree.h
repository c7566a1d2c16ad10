/*
 * The whole call tree of a graph as compact bytes, for the SVG's script.
 *
 * Markup holds what can be seen at first; this holds every frame. Whole
 * numbers are written with seven bits to a byte, the lowest first, the eighth
 * bit telling that more follow. In this order:
 *
 *     symbols    their number S; then for each, in the order of names: the
 *                number of bytes of its name, the name as UTF-8, and the
 *                and 1 where it is none but parts others, else 0
 *     stacks     their number N: the paths to all frames that have a weight
 *                of their own, depth first, siblings in the order of names,
 *                or of time in flame charts
 *     drops      N numbers: frames that a stack has not of the stack before
 *     adds       N numbers: frames that it has beyond those, at least 1
 *     weights    N + 1 numbers: own weights, the root's first
 *     before     N + 1 numbers, for differential graphs: own weights before;
 *                there a stack has a weight if it has one of the two
 *     leads      for flame charts, for each frame added: the weight left free before it
 *     calls      for each frame added, which of the symbols that its parent's
 *                symbol called so far it is, counted from 1; or 0 for a new
 *                one, and then the symbol's index + 1, or 0 for frames that
 *                were left out. A new one is the last in its caller's list;
 *                one that is called again changes places with the one in
 *                front of it, so that frequent ones have low numbers.
 *
 * What the pick of a tree leaves out below a frame is a node of its own, the
 * last of its siblings, so that the sums stay what they are.
 */
#ifndef OUTPUT_SVG_TREE_H
#define OUTPUT_SVG_TREE_H

#include <stdint.h>

#include "base/buf.h"
#include "base/vec.h"
#include "output/svg_pick.h"

/* What was written, in its order. */
struct svg_tree_order {
    VEC(uint32_t) symbols;
};

/* Appends a whole number in the form told above. */
void svg_tree_number(struct buf *out, uint64_t value);

/*
 * Appends the bytes of a pick of a tree, the symbols to one buffer and the rest
 * to another. What was written is appended to `order`.
 */
void svg_tree_write(const struct svg_pick *pick, struct buf *symbols, struct buf *numbers,
                    struct svg_tree_order *order);

#endif
