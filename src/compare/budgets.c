#include "compare/budgets.h"

#include <math.h>
#include <stdlib.h>

#include "base/glob.h"

/* Chooses the functions that a budget is about. */
static void choose(const struct compare_budget *b, const struct functions *f, bool *chosen)
{
    struct search_matcher *matcher = b->search ? search_matcher_new(b->search) : NULL;

    for (size_t id = 0; id < f->items.count; id++) {
        const struct function *function = &f->items.items[id];

        chosen[id] =
            matcher ? search_match(matcher, function->name) == SEARCH_HIT
                    : slice_equal(b->name, function->key) || slice_equal(b->name, function->name);
    }
    if (matcher)
        search_matcher_free(matcher);
}

/* What the runs of one side have: shares, or weights for each request, second or run. */
struct range {
    double weight, whole, least, most;
    bool unknown; /* by what a run is to be divided */
};

static void add_run(struct range *r, double weight, double whole)
{
    double share = whole > 0 ? weight / whole : 0;

    r->least = r->whole > 0 ? fmin(r->least, share) : share;
    r->most = fmax(r->most, share);
    r->weight += weight;
    r->whole += whole;
}

static double share_of(const struct range *r)
{
    return r->whole > 0 && !r->unknown ? r->weight / r->whole : 0;
}

/* Returns by what the weight of a run is divided; 0 if unknown. */
static double exposure_of(const struct compare_run *r, enum budget_kind kind)
{
    return kind == BUDGET_PER_REQUEST ? r->requests : kind == BUDGET_PER_SECOND ? r->seconds : 1;
}

static void add_total(struct range *range, const struct compare_run *r, enum budget_kind kind)
{
    double exposure = exposure_of(r, kind);

    range->unknown |= !(exposure > 0);
    add_run(range, (double)compare_run_whole(r) * pow(10, r->exponent), exposure);
}

/* Makes the total of the base the unit of both sides. */
static void relate_totals(struct range sides[2])
{
    double unit = share_of(&sides[STATS_BASE]);

    for (size_t i = 0; i < 2; i++) {
        sides[i].weight = unit > 0 ? sides[i].weight / unit : 0;
        sides[i].least = unit > 0 ? sides[i].least / unit : 0;
        sides[i].most = unit > 0 ? sides[i].most / unit : 0;
    }
}

/* Fills the shares of the functions that the budget is about. */
static void add_shares(struct range sides[2], const struct compare_budget *b,
                       const struct functions *f)
{
    bool *chosen = xcalloc(f->items.count + 1, sizeof(*chosen));

    choose(b, f, chosen);
    for (size_t run = 0; run < f->run_count; run++) {
        const struct compare_run *r = &f->runs[run];

        if (r->run.side != STATS_HISTORY)
            add_run(&sides[r->run.side], (double)functions_weight(f, run, chosen),
                    (double)compare_run_whole(r));
    }
    free(chosen);
}

static void add_totals(struct range sides[2], const struct compare_budget *b,
                       const struct functions *f)
{
    for (size_t run = 0; run < f->run_count; run++)
        if (f->runs[run].run.side != STATS_HISTORY)
            add_total(&sides[f->runs[run].run.side], &f->runs[run], b->kind);
    relate_totals(sides);
}

static void warn_unknown(struct comparison *c, struct compared_service *s, enum budget_kind kind)
{
    static const char *const missing[] = {
        [BUDGET_PER_REQUEST] = "how many requests they served",
        [BUDGET_PER_SECOND] = "how long they were",
        [BUDGET_PER_RUN] = "",
        [BUDGET_FUNCTION] = "",
        [BUDGET_SEARCH] = "",
    };

    *vec_add(&s->warnings) = slice_str(arena_printf(
        &c->memory, "the budget of the total was not checked: not all runs say %s", missing[kind]));
}

static void add_result(struct comparison *c, const struct compare_budget *b,
                       struct compared_service *s, const struct functions *f)
{
    struct range sides[2] = {{0}};
    const struct range *base = &sides[STATS_BASE], *new = &sides[STATS_NEW];
    struct budget_result *out = vec_add(&c->budgets);

    if (budgets_basis(b->kind).len)
        add_totals(sides, b, f);
    else
        add_shares(sides, b, f);
    *out = (struct budget_result){
        .kind = b->kind,
        .service = arena_copy(&c->memory, s->name),
        .event = arena_copy(&c->memory, s->event),
        .name = arena_copy(&c->memory, b->name),
        .base = share_of(base),
        .new = share_of(new),
        .max_share = b->max_share,
        .max_growth = b->max_growth,
    };
    out->share_broken = b->max_share < 1 && out->new > b->max_share;
    out->growth_broken =
        base->whole > 0 && out->new - out->base > b->max_growth &&new->least > base->most;
    if (base->unknown || new->unknown)
        warn_unknown(c, s, b->kind);
}

struct slice budgets_basis(enum budget_kind kind)
{
    static const struct slice words[] = {
        [BUDGET_PER_REQUEST] = {"request", 7},
        [BUDGET_PER_SECOND] = {"second", 6},
        [BUDGET_PER_RUN] = {"run", 3},
        [BUDGET_FUNCTION] = {"", 0},
        [BUDGET_SEARCH] = {"", 0},
    };

    return words[kind];
}

void budgets_add(struct comparison *c, struct compared_service *s, const struct functions *f)
{
    const char *name = arena_strdup(&c->memory, s->name);

    vec_each (const struct compare_budget, b, &c->settings.budgets)
        if (glob_matches(arena_strdup(&c->memory, b->service), name))
            add_result(c, b, s, f);
}
