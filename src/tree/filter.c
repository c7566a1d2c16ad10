#include "tree/filter.h"

#include <stdlib.h>

#include "profile/reshape.h"
#include "tree/share.h"

const char *const filter_options[FILTER_ROLES] = {
    [FILTER_FOCUS] = "--focus",
    [FILTER_IGNORE] = "--ignore",
    [FILTER_HIDE] = "--hide",
    [FILTER_SHOW] = "--show",
    [FILTER_SHOW_FROM] = "--show-from",
    [FILTER_PRUNE_FROM] = "--prune-from",
    [FILTER_COLLAPSE_MODULE] = "--collapse-module",
};

/* Bits for the path from the root to a node: one per role that matched, and one for groups. */
enum { GROUPED = 1u << FILTER_ROLES };

#define BIT(role) (1u << (role))

/* One pass from the root: the state of a node follows from its parent's state. */
struct pass {
    const struct filter *filter;
    struct profile *profile;
    uint32_t symbol_count; /* without groups */
    uint8_t *hits;         /* by symbol: roles with a matching pattern */
    uint16_t *met;         /* by node */
    uint32_t *to;          /* by node: the stack of its remaining frames */
    uint32_t *cut;   /* by node: the stack up to prune-from's last match, or STACK_NONE; or NULL */
    uint32_t *group; /* by symbol, or NULL */
    uint32_t group_none;
    uint32_t *module;     /* by symbol: its module if collapse-module matches it; or NULL */
    uint32_t *collapsed;  /* by node: the module that its frame becomes, or SYMBOL_NONE; or NULL */
    struct stacks stacks; /* the new stacks, if `rebuilt` */
    bool rebuilt;
};

void filter_init(struct filter *f)
{
    *f = (struct filter){.group = GROUP_NOT};
}

void filter_release(struct filter *f)
{
    for (unsigned role = 0; role < FILTER_ROLES; role++)
        search_list_release(&f->searches[role]);
}

bool filter_add(struct filter *f, enum filter_role role, struct slice pattern, unsigned how,
                struct buf *why)
{
    return search_list_add(&f->searches[role], SLICE(""), pattern, how, why);
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

/* Returns the roles that match each symbol. Sets matches->given_up and stops if a search is. */
static uint8_t *find_hits(const struct filter *f, const struct symbols *symbols,
                          struct filter_matches *matches)
{
    uint32_t count = symbols_count(symbols);
    uint8_t *hits = xcalloc(count, sizeof(*hits));
    bool *hit = xcalloc(count, sizeof(*hit));

