#include "input/build/nested.h"

void nested_init(struct nested *n, struct builder *b, bool inverted, bool rounded)
{
    *n = (struct nested){.builder = b, .inverted = inverted, .rounded = rounded};
}

void nested_release(struct nested *n)
{
    vec_release(&n->nodes);
}

static bool too_large(struct nested *n, uint64_t line)
{
    diag_add(n->builder->diag, DIAG_ERROR, DIAG_AT_LINE(line),
             "the weights up to here add up to more than 64 bits hold");
    return false;
}

/* Adds what the last node has of its own to the stack that it is. */
static bool add_own(struct nested *n, uint64_t own)
{
    struct builder *b = n->builder;

    builder_begin(b);
    if (n->inverted)
        builder_leaf_first(b);
    vec_each (struct nested_node, node, &n->nodes)
        builder_push(b, node->entry);
    return builder_add_decimal(b, n->series, (struct decimal){own, n->decimals, false});
}

/* Takes the last node off, which has all its children by now. */
static bool close_node(struct nested *n)
{
    struct nested_node *node = &n->nodes.items[n->nodes.count - 1];
    uint64_t weight = node->weight;

    if (weight < node->inside) {
        if (!n->rounded)
            diag_warn_line(n->builder->diag, node->line,
                           "what is called from here weighs more than the line itself");
        weight = node->inside;
    } else if (weight > node->inside && !add_own(n, weight - node->inside)) {
        return false;
    }
    n->nodes.count--;
    return n->nodes.count == 0 || num_add(node[-1].inside, weight, &node[-1].inside) ||
           too_large(n, node->line);
}

/* Brings the weights of all open nodes to as many decimals. */
static bool rescale(struct nested *n, unsigned decimals, uint64_t line)
{
    uint64_t factor = num_pow10(decimals - n->decimals);

    vec_each (struct nested_node, node, &n->nodes)
        if (!num_mul(node->weight, factor, &node->weight) ||
            !num_mul(node->inside, factor, &node->inside))
            return too_large(n, line);
    n->decimals = decimals;
    return true;
}

bool nested_add(struct nested *n, uint32_t series, uint64_t depth, uint64_t line,
                const struct frame *f, struct decimal weight)
{
    return nested_add_entry(n, series, depth, line, builder_entry(n->builder, f), weight);
}

bool nested_add_entry(struct nested *n, uint32_t series, uint64_t depth, uint64_t line,
                      uint32_t entry, struct decimal weight)
{
    struct nested_node node = {.depth = depth, .line = line, .entry = entry};

    while (n->nodes.count && n->nodes.items[n->nodes.count - 1].depth >= depth)
        if (!close_node(n))
            return false;
    if (!n->nodes.count)
        n->series = series;
    if (weight.decimals > n->decimals && !rescale(n, weight.decimals, line))
        return false;
    if (!num_mul(weight.value, num_pow10(n->decimals - weight.decimals), &node.weight))
        return too_large(n, line);
    *vec_add(&n->nodes) = node;
    return true;
}

bool nested_end(struct nested *n)
{
    while (n->nodes.count)
        if (!close_node(n))
            return false;
    return true;
}
