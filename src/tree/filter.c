#include "tree/filter.h"

#include <stdlib.h>

#include "profile/reshape.h"

const char *const filter_options[FILTER_ROLES] = {
    [FILTER_FOCUS] = "--focus",         [FILTER_IGNORE] = "--ignore",
    [FILTER_HIDE] = "--hide",           [FILTER_SHOW] = "--show",
    [FILTER_SHOW_FROM] = "--show-from", [FILTER_PRUNE_FROM] = "--prune-from",
};

/* Facts about the way from the root to a node: a bit for each role that was met, and one more. */
enum { GROUPED = 1u << FILTER_ROLES };

#define BIT(role) (1u << (role))

/* One pass from the root: what is known of a node's stack follows from its parent's. */
struct pass {
    const struct filter *filter;
    struct profile *profile;
    uint32_t symbol_count; /* without groups */
    uint8_t *hits;         /* by symbol: roles with a matching pattern */
    uint8_t *met;          /* by node */
    uint32_t *to;          /* by node: the stack of the frames that are left */
    uint32_t *cut;         /* the same up to the last match of prune-from; STACK_NONE for none */
    uint32_t *group;       /* by symbol, or NULL */
    uint32_t group_none;
    struct stacks stacks; /* the new ones, where `rebuilt` */
    bool rebuilt;
};

void filter_init(struct filter *f)
{
    *f = (struct filter){.group = GROUP_NOT};
}

void filter_release(struct filter *f)
{
    for (unsigned role = 0; role < FILTER_ROLES; role++) {
        vec_each (struct search *, search, &f->searches[role])
            search_free(*search);
        vec_release(&f->searches[role]);
    }
}

bool filter_add(struct filter *f, enum filter_role role, struct slice pattern, bool ignore_case,
                struct buf *why)
{
    struct search *search = search_new(pattern, ignore_case, why);

    if (search)
        *vec_add(&f->searches[role]) = search;
    return search != NULL;
}

static bool has(const struct filter *f, enum filter_role role)
{
    return f->searches[role].count > 0;
}

static bool has_searches(const struct filter *f)
{
    for (unsigned role = 0; role < FILTER_ROLES; role++)
        if (has(f, role))
            return true;
    return false;
}

static uint8_t *find_hits(const struct filter *f, const struct symbols *symbols,
                          struct filter_matches *matches)
{
    uint32_t count = symbols_count(symbols);
    uint8_t *hits = xcalloc(count, sizeof(*hits));
    bool *hit = xcalloc(count, sizeof(*hit));

    for (unsigned role = 0; role < FILTER_ROLES; role++) {
        vec_each (struct search *, search, &f->searches[role]) {
            matches->exhausted += search_symbols(*search, symbols, hit);
            for (uint32_t i = 0; i < count; i++)
                hits[i] |= hit[i] ? BIT(role) : 0;
        }
        for (uint32_t i = 0; i < count; i++)
            matches->symbols[role] += hits[i] >> role & 1;
    }
    free(hit);
    return hits;
}

/* Functions known to be in a group. */
static void count_groups(const struct pass *w, struct filter_matches *matches)
{
    const struct symbols *symbols = &w->profile->symbols;

    for (uint32_t i = 0; i < w->symbol_count; i++)
        matches->grouped +=
            w->group[i] != SYMBOL_NONE && symbol_class(symbols, i) != SYMBOL_SEPARATOR;
}

/* The frame that stands for a symbol. First frames that are in no group, processes, stay. */
static uint32_t frame_of(struct pass *w, uint32_t node, uint32_t above)
{
    uint32_t symbol = w->profile->stacks.symbol[node], group;

    if (!w->group)
        return symbol;
    group = w->group[symbol];
    if (group != SYMBOL_NONE) {
        w->met[node] |= GROUPED;
        return group;
    }
    if (!(w->met[node] & GROUPED))
        return symbol;
    if (symbol_class(&w->profile->symbols, symbol) == SYMBOL_INLINED && above != STACK_ROOT)
        return w->stacks.symbol[above]; /* it is where its caller is */
    return w->group_none;
}

/* The new stack of a node whose frame stays. */
static uint32_t push(struct pass *w, uint32_t node, uint32_t above)
{
    uint32_t symbol;

    if (!w->rebuilt)
        return node;
    symbol = frame_of(w, node, above);
    if ((w->group || w->filter->collapse_recursion) && above != STACK_ROOT &&
        w->stacks.symbol[above] == symbol)
        return above;
    return stacks_push(&w->stacks, above, symbol);
}

