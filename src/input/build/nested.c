#include "input/build/nested.h"

void nested_init(struct nested *n, struct builder *b, bool inverted, bool rounded)
{
    *n = (struct nested){.builder = b, .inverted = inverted, .rounded = rounded};
}

void nested_release(struct nested *n)
{
    release_all(n, vec, measures, nodes, weights);
}

void nested_measure(struct nested *n, uint32_t series, bool own)
{
    BUG_ON(n->nodes.count);
    *vec_add(&n->measures) = (struct nested_measure){.series = series, .own = own};
}

static bool too_large(struct nested *n, uint64_t line)
{
    diag_add(n->builder->diag, DIAG_ERROR, DIAG_AT_LINE(line), PROFILE_TOO_HEAVY);
    return false;
}

/* Builds the stack from all nodes at once, so that --max-frames can cut it. */
static bool make_stack(struct nested *n, uint32_t *stack)
{
    struct builder *b = n->builder;

    builder_begin(b);
    if (n->inverted)
        builder_leaf_first(b);
    vec_each (struct nested_node, node, &n->nodes)
        if (node->entry != NESTED_NO_FRAME)
            builder_push(b, node->entry);
    return builder_stack(b, stack);
}

/* The stack of the last node, made from that of the nearest node above that has one. */
static bool get_stack(struct nested *n, uint32_t *stack)
{
    size_t count = n->nodes.count, from = count;

    if (n->inverted || count > n->builder->options->limits.max_depth)
        return make_stack(n, stack);
    while (from > 0 && !n->nodes.items[from - 1].has_stack)
        from--;
    *stack = from ? n->nodes.items[from - 1].stack : STACK_ROOT;
    for (; from < count; from++) {
        struct nested_node *node = &n->nodes.items[from];

        if (node->entry != NESTED_NO_FRAME &&
            !builder_child_entry(n->builder, *stack, node->entry, stack))
            return false;
        node->stack = *stack;
        node->has_stack = true;
    }
    return true;
}

/* Adds a weight to the stack of the last node. */
static bool add_own(struct nested *n, uint32_t series, struct decimal own)
{
    uint32_t stack = STACK_ROOT;

    if (series != BUILDER_LEFT_OUT && !get_stack(n, &stack))
        return false;
    return builder_add_at(n->builder, series, stack, own);
}

/* Closes the last node for a measure: adds what its children left, and its all to its parent. */
static inline bool close_measure(struct nested *n, const struct nested_measure *m,
                                 struct nested_weight *w)
{
    size_t count = n->nodes.count;
    uint64_t line = n->nodes.items[count - 1].line, weight = w->weight, *above;

    if (weight < w->inside) {
        if (!n->rounded)
            diag_warn_line(n->builder->diag, line,
                           "the entries below this line weigh more than the line itself");
        weight = w->inside;
    } else if (weight > w->inside &&
               !add_own(n, m->series, (struct decimal){weight - w->inside, m->decimals, false})) {
        return false;
    }
    if (count == 1)
        return true;
    above = &(w - n->measures.count)->inside;
    return num_add(*above, weight, above) || too_large(n, line);
}

/* Closes the nodes of this depth and deeper ones: all their children have come. */
static inline bool close_nodes(struct nested *n, uint64_t depth)
{
    size_t measures = n->measures.count;

    while (n->nodes.count && n->nodes.items[n->nodes.count - 1].depth >= depth) {
        struct nested_weight *w = n->weights.items + n->weights.count - measures;

        for (size_t i = 0; i < measures; i++)
            if (!n->measures.items[i].own && !close_measure(n, &n->measures.items[i], w + i))
                return false;
        n->nodes.count--;
        n->weights.count -= measures;
    }
    return true;
}

/* Brings the weights of all open nodes in a measure to as many decimals. */
static bool rescale(struct nested *n, size_t measure, unsigned decimals, uint64_t line)
{
    struct nested_measure *m = &n->measures.items[measure];
    uint64_t factor = num_pow10(decimals - m->decimals);

    for (size_t i = measure; i < n->weights.count; i += n->measures.count) {
        struct nested_weight *w = &n->weights.items[i];

        if (!num_mul(w->weight, factor, &w->weight) || !num_mul(w->inside, factor, &w->inside))
            return too_large(n, line);
    }
    m->decimals = decimals;
    return true;
}

/* Keeps an inclusive weight of the node added last at `at`, or adds its own weight. */
static inline bool add_weight(struct nested *n, size_t measure, uint64_t line,
                              struct decimal weight, size_t at)
{
    const struct nested_measure *m = &n->measures.items[measure];

    if (m->own)
        return !weight.value || add_own(n, m->series, weight);
    n->weights.items[at] = (struct nested_weight){.weight = weight.value};
    if (weight.decimals == m->decimals)
        return true;
    if (weight.decimals > m->decimals) {
        n->weights.items[at].weight = 0;
        if (!rescale(n, measure, weight.decimals, line))
            return false;
    }
    return num_mul(weight.value, num_pow10(m->decimals - weight.decimals),
                   &n->weights.items[at].weight) ||
           too_large(n, line);
}

/* Adds a node. The nodes that it ends must have been closed. */
static inline bool push_node(struct nested *n, uint64_t depth, uint64_t line, uint32_t entry,
                             const struct decimal *weights)
{
    size_t at = n->weights.count, measures = n->measures.count;

    *vec_add(&n->nodes) = (struct nested_node){.depth = depth, .line = line, .entry = entry};
    vec_reserve(&n->weights, at + measures);
    n->weights.count = at + measures;
    for (size_t i = 0; i < measures; i++)
        if (!add_weight(n, i, line, weights[i], at + i))
            return false;
    return true;
}

bool nested_row(struct nested *n, uint64_t depth, uint64_t line, uint32_t entry,
                const struct decimal *weights)
{
    return close_nodes(n, depth) && push_node(n, depth, line, entry, weights);
}

bool nested_add_entry(struct nested *n, uint32_t series, uint64_t depth, uint64_t line,
                      uint32_t entry, struct decimal weight)
{
    if (!close_nodes(n, depth))
        return false;
    if (!n->measures.count)
        nested_measure(n, series, false);
    if (!n->nodes.count)
        n->measures.items[0].series = series;
    return push_node(n, depth, line, entry, &weight);
}

bool nested_add(struct nested *n, uint32_t series, uint64_t depth, uint64_t line,
                const struct frame *f, struct decimal weight)
{
    return nested_add_entry(n, series, depth, line, builder_entry(n->builder, f), weight);
}

bool nested_end(struct nested *n)
{
    return close_nodes(n, 0);
}
