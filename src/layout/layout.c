#include "layout/layout.h"

#include "base/budget.h"
#include "base/die.h"

#define NOT_VISIBLE UINT32_MAX

/* A child of a visible node. Thin children are kept, because they occupy their width. */
struct kid {
    uint64_t weight;
    uint64_t lead;   /* free space before it */
    uint32_t parent; /* index among the visible nodes */
    uint32_t slot;   /* its own index among them, or NOT_VISIBLE */
    uint32_t rank;   /* the symbol; after rank_kids(), its rank by name */
    bool callers;    /* on the side of callers; sorted last */
};

/* The result of one pass over the tree. Visible nodes are in the order of their ids. */
struct scan {
    const struct tree *tree;
    const uint64_t *weight; /* by node: its width */
    uint64_t threshold;     /* the smallest weight that is drawn */
    uint32_t max_depth;
    VEC(uint32_t) node;
    VEC(uint32_t) depth;
    VEC(struct kid) kids;
    uint32_t *first; /* index of each visible node's first kid; one more item for the end */
    uint32_t last;   /* the visible index found last */
};

static uint64_t threshold(const struct layout *l, const struct layout_options *options)
{
    long double share = options->min_is_percent ? (long double)options->min_width / 100
                        : options->width        ? (long double)options->min_width / options->width
                                                : 0;
    long double weight = share * (long double)l->total;
    uint64_t floor;

    if (!(weight > 1))
        return 1;
    if (weight >= 0x1p63L)
        return UINT64_MAX;
    floor = (uint64_t)weight;
    return (long double)floor < weight ? floor + 1 : floor;
}

