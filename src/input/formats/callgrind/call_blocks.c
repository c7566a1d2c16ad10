#include "input/formats/callgrind/call_blocks.h"

enum { NONE = 0 };

void call_blocks_init(struct call_blocks *c)
{
    *c = (struct call_blocks){0};
    *vec_add(&c->blocks) = (struct call_block){0};
    stacks_init(&c->over);
}

void call_blocks_release(struct call_blocks *c)
{
    release_each(c, (vec, blocks, unclaimed, returned, is_returned, was_root, sums, leaf, joined),
                 (stacks, over));
}

static void know_function(struct call_blocks *c, uint32_t function)
{
    while (c->unclaimed.count <= function) {
        *vec_add(&c->unclaimed) = NONE;
        *vec_add(&c->leaf) = NONE;
        *vec_add(&c->is_returned) = false;
        *vec_add(&c->was_root) = false;
    }
}

static void close_block(struct call_blocks *c)
{
    struct call_block *block = &c->blocks.items[c->open];

    vec_each (uint32_t, function, &c->joined)
        c->leaf.items[*function] = NONE;
    vec_clear(&c->joined);
    if (c->open == NONE)
        return;
    block->sibling = c->unclaimed.items[block->function];
    c->unclaimed.items[block->function] = c->open;
    if (!c->is_returned.items[block->function]) {
        c->is_returned.items[block->function] = true;
        *vec_add(&c->returned) = block->function;
    }
    c->open = NONE;
}

void call_blocks_open(struct call_blocks *c, uint32_t function)
{
    uint32_t id = c->free;

    if (c->broken)
        return;
    know_function(c, function);
    close_block(c);
    if (id != NONE) {
        c->free = c->blocks.items[id].child;
    } else {
        id = (uint32_t)c->blocks.count;
        vec_add(&c->blocks);
    }
    c->blocks.items[id] = (struct call_block){.function = function};
    c->open = id;
}

void call_blocks_add_cost(struct call_blocks *c, uint32_t event, int64_t cost)
{
    int64_t *sum;

    if (c->broken)
        return;
    if (event >= CALL_BLOCKS_EVENTS || c->open == NONE) {
        c->broken = true;
        return;
    }
    sum = &c->blocks.items[c->open].costs[event];
    c->broken = __builtin_add_overflow(*sum, cost, sum);
}

/* Adds the costs of a leaf to another block of its function and frees the leaf. */
static void join(struct call_blocks *c, uint32_t into, uint32_t leaf)
{
    struct call_block *a = &c->blocks.items[into], *b = &c->blocks.items[leaf];

    for (int i = 0; i < CALL_BLOCKS_EVENTS; i++)
        c->broken |= __builtin_add_overflow(a->costs[i], b->costs[i], &a->costs[i]);
    b->child = c->free;
    c->free = leaf;
}

void call_blocks_add_call(struct call_blocks *c, uint32_t function)
{
    struct call_block *open = &c->blocks.items[c->open], *child;
    uint32_t id;

    if (c->broken)
        return;
    know_function(c, function);
    id = c->unclaimed.items[function];
    if (id == NONE || c->open == NONE) {
        c->broken = true;
        return;
    }
    child = &c->blocks.items[id];
    c->unclaimed.items[function] = child->sibling;
    if (child->child == NONE && c->leaf.items[function] != NONE) {
        join(c, c->leaf.items[function], id);
        return;
    }
    child->sibling = open->child;
    open->child = id;
    if (child->child == NONE) {
        c->leaf.items[function] = id;
        *vec_add(&c->joined) = function;
    }
}

bool call_blocks_is_root(const struct call_blocks *c, uint32_t function)
{
    if (c->open != NONE && c->blocks.items[c->open].function == function)
        return true;
    return function < c->unclaimed.count &&
           (c->unclaimed.items[function] != NONE || c->was_root.items[function]);
}

/* A block to add below the stack `parent`. */
struct work {
    uint32_t block, parent;
};

struct works VEC_OF(struct work);

static void add_work(const struct call_blocks *c, struct works *works, uint32_t block,
                     uint32_t parent)
{
    for (; block != NONE; block = c->blocks.items[block].sibling)
        *vec_add(works) = (struct work){block, parent};
}

