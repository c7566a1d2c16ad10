#include "profile/digest.h"

#include <stdlib.h>

#include "base/hash.h"

/*
 * A stack's hash is its parent's mixed with its last symbol's, so it depends
 * on names alone; samples are added up, so their order does not matter.
 */
static uint64_t *hash_stacks(const struct profile *p)
{
    const struct stacks *stacks = &p->stacks;
    uint32_t count = symbols_count(&p->symbols);
    uint64_t *symbol = xreallocarray(NULL, count, sizeof(*symbol));
    uint64_t *stack = xreallocarray(NULL, stacks->count, sizeof(*stack));

    for (uint32_t i = 0; i < count; i++) {
        struct slice name = symbol_name(&p->symbols, i);

        symbol[i] = hash_mix(hash_bytes(name.ptr, name.len), symbol_class(&p->symbols, i));
    }
    stack[STACK_ROOT] = 0;
    for (uint32_t i = 1; i < stacks->count; i++)
        stack[i] = hash_mix(stack[stacks->parent[i]] + 1, symbol[stacks->symbol[i]]);
    free(symbol);
    return stack;
}

void profile_digest(const struct profile *p, uint32_t series, struct buf *out)
{
    uint64_t *stack = hash_stacks(p);
    uint32_t last = p->differential ? 1 : series;
    uint64_t sum = p->decimals;

    for (uint32_t id = p->differential ? 0 : series; id <= last; id++) {
        const struct series *s = &p->series.items[id];

        for (uint32_t i = 0; i < s->count; i++)
            sum += hash_mix(stack[s->stack[i]] + (id != series), s->weight[i]);
        sum = hash_mix(sum, s->total);
    }
    free(stack);
    buf_printf(out, "%016llx", (unsigned long long)sum);
}
