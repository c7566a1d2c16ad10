#include "prepare/prepare.h"

#include "base/file.h"
#include "base/utf8.h"
#include "prepare/counters.h"
#include "prepare/frames.h"
#include "prepare/hotcold.h"
#include "prepare/hybrid.h"
#include "prepare/merge.h"
#include "prepare/states.h"
#include "prepare/times.h"
#include "prepare/units.h"
#include "profile/pair.h"
#include "profile/reshape.h"

bool prepare_add(struct profile *whole, struct profile *part, const struct recipe *r, size_t index,
                 struct slice name, struct diag *diag)
{
    if (recipe_is_of(r, KIND_HOTCOLD))
        return hotcold_take(whole, part, index, diag);
    return merge_add(r->merge, whole, part, name, diag);
}

/* ---- kinds and units ---- */

static bool apply_kind(const struct recipe *r, struct profile *p, struct diag *diag)
{
    bool hotcold = recipe_is_of(r, KIND_HOTCOLD);

    if (!units_check_input(r, p, diag) || !hybrid_join(r, p, diag) ||
        (hotcold && !hotcold_join(r, p, diag)))
        return false;
    return (r->as_counted && !hotcold) || units_apply(r, p, diag);
}

/* ---- pairs ---- */

static bool is_pair(const struct profile *p)
{
    vec_each (struct series, s, &p->series)
        if (s->base != SERIES_NONE)
            return true;
    return false;
}

/* Rounds a pair if the change of its weights does not fit in 63 bits. */
static void coarsen(struct profile *p, uint32_t series, struct diag *diag)
{
    pair_coarsen(p, series);
    profile_add_fact(p, SLICE("estimated"),
                     SLICE("the weights before and after together do not fit in 63 bits and are "
                           "rounded to tens"));
    diag_warn(diag,
              "the weights before and after together do not fit in 63 bits; they are counted in "
              "tens");
}

/* Scales a pair and swaps its sides, as the recipe says. */
static bool finish_pair(const struct recipe *r, struct profile *p, uint32_t series,
                        struct diag *diag)
{
    bool change = pair_kind(p, series) == PAIR_CHANGE;

    if (!pair_fits(p, series))
        coarsen(p, series, diag);
    if (change && r->normalize && !pair_normalize(p, series))
        return diag_misuse(diag, "option --normalize: %s",
                           p->series.items[p->series.items[series].base].total
                               ? "the total of the new profile is too small to scale the base to it"
                               : "the base has no weight to scale");
    if (r->negate && change)
        pair_swap(p, series);
    return true;
}

/*
 * Pairs that the input has stay pairs, except if only one side is wanted ("base" or "new" as an
 * event): then both sides are ordinary series.
 */
static bool finish_pairs(const struct recipe *r, struct profile *p, struct diag *diag)
{
    for (uint32_t id = 0; id < p->series.count; id++) {
        struct series *s = &p->series.items[id];
        struct series *base = s->base == SERIES_NONE ? NULL : &p->series.items[s->base];

        if (!base)
            continue;
        if (s->pair == PAIR_CHANGE && recipe_wants(r, p, s) != recipe_wants(r, p, base)) {
            s->base = SERIES_NONE;
            base->before = false;
        } else if (!finish_pair(r, p, id, diag)) {
            return false;
        }
    }
    return true;
}

static bool make_pairs(const struct recipe *r, struct profile *p, struct diag *diag)
{
    if (recipe_is_of(r, KIND_CPI) && counters_join(r, p) == SERIES_NONE)
        return counters_tell_missing(p, diag);
    if (r->needs_pair && !is_pair(p))
        counters_join(r, p);
    if (r->needs_pair && !is_pair(p))
        return diag_error(diag,
                          "one file shows a change only if its stacks have two weights, before and "
                          "after, or if it has two counters, cycles and instructions or stalls; "
                          "name two files: diff BASE NEW");
    if (!finish_pairs(r, p, diag))
        return false;
    /* Adds a graph of both counters to the graphs of each, unless the recipe names what to draw, or
     * asks for something that a graph of two series cannot show. */
    return r->one_graph || r->only_stacks || r->kind || p->keep_timed || r->around.len ||
           recipe_is_part(r) || counters_add_graphs(p, diag);
}

/* ---- graphs ---- */

static bool choose(const struct recipe *r, struct profile *p, struct slice input,
                   struct prepared *made, struct diag *diag)
{
    uint32_t one;
    bool all;

    if (!r->one_graph)
        return choose_all(r, p, &made->graphs, diag);
    all = choose_can_add_all(r, p);
    one = choose_one(r, p, input, diag);
    if (one == SERIES_NONE)
        return false;
    if (r->needs_pair && p->series.items[one].base == SERIES_NONE)
        return diag_misuse(diag, "option --event: %.*s alone shows no change",
                           SLICE_ARG(p->series.items[one].name));
    *vec_add(&made->graphs) = one;
    if (!r->events.count)
        choose_write_others(r, p, one, &made->others);
    if (made->others.len)
        buf_add_str(&made->others, all ? " (--event NAME, or all)" : " (--event NAME)");
    return true;
}

