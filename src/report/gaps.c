#include "report/gaps.h"

#include "base/num.h"
#include "profile/reshape.h"

enum { PERCENT_DECIMALS = 2 };

static struct report_gap *add_gap(struct report_graph *g, const char *key, const char *what,
                                  struct slice much, struct slice percent, struct slice exact)
{
    struct report_gap *gap = vec_add(&g->gaps);

    *gap = (struct report_gap){
        .key = slice_str(key),
        .what = slice_str(what),
        .much = arena_copy(&g->memory, much),
        .percent = arena_copy(&g->memory, percent),
        .exact = arena_copy(&g->memory, exact),
    };
    return gap;
}

/* A weight that is not seen, of `whole`. */
static void add_part_gap(struct report_graph *g, const char *key, const char *what, uint64_t weight,
                         uint64_t whole)
{
    struct buf much, percent, exact;

    if (!weight)
        return;
    buf_init(&much);
    buf_init(&percent);
    buf_init(&exact);
    unit_write_plain(&much, &g->scale, weight);
    num_write_percent(&percent, weight, whole, PERCENT_DECIMALS);
    num_write_decimal(&exact, weight, g->scale.decimals);
    add_gap(g, key, what, buf_slice(&much), buf_slice(&percent), buf_slice(&exact))->weight =
        weight;
    buf_release(&much);
    buf_release(&percent);
    buf_release(&exact);
}

/* The same of all that the graph has. */
static void add_weight_gap(struct report_graph *g, const char *key, const char *what,
                           uint64_t weight)
{
    add_part_gap(g, key, what, weight, g->total);
}

/* A number of things that are not seen, of `whole` of them (0: of how many is unknown). */
static void add_count_gap(struct report_graph *g, const char *key, const char *what,
                          const char *noun, uint64_t count, uint64_t whole)
{
    struct buf much, percent, exact;

    if (!count)
        return;
    buf_init(&much);
    buf_init(&percent);
    buf_init(&exact);
    num_write_grouped(&much, count, 0);
    buf_printf(&much, " %s%s", noun, count == 1 ? "" : "s");
    if (whole)
        num_write_percent(&percent, count, whole, PERCENT_DECIMALS);
    buf_add_u64(&exact, count);
    add_gap(g, key, what, buf_slice(&much), buf_slice(&percent), buf_slice(&exact));
    buf_release(&much);
    buf_release(&percent);
    buf_release(&exact);
}

/* The weight of the stacks that pass through a frame called `name`, each once. */
static uint64_t weigh_name(const struct tree *t, struct slice name)
{
    const struct symbols *symbols = &t->profile->symbols;
    uint32_t id = intern_find(&symbols->names, name);
    uint64_t weight = 0;
    bool *inside;

    if (id == MAP_NONE)
        return 0;
    inside = xcalloc(t->count, sizeof(*inside));
    for (uint32_t i = 1; i < t->count; i++) {
        inside[i] = inside[t->parent[i]];
        if (inside[i] || symbols->items.items[t->symbol[i]].name != id)
            continue;
        inside[i] = true;
        weight += t->total[i];
    }
    free(inside);
    return weight;
}

/* What filters took, as a share of what was there before. */
static void add_removals(struct report_graph *g, const struct series *s)
{
    uint64_t whole = reshape_whole(s);

    vec_each (const struct removal, r, &s->removals) {
        const char *verb = r->stayed ? "shortened by" : "left out by";
        char *key = arena_printf(&g->memory, "%s_%s", r->stayed ? "shortened" : "left_out",
                                 r->option + strspn(r->option, "-"));

        for (char *c = key; *c; c++)
            *c = *c == '-' ? '_' : *c;
        add_part_gap(g, key, arena_printf(&g->memory, "in stacks %s %s", verb, r->option),
                     r->weight, whole);
    }
}

/* Counts of what reading could not use; the file's, whatever the series. */
static void add_counts(struct report_graph *g, const struct read_ledger *l)
{
    const struct {
        const char *key, *what, *noun;
        uint64_t count, whole;
    } rows[] = {
        {"truncated", "stacks cut short", "stack", l->truncated, 0},
        {"without_frames", "samples without a stack", "sample", l->without_frames, 0},
        {"unreadable", "lines that could not be read", "line", l->unreadable, l->lines},
        {"distributions", "stacks and maps with a distribution in place of a count", "distribution",
         l->distributions, 0},
        {"left_out", "samples left out, as the options ask", "sample", l->left_out, 0},
        {"wakers_looped", "chains of wakers cut where they came back to a thread", "chain",
         l->wakers_looped, 0},
        {"wakers_cut", "chains of wakers longer than is followed", "chain", l->wakers_cut, 0},
        {"locks_nested", "locks taken again by who held them, and counted once", "lock",
         l->locks_nested, 0},
        {"locks_kept", "locks whose release is not in the recording", "lock", l->locks_kept, 0},
        {"locks_unseen", "releases of locks that were taken before the recording, or unseen",
         "lock", l->locks_unseen, 0},
        {"frees_unpaired", "frees of what was allocated before the recording, or unseen", "free",
         l->frees_unpaired, 0},
        {"frees_unseen", "allocations that were given out again without a free", "allocation",
         l->frees_unseen, 0},
        {"calls_unpaired", "allocations whose size is not in the recording", "allocation",
         l->calls_unpaired, 0},
        {"lost", "lost by the profiler, by its own account", "event", l->lost, 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        add_count_gap(g, rows[i].key, rows[i].what, rows[i].noun, rows[i].count, rows[i].whole);
}

void report_gaps_build(struct report_graph *g, const struct tree *t)
{
    add_removals(g, &t->profile->series.items[t->series]);
    add_weight_gap(g, "unknown", "in stacks with [unknown] frames",
                   weigh_name(t, SLICE("[unknown]")));
    add_counts(g, &t->profile->ledger);
}

void report_gaps_add_exhausted(struct report_graph *g, uint64_t names)
{
    add_count_gap(g, "search_exhausted", "names on which a search was given up", "name", names, 0);
}

void report_gaps_add_thin(struct report_graph *g, uint64_t weight)
{
    add_weight_gap(g, "too_thin", "in frames too thin to draw", weight);
}

void report_gaps_add_above(struct report_graph *g, uint64_t weight)
{
    add_weight_gap(g, "above_max_depth", "in frames above the highest row drawn", weight);
}
