#include "tree/outline.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* A node with its weight; kept nodes are also linked in the order of the outline. */
struct candidate {
    uint64_t total;
    uint32_t node;
    uint32_t first, next; /* first child and next sibling that are kept, or NONE */
};

struct ordering {
    const struct tree *tree;
    const struct symbols *symbols;
};

static int compare_names(const struct ordering *by, uint32_t a, uint32_t b)
{
    uint32_t left = by->tree->symbol[a], right = by->tree->symbol[b];
    int order = slice_compare(symbol_name(by->symbols, left), symbol_name(by->symbols, right));

    return order ? order
                 : (int)symbol_class(by->symbols, left) - (int)symbol_class(by->symbols, right);
}

/*
 * Heaviest first; ties by id, so a parent comes before its children. Thus the
 * parent of a kept node is kept, too.
 */
static int by_weight(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* Siblings in reverse order, because each is linked before the earlier ones. */
static int for_linking(const void *a, const void *b, void *context)
{
    const struct candidate *x = a, *y = b;

    if (x->total != y->total)
        return x->total < y->total ? -1 : 1;
    return -compare_names(context, x->node, y->node);
}

static struct candidate *collect(const struct tree *t, bool callers, uint32_t *count)
{
    uint32_t first = callers ? t->callers : 1, end = callers ? t->count : t->callers;
    struct candidate *all = xreallocarray(NULL, (size_t)t->count + 1, sizeof(*all));

    *count = 0;
    for (uint32_t node = first; node < end; node++)
        if (t->total[node])
            all[(*count)++] = (struct candidate){t->total[node], node, NONE, NONE};
    qsort(all, *count, sizeof(*all), by_weight);
    return all;
}

/* Links the kept nodes. Returns the first child of the root. */
static uint32_t link_kept(const struct tree *t, struct candidate *kept, uint32_t count)
{
    struct ordering by = {t, &t->profile->symbols};
    uint32_t *place = xreallocarray(NULL, t->count, sizeof(*place));
    uint32_t root = NONE;

    qsort_r(kept, count, sizeof(*kept), for_linking, &by);
    for (uint32_t i = 0; i < count; i++)
        place[kept[i].node] = i;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t parent = t->parent[kept[i].node];
        uint32_t *first = parent == TREE_ROOT ? &root : &kept[place[parent]].first;

        kept[i].next = *first;
        *first = i;
    }
    free(place);
    return root;
}

static void list(struct outline *o, const struct candidate *kept, uint32_t first)
{
    VEC(uint32_t) open = {0}; /* next sibling of each ancestor */
    uint32_t at = first;

    while (at != NONE || open.count) {
        if (at == NONE) {
            at = open.items[--open.count];
            continue;
        }
        *vec_add(&o->rows) = (struct outline_row){kept[at].node, (uint32_t)open.count + 1};
        *vec_add(&open) = kept[at].next;
        at = kept[at].first;
    }
    vec_release(&open);
}

void outline_init(struct outline *o, const struct tree *t, size_t most, bool callers)
{
    uint32_t count, kept;
    struct candidate *all = collect(t, callers, &count);

    *o = (struct outline){0};
    kept = count < most ? count : (uint32_t)most;
    if (kept < count) {
        o->left_out = count - kept;
        o->heaviest = all[kept].total;
    }
    *vec_add(&o->rows) = (struct outline_row){TREE_ROOT, 0};
    list(o, all, link_kept(t, all, kept));
    free(all);
}

void outline_release(struct outline *o)
{
    vec_release(&o->rows);
}
