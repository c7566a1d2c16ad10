#include "layout/rank.h"

#include <stdlib.h>

#include "base/die.h"

/* A name and its first bytes as a number, which alone decides most comparisons. */
struct key {
    uint64_t head; /* the first eight bytes, the first one highest; padded with zeros */
    struct slice name;
    uint32_t symbol;
    uint32_t class;
};

static uint64_t head(struct slice name)
{
    uint64_t word = 0;

    memcpy(&word, name.len ? name.ptr : "", name.len < 8 ? name.len : 8);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static int compare(const void *a, const void *b)
{
    const struct key *left = a, *right = b;
    bool left_cold = left->class == SYMBOL_OFF_CPU, right_cold = right->class == SYMBOL_OFF_CPU;
    int order;

    if (left_cold != right_cold)
        return left_cold ? 1 : -1;
    if (left->head != right->head)
        return left->head < right->head ? -1 : 1;
    order = slice_compare(left->name, right->name);
    if (order)
        return order;
    return left->class < right->class ? -1 : left->class > right->class;
}

void rank_init(struct rank *r, const struct symbols *symbols)
{
    r->symbols = symbols;
    r->number = xcalloc((size_t)symbols_count(symbols) + 1, sizeof(*r->number));
}

void rank_release(struct rank *r)
{
    xfree(r->number);
    r->number = NULL;
}

uint32_t rank_sort(struct rank *r)
{
    uint32_t all = symbols_count(r->symbols), count = 0;
    struct key *keys;

    for (uint32_t id = 0; id < all; id++)
        count += r->number[id];
    keys = xmalloc((count + (size_t)1) * sizeof(*keys));
    count = 0;
    for (uint32_t id = 0; id < all; id++) {
        if (r->number[id]) {
            struct slice name = symbol_name(r->symbols, id);

            keys[count++] = (struct key){head(name), name, id, symbol_class(r->symbols, id)};
        }
    }
    qsort(keys, count, sizeof(*keys), compare);
    for (uint32_t i = 0; i < count; i++)
        r->number[keys[i].symbol] = i;
    xfree(keys);
    return count;
}
