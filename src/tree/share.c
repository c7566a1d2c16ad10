#include "tree/share.h"

#include <stdlib.h>

uint32_t share_match(const struct search *s, const struct symbols *symbols, bool *hit)
{
    struct search_matcher *m = search_matcher_new(s);
    uint32_t exhausted = 0;

    for (uint32_t i = 0; i < symbols_count(symbols); i++) {
        enum search_match result = search_match(m, symbol_name(symbols, i));

        hit[i] = result == SEARCH_HIT;
        exhausted += result == SEARCH_EXHAUSTED;
    }
    search_matcher_free(m);
    return exhausted;
}

/* Adds up the matching nodes without a matching ancestor, and marks matching symbols in `met`. */
static void sum_union(const struct tree *t, const bool *hit, bool *met, struct share *share)
{
    bool *covered = xcalloc(t->count, sizeof(*covered));

    for (uint32_t i = 1; i < t->count; i++) {
        uint32_t symbol = t->symbol[i];

        covered[i] = covered[t->parent[i]];
        if (!hit[symbol])
            continue;
        if (t->total[i] || (t->base && t->base[i]))
            met[symbol] = true;
        if (covered[i])
            continue;
        covered[i] = true;
        share->weight += t->total[i];
        share->base += t->base ? t->base[i] : 0;
    }
    free(covered);
}

void share_sum(const struct search *s, const struct tree *t, struct share *share)
{
    const struct symbols *symbols = &t->profile->symbols;
    uint32_t count = symbols_count(symbols);
    bool *hit = xcalloc(count, sizeof(*hit));
    bool *met = xcalloc(count, sizeof(*met));

    *share = (struct share){.search = s};
    share->exhausted = share_match(s, symbols, hit);
    sum_union(t, hit, met, share);
    for (uint32_t i = 0; i < count; i++)
        share->symbols += met[i] && !symbol_class_is_owner(symbol_class(symbols, i));
    free(met);
    free(hit);
}

void share_sum_all(const struct search_list *list, const struct tree *t, struct shares *shares)
{
    vec_each (struct search *const, s, list)
        share_sum(*s, t, vec_add(shares));
}
