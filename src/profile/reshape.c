#include "profile/reshape.h"

#include <stdlib.h>

uint64_t reshape_part(uint64_t size, uint64_t part, uint64_t whole)
{
    return (uint64_t)(((unsigned __int128)size * part + whole - 1) / whole);
}

/*
 * Notes that the total of a series was `before`: if it is smaller now, `samples` becomes 0, which
 * means unknown, and what is known about the complete series shrinks in proportion.
 */
static void reshape_lose_weight(struct series *s, uint64_t before)
{
    if (s->total == before)
        return;
    s->samples = 0;
    s->squares = (unsigned __int128)((double)s->squares / (double)before * (double)s->total);
    s->unscaled = reshape_part(s->unscaled, s->total, before);
}

/*
 * Moves entries towards the front and joins entries of equal stacks in the
 * first. entry[stack] is the index + 1 of the entry of a new stack, or 0. All of
 * `entry` is 0 before and after the call.
 */
static void reshape_series(struct series *s, const uint32_t *to, uint32_t *entry)
{
    uint32_t kept = 0;
    uint64_t before = s->total;

    s->total = 0;
    s->highest = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t stack = to[s->stack[i]];
        uint64_t weight = s->weight[i];

        if (stack == STACK_NONE)
            continue;
        s->total += weight;
        if (entry[stack]) {
            s->weight[entry[stack] - 1] += weight;
            continue;
        }
        s->stack[kept] = stack;
        s->weight[kept++] = weight;
        entry[stack] = kept;
        if (stack > s->highest)
            s->highest = stack;
    }
    for (uint32_t i = 0; i < kept; i++)
        entry[s->stack[i]] = 0;
    reshape_lose_weight(s, before);
    s->count = kept;
    xfree(s->slots);
    s->slots = NULL;
    s->mask = s->indexed = 0;
}

/* Gives timed samples their new stacks and removes timed samples of removed stacks. */
static void reshape_timed(struct timed_samples *m, const uint32_t *to)
{
    bool timed = timed_samples_are_timed(m);
    size_t kept = 0;

    for (size_t i = 0; i < m->items.count; i++) {
        struct timed_sample sample = m->items.items[i];

        sample.stack = to[sample.stack];
        if (sample.stack != STACK_NONE)
            m->items.items[kept++] = sample;
    }
    m->items.count = kept;
    m->timed = timed ? kept : 0;
}

void profile_reshape(struct profile *p, struct stacks *stacks, const uint32_t *to)
{
    uint32_t *entry;

    if (stacks) {
        stacks_release(&p->stacks);
        p->stacks = *stacks;
        *stacks = (struct stacks){0};
    }
    entry = xcalloc(p->stacks.count, sizeof(*entry));
    vec_each (struct series, s, &p->series) {
        reshape_series(s, to, entry);
        reshape_timed(&s->timed, to);
    }
    xfree(entry);
}

void reshape_symbols(struct profile *p, const uint32_t *symbols)
{
    const struct stacks *old = &p->stacks;
    uint32_t *to = xreallocarray(NULL, old->count, sizeof(*to));
    struct stacks stacks;

    stacks_init(&stacks);
    stacks_reserve(&stacks, old->count);
    to[STACK_ROOT] = STACK_ROOT;
    for (uint32_t id = 1; id < old->count; id++)
        to[id] = stacks_push(&stacks, to[old->parent[id]], symbols[old->symbol[id]]);
    stacks_forget_index(&stacks);
    profile_reshape(p, &stacks, to);
    xfree(to);
}

void reshape_rename(struct profile *p, const struct slice *names)
{
    uint32_t count = symbols_count(&p->symbols);
    uint32_t *to = xreallocarray(NULL, (size_t)count + 1, sizeof(*to));
    bool changed = false;

    for (uint32_t id = 0; id < count; id++) {
        to[id] = id;
        if (names[id].len)
            to[id] = symbols_add(&p->symbols, names[id], symbol_class(&p->symbols, id));
        if (to[id] != id)
            symbols_add_known(&p->symbols, to[id], &p->symbols, id);
        changed |= to[id] != id;
    }
    if (changed)
        reshape_symbols(p, to);
    xfree(to);
}