static void visit(struct pass *w, uint32_t node)
{
    const struct filter *f = w->filter;
    uint32_t parent = w->profile->stacks.parent[node];
    uint8_t hit = w->hits[w->profile->stacks.symbol[node]];
    bool shown = !(hit & BIT(FILTER_HIDE)) && (!has(f, FILTER_SHOW) || hit & BIT(FILTER_SHOW));

    w->met[node] = w->met[parent] | (hit & (BIT(FILTER_FOCUS) | BIT(FILTER_IGNORE)));
    if (shown)
        w->met[node] |= hit & BIT(FILTER_SHOW_FROM);
    else
        w->met[node] |= hit & BIT(FILTER_HIDE) ? BIT(FILTER_HIDE) : BIT(FILTER_SHOW);
    if (!shown || (has(f, FILTER_SHOW_FROM) && !(w->met[node] & BIT(FILTER_SHOW_FROM)))) {
        w->to[node] = w->to[parent];
        w->cut[node] = w->cut[parent];
        return;
    }
    w->to[node] = push(w, node, w->to[parent]);
    w->cut[node] = hit & BIT(FILTER_PRUNE_FROM) ? w->to[node] : w->cut[parent];
}

static void visit_all(struct pass *w)
{
    uint32_t count = w->profile->stacks.count;

    w->met = xmalloc(count);
    w->to = xreallocarray(NULL, count, sizeof(*w->to));
    w->cut = xreallocarray(NULL, count, sizeof(*w->cut));
    w->met[STACK_ROOT] = 0;
    w->to[STACK_ROOT] = STACK_ROOT;
    w->cut[STACK_ROOT] = STACK_NONE;
    for (uint32_t node = 1; node < count; node++)
        visit(w, node);
}

/* Why a stack goes, or FILTER_ROLES. */
static enum filter_role reason(const struct pass *w, uint32_t node)
{
    const struct filter *f = w->filter;

    if (has(f, FILTER_FOCUS) && !(w->met[node] & BIT(FILTER_FOCUS)))
        return FILTER_FOCUS;
    if (w->met[node] & BIT(FILTER_IGNORE))
        return FILTER_IGNORE;
    if (w->to[node] != STACK_ROOT)
        return FILTER_ROLES;
    if (has(f, FILTER_SHOW))
        return w->met[node] & BIT(FILTER_HIDE) && !(w->met[node] & BIT(FILTER_SHOW)) ? FILTER_HIDE
                                                                                     : FILTER_SHOW;
    if (has(f, FILTER_SHOW_FROM) && !(w->met[node] & BIT(FILTER_SHOW_FROM)))
        return FILTER_SHOW_FROM;
    return node == STACK_ROOT ? FILTER_ROLES : FILTER_HIDE;
}

static void note_removals(const struct pass *w, const enum filter_role *why, struct series *s)
{
    uint64_t gone[FILTER_ROLES + 1] = {0}, fewer[FILTER_ROLES] = {0};

    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t node = s->stack[i];

        gone[why[node]] += s->weight[i];
        if (why[node] != FILTER_ROLES)
            continue;
        if (w->met[node] & BIT(FILTER_HIDE))
            fewer[FILTER_HIDE] += s->weight[i];
        if (w->met[node] & BIT(FILTER_SHOW))
            fewer[FILTER_SHOW] += s->weight[i];
        if (w->cut[node] != STACK_NONE && w->cut[node] != w->to[node])
            fewer[FILTER_PRUNE_FROM] += s->weight[i];
    }
    for (unsigned role = 0; role < FILTER_ROLES; role++) {
        reshape_add_removal(s, filter_options[role], gone[role], false);
        reshape_add_removal(s, filter_options[role], fewer[role], true);
    }
}

/* Notes what goes, and makes of w->to where the stacks go in the end. */
static void settle(struct pass *w)
{
    uint32_t count = w->profile->stacks.count;
    enum filter_role *why = xreallocarray(NULL, count, sizeof(*why));

    for (uint32_t node = 0; node < count; node++)
        why[node] = reason(w, node);
    vec_each (struct series, s, &w->profile->series)
        note_removals(w, why, s);
    for (uint32_t node = 0; node < count; node++) {
        if (why[node] != FILTER_ROLES)
            w->to[node] = STACK_NONE;
        else if (w->cut[node] != STACK_NONE)
            w->to[node] = w->cut[node];
    }
    free(why);
}

void filter_run(const struct filter *f, struct profile *p, struct filter_matches *matches)
{
    struct pass w = {.filter = f, .profile = p, .symbol_count = symbols_count(&p->symbols)};

    *matches = (struct filter_matches){0};
    w.rebuilt = has(f, FILTER_HIDE) || has(f, FILTER_SHOW) || has(f, FILTER_SHOW_FROM) ||
                f->collapse_recursion || f->group != GROUP_NOT;
    if (!w.rebuilt && !has_searches(f))
        return;
    w.hits = find_hits(f, &p->symbols, matches);
    if (f->group != GROUP_NOT) {
        w.group = group_symbols(p, f->group);
        count_groups(&w, matches);
        w.group_none = group_none(p, f->group);
    }
    if (w.rebuilt)
        stacks_init(&w.stacks);
    visit_all(&w);
    settle(&w);
    profile_reshape(p, w.rebuilt ? &w.stacks : NULL, w.to);
    free(w.group);
    free(w.cut);
    free(w.to);
    free(w.met);
    free(w.hits);
}
