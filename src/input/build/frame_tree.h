/*
 * Call trees whose nodes are named by ids and come in any order: a node may be
 * spoken of, as a parent or by a sample, before it says what it is.
 *
 * What never says so, and what hangs in a circle, is counted as lost: its
 * weight stays with what is known above it, or at the root.
 */
#ifndef INPUT_BUILD_FRAME_TREE_H
#define INPUT_BUILD_FRAME_TREE_H

#include "input/build/builder.h"

#define FRAME_TREE_NONE UINT32_MAX

struct frame_node {
    uint32_t parent; /* index, or FRAME_TREE_NONE */
    uint32_t entry;  /* of the builder; FRAME_TREE_NONE adds no frame */
    bool known;      /* it has said what it is */
    uint32_t stack;  /* below `root`; FRAME_TREE_NONE until it is asked for */
    uint32_t root;
    uint64_t ns;      /* the time spent in it */
    uint64_t samples; /* that hit it */
};

struct frame_tree {
    struct builder *builder;
    VEC(uint32_t) by_number; /* node of an id that is a small number */
    struct intern texts;     /* all other ids */
    VEC(uint32_t) by_text;   /* node of such an id */
    VEC(struct frame_node) nodes;
    VEC(uint32_t) climb;
    uint64_t lost; /* nodes as above, counted when they are asked for */
};

void frame_tree_init(struct frame_tree *t, struct builder *builder);
void frame_tree_release(struct frame_tree *t);

/* The index of the node with an id. */
uint32_t frame_tree_node(struct frame_tree *t, struct slice id);

/* Says what a node is. `entry` may be FRAME_TREE_NONE. */
void frame_tree_define(struct frame_tree *t, uint32_t node, uint32_t entry);
void frame_tree_hang(struct frame_tree *t, uint32_t node, uint32_t parent);

/* The stack of a node below the stack `root`. False where told. */
bool frame_tree_stack(struct frame_tree *t, uint32_t node, uint32_t root, uint32_t *stack);

/* Adds the time and the samples of all nodes to a series. False where told. */
bool frame_tree_add_times(struct frame_tree *t, uint32_t root, uint32_t series);

#endif
