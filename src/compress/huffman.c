#include "compress/huffman.h"

#include <stdlib.h>
#include <string.h>

#include "base/die.h"

/* A symbol or an inner node of the tree. */
struct node {
    uint32_t weight;
    uint16_t parent; /* index of an inner node */
    uint16_t symbol;
};

static int by_weight(const void *a, const void *b)
{
    const struct node *x = a, *y = b;

    if (x->weight != y->weight)
        return x->weight < y->weight ? -1 : 1;
    return (x->symbol > y->symbol) - (x->symbol < y->symbol);
}

/* Collects the symbols that get a code, in ascending order of weight. Returns their number. */
static unsigned collect(const uint32_t *frequencies, unsigned count, struct node *leaves)
{
    unsigned n = 0, used = 0;

    for (unsigned i = 0; i < count; i++)
        used += frequencies[i] != 0;
    for (unsigned i = 0; i < count; i++) {
        if (!frequencies[i] && used >= 2)
            continue;
        if (!frequencies[i])
            used++;
        leaves[n++] = (struct node){.weight = frequencies[i], .symbol = (uint16_t)i};
    }
    qsort(leaves, n, sizeof(*leaves), by_weight);
    return n;
}

/* Takes the lighter of the first leaf and the first inner node that have no parent yet. */
static struct node *lightest(struct node **leaf, const struct node *last, struct node **inner,
                             const struct node *made)
{
    if (*leaf < last && (*inner == made || (*leaf)->weight <= (*inner)->weight))
        return (*leaf)++;
    return (*inner)++;
}

/*
 * Builds the tree: joins the two lightest nodes until one is left. Inner nodes are made in
 * ascending order of weight, so two queues suffice. Counts the leaves of each depth; those deeper
 * than `limit` count for `limit`.
 */
static void count_depths(struct node *leaves, unsigned n, unsigned limit, unsigned *depths)
{
    struct node inner[HUFFMAN_MAX_SYMBOLS], *made = inner, *leaf = leaves, *next = inner;
    unsigned depth[HUFFMAN_MAX_SYMBOLS];

    for (; made < inner + n - 1; made++) {
        struct node *a = lightest(&leaf, leaves + n, &next, made);
        struct node *b = lightest(&leaf, leaves + n, &next, made);

        made->weight = a->weight + b->weight;
        a->parent = b->parent = (uint16_t)(made - inner);
    }
    depth[n - 2] = 0;
    for (unsigned i = n - 2; i-- > 0;)
        depth[i] = depth[inner[i].parent] + 1;
    for (unsigned i = 0; i < n; i++) {
        unsigned d = depth[leaves[i].parent] + 1;

        depths[d < limit ? d : limit]++;
    }
}

/*
 * Makes room for the codes that were cut to `limit` bits: while the codes need more than there are,
 * one of the longest becomes the sibling of a shorter one, which gets a bit more.
 */
static void fit_depths(unsigned *depths, unsigned limit)
{
    uint32_t need = 0;

    for (unsigned d = 1; d <= limit; d++)
        need += (uint32_t)depths[d] << (limit - d);
    for (; need > 1U << limit; need--) {
        unsigned d = limit - 1;

        while (!depths[d])
            d--;
        depths[d]--;
        depths[d + 1] += 2;
        depths[limit]--;
    }
}

void huffman_lengths(const uint32_t *frequencies, unsigned count, unsigned limit, uint8_t *lengths)
{
    unsigned depths[HUFFMAN_MAX_LENGTH + 1] = {0};
    struct node leaves[HUFFMAN_MAX_SYMBOLS];
    unsigned n, at = 0;

    BUG_ON(count < 2 || count > HUFFMAN_MAX_SYMBOLS || limit > HUFFMAN_MAX_LENGTH ||
           count > 1U << limit);
    n = collect(frequencies, count, leaves);
    count_depths(leaves, n, limit, depths);
    fit_depths(depths, limit);
    memset(lengths, 0, count);
    for (unsigned d = limit; d >= 1; d--) {
        for (unsigned i = 0; i < depths[d]; i++)
            lengths[leaves[at++].symbol] = (uint8_t)d;
    }
}

/* Returns the lowest `length` bits of `code` in reverse order. */
static uint16_t reversed(unsigned code, unsigned length)
{
    unsigned result = 0;

    for (unsigned i = 0; i < length; i++)
        result |= (code >> i & 1) << (length - 1 - i);
    return (uint16_t)result;
}

void huffman_codes(const uint8_t *lengths, unsigned count, uint16_t *codes)
{
    unsigned numbers[HUFFMAN_MAX_LENGTH + 2] = {0}, next[HUFFMAN_MAX_LENGTH + 2] = {0};

    for (unsigned i = 0; i < count; i++)
        numbers[lengths[i]]++;
    numbers[0] = 0;
    for (unsigned d = 1; d <= HUFFMAN_MAX_LENGTH; d++)
        next[d] = (next[d - 1] + numbers[d - 1]) << 1;
    for (unsigned i = 0; i < count; i++)
        codes[i] = lengths[i] ? reversed(next[lengths[i]]++, lengths[i]) : 0;
}
