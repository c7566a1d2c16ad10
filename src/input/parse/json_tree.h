/*
 * Call trees in JSON: objects that contain their children in a list, read node by node and
 * never held as values.
 *
 *     {"name": "main", "value": 3, "children": [{"name": "read", "value": 2}]}
 *
 * Members come in any order, so the children of a node may come before or after its name.
 * The reader notes what each node says and makes stacks at the end. Nodes are numbered in
 * the order of the file: a parent before its children.
 *
 * A tree begins where the reader's open() finds one and calls json_tree_begin(). If the tree is a
 * member of json_handler, json_read() does the rest:
 *
 *     r.tree.member = read_member;   // takes the members of nodes
 *     struct json_handler handler = {.context = &r, .open = open_container, .value = read_value,
 *                                    .tree = &r.tree};
 *
 * If it is not, the reader's open(), value() and close() call json_tree_open() and so on as long
 * as json_tree_is_open().
 */
#ifndef INPUT_PARSE_JSON_TREE_H
#define INPUT_PARSE_JSON_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "input/parse/json.h"

#define JSON_TREE_NONE UINT32_MAX

struct json_tree_level {
    uint32_t node;
    bool list; /* of what is below the node, not the node itself */
};

struct json_tree {
    /* Whether a member of a node is the list of its children; NULL: it is if named "children". */
    bool (*is_list)(struct slice key);
    /* Takes a member of a node, or a child that is none (JSON_TREE_NONE), for json_read(). */
    void (*member)(void *context, uint32_t node, const struct json_value *v);
    VEC(struct json_tree_level) levels;
    VEC(uint32_t) parents; /* by node; JSON_TREE_NONE of a root */
};

void json_tree_release(struct json_tree *t);

/* The container that is being opened is a root. Its node. */
uint32_t json_tree_begin(struct json_tree *t);

static inline bool json_tree_is_open(const struct json_tree *t)
{
    return t->levels.count > 0;
}

/*
 * A container within: a node, a list of nodes, or neither; false for that one,
 * which comes as a value. A second list of a node takes the place of the first.
 */
bool json_tree_open(struct json_tree *t, struct slice key);
void json_tree_close(struct json_tree *t);

/*
 * Returns the node that a value is a member of; `v->key` says which member. A value in a
 * list is no node: JSON_TREE_NONE is returned for it.
 */
uint32_t json_tree_value(const struct json_tree *t);

/*
 * Brings `notes`, a VEC of what the reader knows of each node, to the nodes that there are: those
 * of a list that another took the place of go, new ones begin as the value that follows.
 */
#define json_tree_follow(t, notes, ...)                                                            \
    do {                                                                                           \
        if ((notes)->count > (t)->parents.count)                                                   \
            (notes)->count = (t)->parents.count;                                                   \
        while ((notes)->count < (t)->parents.count)                                                \
            *vec_add(notes) = __VA_ARGS__;                                                         \
    } while (0)

/* The file has ended: of one that was cut, a node in a list that has not ended goes. */
void json_tree_end(struct json_tree *t);

#endif