    for (unsigned role = 0; role < FILTER_ROLES; role++) {
        vec_each (struct search *, search, &f->searches[role]) {
            if (share_match(*search, symbols, hit)) {
                matches->given_up = *search;
                free(hit);
                return hits;
            }
            for (uint32_t i = 0; i < count; i++)
                hits[i] |= hit[i] ? BIT(role) : 0;
        }
    }
    free(hit);
    return hits;
}

/* Turns the table of modules by symbol into that of the modules to be collapsed. */
static void choose_modules(struct pass *w)
{
    const struct symbols *symbols = &w->profile->symbols;

    for (uint32_t i = 0; w->module && i < w->symbol_count; i++) {
        uint32_t module = w->module[i];
        bool chosen = module != SYMBOL_NONE && symbol_class(symbols, i) != SYMBOL_SEPARATOR &&
                      w->hits[module] & BIT(FILTER_COLLAPSE_MODULE);

        w->module[i] = chosen ? module : SYMBOL_NONE;
    }
}

/* Counts the symbols that each role matches, without those of modules. */
static void count_hits(const struct pass *w, struct filter_matches *matches)
{
    for (uint32_t i = 0; i < w->symbol_count; i++) {
        for (unsigned role = 0; role < FILTER_COLLAPSE_MODULE; role++)
            matches->symbols[role] += w->hits[i] >> role & 1;
        matches->symbols[FILTER_COLLAPSE_MODULE] += w->module && w->module[i] != SYMBOL_NONE;
    }
}

/* Counts the functions with a known group. */
static void count_groups(const struct pass *w, struct filter_matches *matches)
{
    const struct symbols *symbols = &w->profile->symbols;

    for (uint32_t i = 0; i < w->symbol_count; i++)
        matches->grouped +=
            w->group[i] != SYMBOL_NONE && symbol_class(symbols, i) != SYMBOL_SEPARATOR;
}

/* Returns the module that a node's frame becomes, or SYMBOL_NONE. */
static uint32_t module_of(const struct pass *w, uint32_t node)
{
    const struct stacks *stacks = &w->profile->stacks;
    uint32_t symbol = stacks->symbol[node];

    if (symbol_class(&w->profile->symbols, symbol) == SYMBOL_INLINED &&
        !symbol_module(&w->profile->symbols, symbol).len)
        return w->collapsed[stacks->parent[node]];
    return w->module[symbol];
}

/* Returns a node's frame after grouping. Processes, and first frames without a group, are kept. */
static uint32_t frame_of(struct pass *w, uint32_t node, uint32_t above)
{
    uint32_t symbol = w->profile->stacks.symbol[node], group;

    if (w->collapsed && w->collapsed[node] != SYMBOL_NONE)
        return w->collapsed[node];
    if (!w->group || symbol_class_is_owner(symbol_class(&w->profile->symbols, symbol)))
        return symbol;
    group = w->group[symbol];
    if (group != SYMBOL_NONE) {
        w->met[node] |= GROUPED;
        return group;
    }
    if (!(w->met[node] & GROUPED))
        return symbol;
    if (symbol_class(&w->profile->symbols, symbol) == SYMBOL_INLINED)
        return w->stacks.symbol[above]; /* an inlined function is in its caller's group */
    return w->group_none;
}

static uint8_t hits_of(const struct pass *w, uint32_t node)
{
    return w->hits[w->profile->stacks.symbol[node]];
}

static void place(struct pass *w, uint32_t node, uint32_t stack)
{
    w->to[node] = stack;
    if (!w->cut)
        return;
    w->cut[node] =
        hits_of(w, node) & BIT(FILTER_PRUNE_FROM) ? stack : w->cut[w->profile->stacks.parent[node]];
}

/* Sets met[node] from its parent and its own matches. Returns whether its frame is kept. */
static bool meet(struct pass *w, uint32_t node)
{
    const struct filter *f = w->filter;
    uint16_t hit = hits_of(w, node), met = w->met[w->profile->stacks.parent[node]];
    bool shown = !(hit & BIT(FILTER_HIDE)) && (!has(f, FILTER_SHOW) || hit & BIT(FILTER_SHOW));

    met |= hit & (BIT(FILTER_FOCUS) | BIT(FILTER_IGNORE));
    if (shown)
        met |= hit & BIT(FILTER_SHOW_FROM);
    else
        met |= hit & BIT(FILTER_HIDE) ? BIT(FILTER_HIDE) : BIT(FILTER_SHOW);
    w->met[node] = met;
    if (w->collapsed)
        w->collapsed[node] = module_of(w, node);
    return shown && (!has(f, FILTER_SHOW_FROM) || met & BIT(FILTER_SHOW_FROM));
}

/* ---- new stacks: merged nodes share their children ----------------------------------------- */

/* The nodes that become one new stack: `members` from index `from` on. */
struct branch {
    uint32_t above, symbol; /* the new stack's parent and last frame */
    size_t from;
};

struct kid {
    uint32_t symbol, node;
};

struct rebuilding {
    struct pass *pass;
    uint32_t *first, *next; /* children lists of the old stacks, 0 at the end */
    VEC(uint32_t) members;
    VEC(struct branch) branches; /* to be made, the next one last */
    VEC(struct kid) kids;
};

static void list_children(struct rebuilding *r)
{
    const struct stacks *old = &r->pass->profile->stacks;

    r->first = xcalloc(old->count, sizeof(*r->first));
    r->next = xreallocarray(NULL, old->count, sizeof(*r->next));
    for (uint32_t node = old->count; node-- > 1;) {
        r->next[node] = r->first[old->parent[node]];
        r->first[old->parent[node]] = node;
    }
}

static int compare_kids(const void *a, const void *b)
{
    const struct kid *x = a, *y = b;

    if (x->symbol != y->symbol)
        return x->symbol < y->symbol ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* Returns whether a node's frame is joined with that of `stack`, which is equal. Notes why. */
static bool joins(struct pass *w, uint32_t node, uint32_t stack, uint32_t symbol)
{
    bool module = w->collapsed && w->collapsed[node] != SYMBOL_NONE;

    if (stack == STACK_ROOT || w->stacks.symbol[stack] != symbol)
        return false;
    if (module)
        w->met[node] |= BIT(FILTER_COLLAPSE_MODULE);
    return module || w->group || w->filter->collapse_recursion;
}

/*
 * Finds the frames that follow a new stack: the children of its members. A child
 * whose frame is removed becomes a member, too.
 */
static void find_kids(struct rebuilding *r, size_t from, uint32_t stack)
{
    struct pass *w = r->pass;
    size_t members = r->members.count - from;

    vec_clear(&r->kids);
    for (size_t i = from; i < r->members.count; i++) {
        for (uint32_t node = r->first[r->members.items[i]]; node; node = r->next[node]) {
            bool stays = meet(w, node);
            uint32_t symbol = stays ? frame_of(w, node, stack) : SYMBOL_NONE;

            if (stays && !joins(w, node, stack, symbol)) {
                *vec_add(&r->kids) = (struct kid){symbol, node};
                continue;
            }
            if (stays) {
                place(w, node, stack);
            } else {
                w->to[node] = stack;
                if (w->cut)
                    w->cut[node] = w->cut[w->profile->stacks.parent[node]];
            }
            *vec_add(&r->members) = node;
        }
    }
    if (r->kids.count > 1 && (r->members.count - from > 1 || members > 1 || w->group || w->module))
        qsort(r->kids.items, r->kids.count, sizeof(*r->kids.items), compare_kids);
    r->members.count = from;
}

/* Adds a branch per symbol of the kids. The branch to be made first is added last. */
static void add_branches(struct rebuilding *r, uint32_t stack)
{
    for (size_t i = r->kids.count; i-- > 0;) {
        const struct kid *kid = &r->kids.items[i];

        if (i + 1 == r->kids.count || kid[1].symbol != kid->symbol)
            *vec_add(&r->branches) = (struct branch){stack, kid->symbol, r->members.count};
        *vec_add(&r->members) = kid->node;
    }
}

static void rebuild(struct pass *w)
{
    struct rebuilding r = {.pass = w};

    list_children(&r);
    *vec_add(&r.members) = STACK_ROOT;
    find_kids(&r, 0, STACK_ROOT);
    add_branches(&r, STACK_ROOT);
    while (r.branches.count) {
        struct branch b = r.branches.items[--r.branches.count];
        uint32_t stack = stacks_append(&w->stacks, b.above, b.symbol);

        for (size_t i = b.from; i < r.members.count; i++)
            place(w, r.members.items[i], stack);
        find_kids(&r, b.from, stack);
        add_branches(&r, stack);
    }
    free(r.first);
    free(r.next);
    vec_release(&r.members);
    vec_release(&r.branches);
    vec_release(&r.kids);
}

static void visit_all(struct pass *w)
{
    uint32_t count = w->profile->stacks.count;

    w->met = xreallocarray(NULL, count, sizeof(*w->met));
    w->to = xreallocarray(NULL, count, sizeof(*w->to));
    if (has(w->filter, FILTER_PRUNE_FROM)) {
        w->cut = xreallocarray(NULL, count, sizeof(*w->cut));
        w->cut[STACK_ROOT] = STACK_NONE;
    }
    if (w->module) {
        w->collapsed = xreallocarray(NULL, count, sizeof(*w->collapsed));
        w->collapsed[STACK_ROOT] = SYMBOL_NONE;
    }
    w->met[STACK_ROOT] = 0;
    w->to[STACK_ROOT] = STACK_ROOT;
    if (w->rebuilt) {
        rebuild(w);
        return;
    }
    for (uint32_t node = 1; node < count; node++) {
        meet(w, node);
        place(w, node, node);
    }
}

/* Returns the role that removes a stack, or FILTER_ROLES if it is kept. */
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

static void note_removals(const struct pass *w, const uint8_t *why, struct series *s)
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
        if (w->met[node] & BIT(FILTER_COLLAPSE_MODULE))
            fewer[FILTER_COLLAPSE_MODULE] += s->weight[i];
        if (w->cut && w->cut[node] != STACK_NONE && w->cut[node] != w->to[node])
            fewer[FILTER_PRUNE_FROM] += s->weight[i];
    }
    for (unsigned role = 0; role < FILTER_ROLES; role++) {
        const char *option = role == FILTER_FOCUS && w->filter->chosen ? "" : filter_options[role];

        reshape_add_removal(s, option, gone[role], false);
        reshape_add_removal(s, filter_options[role], fewer[role], true);
    }
}