static bool add_sums(struct call_sums *sums, const struct call_block *block)
{
    bool fits = true;

    for (int i = 0; i < CALL_BLOCKS_EVENTS; i++) {
        bool negative = block->costs[i] < 0;
        int64_t *sum = &sums->costs[i][negative];

        if (!block->costs[i])
            continue;
        fits = !__builtin_add_overflow(*sum, block->costs[i], sum) && fits;
        sums->counts[i][negative]++;
    }
    return fits;
}

/* Moves the unclaimed blocks, the roots of the run, to `works`. */
static void take_roots(struct call_blocks *c, struct works *works)
{
    close_block(c);
    vec_each (uint32_t, function, &c->returned) {
        uint32_t *unclaimed = &c->unclaimed.items[*function];

        c->is_returned.items[*function] = false;
        if (*unclaimed != NONE)
            c->was_root.items[*function] = true;
        add_work(c, works, *unclaimed, STACK_ROOT);
        *unclaimed = NONE;
    }
    vec_clear(&c->returned);
}

void call_blocks_end_run(struct call_blocks *c)
{
    struct works works = {0};

    if (!c->broken)
        take_roots(c, &works);
    while (works.count && !c->broken) {
        struct work work = works.items[--works.count];
        const struct call_block *block = &c->blocks.items[work.block];
        uint32_t stack;

        c->broken = c->over.count == STACKS_MOST;
        if (c->broken)
            break;
        stack = stacks_push(&c->over, work.parent, block->function);
        while (c->sums.count < c->over.count)
            *vec_add(&c->sums) = (struct call_sums){0};
        c->broken = !add_sums(&c->sums.items[stack], block);
        add_work(c, &works, block->child, stack);
    }
    vec_release(&works);
    c->blocks.count = 1;
    c->free = NONE;
}

static bool add_sum(struct builder *b, uint32_t series, uint32_t stack, int64_t cost,
                    uint64_t count)
{
    if (!count)
        return true;
    if (!builder_add_signed_at(b, series, stack, cost))
        return false;
    if (cost < 0 && series != BUILDER_LEFT_OUT)
        series = b->profile->series.items[series].base;
    builder_count(b, series, count - 1);
    return true;
}

/* Adds the stacks of finished runs. */
static bool add_runs(const struct call_blocks *c, struct builder *b, const uint32_t *frames,
                     const uint32_t *series, uint32_t events)
{
    VEC(uint32_t) stacks = {0};
    bool ok = true;

    *vec_add(&stacks) = STACK_ROOT;
    for (uint32_t s = 1; ok && s < c->over.count; s++) {
        const struct call_sums *sums = &c->sums.items[s];
        uint32_t parent = stacks.items[c->over.parent[s]], stack;

        ok = builder_child_entry(b, parent, frames[c->over.symbol[s]], &stack);
        for (uint32_t i = 0; ok && i < events && i < CALL_BLOCKS_EVENTS; i++)
            ok = add_sum(b, series[i], stack, sums->costs[i][false], sums->counts[i][false]) &&
                 add_sum(b, series[i], stack, sums->costs[i][true], sums->counts[i][true]);
        *vec_add(&stacks) = stack;
    }
    vec_release(&stacks);
    return ok;
}

bool call_blocks_add_stacks(struct call_blocks *c, struct builder *b, const uint32_t *frames,
                            const uint32_t *series, uint32_t events)
{
    struct works works = {0};
    bool ok = add_runs(c, b, frames, series, events);

    take_roots(c, &works);
    while (ok && works.count) {
        struct work work = works.items[--works.count];
        const struct call_block *block = &c->blocks.items[work.block];
        uint32_t stack;

        ok = builder_child_entry(b, work.parent, frames[block->function], &stack);
        for (uint32_t i = 0; ok && i < events && i < CALL_BLOCKS_EVENTS; i++)
            if (block->costs[i])
                ok = builder_add_signed_at(b, series[i], stack, block->costs[i]);
        if (ok)
            add_work(c, &works, block->child, stack);
    }
    vec_release(&works);
    return ok;
}
