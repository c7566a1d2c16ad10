/*
 * Encodes the call tree of a graph as compact bytes, for the SVG's script.
 *
 * The markup of an SVG has the boxes of the first view; these bytes have every
 * frame. A number is written with seven bits per byte, lowest first; the eighth
 * bit is set if more bytes follow. The order is:
 *
 *     symbols    their number S; then for each, in the order of names: the
 *                number of bytes of its name, the name as UTF-8, and the
 *                number of its class (profile/symbol.h)
 *     stacks     their number N. A stack is the path to a frame with a self
 *                weight; stacks are in depth-first order, siblings in the
 *                order of names, or of time in flame charts
 *     drops      N numbers: how many leaf frames of the stack before to drop
 *     adds       N numbers: how many frames to add then, at least 1
 *     weights    N + 1 numbers: self weights, the root's first
 *     before     only in differential graphs, N + 1 numbers: self weights of
 *                the base; one of the two weights of a stack may be 0
 *     leads      only in flame charts, for each added frame: the weight left
 *                free before it
 *     calls      for each added frame: its symbol's place, from 1, in the list
 *                of symbols that its parent's symbol has called so far; or 0
 *                for a new one, followed by the symbol's index + 1, or by 0
 *                for frames that were left out. A new symbol is appended to
 *                the list; a repeated one changes places with the one before
 *                it, so that frequent ones have low numbers.
 *
 * The frames that a pick leaves out below a frame become one node, the last of
 * its siblings, so that sums do not change.
 */
#ifndef OUTPUT_SVG_TREE_H
#define OUTPUT_SVG_TREE_H

#include <stdint.h>

#include "base/buf.h"
#include "base/vec.h"
#include "layout/rank.h"
#include "output/svg_pick.h"

/* The symbols that were written, in the order of the file. */
struct svg_tree_order {
    VEC(uint32_t) symbols;
};

void svg_tree_long_number(struct buf *out, uint64_t value);

/* Appends a number, seven bits per byte. Most take one. */
static inline void svg_tree_number(struct buf *out, uint64_t value)
{
    if (value < 0x80)
        buf_add_char(out, (char)value);
    else
        svg_tree_long_number(out, value);
}

/*
 * A pick that is being written. Two threads may write the two halves of its numbers at the same
 * time: in the order of the bytes, svg_tree_stacks() and svg_tree_calls().
 */
struct svg_tree {
    const struct svg_pick *pick;
    struct svg_tree_link *links; /* by node of the pick */
    uint32_t symbols;            /* their number */
};

/*
 * Puts the pick, which must outlive `w`, in order; `sorted` is NULL, or the ranks of symbols that
 * are known. Appends the pick's symbols to `out` and fills `order`.
 */
void svg_tree_open(struct svg_tree *w, const struct svg_pick *pick, const struct rank *sorted,
                   struct buf *out, struct svg_tree_order *order);
/* Appends the stacks with their weights: everything between symbols and calls. */
void svg_tree_stacks(const struct svg_tree *w, struct buf *out);
void svg_tree_calls(const struct svg_tree *w, struct buf *out);
void svg_tree_close(struct svg_tree *w);

/* Does all of that: appends the symbols of a pick to `symbols`, the rest to `numbers`. */
void svg_tree_write(const struct svg_pick *pick, struct buf *symbols, struct buf *numbers,
                    struct svg_tree_order *order);

#endif
