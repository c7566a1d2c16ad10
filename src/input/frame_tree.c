#include "input/frame_tree.h"

#include "input/trace_time.h"

void frame_tree_init(struct frame_tree *t, struct builder *builder)
{
    *t = (struct frame_tree){.builder = builder};
    intern_init(&t->ids);
}

void frame_tree_release(struct frame_tree *t)
{
    intern_release(&t->ids);
    vec_release(&t->nodes);
    vec_release(&t->climb);
}

uint32_t frame_tree_node(struct frame_tree *t, struct slice id)
{
    uint32_t index = intern_add(&t->ids, id);

    if (index == t->nodes.count)
        *vec_add(&t->nodes) = (struct frame_node){
            .parent = FRAME_TREE_NONE, .entry = FRAME_TREE_NONE, .stack = FRAME_TREE_NONE};
    return index;
}

void frame_tree_define(struct frame_tree *t, uint32_t node, uint32_t entry)
{
    t->nodes.items[node].entry = entry;
    t->nodes.items[node].known = true;
}

void frame_tree_hang(struct frame_tree *t, uint32_t node, uint32_t parent)
{
    t->nodes.items[node].parent = parent;
}

/* Notes the nodes from this one up to one whose stack is known, or to the top. */
static uint32_t climb(struct frame_tree *t, uint32_t node, uint32_t root)
{
    vec_clear(&t->climb);
    while (node != FRAME_TREE_NONE) {
        const struct frame_node *n = &t->nodes.items[node];

        if (n->stack != FRAME_TREE_NONE && n->root == root)
            return n->stack;
        *vec_add(&t->climb) = node;
        if (t->climb.count > t->nodes.count) { /* a circle */
            t->climb.count = 1;
            t->nodes.items[t->climb.items[0]].known = false;
            break;
        }
        node = n->parent;
    }
    return root;
}

bool frame_tree_stack(struct frame_tree *t, uint32_t node, uint32_t root, uint32_t *stack)
{
    uint32_t id = climb(t, node, root);

    for (size_t i = t->climb.count; i-- > 0;) {
        struct frame_node *n = &t->nodes.items[t->climb.items[i]];

        t->lost += !n->known;
        if (n->known && n->entry != FRAME_TREE_NONE &&
            !builder_child_entry(t->builder, id, n->entry, &id))
            return false;
        n->stack = id;
        n->root = root;
    }
    *stack = id;
    return true;
}

bool frame_tree_add_times(struct frame_tree *t, uint32_t root, uint32_t series)
{
    for (uint32_t i = 0; i < t->nodes.count; i++) {
        struct frame_node n = t->nodes.items[i];
        uint32_t stack;

        if (!n.samples && !n.ns)
            continue;
        if (!frame_tree_stack(t, i, root, &stack) ||
            !builder_add_at(t->builder, series, stack, trace_time_weight(n.ns)))
            return false;
        builder_count(t->builder, series, n.samples > 1 ? n.samples - 1 : 0);
    }
    return true;
}