/* Tries the last answer first: children of one parent mostly follow each other. */
static uint32_t find_visible(struct scan *s, uint32_t node)
{
    size_t low = 0, high = s->node.count;

    if (s->node.items[s->last] == node)
        return s->last;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (s->node.items[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == s->node.count || s->node.items[low] != node)
        return NOT_VISIBLE;
    return s->last = (uint32_t)low;
}

static uint32_t add_visible(struct scan *s, uint32_t node, uint32_t depth)
{
    *vec_add(&s->node) = node;
    *vec_add(&s->depth) = depth;
    return (uint32_t)s->node.count - 1;
}

static void add_kid(struct scan *s, struct layout *l, uint32_t node)
{
    uint32_t parent = find_visible(s, s->tree->parent[node]);
    uint64_t weight = s->weight[node];
    bool counts = node < s->tree->callers; /* else counted among the callees already */
    uint32_t depth, slot = NOT_VISIBLE;

    if (parent == NOT_VISIBLE)
        return;
    depth = s->depth.items[parent] + 1;
    if (depth >= s->max_depth) {
        l->above += counts ? weight : 0;
        return;
    }
    if (weight >= s->threshold)
        slot = add_visible(s, node, depth);
    else
        l->thin += counts ? weight : 0;
    *vec_add(&s->kids) = (struct kid){
        .weight = weight,
        .lead = s->tree->lead ? s->tree->lead[node] : 0,
        .parent = parent,
        .slot = slot,
        .rank = s->tree->symbol[node],
        .callers = node >= s->tree->callers,
    };
}

/* Finds the visible nodes in one pass: a node comes after its parent. The root is always drawn. */
static void scan_tree(struct scan *s, struct layout *l, uint32_t depth)
{
    const struct tree *t = s->tree;

    add_visible(s, TREE_ROOT, depth);
    for (uint32_t id = 1; id < t->count && !budget_is_over(); id++)
        if (s->weight[id] && (!t->parent[id] || s->weight[t->parent[id]] >= s->threshold))
            add_kid(s, l, id);
}

/*
 * Sorts kids stably by their parents. Afterwards the kids of parent p are those from place[p] to
 * place[p + 1]; `place` has room for two more numbers than there are parents.
 */
static void sort_by_parent(struct kid *to, const struct kid *from, size_t count, uint32_t *place,
                           uint32_t parents)
{
    memset(place, 0, ((size_t)parents + 2) * sizeof(*place));
    for (size_t i = 0; i < count; i++)
        place[from[i].parent + 2]++;
    for (uint32_t p = 0; p < parents; p++)
        place[p + 2] += place[p + 1];
    for (size_t i = 0; i < count; i++)
        to[place[from[i].parent + 1]++] = from[i];
}

typedef int compare_fn(const void *a, const void *b);

static int compare_name(const void *a, const void *b)
{
    const struct kid *left = a, *right = b;

    if (left->callers != right->callers)
        return left->callers ? 1 : -1;
    return left->rank < right->rank ? -1 : left->rank > right->rank;
}

static int compare_weight(const void *a, const void *b)
{
    const struct kid *left = a, *right = b;

    if (left->callers == right->callers && left->weight != right->weight)
        return left->weight > right->weight ? -1 : 1;
    return compare_name(a, b);
}

/* Sorts kids of one parent, unless they are in order: mostly they are, by name. */
static void sort_siblings(struct kid *kids, size_t count, compare_fn *compare)
{
    size_t sorted = 1;

    while (sorted < count && compare(&kids[sorted - 1], &kids[sorted]) < 0)
        sorted++;
    if (sorted < count)
        qsort(kids, count, sizeof(*kids), compare);
}

/* Replaces the kids' symbols by their ranks, which are kept. */
static void rank_kids(struct scan *s, struct rank *names)
{
    rank_release(names);
    rank_init(names, &s->tree->profile->symbols);
    vec_each (struct kid, kid, &s->kids)
        rank_use(names, kid->rank);
    rank_sort(names, NULL);
    vec_each (struct kid, kid, &s->kids)
        kid->rank = rank_get(names, kid->rank);
}

/* Sorts the kids by parent and, within one parent, in the order of drawing. */
static void sort_kids(struct scan *s, enum layout_sort sort, struct rank *names)
{
    uint32_t visible = (uint32_t)s->node.count;
    size_t count = s->kids.count;
    struct kid *sorted = xmalloc((count + 1) * sizeof(*sorted));

    if (sort != LAYOUT_BY_TIME)
        rank_kids(s, names);
    s->first = xmalloc(((size_t)visible + 2) * sizeof(*s->first));
    sort_by_parent(sorted, s->kids.items, count, s->first, visible);
    for (uint32_t i = 0; i < visible && sort != LAYOUT_BY_TIME; i++)
        sort_siblings(sorted + s->first[i], s->first[i + 1] - s->first[i],
                      sort == LAYOUT_BY_WEIGHT ? compare_weight : compare_name);
    xfree(s->kids.items);
    s->kids.items = sorted;
    s->kids.cap = count + 1;
}

/* Places boxes row by row: the children of one row's boxes, in order, are the next row. */
static void place_boxes(struct layout *l, const struct scan *s, struct box root)
{
    uint32_t *slot = xmalloc(s->node.count * sizeof(*slot)); /* of each box */
    size_t first = l->boxes.count;

    vec_reserve(&l->boxes, first + s->node.count);
    l->boxes.items[l->boxes.count++] = root;
    slot[0] = 0;
    for (size_t i = first; i < l->boxes.count; i++) {
        uint64_t start = l->boxes.items[i].start;

        for (uint32_t k = s->first[slot[i - first]]; k < s->first[slot[i - first] + 1]; k++) {
            const struct kid *kid = &s->kids.items[k];

            if (kid->callers && k > s->first[slot[i - first]] && !kid[-1].callers)
                start = l->boxes.items[i].start; /* the other side of the root */
            start += kid->lead;
            if (kid->slot != NOT_VISIBLE) {
                slot[l->boxes.count - first] = kid->slot;
                l->boxes.items[l->boxes.count++] = (struct box){
                    .node = s->node.items[kid->slot],
                    .depth = s->depth.items[kid->slot],
                    .callers = kid->callers,
                    .start = start,
                    .weight = kid->weight,
                };
            }
            start += kid->weight;
        }
    }
    xfree(slot);
}

static void count_rows(struct layout *l)
{
    uint32_t deepest = 0;

    vec_each (struct box, box, &l->boxes) {
        uint32_t *depth = box->callers ? &l->below : &deepest;

        *depth = box->depth > *depth ? box->depth : *depth;
    }
    l->rows = deepest + 1 + l->below;
}

/*
 * Whether the budget has room for what the visible nodes still need: a second copy of the kids,
 * and for each node a box and what a picture keeps of it.
 */
static bool affords(const struct scan *s)
{
    enum { PICTURE_BYTES = 64 };

    return budget_affords(s->kids.count * sizeof(struct kid) +
                          s->node.count * (sizeof(struct box) + PICTURE_BYTES)) &&
           !budget_is_over();
}

/*
 * Adds the boxes of a tree with the widths `weight`. `root` is the first box. Adds none if the
 * budget is spent.
 */
static void add_boxes(struct layout *l, const struct layout_options *options,
                      const uint64_t *weight, struct box root)
{
    struct scan s = {
        .tree = l->tree,
        .weight = weight,
        .threshold = threshold(l, options),
        .max_depth = options->max_depth,
    };

    if (!root.depth && s.threshold > weight[TREE_ROOT])
        s.threshold = weight[TREE_ROOT]; /* the root is always drawn */
    scan_tree(&s, l, root.depth);
    if (affords(&s)) {
        sort_kids(&s, l->sort, &l->names);
        place_boxes(l, &s, root);
    }
    vec_release(&s.node);
    vec_release(&s.depth);
    vec_release(&s.kids);
    xfree(s.first);
}

/* ---- differential graphs ------------------------------------------------------------------- */

/* Adds the change of a box. Boxes from index `main` on belong to the lane. */
static void add_change(struct layout *l, const struct change *c, size_t box, size_t main)
{
    struct box *b = &l->boxes.items[box];
    bool lane_root = b->node == LAYOUT_LANE;
    struct change_amount amount =
        lane_root ? change_of_lane(c, b->weight) : change_of(c, b->node, box >= main);
    int64_t size;

    b->delta = l->delta_of_total ? (int64_t)(amount.now - amount.base) : amount.self;
    size = b->delta < 0 ? -b->delta : b->delta;
    if (size > l->max_delta)
        l->max_delta = size;
    l->hidden_change -= b->callers ? 0 : amount.self;
    *vec_add(&l->changes) = amount;
}

/* Returns a number by which boxes are in order: callees of a depth, then callers of that depth. */
static uint64_t row_of(const struct box *box)
{
    return 2 * (uint64_t)box->depth + box->callers;
}

/* Merges the lane's boxes, from index `main` on, into their rows, right of the other boxes. */
static void merge_lane(struct layout *l, size_t main)
{
    size_t count = l->boxes.count, left = 0, right = main;
    struct box *boxes = xreallocarray(NULL, count, sizeof(*boxes));
    struct change_amount *changes = xreallocarray(NULL, count, sizeof(*changes));

    for (size_t to = 0; to < count; to++) {
        bool from_lane = left == main || (right < count && row_of(&l->boxes.items[right]) <
                                                               row_of(&l->boxes.items[left]));
        size_t from = from_lane ? right++ : left++;

        boxes[to] = l->boxes.items[from];
        changes[to] = l->changes.items[from];
    }
    memcpy(l->boxes.items, boxes, count * sizeof(*boxes));
    memcpy(l->changes.items, changes, count * sizeof(*changes));
    free(boxes);
    free(changes);
}

/* Adds the boxes of the lane: a first one for each side of a function that has such paths. */
static void add_lane(struct layout *l, const struct layout_options *options, const struct change *c,
                     uint64_t start)
{
    struct box first = {.node = LAYOUT_LANE, .depth = 1, .start = start};
    struct box callers = first;
    size_t at = l->boxes.count;

    first.weight = c->lane[TREE_ROOT];
    callers.weight = c->callers_lane;
    callers.callers = true;
    add_boxes(l, options, c->lane, first.weight ? first : callers);
    if (!first.weight || !callers.weight || budget_is_over())
        return;
    *vec_add(&l->boxes) = callers;
    for (size_t i = l->boxes.count - 1; i > at + 1; i--)
        l->boxes.items[i] = l->boxes.items[i - 1];
    l->boxes.items[at + 1] = callers;
}

static void lay_out_change(struct layout *l, const struct layout_options *options,
                           const struct change *c)
{
    uint64_t width = c->width[TREE_ROOT];
    size_t main;

    add_boxes(l, options, c->width, (struct box){.weight = width + l->lane});
    main = l->boxes.count;
    if (l->lane && options->max_depth > 1)
        add_lane(l, options, c, width);
    if (budget_is_over())
        return;
    for (size_t i = 0; i < l->boxes.count; i++)
        add_change(l, c, i, main);
    if (main < l->boxes.count)
        merge_lane(l, main);
}

static void init_change(struct layout *l, const struct tree *t,
                        const struct layout_options *options)
{
    enum pair_kind kind = pair_kind(t->profile, t->series);
    const struct tree *whole = t->whole ? t->whole : t;
    struct change c;
    uint64_t width;

    if (kind != PAIR_CHANGE)
        l->width_by = CHANGE_BY_CYCLES;
    change_init(&c, t, l->width_by);
    l->lane = change_lane(&c);
    l->balance = c.balance;
    l->hidden_change = (int64_t)(t->total[TREE_ROOT] - t->base[TREE_ROOT]);
    width = c.width[TREE_ROOT] + l->lane;
    l->total = options->total > width ? options->total : width;
    l->whole = options->total > tree_weight(whole) ? options->total : tree_weight(whole);
    if (width)
        lay_out_change(l, options, &c);
    if (kind != PAIR_CHANGE)
        ratio_set_deltas(l, kind, l->negate);
    change_release(&c);
}

void layout_init(struct layout *l, const struct tree *t, const struct layout_options *options)
{
    *l = (struct layout){
        .tree = t,
        .sort = t->lead ? LAYOUT_BY_TIME : options->sort,
        .width_by = options->width_by,
        .delta_of_total = options->delta_of_total,
        .negate = options->negate,
        .evidence = options->evidence,
        .max_delta = 1,
    };
    if (!t->count || !options->max_depth)
        return;
    if (t->base) {
        init_change(l, t, options);
    } else if (tree_weight(t)) {
        l->total = options->total > tree_weight(t) ? options->total : tree_weight(t);
        l->whole = t->whole              ? tree_weight(t->whole)
                   : t->part_of          ? t->part_of
                   : options->own_shares ? tree_weight(t)
                                         : l->total;
        add_boxes(l, options, t->total, (struct box){.weight = tree_weight(t)});
    }
    if (l->boxes.count)
        count_rows(l);
}

double layout_support(const struct layout *l, const struct box *box)
{
    const struct change_amount *c = &l->changes.items[box - l->boxes.items];

    if (l->delta_of_total)
        return evidence_of(&l->evidence, c->now, c->base);
    return evidence_of(&l->evidence, c->own_now, c->own_now - (uint64_t)c->self);
}

void layout_release(struct layout *l)
{
    release_all(l, vec, boxes, changes);
    rank_release(&l->names);
    l->tree = NULL;
}
