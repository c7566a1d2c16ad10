#include "unit/support/graph.h"

#include "base/die.h"
#include "base/hash.h"

static bool take_number(struct slice *line, uint64_t *number)
{
    size_t blank = slice_find_last(*line, ' ');

    if (blank == line->len || !num_parse_u64(slice_skip(*line, blank + 1), number))
        return false;
    *line = slice_take(*line, blank);
    return true;
}

static uint32_t add_symbol(struct symbols *symbols, struct slice frame)
{
    const struct slice owner = SLICE("_[o]");

    if (slice_ends(frame, owner))
        return symbols_add(symbols, slice_take(frame, frame.len - owner.len), SYMBOL_OWNER);
    return symbols_add_annotated(symbols, frame);
}

static uint32_t push(struct profile *p, struct slice stack)
{
    uint32_t id = STACK_ROOT;
    struct slice frame;

    while (slice_cut(&stack, ';', &frame))
        id = stacks_push(&p->stacks, id, add_symbol(&p->symbols, frame));
    return id;
}

void graph_init(struct graph *g, struct slice folded)
{
    struct profile *p = &g->profile;
    struct slice line;
    uint32_t series = 0;

    profile_init(p);
    profile_series(p, SLICE(""), unit_samples);
    while (slice_line(&folded, &line)) {
        uint64_t now = 0, before = 0;
        uint32_t stack;

        BUG_ON(!take_number(&line, &now));
        if (take_number(&line, &before) && series == 0)
            series = profile_series_pair(p, SLICE(""), SLICE("now"), unit_samples);
        stack = push(p, line);
        BUG_ON(!profile_add(p, series, stack, now));
        BUG_ON(series && !profile_add(p, 0, stack, before));
    }
    tree_init(&g->tree, p, series, &(struct tree_options){0});
}

void graph_release(struct graph *g)
{
    tree_release(&g->tree);
    profile_release(&g->profile);
}

void graph_random(struct buf *folded, uint64_t seed, unsigned stacks, unsigned depth,
                  unsigned names)
{
    uint64_t state = seed;

    *folded = (struct buf){0};
    for (unsigned i = 0; i < stacks; i++) {
        unsigned frames = 1 + (unsigned)((state = hash_mix(state, 1)) % depth);

        for (unsigned f = 0; f < frames; f++) {
            state = hash_mix(state, 2);
            buf_printf(folded, "%sf%u", f ? ";" : "", (unsigned)(state % names));
        }
        state = hash_mix(state, 3);
        buf_printf(folded, " %u\n", (unsigned)(1 + state % 1000));
    }
}

void graph_large(struct profile *p, uint32_t stacks)
{
    uint32_t symbols[2], series;

    profile_init(p);
    symbols[0] = symbols_add(&p->symbols, SLICE("even"), SYMBOL_USER);
    symbols[1] = symbols_add(&p->symbols, SLICE("odd"), SYMBOL_USER);
    series = profile_series(p, SLICE("cycles"), (struct unit){0});
    for (uint32_t i = 1; i <= stacks; i++)
        BUG_ON(
            !profile_add(p, series, stacks_append(&p->stacks, i / 2, symbols[i % 2]), i % 7 + 1));
}
