#include "profile/merge.h"

#include <stdlib.h>

#include "profile/reshape.h"

/* Adds the symbols of `from` to `to`. Returns their new ids, by id in `from`; to be freed. */
static uint32_t *merge_symbols(struct symbols *to, const struct symbols *from)
{
    uint32_t *ids = xreallocarray(NULL, symbols_count(from), sizeof(*ids));

    to->states |= from->states;
    to->written |= from->written;
    for (uint32_t i = 0; i < symbols_count(from); i++) {
        ids[i] = symbols_add(to, symbol_name(from, i), symbol_class(from, i));
        symbols_add_known(to, ids[i], from, i);
    }
    return ids;
}

/*
 * Adds the stacks of `from` to `to`. Returns their new ids, by id in `from`; to
 * be freed. The children of a stack that is new to `to` are new, too, and need
 * no lookup.
 */
static uint32_t *merge_stacks(struct stacks *to, const struct stacks *from, const uint32_t *symbols)
{
    uint32_t *ids = xreallocarray(NULL, from->count, sizeof(*ids));
    uint32_t old = to->count;

    ids[STACK_ROOT] = STACK_ROOT;
    for (uint32_t i = 1; i < from->count; i++) {
        uint32_t parent = ids[from->parent[i]];
        uint32_t symbol = symbols[from->symbol[i]];

        ids[i] =
            parent >= old ? stacks_append(to, parent, symbol) : stacks_push(to, parent, symbol);
    }
    return ids;
}

/* Ids by the ids that they replace. */
struct new_ids {
    uint32_t *symbols, *stacks;
};

static void merge_notes(uint64_t *to, const uint64_t *from)
{
    for (int i = 0; i < LEDGER_NOTES; i++)
        to[i] += from[i];
}

/*
 * Multiplies the weights of `from` by `factor`. The caller has checked that the total fits. If
 * `ids` is NULL, symbols and stacks keep their ids.
 */
static uint32_t merge_series(struct profile *p, const struct series *from, struct slice name,
                             const struct new_ids *ids, uint64_t factor)
{
    const uint32_t *stacks = ids ? ids->stacks : NULL;
    uint32_t id = profile_series_of(p, name, from->event, from->unit);
    struct series *to = &p->series.items[id];
    uint64_t samples = to->samples + from->samples;
    unsigned __int128 squares = to->squares + from->squares * ((unsigned __int128)factor * factor);
    bool keep = p->keep_timed;

    profile_join_records(p, to, from);
    p->keep_timed = false; /* an entry is a sum of timed samples, which are joined below */
    for (uint32_t i = 0; i < from->count; i++)
        if (!profile_add(p, id, stacks ? stacks[from->stack[i]] : from->stack[i],
                         from->weight[i] * factor))
            BUG("the total was checked to fit");
    p->keep_timed = keep;
    if (!to->column)
        to->column = from->column;
    if (!to->kind.len)
        to->kind = arena_copy(&p->strings, from->kind);
    to->samples = samples;
    to->squares = squares;
    to->uncounted |= from->uncounted;
    to->unitless |= from->unitless;
    to->without_frames += from->without_frames;
    to->truncated += from->truncated;
    merge_notes(to->notes, from->notes);
    if (keep)
        timed_samples_join(&to->timed, &from->timed, stacks, factor);
    reported_merge(&to->reported, &from->reported, ids ? ids->symbols : NULL, factor);
    vec_each (struct removal, r, &from->removals)
        reshape_add_removal(to, r->option, r->weight * factor, r->stayed);
    if (from->first_ns <= from->last_ns) {
        profile_add_time(p, id, from->first_ns);
        profile_add_time(p, id, from->last_ns);
    }
    return id;
}

/* Whether all totals fit in 64 bits after both profiles are rescaled to `decimals`. */
static bool totals_fit(const struct profile *p, const struct profile *from, unsigned decimals)
{
    uint64_t mine = num_pow10(decimals - p->decimals);
    uint64_t theirs = num_pow10(decimals - from->decimals);
    uint64_t a, b, sum;

    for (size_t i = 0; i < p->series.count; i++)
        if (!num_mul(p->series.items[i].total, mine, &a))
            return false;
    for (size_t i = 0; i < from->series.count; i++) {
        const struct series *s = &from->series.items[i];
        uint32_t same = profile_find_series(p, s->name);

        a = same == SERIES_NONE ? 0 : p->series.items[same].total * mine;
        if (!num_mul(s->total, theirs, &b) || !num_add(a, b, &sum))
            return false;
    }
    return true;
}