/* Joins and filters frames, filters samples, then removes graphs that have become empty. */
static bool reduce(const struct recipe *r, struct profile *p, struct prepared *made,
                   struct diag *diag)
{
    struct series_ids *graphs = &made->graphs;
    uint32_t first = graphs->items[0];
    size_t left = 0;

    states_join(p);
    if (!times_apply(r, p, diag) || !frames_apply(r, p, diag))
        return false;
    if (r->one_graph) {
        made->empty = frames_are_gone(p, first, diag);
        return true;
    }
    for (size_t i = 0; i < graphs->count; i++) {
        const struct series *s = &p->series.items[graphs->items[i]];
        bool before = s->base != SERIES_NONE && p->series.items[s->base].count;

        if (s->count || before)
            graphs->items[left++] = graphs->items[i];
    }
    if (!left)
        frames_are_gone(p, first, diag);
    made->empty = !left;
    graphs->count = left;
    return true;
}

/* ---- memory ---- */

/*
 * Bytes for each node of a tree: its total, and a table of numbers that exists for a while (of
 * colours, filters, functions). A report also writes the stacks of its runs, and a pair has the
 * totals of both sides: together with the profile 65 bytes a node were measured.
 */
enum { NODE_BYTES = 16, MORE_NODE_BYTES = 40 };

/* The bytes that a profile and its graph may take together. */
static uint64_t limit_of(const struct recipe *r)
{
    return r->max_memory && r->max_memory < INT64_MAX ? r->max_memory : INT64_MAX;
}

uint64_t prepare_memory_limit(const struct recipe *r, const struct profile *p)
{
    uint64_t held = profile_memory(p), most = limit_of(r);

    return most > held ? most - held : 0;
}

unsigned prepare_beside(uint64_t memory_limit, const struct profile *p, unsigned threads)
{
    uint64_t each = (uint64_t)p->stacks.count * (NODE_BYTES + MORE_NODE_BYTES);

    if (each * threads > memory_limit)
        threads = (unsigned)(memory_limit / each);
    return threads ? threads : 1;
}

void prepare_budget(const struct recipe *r, uint64_t memory_limit, const struct profile *p,
                    struct budget *b)
{
    uint64_t tree = (uint64_t)p->stacks.count * NODE_BYTES;

    budget_init(b, "drawing", limit_of(r), UINT64_MAX);
    budget_charge(b, (ptrdiff_t)(limit_of(r) - memory_limit)); /* the profile, and others' shares */
    budget_charge(b, (ptrdiff_t)tree);
}

void prepare_charge_tree(uint32_t nodes)
{
    if (budget_current)
        budget_charge(budget_current, (ptrdiff_t)nodes * NODE_BYTES);
}

/* Whether the profile can be drawn within the limit. Stacks that are written need no tree. */
static bool fits(const struct recipe *r, const struct profile *p, struct diag *diag)
{
    struct budget budget, *before;
    bool ok;

    if (r->only_stacks)
        return true;
    prepare_budget(r, prepare_memory_limit(r, p), p, &budget);
    if (!r->one_graph || is_pair(p))
        budget_charge(&budget, (ptrdiff_t)p->stacks.count * MORE_NODE_BYTES);
    before = budget_enter(&budget);
    ok = budget_allows(diag, DIAG_AT_FILE);
    budget_leave(before);
    return ok;
}

bool prepare(struct profile *p, const struct recipe *r, struct prepared *made, struct diag *diag)
{
    return fits(r, p, diag) && apply_kind(r, p, diag) && make_pairs(r, p, diag) &&
           choose(r, p, SLICE("the input"), made, diag) && reduce(r, p, made, diag);
}

/* ---- two inputs ---- */

/* Returns what an input counts, by its event or, if it names none, by the name of the file. */
static enum counter role_of(const struct prepare_input *input, const struct series *s)
{
    return counters_role(s->event.len ? s->event : file_name_of(input->path));
}

/* Returns the only graph of a profile, or SERIES_NONE if it has several. */
static uint32_t only_graph(const struct profile *p)
{
    uint32_t found = SERIES_NONE;

    for (uint32_t id = 0; id < p->series.count; id++) {
        if (!p->series.items[id].count || p->series.items[id].before)
            continue;
        if (found != SERIES_NONE)
            return SERIES_NONE;
        found = id;
    }
    return found;
}

static void report_several(const struct recipe *r, const struct prepare_input *before,
                           const struct prepare_input *after, struct slice name, struct diag *diag)
{
    struct buf names = {0};

    choose_write_others(r, before->profile, SERIES_NONE, &names);
    if (name.len)
        diag_error(diag, "%.*s has several events (%s) and none called %.*s; name one (--event)",
                   SLICE_ARG(before->path), buf_string(&names), SLICE_ARG(name));
    else
        diag_error(diag,
                   "%.*s has several events (%s), and %.*s does not say which one it has; name one "
                   "(--event)",
                   SLICE_ARG(before->path), buf_string(&names), SLICE_ARG(after->path));
    buf_release(&names);
}