void reshape_add_root(struct profile *p, struct slice name)
{
    const struct stacks *old = &p->stacks;
    uint32_t *to = xreallocarray(NULL, old->count, sizeof(*to));
    struct stacks stacks;

    stacks_init(&stacks);
    stacks_reserve(&stacks, old->count + 1);
    to[STACK_ROOT] =
        stacks_append(&stacks, STACK_ROOT, symbols_add(&p->symbols, name, SYMBOL_OWNER));
    for (uint32_t id = 1; id < old->count; id++)
        to[id] = stacks_append(&stacks, to[old->parent[id]], old->symbol[id]);
    profile_reshape(p, &stacks, to);
    xfree(to);
}

static bool has_owners(const struct profile *p)
{
    for (uint32_t i = 0; i < symbols_count(&p->symbols); i++)
        if (symbol_class_is_owner(symbol_class(&p->symbols, i)))
            return true;
    return false;
}

/*
 * Adds to `known` the stacks of `whole` that consist of owners, with symbols of `part`. Returns the
 * number of nodes.
 */
static uint32_t copy_owners(const struct profile *whole, struct profile *part, struct stacks *known)
{
    const struct stacks *from = &whole->stacks;
    uint32_t *to = xcalloc(from->count, sizeof(*to));

    for (uint32_t id = 1; id < from->count; id++) {
        uint32_t symbol = from->symbol[id], parent = from->parent[id];

        if (symbol_class(&whole->symbols, symbol) != SYMBOL_OWNER ||
            (parent != STACK_ROOT && to[parent] == STACK_ROOT))
            continue;
        symbol = symbols_add(&part->symbols, symbol_name(&whole->symbols, symbol), SYMBOL_OWNER);
        to[id] = stacks_push(known, to[parent], symbol);
    }
    xfree(to);
    return known->count;
}

/* Makes owners of the first frames that `known`, which has `count` nodes, begins with. */
static void add_owners(struct profile *p, struct stacks *known, uint32_t count,
                       struct stacks *stacks, uint32_t *to)
{
    const struct stacks *old = &p->stacks;
    uint32_t *at = xreallocarray(NULL, old->count, sizeof(*at)); /* in `known`, or STACK_NONE */

    at[STACK_ROOT] = STACK_ROOT;
    for (uint32_t id = 1; id < old->count; id++) {
        uint32_t parent = old->parent[id], symbol = old->symbol[id];
        uint32_t owner = symbols_find(&p->symbols, symbol_name(&p->symbols, symbol), SYMBOL_OWNER);

        at[id] = STACK_NONE;
        if (at[parent] != STACK_NONE && owner != SYMBOL_NONE &&
            symbol_class(&p->symbols, symbol) == SYMBOL_USER) {
            at[id] = stacks_push(known, at[parent], owner);
            at[id] = at[id] < count ? at[id] : STACK_NONE;
        }
        to[id] = stacks_push(stacks, to[parent], at[id] == STACK_NONE ? symbol : owner);
    }
    xfree(at);
}

static void remove_owners(struct profile *p, struct stacks *stacks, uint32_t *to)
{
    const struct stacks *old = &p->stacks;

    for (uint32_t id = 1; id < old->count; id++) {
        enum symbol_class class = symbol_class(&p->symbols, old->symbol[id]);
        uint32_t symbol = symbols_add(&p->symbols, symbol_name(&p->symbols, old->symbol[id]),
                                      symbol_class_of_code(class));

        to[id] = stacks_push(stacks, to[old->parent[id]], symbol);
    }
}

void reshape_match_owners(const struct profile *whole, struct profile *part)
{
    struct stacks stacks, known;
    uint32_t *to;

    if (whole->stacks.count <= 1 || has_owners(whole) == has_owners(part))
        return;
    to = xcalloc(part->stacks.count, sizeof(*to));
    stacks_init(&stacks);
    stacks_init(&known);
    if (has_owners(whole))
        add_owners(part, &known, copy_owners(whole, part, &known), &stacks, to);
    else
        remove_owners(part, &stacks, to);
    profile_reshape(part, &stacks, to);
    vec_each (struct series, s, &part->series)
        reported_forget(&s->reported);
    stacks_release(&known);
    xfree(to);
}

