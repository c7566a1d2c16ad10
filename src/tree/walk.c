#include "tree/walk.h"

#include <stdlib.h>

static bool in_graph(const struct tree *t, uint32_t node)
{
    return t->total[node] || (t->base && t->base[node]);
}

void tree_walk_init(struct tree_walk *w, const struct tree *t)
{
    *w = (struct tree_walk){.tree = t};
    w->first_child = xreallocarray(NULL, t->count, sizeof(*w->first_child));
    w->next_sibling = xreallocarray(NULL, t->count, sizeof(*w->next_sibling));
    for (uint32_t i = 0; i < t->count; i++)
        w->first_child[i] = NODE_NONE;
    w->next_sibling[TREE_ROOT] = NODE_NONE;
    for (uint32_t i = t->count; i-- > 1;) {
        if (!in_graph(t, i))
            continue;
        w->next_sibling[i] = w->first_child[t->parent[i]];
        w->first_child[t->parent[i]] = i;
    }
}

void tree_walk_release(struct tree_walk *w)
{
    free(w->first_child);
    free(w->next_sibling);
    *w = (struct tree_walk){0};
}

/* Steps from an entered node to its first child, or to leaving the node if it has none. */
static void step_down(struct tree_walk *w)
{
    uint32_t child = w->first_child[w->node];

    if (child == NODE_NONE) {
        w->leaving = true;
        return;
    }
    w->node = child;
    w->depth++;
}

/* Steps from a left node to its next sibling, or to leaving its parent if there is none. */
static void step_on(struct tree_walk *w)
{
    uint32_t sibling = w->next_sibling[w->node];

    if (sibling != NODE_NONE) {
        w->node = sibling;
        w->leaving = false;
        return;
    }
    w->node = w->tree->parent[w->node];
    w->depth--;
}

bool tree_walk_next(struct tree_walk *w)
{
    if (!w->started) {
        w->started = true;
        w->leaving = !in_graph(w->tree, TREE_ROOT);
        return !w->leaving;
    }
    if (!w->leaving) {
        step_down(w);
        return true;
    }
    if (w->node == TREE_ROOT)
        return false;
    step_on(w);
    return true;
}
