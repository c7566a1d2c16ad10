#include "compare/budgets.h"

#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>

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

/* The shares of the runs of one side. */
struct range {
    double weight, whole, least, most;
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
    return r->whole > 0 ? r->weight / r->whole : 0;
}

static void add_result(struct comparison *c, const struct compare_budget *b, struct slice service,
                       const struct functions *f)
{
    bool *chosen = xcalloc(f->items.count + 1, sizeof(*chosen));
    struct range sides[2] = {{0}};
    struct budget_result *out = vec_add(&c->budgets);

    choose(b, f, chosen);
    for (size_t run = 0; run < f->run_count; run++) {
        const struct compare_run *r = &f->runs[run];

        if (r->run.side != STATS_HISTORY)
            add_run(&sides[r->run.side], (double)functions_weight(f, run, chosen),
                    (double)compare_run_weight(r));
    }
    *out = (struct budget_result){
        .service = arena_copy(&c->memory, service),
        .name = arena_copy(&c->memory, b->name),
        .is_search = b->search != NULL,
        .base = share_of(&sides[STATS_BASE]),
        .new = share_of(&sides[STATS_NEW]),
        .max_share = b->max_share,
        .max_growth = b->max_growth,
    };
    out->share_broken = out->new > b->max_share;
    out->growth_broken = sides[STATS_BASE].whole > 0 && out->new - out->base >
                                                            b->max_growth &&sides[STATS_NEW].least >
                                                            sides[STATS_BASE].most;
    free(chosen);
}

void budgets_add(struct comparison *c, struct slice service, const struct functions *f)
{
    const char *name = arena_strdup(&c->memory, service);

    vec_each (const struct compare_budget, b, &c->settings.budgets)
        if (fnmatch(arena_strdup(&c->memory, b->service), name, 0) == 0)
            add_result(c, b, service, f);
}