/* Adds the removals, and completes w->to with removed and cut stacks. */
static void settle(struct pass *w)
{
    uint32_t count = w->profile->stacks.count;
    uint8_t *why = xmalloc(count); /* a role for each node */

    for (uint32_t node = 0; node < count; node++)
        why[node] = (uint8_t)reason(w, node);
    vec_each (struct series, s, &w->profile->series)
        note_removals(w, why, s);
    for (uint32_t node = 0; node < count; node++) {
        if (why[node] != FILTER_ROLES)
            w->to[node] = STACK_NONE;
        else if (w->cut && w->cut[node] != STACK_NONE)
            w->to[node] = w->cut[node];
    }
    free(why);
}

bool filter_run(const struct filter *f, struct profile *p, struct filter_matches *matches)
{
    struct pass w = {.filter = f, .profile = p, .symbol_count = symbols_count(&p->symbols)};

    *matches = (struct filter_matches){0};
    w.rebuilt = has(f, FILTER_HIDE) || has(f, FILTER_SHOW) || has(f, FILTER_SHOW_FROM) ||
                f->collapse_recursion || f->group != GROUP_NOT || has(f, FILTER_COLLAPSE_MODULE);
    if (!w.rebuilt && !has_searches(f))
        return true;
    if (has(f, FILTER_COLLAPSE_MODULE))
        w.module = group_symbols(p, GROUP_MODULE);
    w.hits = find_hits(f, &p->symbols, matches);
    if (matches->given_up) {
        free(w.module);
        free(w.hits);
        return false;
    }
    choose_modules(&w);
    count_hits(&w, matches);
    if (f->group != GROUP_NOT) {
        w.group = group_symbols(p, f->group);
        count_groups(&w, matches);
        w.group_none = group_none(p, f->group);
    }
    if (w.rebuilt) {
        stacks_init(&w.stacks);
        stacks_reserve(&w.stacks, p->stacks.count);
    }
    visit_all(&w);
    settle(&w);
    profile_reshape(p, w.rebuilt ? &w.stacks : NULL, w.to);
    vec_each (struct series, s, &p->series)
        reported_forget(&s->reported);
    free(w.group);
    free(w.module);
    free(w.collapsed);
    free(w.cut);
    free(w.to);
    free(w.met);
    free(w.hits);
    return true;
}
