#include "compare/callers.h"

#include <stdlib.h>
#include <string.h>

/* Frames of listed functions above a leaf that are looked at; recursion may stack more. */
enum { HOPS_MOST = 256 };

/* Returns by node the total weight of a run: of the node's own stacks and of its callees. */
static uint64_t *node_totals(const struct functions_part *part, uint32_t series)
{
    const struct stacks *stacks = &part->profile->stacks;
    const struct series *s = &part->profile->series.items[series];
    uint64_t *total = xcalloc(stacks->count, sizeof(*total));

    for (uint32_t i = 0; i < s->count; i++)
        total[s->stack[i]] = functions_part_weight(part, s, i);
    for (uint32_t id = stacks->count; id-- > 1;)
        total[stacks->parent[id]] += total[id];
    return total;
}

/* Takes a frame of `function`, what calls it (FUNCTION_NONE: nothing), and its samples. */
typedef void call_fn(void *context, uint32_t function, uint32_t caller, double samples);

/* Calls `call` for each outermost frame of each function on one side. */
static void each_call(const struct functions *f, enum stats_side side, call_fn *call, void *context)
{
    for (size_t run = 0; run < f->run_count; run++) {
        const struct functions_part *part;
        const uint32_t *parent;
        uint64_t *total;

        if (f->runs[run].run.side != side)
            continue;
        part = functions_part_of(f, run);
        parent = part->profile->stacks.parent;
        total = node_totals(part, f->runs[run].series);
        for (uint32_t id = 1; id < part->profile->stacks.count; id++)
            if (part->function[id] != FUNCTION_NONE && part->outermost[id])
                call(context, part->function[id], part->leaf[parent[id]],
                     (double)total[id] * compare_run_scale(&f->runs[run]));
        free(total);
    }
}

/* ---- all callers of some functions ----------------------------------------------------------- */

struct counts {
    uint32_t *number; /* by function: its place in the list, or FUNCTION_NONE */
    double *const *out;
    size_t functions;
};

static void count_call(void *context, uint32_t function, uint32_t caller, double samples)
{
    const struct counts *c = context;

    if (c->number[function] != FUNCTION_NONE)
        c->out[c->number[function]][caller == FUNCTION_NONE ? c->functions : caller] += samples;
}

/* Returns by function its place in a list, or FUNCTION_NONE. */
static uint32_t *number_listed(const struct functions *f, const uint32_t *list, size_t count)
{
    uint32_t *number = xreallocarray(NULL, f->items.count, sizeof(*number));

    memset(number, 0xff, f->items.count * sizeof(*number));
    for (size_t i = 0; i < count; i++)
        number[list[i]] = (uint32_t)i;
    return number;
}

void callers_of(const struct functions *f, const uint32_t *list, size_t count, enum stats_side side,
                double *const *out)
{
    struct counts counts = {number_listed(f, list, count), out, f->items.count};

    each_call(f, side, count_call, &counts);
    free(counts.number);
}

static void count_callee(void *context, uint32_t function, uint32_t caller, double samples)
{
    const struct counts *c = context;

    if (caller != FUNCTION_NONE && c->number[caller] != FUNCTION_NONE)
        c->out[c->number[caller]][function] += samples;
}

void callers_callees(const struct functions *f, const uint32_t *list, size_t count,
                     enum stats_side side, double *const *out)
{
    struct counts counts = {number_listed(f, list, count), out, f->items.count};

    each_call(f, side, count_callee, &counts);
    free(counts.number);
}

/* ---- the main caller of each function -------------------------------------------------------- */

/*
 * The votes of callers for one function. By the majority vote of Boyer and Moore, a caller with
 * more than half of the samples leads at the end; a second pass counts what it has.
 */
struct vote {
    uint32_t leader;
    double lead, has, sum;
};

static void cast_vote(void *context, uint32_t function, uint32_t caller, double samples)
{
    struct vote *v = &((struct vote *)context)[function];

    v->sum += samples;
    if (v->leader == caller)
        v->lead += samples;
    else if (v->lead >= samples)
        v->lead -= samples;
    else {
        v->leader = caller;
        v->lead = samples - v->lead;
    }
}

static void count_leader(void *context, uint32_t function, uint32_t caller, double samples)
{
    struct vote *v = &((struct vote *)context)[function];

    v->has += v->leader == caller ? samples : 0;
}

void callers_main(const struct functions *f, enum stats_side side, double part, uint32_t *most)
{
    struct vote *votes = xcalloc(f->items.count, sizeof(*votes));

    for (uint32_t id = 0; id < f->items.count; id++)
        votes[id].leader = FUNCTION_NONE;
    each_call(f, side, cast_vote, votes);
    each_call(f, side, count_leader, votes);
    for (uint32_t id = 0; id < f->items.count; id++)
        most[id] = votes[id].has >= part * votes[id].sum ? votes[id].leader : FUNCTION_NONE;
    free(votes);
}

/* ---- functions below each other -------------------------------------------------------------- */

/*
 * Sets above[node] to the nearest node at or above it whose function is listed, STACK_ROOT if there
 * is none.
 */
static uint32_t *nearest_listed(const struct nesting *n, const struct functions_part *part)
{
    const struct stacks *stacks = &part->profile->stacks;
    uint32_t *above = xcalloc(stacks->count, sizeof(*above));

    for (uint32_t id = 1; id < stacks->count; id++) {
        uint32_t function = part->function[id];
        bool listed = function != FUNCTION_NONE && n->number[function] != FUNCTION_NONE;

        above[id] = listed && part->outermost[id] ? id : above[stacks->parent[id]];
    }
    return above;
}

/* Adds the stacks of one node and all above it: its function is below each listed caller. */
static void add_node(struct nesting *n, const struct functions_part *part, const uint32_t *above,
                     uint32_t node, double samples, int side)
{
    uint32_t callee = n->number[part->function[node]];
    uint32_t caller = above[part->profile->stacks.parent[node]];

    for (int hops = 0; hops < HOPS_MOST && caller != STACK_ROOT; hops++) {
        n->below[side][n->number[part->function[caller]] * n->count + callee] += samples;
        caller = above[part->profile->stacks.parent[caller]];
    }
}

void callers_nesting_init(struct nesting *n, const struct functions *f, const uint32_t *list,
                          size_t count)
{
    *n = (struct nesting){.count = count, .number = number_listed(f, list, count)};
    for (int side = 0; side < 2; side++)
        n->below[side] = xcalloc(count, count * sizeof(*n->below[side]));
    for (size_t run = 0; run < f->run_count; run++) {
        const struct functions_part *part = functions_part_of(f, run);
        uint32_t *above;
        uint64_t *total;

        if (f->runs[run].run.side == STATS_HISTORY)
            continue;
        above = nearest_listed(n, part);
        total = node_totals(part, f->runs[run].series);
        for (uint32_t id = 1; id < part->profile->stacks.count; id++)
            if (above[id] == id && total[id])
                add_node(n, part, above, id, (double)total[id] * compare_run_scale(&f->runs[run]),
                         (int)f->runs[run].run.side);
        free(total);
        free(above);
    }
}

void callers_nesting_release(struct nesting *n)
{
    free(n->number);
    free(n->below[0]);
    free(n->below[1]);
}
