#include "compare/inlines.h"

#include <math.h>
#include <stdlib.h>

#include "compare/callers.h"
#include "compare/renames.h"

enum {
    CANDIDATES_MOST = 100, /* on each side: callers of each are counted */
    ROUNDS = 4,            /* a function is inlined in one that is inlined */
};

/* The part of the cost that must be found again, and how many standard errors it must have. */
static const double least_again = 0.5, least_errors = 3;

/* More than this part of the cost is another change, if only the place suggests the function. */
static const double most_again = 1.6;

/* The part of its samples that a function has below its main caller. */
static const double most_of = 0.8;

/* The shares of the samples of each side, by row: self values. */
struct costs {
    double *self[2];
    double samples[2];
    uint32_t *callers[2]; /* main callers by function */
};

static void costs_init(struct costs *c, const struct functions *f)
{
    *c = (struct costs){.samples = {0}};
    for (int side = 0; side < 2; side++) {
        c->self[side] = xcalloc(f->row_count + 1, sizeof(*c->self[side]));
        c->callers[side] = xreallocarray(NULL, f->items.count + 1, sizeof(*c->callers[side]));
    }
    for (size_t run = 0; run < f->run_count; run++) {
        enum stats_side side = f->runs[run].run.side;

        if (side == STATS_HISTORY)
            continue;
        c->samples[side] += f->runs[run].samples;
        for (size_t row = 0; row < f->row_count; row++)
            c->self[side][row] += f->self[row * f->run_count + run];
    }
}

static void costs_release(struct costs *c)
{
    for (int side = 0; side < 2; side++) {
        free(c->self[side]);
        free(c->callers[side]);
    }
}

static double share_of(const struct costs *c, size_t row, enum stats_side side)
{
    return c->samples[side] > 0 ? c->self[side][row] / c->samples[side] : 0;
}

/*
 * How much more of the samples a function has itself on the side without the inlined one, than if
 * that one were only gone: then the shares of all others would be larger, too.
 */
static double growth_of(const struct costs *c, const struct functions *f, uint32_t function,
                        double cost, enum stats_side with)
{
    enum stats_side without = with == STATS_BASE ? STATS_NEW : STATS_BASE;
    uint32_t row = f->items.items[function].row;

    if (row == FUNCTION_NONE)
        return 0;
    return share_of(c, row, without) * (1 - cost) - share_of(c, row, with);
}

/* Whether one function may be a part of another. */
static bool may_have(const struct function *whole, const struct function *part)
{
    return whole != part && whole->class == part->class && renames_same_place(whole, part);
}

/* Whether a growth is more than chance. */
static bool is_certain(const struct costs *c, double growth, double cost)
{
    double error =
        sqrt((growth + cost) / c->samples[STATS_BASE] + (growth + cost) / c->samples[STATS_NEW]);

    return growth >= least_errors * error;
}

/* Returns the caller that has most of what all callers have more; FUNCTION_NONE if it is little. */
static uint32_t find_callers(const struct costs *c, const struct functions *f, uint32_t function,
                             const double *calls, enum stats_side with)
{
    const struct function *inlined = &f->items.items[function];
    double cost = share_of(c, inlined->row, with), sum = 0, most = 0;
    uint32_t found = FUNCTION_NONE;

    for (uint32_t id = 0; id < f->items.count; id++) {
        double growth = calls[id] > 0 ? growth_of(c, f, id, cost, with) : 0;

        if (!(growth > 0) || !may_have(&f->items.items[id], inlined))
            continue;
        sum += growth;
        if (growth > most) {
            most = growth;
            found = id;
        }
    }
    return sum >= least_again * cost && is_certain(c, sum, cost) ? found : FUNCTION_NONE;
}

/* Returns the function beside this one, below the same caller, that has its cost. */
static uint32_t find_beside(const struct costs *c, const struct functions *f, uint32_t function,
                            enum stats_side with)
{
    const struct function *inlined = &f->items.items[function];
    uint32_t caller = c->callers[with][function], found = FUNCTION_NONE;
    double cost = share_of(c, inlined->row, with), nearest = most_again * cost;

    for (size_t row = 0; row < f->row_count && caller != FUNCTION_NONE; row++) {
        uint32_t id = f->rows[row];
        double growth = growth_of(c, f, id, cost, with);

        if (c->callers[STATS_BASE][id] != caller || c->callers[STATS_NEW][id] != caller ||
            !may_have(&f->items.items[id], inlined))
            continue;
        if (growth < least_again * cost || growth > most_again * cost ||
            !is_certain(c, growth, cost) || fabs(growth - cost) >= nearest)
            continue;
        nearest = fabs(growth - cost);
        found = id;
    }
    return found;
}

/* Lists functions that only the side `with` has, and that are worth a test there. */
static size_t list_candidates(const struct functions *f, const struct costs *c,
                              enum stats_side with, const struct stats_settings *settings,
                              uint32_t *list)
{
    enum stats_side without = with == STATS_BASE ? STATS_NEW : STATS_BASE;
    size_t count = 0;

    for (size_t row = 0; row < f->row_count && count < CANDIDATES_MOST; row++)
        if (c->self[with][row] >= settings->min_count / 2 &&
            share_of(c, row, with) >= settings->min_share / 2 &&
            !(functions_sum_side(f, &f->total[row * f->run_count], without) > 0))
            list[count++] = f->rows[row];
    return count;
}

/* Finds out where a function is, and puts it there. */
static bool join(struct functions *f, struct costs *c, uint32_t function, const double *calls,
                 enum stats_side with)
{
    size_t row = f->items.items[function].row;
    uint32_t into = find_callers(c, f, function, calls, with);
    bool beside = into == FUNCTION_NONE;

    if (beside)
        into = find_beside(c, f, function, with);
    if (into == FUNCTION_NONE)
        return false;
    functions_inline(f, function, into, beside, with);
    c->self[with][f->items.items[into].row] += c->self[with][row];
    c->self[with][row] = 0;
    return true;
}

/* Joins functions that only the side `with` has. Returns whether there are any. */
static bool join_side(struct functions *f, struct costs *c, enum stats_side with,
                      const struct stats_settings *settings)
{
    uint32_t list[CANDIDATES_MOST];
    double *calls[CANDIDATES_MOST];
    size_t count = list_candidates(f, c, with, settings, list);
    bool joined = false;

    if (!count)
        return false;
    for (size_t i = 0; i < count; i++)
        calls[i] = xcalloc(f->items.count + 1, sizeof(double));
    for (int side = 0; side < 2; side++)
        callers_main(f, (enum stats_side)side, most_of, c->callers[side]);
    callers_of(f, list, count, with, calls);
    for (size_t i = 0; i < count; i++) {
        joined |= join(f, c, list[i], calls[i], with);
        free(calls[i]);
    }
    return joined;
}

void inlines_join(struct functions *f, const struct stats_settings *settings)
{
    struct costs c;

    costs_init(&c, f);
    for (int side = 0; side < 2; side++)
        for (int n = 0; n < ROUNDS && c.samples[STATS_BASE] > 0 && c.samples[STATS_NEW] > 0; n++) {
            if (!join_side(f, &c, (enum stats_side)side, settings))
                break;
            functions_recount(f);
        }
    costs_release(&c);
}
