#include "tree/share.h"

#include <stdlib.h>
#include <string.h>

uint32_t share_match(const struct search *s, const struct symbols *symbols, bool *hit)
{
    struct search_matcher *m = search_matcher_new(s);
    enum search_match result = SEARCH_MISS;
    uint32_t count = symbols_count(symbols), matched = 0;

    while (matched < count) {
        result = search_match(m, symbol_name(symbols, matched));
        if (result == SEARCH_GIVEN_UP)
            break;
        hit[matched++] = result == SEARCH_HIT;
    }
    if (matched < count)
        memset(hit, 0, count * sizeof(*hit));
    search_matcher_free(m);
    return count - matched;
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

void share_warn_given_up(const struct shares *shares, struct diag *diag)
{
    vec_each (const struct share, s, shares)
        if (s->exhausted)
            diag_warn(diag,
                      "gave up the search '%.*s': matching it takes too much work; its share is "
                      "unknown",
                      SLICE_ARG(s->search->name));
}
