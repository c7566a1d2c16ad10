#include "tree/digest.h"

#include <stdlib.h>

#include "base/hash.h"

static uint64_t *hash_symbols(const struct symbols *symbols)
{
    uint32_t count = symbols_count(symbols);
    uint64_t *hash = xreallocarray(NULL, count, sizeof(*hash));

    for (uint32_t i = 0; i < count; i++) {
        struct slice name = symbol_name(symbols, i);

        hash[i] = hash_mix(hash_bytes(name.ptr, name.len),
                           symbol_class_of_code(symbol_class(symbols, i)));
    }
    return hash;
}

void tree_digest(const struct tree *t, struct buf *out)
{
    uint64_t *symbol = hash_symbols(&t->profile->symbols);
    uint64_t digest = hash_mix(t->total[TREE_ROOT], t->profile->decimals);

    for (uint32_t node = 1; node < t->count; node++) {
        uint64_t base = t->base ? t->base[node] : 0;
        uint32_t caller = t->symbol[t->parent[node]];
        uint64_t edge;

        if (!t->total[node] && !base)
            continue;
        edge = symbol[t->symbol[node]] + (caller == SYMBOL_NONE ? 0 : symbol[caller] >> 1);
        digest += hash_mix(edge, t->total[node] + (base << 32 | base >> 32));
    }
    free(symbol);
    buf_printf(out, "%016llx", (unsigned long long)digest);
}