/* Whether the class of a symbol is a mark that folded stacks may lack. */
static bool is_marked(const struct symbols *s, uint32_t id)
{
    static const unsigned marks = 1u << SYMBOL_KERNEL | 1u << SYMBOL_INLINED | 1u << SYMBOL_JIT |
                                  1u << SYMBOL_INTERPRETED | 1u << SYMBOL_BASELINE |
                                  1u << SYMBOL_DEVICE | 1u << SYMBOL_DEVICE_INSTRUCTION;

    return marks & ~s->states & 1u << symbol_class(s, id);
}

static bool has_marks(const struct symbols *s)
{
    for (uint32_t id = 0; id < symbols_count(s); id++)
        if (is_marked(s, id))
            return true;
    return false;
}

/* Whether `bare` has a function without a mark that has one in `marked`. */
static bool lacks_mark(const struct symbols *bare, const struct symbols *marked)
{
    for (uint32_t id = 0; id < symbols_count(marked); id++)
        if (is_marked(marked, id) &&
            symbols_find(bare, symbol_name(marked, id), SYMBOL_USER) != SYMBOL_NONE)
            return true;
    return false;
}

static void remove_marks(struct profile *p)
{
    uint32_t count = symbols_count(&p->symbols);
    uint32_t *to = xreallocarray(NULL, count, sizeof(*to));

    for (uint32_t id = 0; id < count; id++) {
        to[id] = id;
        if (!is_marked(&p->symbols, id))
            continue;
        to[id] = symbols_add(&p->symbols, symbol_name(&p->symbols, id), SYMBOL_USER);
        symbols_add_known(&p->symbols, to[id], &p->symbols, id);
    }
    reshape_symbols(p, to);
    xfree(to);
}

void reshape_match_marks(struct profile *a, struct profile *b)
{
    bool marked = has_marks(&a->symbols);

    if (marked == has_marks(&b->symbols))
        return;
    if (marked && lacks_mark(&b->symbols, &a->symbols))
        remove_marks(a);
    else if (!marked && lacks_mark(&a->symbols, &b->symbols))
        remove_marks(b);
}

static void drop_timed(struct timed_samples *m, const unsigned char *marks, unsigned char bits)
{
    bool timed = timed_samples_are_timed(m);
    size_t kept = 0;

    vec_each (const struct timed_sample, sample, &m->items)
        if (!(marks[sample->stack] & bits))
            m->items.items[kept++] = *sample;
    m->items.count = kept;
    m->timed = timed ? kept : 0;
}

uint64_t reshape_drop(struct series *s, const unsigned char *marks, unsigned char bits)
{
    uint64_t dropped = 0;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < s->count; i++) {
        if (marks[s->stack[i]] & bits) {
            dropped += s->weight[i];
            continue;
        }
        s->stack[kept] = s->stack[i];
        s->weight[kept++] = s->weight[i];
    }
    drop_timed(&s->timed, marks, bits);
    s->total -= dropped;
    reshape_lose_weight(s, s->total + dropped);
    s->count = kept;
    xfree(s->slots);
    s->slots = NULL;
    s->mask = s->indexed = 0;
    return dropped;
}

void reshape_add_removal(struct series *s, const char *option, uint64_t weight, bool stayed)
{
    if (!weight)
        return;
    vec_each (struct removal, r, &s->removals) {
        if (strcmp(r->option, option) == 0 && r->stayed == stayed) {
            r->weight += weight;
            return;
        }
    }
    *vec_add(&s->removals) = (struct removal){option, weight, stayed};
}

const char *reshape_removal_verb(const struct removal *r)
{
    if (!r->option[0])
        return "in other stacks";
    return r->stayed ? "shortened by " : "left out by ";
}

uint64_t reshape_whole(const struct series *s)
{
    uint64_t whole = s->total;

    vec_each (const struct removal, r, &s->removals)
        whole += r->stayed ? 0 : r->weight;
    return whole;
}
