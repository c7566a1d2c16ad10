#include "input/build/frame_tree.h"

#include <stdio.h>

#include "input/parse/trace_time.h"

void frame_tree_init(struct frame_tree *t, struct builder *builder)
{
    *t = (struct frame_tree){.builder = builder};
}

void frame_tree_release(struct frame_tree *t)
{
    release_each(t, (intern, texts), (vec, by_number, by_text, nodes, climb));
}

/* Most ids are numbers from 1: a number written as numbers are, or MOST_NUMBER. */
enum { MOST_NUMBER = 1 << 20, MOST_DIGITS = 7 };

static uint32_t small_number(struct slice id)
{
    uint32_t value = 0;

    if (!id.len || id.len > MOST_DIGITS || (id.ptr[0] == '0' && id.len > 1))
        return MOST_NUMBER;
    for (size_t i = 0; i < id.len; i++) {
        if (id.ptr[i] < '0' || id.ptr[i] > '9')
            return MOST_NUMBER;
        value = value * 10 + (uint32_t)(id.ptr[i] - '0');
    }
    return value < MOST_NUMBER ? value : MOST_NUMBER;
}

/* The slot that holds the node of an id. */
static uint32_t *find_place(struct frame_tree *t, struct slice id)
{
    uint32_t number = small_number(id);

    if (number < MOST_NUMBER) {
        while (t->by_number.count <= number)
            *vec_add(&t->by_number) = FRAME_TREE_NONE;
        return &t->by_number.items[number];
    }
    number = intern_add(&t->texts, id);
    while (t->by_text.count <= number)
        *vec_add(&t->by_text) = FRAME_TREE_NONE;
    return &t->by_text.items[number];
}

uint32_t frame_tree_node(struct frame_tree *t, struct slice id)
{
    uint32_t *place = find_place(t, id);

    if (*place == FRAME_TREE_NONE) {
        *place = (uint32_t)t->nodes.count;
        *vec_add(&t->nodes) = (struct frame_node){
            .parent = FRAME_TREE_NONE, .entry = FRAME_TREE_NONE, .stack = FRAME_TREE_NONE};
    }
    return *place;
}

uint32_t frame_tree_new(struct frame_tree *t, struct slice id)
{
    uint32_t *place = find_place(t, id);

    if (*place != FRAME_TREE_NONE && t->nodes.items[*place].known)
        *place = FRAME_TREE_NONE;
    return frame_tree_node(t, id);
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

/* Collects the nodes from this one up to one whose stack is known, or to the top. */
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

/* Counts a lost node and quotes the first ones. */
static void skip_node(struct frame_tree *t, uint32_t node)
{
    char number[16];
    struct slice id = SLICE("");

    for (size_t i = 0; t->quoted < DIAG_KEEP && i < t->by_text.count; i++)
        if (t->by_text.items[i] == node)
            id = intern_get(&t->texts, (uint32_t)i);
    for (size_t i = 0; t->quoted < DIAG_KEEP && i < t->by_number.count; i++)
        if (t->by_number.items[i] == node)
            id = slice_make(number, (size_t)snprintf(number, sizeof(number), "%zu", i));
    t->quoted += t->quoted < DIAG_KEEP;
    t->nodes.items[node].lost = true;
    builder_skip(
        t->builder, DIAG_AT_FILE,
        "node %.*s is undefined or in a circle; its weight is charged to its nearest known "
        "caller",
        SLICE_ARG(id));
}

bool frame_tree_stack(struct frame_tree *t, uint32_t node, uint32_t root, uint32_t *stack)
{
    uint32_t id = climb(t, node, root);

    for (size_t i = t->climb.count; i-- > 0;) {
        struct frame_node *n = &t->nodes.items[t->climb.items[i]];

        if (!n->known && !n->lost)
            skip_node(t, t->climb.items[i]);
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
        if (n.samples)
            builder_count(t->builder, series, n.samples - 1);
        else
            builder_discount(t->builder, series);
    }
    return true;
}
