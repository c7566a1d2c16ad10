/*
 * Call trees whose nodes have ids and come in any order: a parent or a sample may name a
 * node before the node is defined.
 *
 * A node that is never defined or that is part of a cycle counts as unreadable, with a warning
 * that quotes its id: its weight goes to the nearest known caller, or to the root.
 */
#ifndef INPUT_BUILD_FRAME_TREE_H
#define INPUT_BUILD_FRAME_TREE_H

#include "input/build/builder.h"

#define FRAME_TREE_NONE UINT32_MAX

struct frame_node {
    uint32_t parent; /* index, or FRAME_TREE_NONE */
    uint32_t entry;  /* of the builder; FRAME_TREE_NONE adds no frame */
    bool known;      /* it is defined */
    bool lost;       /* it was counted as lost */
    uint32_t stack;  /* below `root`; FRAME_TREE_NONE until it is asked for */
    uint32_t root;
    uint64_t ns;      /* the time spent in it */
    uint64_t samples; /* that hit it */
};

struct frame_tree {
    struct builder *builder;
    VEC(uint32_t) by_number; /* node of an id that is a small number */
    struct intern texts;     /* all other ids */
    VEC(uint32_t) by_text;   /* node of an id in `texts` */
    VEC(struct frame_node) nodes;
    VEC(uint32_t) climb;
    unsigned quoted; /* lost nodes whose ids were quoted */
};

void frame_tree_init(struct frame_tree *t, struct builder *builder);
void frame_tree_release(struct frame_tree *t);

/* The index of the node with an id. */
uint32_t frame_tree_node(struct frame_tree *t, struct slice id);

/* The index of a node that is not defined; it takes the id from a node that is. */
uint32_t frame_tree_new(struct frame_tree *t, struct slice id);

/* Defines a node. `entry` may be FRAME_TREE_NONE. */
void frame_tree_define(struct frame_tree *t, uint32_t node, uint32_t entry);
void frame_tree_hang(struct frame_tree *t, uint32_t node, uint32_t parent);

/*
 * Returns in `stack` the stack of a node below the stack `root`. Returns false after
 * reporting an error.
 */
bool frame_tree_stack(struct frame_tree *t, uint32_t node, uint32_t root, uint32_t *stack);

/*
 * Adds the time and the samples of all nodes to a series. Returns false after reporting an
 * error.
 */
bool frame_tree_add_times(struct frame_tree *t, uint32_t root, uint32_t series);

#endif
