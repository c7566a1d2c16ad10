#include "input/parse/json_tree.h"

void json_tree_release(struct json_tree *t)
{
    release_all(t, vec, levels, parents);
}

static uint32_t add_node(struct json_tree *t, uint32_t parent)
{
    if (t->parents.count >= JSON_TREE_NONE)
        die("more than %u nodes", JSON_TREE_NONE);
    *vec_add(&t->parents) = parent;
    return (uint32_t)(t->parents.count - 1);
}

static const struct json_tree_level *innermost(const struct json_tree *t)
{
    return &t->levels.items[t->levels.count - 1];
}

uint32_t json_tree_begin(struct json_tree *t)
{
    uint32_t node = add_node(t, JSON_TREE_NONE);

    *vec_add(&t->levels) = (struct json_tree_level){.node = node};
    return node;
}

bool json_tree_open(struct json_tree *t, struct slice key)
{
    struct json_tree_level inner = *innermost(t);

    if (inner.list) {
        inner.node = add_node(t, inner.node);
    } else {
        if (!(t->is_list ? t->is_list(key) : slice_equal(key, SLICE("children"))))
            return false;
        t->parents.count = (size_t)inner.node + 1; /* of all nodes it is the last that is open */
    }
    inner.list = !inner.list;
    *vec_add(&t->levels) = inner;
    return true;
}

void json_tree_close(struct json_tree *t)
{
    t->levels.count--;
}

uint32_t json_tree_value(const struct json_tree *t)
{
    const struct json_tree_level *inner = innermost(t);

    return inner->list ? JSON_TREE_NONE : inner->node;
}

void json_tree_end(struct json_tree *t)
{
    size_t i = 0;

    while (i < t->levels.count && !t->levels.items[i].list)
        i++;
    if (i + 1 < t->levels.count)
        t->parents.count = t->levels.items[i + 1].node;
    vec_clear(&t->levels);
}