/* Pairs the series of `p` that are pairs in `from`. */
static void merge_pairs(struct profile *p, const struct profile *from)
{
    for (size_t i = 0; i < from->series.count; i++) {
        const struct series *s = &from->series.items[i];

        uint32_t id;

        if (s->base == SERIES_NONE)
            continue;
        id = profile_series_pair(p, from->series.items[s->base].name, s->name, s->unit);
        p->series.items[id].pair = s->pair;
    }
}

static void merge_ledger(struct read_ledger *to, const struct read_ledger *from)
{
    to->lines += from->lines;
    to->unreadable += from->unreadable;
    to->unreadable_weight += from->unreadable_weight;
    to->distributions += from->distributions;
    to->without_frames += from->without_frames;
    to->truncated += from->truncated;
    to->without_frames_of_series += from->without_frames_of_series;
    to->truncated_of_series += from->truncated_of_series;
    to->lost += from->lost;
    to->left_out += from->left_out;
    to->unwound += from->unwound;
    to->off_ns += from->off_ns;
    to->preempted_ns += from->preempted_ns;
    merge_notes(to->notes, from->notes);
}

bool profile_merge(struct profile *p, const struct profile *from)
{
    unsigned decimals = p->decimals > from->decimals ? p->decimals : from->decimals;
    struct new_ids ids;

    if (!totals_fit(p, from, decimals) || !profile_rescale(p, decimals))
        return false;
    if (!p->format)
        p->format = from->format;
    p->keep_timed |= from->keep_timed;

    ids.symbols = merge_symbols(&p->symbols, &from->symbols);
    ids.stacks = merge_stacks(&p->stacks, &from->stacks, ids.symbols);
    for (size_t i = 0; i < from->series.count; i++)
        merge_series(p, &from->series.items[i], from->series.items[i].name, &ids,
                     num_pow10(decimals - from->decimals));
    merge_pairs(p, from);
    xfree(ids.stacks);
    xfree(ids.symbols);

    for (size_t i = 0; i < from->facts.count; i++)
        profile_add_fact(p, from->facts.items[i].key, from->facts.items[i].value);
    vec_each (const struct slice, event, &from->events)
        profile_list_event(p, *event);
    merge_ledger(&p->ledger, &from->ledger);
    p->has_processes |= from->has_processes;
    p->has_threads |= from->has_threads;
    p->has_cpus |= from->has_cpus;
    p->has_cgroups |= from->has_cgroups;
    p->has_states |= from->has_states;
    p->has_tags |= from->has_tags;
    p->has_split_tag |= from->has_split_tag;
    if (!p->captured_ns)
        p->captured_ns = from->captured_ns;
    if (!p->period.count)
        p->period =
            (struct sampling_period){from->period.count, arena_copy(&p->strings, from->period.of),
                                     arena_copy(&p->strings, from->period.unit)};
    p->in_order |= from->in_order;
    p->counted |= from->counted;
    return true;
}

uint32_t merge_one_series(struct profile *p, const struct profile *from, uint32_t series,
                          struct slice name)
{
    unsigned decimals = p->decimals > from->decimals ? p->decimals : from->decimals;
    const struct series *s = &from->series.items[series];
    uint64_t factor = num_pow10(decimals - from->decimals), total;
    struct new_ids ids;
    uint32_t id;

    if (!num_mul(s->total, factor, &total) || !profile_rescale(p, decimals))
        return SERIES_NONE;
    ids.symbols = merge_symbols(&p->symbols, &from->symbols);
    ids.stacks = merge_stacks(&p->stacks, &from->stacks, ids.symbols);
    id = merge_series(p, s, name, &ids, factor);
    xfree(ids.stacks);
    xfree(ids.symbols);
    merge_ledger(&p->ledger, &from->ledger);
    return id;
}

bool merge_within(struct profile *p, uint32_t series, uint32_t from)
{
    const struct series *to = &p->series.items[series];
    uint64_t total;

    if (!num_add(to->total, p->series.items[from].total, &total))
        return false;
    merge_series(p, &p->series.items[from], to->name, NULL, 1);
    return true;
}