/* Returns the series to compare with, or SERIES_NONE after reporting that there is none. */
static uint32_t find_base(const struct recipe *r, const struct prepare_input *before,
                          const struct prepare_input *after, struct slice name, struct diag *diag)
{
    uint32_t id;

    if (r->events.count)
        return choose_one(r, before->profile, before->path, diag);
    id = profile_find_series(before->profile, name);
    if (id == SERIES_NONE)
        id = only_graph(before->profile);
    if (id == SERIES_NONE)
        report_several(r, before, after, name, diag);
    return id;
}

/* If the units differ, gives a side without a unit the unit of the other side's kind. */
static bool agree_on_unit(const struct recipe *r, struct profile *a, uint32_t series_a,
                          struct profile *b, uint32_t series_b, struct diag *diag)
{
    const struct kind *kind_a = units_kind(r, a, series_a), *kind_b = units_kind(r, b, series_b);

    if (r->as_counted ||
        unit_is_same(&a->series.items[series_a].unit, &b->series.items[series_b].unit))
        return true;
    return units_give(r, a, series_a, kind_b, diag) && units_give(r, b, series_b, kind_a, diag);
}

static struct slice clean_copy(struct arena *memory, struct slice name)
{
    struct buf text = {0};
    struct slice copy;

    utf8_add_clean(&text, name);
    copy = arena_copy(memory, buf_slice(&text));
    buf_release(&text);
    return copy;
}

/* Names the sides of a pair by their paths, without the directories at the start of both. */
static void name_sides(struct profile *p, uint32_t series, struct slice base, struct slice new)
{
    struct series *after = &p->series.items[series];

    file_names_apart(&base, &new);
    after->input = clean_copy(&p->strings, new);
    p->series.items[after->base].input = clean_copy(&p->strings, base);
}

/* Only before the pairing is the format of the base known, which says what its records are. */
static void keep_samples(struct series *base, uint64_t samples)
{
    base->samples = samples;
    base->squares = samples ? base->squares : 0;
}

static bool join(const struct recipe *r, const struct prepare_input *before, uint32_t base,
                 const struct prepare_input *after, uint32_t series, struct diag *diag)
{
    struct profile *old = before->profile, *new = after->profile;
    const struct series *s = &new->series.items[series], *b = &old->series.items[base];
    enum counter first = role_of(before, b), second = role_of(after, s);
    bool swapped = counters_kind(first, second) != PAIR_CHANGE;
    enum pair_kind kind = swapped ? counters_kind(first, second) : counters_kind(second, first);

    if (b->base != SERIES_NONE || s->base != SERIES_NONE)
        return diag_error(diag, "an input has two columns, before and after, already; diff it "
                                "alone, or take one of them (--event base, --event new)");
    if (kind == PAIR_CHANGE && !agree_on_unit(r, old, base, new, series, diag))
        return false;
    if (kind == PAIR_CHANGE && !units_match(old, base, new, series) && !r->count_name.len)
        return diag_error(diag,
                          "%.*s has %.*s and %.*s has %.*s, which cannot be compared (--countname "
                          "says what both count)",
                          SLICE_ARG(before->path), SLICE_ARG(unit_word(&b->unit)),
                          SLICE_ARG(after->path), SLICE_ARG(unit_word(&s->unit)));
    if ((uint64_t)old->stacks.count + new->stacks.count > STACKS_MOST)
        return diag_error(diag, "the two inputs together have too many distinct stacks");
    reshape_match_owners(new, old);
    if (!pair_add_base(new, series, old, base))
        return diag_error(diag, "the weights of both inputs do not fit in 64 bits");
    keep_samples(&new->series.items[new->series.items[series].base], profile_samples(old, base));
    name_sides(new, series, before->path, after->path);
    if (swapped)
        pair_swap(new, series);
    new->series.items[series].pair = (uint8_t)kind;
    if (kind != PAIR_CHANGE)
        counters_name_units(new, series);
    return finish_pair(r, new, series, diag);
}

bool prepare_two(const struct prepare_input *before, const struct prepare_input *after,
                 const struct recipe *r, struct prepared *made, struct diag *diag)
{
    struct profile *p = after->profile;
    uint32_t series, base;

    if (!apply_kind(r, p, diag) || !apply_kind(r, before->profile, diag) ||
        !make_pairs(r, before->profile, diag) || !make_pairs(r, p, diag) ||
        !choose(r, p, after->path, made, diag))
        return false;
    series = made->graphs.items[0];
    base = find_base(r, before, after, p->series.items[series].name, diag);
    made->base = base;
    return base != SERIES_NONE && join(r, before, base, after, series, diag) && fits(r, p, diag) &&
           reduce(r, p, made, diag);
}
