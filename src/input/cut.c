#include "input/cut.h"

#include <string.h>

#include "base/buf.h"
#include "base/die.h"
#include "base/num.h"

/* Below this depth, stacks of one depth say nothing. */
enum { LEAST_DEPTH = 16 };

/* What is known of the stacks of a profile, by stack or by symbol. */
struct cuts {
    const struct profile *profile;
    bool *weighs;           /* by stack: a series has a weight of it */
    uint32_t *depth, *root; /* by stack; the root is a symbol */
    bool *usual;            /* by symbol: the root of a stack that is less deep than the deepest */
    bool *inner;            /* by symbol: called by another function below a usual root */
    bool *first;            /* by symbol: the root of a stack that was cut */
};

/* What speaks for a cut. */
struct found {
    uint32_t depth, stacks, roots;
};

/* Depths at which profilers cut stacks. */
static bool is_limit(uint32_t depth)
{
    static const uint32_t limits[] = {32, 64, 100, 127, 128, 255, 256, 500, 512, 1000, 1024, 2048};

    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
        if (depth == limits[i])
            return true;
    return false;
}

static void mark_weights(struct cuts *c)
{
    vec_each (const struct series, s, &c->profile->series)
        for (uint32_t i = 0; i < s->count; i++)
            c->weighs[s->stack[i]] |= s->weight[i] != 0;
}

/*
 * Sets depths and roots, and returns the greatest depth. With `under` 1 the root is the second
 * frame of a stack, for stacks whose first one is a process.
 */
static uint32_t measure(struct cuts *c, uint32_t under)
{
    const struct stacks *s = &c->profile->stacks;
    uint32_t most = 0;

    for (uint32_t i = 1; i < s->count; i++) {
        uint32_t parent = s->parent[i];

        c->depth[i] = c->depth[parent] + 1;
        c->root[i] = c->depth[i] <= under + 1 ? s->symbol[i] : c->root[parent];
        if (c->weighs[i] && c->depth[i] > most)
            most = c->depth[i];
    }
    return most;
}

/* Marks the roots of stacks less deep than `depth`, and the functions called below such roots. */
static void mark_roots(struct cuts *c, uint32_t depth, uint32_t under)
{
    const struct stacks *s = &c->profile->stacks;
    uint32_t symbols = symbols_count(&c->profile->symbols);

    memset(c->usual, 0, symbols * sizeof(*c->usual));
    memset(c->inner, 0, symbols * sizeof(*c->inner));
    memset(c->first, 0, symbols * sizeof(*c->first));
    for (uint32_t i = 1; i < s->count; i++)
        if (c->weighs[i] && c->depth[i] < depth)
            c->usual[c->root[i]] = true;
    for (uint32_t i = 1; i < s->count; i++)
        if (c->depth[i] > under + 1 && c->usual[c->root[i]])
            c->inner[s->symbol[i]] = true;
}

static bool is_cut(const struct cuts *c, uint32_t stack, uint32_t depth)
{
    return stack != STACK_ROOT && c->depth[stack] == depth && !c->usual[c->root[stack]] &&
           c->inner[c->root[stack]];
}

static struct found find_cut(struct cuts *c, uint32_t depth)
{
    struct found f = {.depth = depth};

    for (uint32_t i = 1; i < c->profile->stacks.count; i++) {
        if (!c->weighs[i] || !is_cut(c, i, depth))
            continue;
        f.stacks++;
        f.roots += !c->first[c->root[i]];
        c->first[c->root[i]] = true;
    }
    return f;
}

/* Whether chance or an unusual thread hardly explains what was found. */
static bool is_sure(const struct found *f, uint32_t under)
{
    bool limit = is_limit(f->depth) || (under && is_limit(f->depth - 1));

    return f->stacks > 1 && f->roots >= (limit ? 1 : 2 + under);
}

/* Reports the share of the first series that has such stacks. */
static void tell(const struct cuts *c, struct profile *p, uint32_t depth, struct diag *diag)
{
    struct buf share = {0};
    const struct series *s = p->series.items;
    struct slice name;
    uint64_t weight = 0;

    for (; !weight; s++)
        for (uint32_t i = 0; i < s->count; i++)
            weight += is_cut(c, s->stack[i], depth) ? s->weight[i] : 0;
    s--;
    name = s->name.len ? s->name : SLICE("the weight");
    num_write_percent(&share, weight, s->total, 2);
    diag_add(diag, weight >= s->total / 100 ? DIAG_WARNING : DIAG_NOTE, DIAG_AT_FILE,
             "the profiler cut stacks at %u frames: %s%% of %.*s is in stacks without the "
             "functions nearest the root",
             depth, buf_string(&share), SLICE_ARG(name));
    profile_print_fact(p, SLICE("stacks cut"), "at %u frames, %s%% of %.*s", depth,
                       buf_string(&share), SLICE_ARG(name));
    buf_release(&share);
}

static void look(struct cuts *c, struct profile *p, struct diag *diag)
{
    mark_weights(c);
    for (uint32_t under = 0; under < 2; under++) {
        uint32_t depth = measure(c, under);
        struct found f;

        if (depth < LEAST_DEPTH)
            return;
        mark_roots(c, depth, under);
        f = find_cut(c, depth);
        if (is_sure(&f, under)) {
            tell(c, p, depth, diag);
            return;
        }
    }
}

void cut_tell(struct profile *p, struct diag *diag)
{
    size_t symbols = symbols_count(&p->symbols), stacks = p->stacks.count;
    struct cuts c = {.profile = p};

    if (p->ledger.truncated || !stacks)
        return;
    c.weighs = xcalloc(stacks, sizeof(*c.weighs));
    c.depth = xcalloc(stacks, sizeof(*c.depth));
    c.root = xcalloc(stacks, sizeof(*c.root));
    c.usual = xcalloc(symbols + 1, sizeof(*c.usual));
    c.inner = xcalloc(symbols + 1, sizeof(*c.inner));
    c.first = xcalloc(symbols + 1, sizeof(*c.first));
    look(&c, p, diag);
    xfree(c.weighs);
    xfree(c.depth);
    xfree(c.root);
    xfree(c.usual);
    xfree(c.inner);
    xfree(c.first);
}
