#include "profile/digest.h"

#include <stdlib.h>

#include "base/hash.h"

enum { DIGEST_FRAMES = 3 };

/* A hash per symbol and, added up, one of all names. */
static uint64_t *hash_symbols(const struct symbols *symbols, uint64_t *all)
{
    uint32_t count = symbols_count(symbols);
    uint64_t *hash = xreallocarray(NULL, count, sizeof(*hash));

    *all = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct slice name = symbol_name(symbols, i);

        hash[i] = hash_mix(hash_bytes(name.ptr, name.len), symbol_class(symbols, i));
        *all += hash[i];
    }
    return hash;
}

static uint64_t hash_series(const struct profile *p, const struct series *s, const uint64_t *symbol)
{
    uint64_t sum = s->total;

    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t stack = s->stack[i];
        uint64_t hash = s->weight[i];

        for (unsigned n = 0; n < DIGEST_FRAMES && stack != STACK_ROOT; n++) {
            hash = hash_mix(hash, symbol[p->stacks.symbol[stack]]);
            stack = p->stacks.parent[stack];
        }
        sum += hash;
    }
    return sum;
}

void profile_digest(const struct profile *p, uint32_t series, struct buf *out)
{
    uint32_t first = p->differential ? 0 : series, last = p->differential ? 1 : series;
    uint64_t digest;
    uint64_t *symbol = hash_symbols(&p->symbols, &digest);

    digest = hash_mix(digest + p->stacks.count, p->decimals);
    for (uint32_t id = first; id <= last; id++)
        digest = hash_mix(digest, hash_series(p, &p->series.items[id], symbol));
    free(symbol);
    buf_printf(out, "%016llx", (unsigned long long)digest);
}
