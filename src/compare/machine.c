#include "compare/machine.h"

#include <stdlib.h>

#include "match/kernel_entry.h"

/* The part of a function's samples that must be in interrupts. */
static const double most_of = 0.8;

/* Returns by node whether it is an entry of interrupts or below one. */
static bool *find_interrupts(const struct profile *p)
{
    uint32_t count = symbols_count(&p->symbols);
    bool *entry = xcalloc((size_t)count + 1, sizeof(*entry));
    bool *nodes = xcalloc(p->stacks.count, sizeof(*nodes));

    for (uint32_t i = 0; i < count; i++)
        entry[i] = symbol_class_is_function(symbol_class(&p->symbols, i)) &&
                   kernel_entry_is_interrupt(symbol_name(&p->symbols, i));
    for (uint32_t id = 1; id < p->stacks.count; id++)
        nodes[id] = entry[p->stacks.symbol[id]] || nodes[p->stacks.parent[id]];
    free(entry);
    return nodes;
}

/* The samples of each function, and of these the ones in interrupts. */
struct samples {
    double *all, *interrupts;
};

/* Adds up a run. Returns its samples that end in interrupts. */
static double add_run(const struct functions *f, size_t run, struct samples *sums)
{
    const struct functions_part *part = functions_part_of(f, run);
    const struct stacks *stacks = &part->profile->stacks;
    const struct series *s = &part->profile->series.items[f->runs[run].series];
    double scale = compare_run_scale(&f->runs[run]), ends = 0;
    double *below = xcalloc(stacks->count, sizeof(*below));
    bool *interrupts = find_interrupts(part->profile);

    for (uint32_t i = 0; i < s->count; i++) {
        below[s->stack[i]] = (double)functions_part_weight(part, s, i) * scale;
        ends += interrupts[s->stack[i]] ? below[s->stack[i]] : 0;
    }
    for (uint32_t id = stacks->count; id-- > 1;) {
        if (part->outermost[id])
            sums->all[part->function[id]] += below[id];
        if (part->outermost[id] && interrupts[id])
            sums->interrupts[part->function[id]] += below[id];
        below[stacks->parent[id]] += below[id];
    }
    free(interrupts);
    free(below);
    return ends;
}

void machine_mark(struct functions *f)
{
    struct samples sums = {xcalloc(f->items.count + 1, sizeof(double)),
                           xcalloc(f->items.count + 1, sizeof(double))};
    double samples[2] = {0}, ends[2] = {0};

    for (size_t run = 0; run < f->run_count; run++) {
        enum stats_side side = f->runs[run].run.side;

        if (side == STATS_HISTORY)
            continue;
        samples[side] += f->runs[run].samples;
        ends[side] += add_run(f, run, &sums);
    }
    for (size_t id = 0; id < f->items.count; id++)
        f->items.items[id].machine =
            sums.all[id] > 0 && sums.interrupts[id] >= most_of * sums.all[id];
    for (int side = 0; side < 2; side++)
        f->interrupts[side] = samples[side] > 0 ? ends[side] / samples[side] : 0;
    free(sums.all);
    free(sums.interrupts);
}
